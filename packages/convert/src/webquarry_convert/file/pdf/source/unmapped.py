"""Private-use characters whose meaning is unknown because their font does not map them.

They stay in the text until this step, because they may be the bullets of a list, or may show that a whole page is
unreadable.
"""

import re
from collections.abc import Sequence

from webquarry_convert.text.edits import apply_edits, find_edits, move_places

_UNKNOWN = "\ue000-\uf8ff\U000f0000-\U0010fffd"
_LINE = re.compile(rf"^[{_UNKNOWN}][{_UNKNOWN} ]*(?:\n+|\Z)", re.MULTILINE)
_BEFORE_NUMBER = re.compile(rf"[{_UNKNOWN}](?=\s?[.,]?[0-9])")
"""Matches a character that may be a minus sign. Dropping it would change the number."""
_ALONE = re.compile(rf"(?:^|(?<= ))[{_UNKNOWN}]+ ", re.MULTILINE)
_ANY = re.compile(f"[{_UNKNOWN}]")


def drop_unmapped(text: str, places: Sequence[int]) -> tuple[str, tuple[int, ...], list[str]]:
    """Return the markdown without such characters, except that a character before a number becomes "?".

    Also return the corresponding offsets, and a warning with the number of characters.
    """
    count = 0 if text.isascii() else len(_ANY.findall(text))
    if not count:
        return text, tuple(places), []
    for pattern, replacement in ((_LINE, ""), (_BEFORE_NUMBER, "?"), (_ALONE, ""), (_ANY, "")):
        edits = find_edits(pattern, replacement, text)
        text, places = apply_edits(text, edits), move_places(places, edits)
    text = text.rstrip("\n")
    characters = "1 character" if count == 1 else f"{count:,} characters"
    warning = f'Unidentifiable text is omitted, or shown as "?" before a number: {characters}.'
    text = f"{text}\n" if text else ""
    return text, tuple(min(place, len(text)) for place in places), [warning]
