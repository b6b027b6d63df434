"""Candidates for metadata fields, and cleaning of their text."""

import html as entities
import re
from collections.abc import Iterable
from typing import Final

from webquarry_convert.page.head.places import Places, collect_text
from webquarry_convert.text.invisible import strip_invisible
from webquarry_convert.text.unreadable import strip_unreadable

Found = Iterable[tuple[str, str | None]]
"""Candidates for a field, in order of precedence. Each is a pair of the source's name and the value."""
MAX_TEXT: Final = 2000
_TAGS: Final = re.compile(r"</?[A-Za-z][^<>]*>")


def read_text_at(places: Places, place: int, limit: int = MAX_TEXT) -> str:
    return collect_text(places.tree[place], limit)


def clean_text(value: str | None) -> str | None:
    """Return a text as plain text on one line.

    Decodes doubly escaped entities, drops tags, collapses spaces, and removes unreadable characters, such as lone
    surrogates from JSON escapes.
    """
    if not value:
        return None
    value = entities.unescape(value[: 4 * MAX_TEXT]) if "&" in value else value[: 4 * MAX_TEXT]
    value = strip_invisible(strip_unreadable(value))[0]
    if "<" in value:
        value = _TAGS.sub(" ", value)
    return " ".join(value.split())[:MAX_TEXT].rstrip() or None
