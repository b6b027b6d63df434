"""Private characters with an unknown meaning, because their font does not map them.

These characters stay in the text until this step, because they may be the bullets of a list, or show that a whole page
is unreadable.
"""

import re

_UNKNOWN = "\ue000-\uf8ff\U000f0000-\U0010fffd"
_LINE = re.compile(rf"^[{_UNKNOWN}][{_UNKNOWN} ]*(?:\n+|\Z)", re.MULTILINE)
_BEFORE_NUMBER = re.compile(rf"[{_UNKNOWN}](?=\s?[.,]?[0-9])")
"""Matches a character that may be a minus sign. Without it, the number would be different."""
_ALONE = re.compile(rf"(?:^|(?<= ))[{_UNKNOWN}]+ ", re.MULTILINE)
_ANY = re.compile(f"[{_UNKNOWN}]")


def drop_unmapped(text: str) -> tuple[str, list[str]]:
    """Return markdown without such characters, and a warning with their count.

    A character before a number becomes "?".
    """
    count = 0 if text.isascii() else len(_ANY.findall(text))
    if not count:
        return text, []
    text = _BEFORE_NUMBER.sub("?", _LINE.sub("", text))
    text = _ANY.sub("", _ALONE.sub("", text)).rstrip("\n")
    characters = "1 character" if count == 1 else f"{count:,} characters"
    warning = f'Unidentifiable text is omitted, or shown as "?" before a number: {characters}.'
    return f"{text}\n" if text else "", [warning]
