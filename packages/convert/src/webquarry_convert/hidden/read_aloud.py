"""Detection of text that is meant for screen readers and not displayed, based on class names."""

import re

from webquarry_convert.tree import Attributes

MAX_CLASS = 200
"""Number of characters that are read from a class attribute."""
_READ_ALOUD = re.compile(
    r"(?<!not-)sr-?only|(?:visually|visibility)-?hidden|screen-?reader|a11y-?(?:hidden|text)", re.IGNORECASE
)


def is_read_aloud(attributes: Attributes) -> bool:
    names = attributes.get("class")
    return names is not None and _READ_ALOUD.search(names[:MAX_CLASS]) is not None
