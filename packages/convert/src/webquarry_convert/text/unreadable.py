"""Characters that no document should hold."""

import re

_UNREADABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufeff\ufffe\uffff]")


def strip_unreadable(text: str) -> str:
    """The text without them: controls and marks of byte order vanish, lone surrogates become U+FFFD."""
    return _UNREADABLE.sub(lambda match: "\ufffd" if "\ud800" <= match[0] <= "\udfff" else "", text)
