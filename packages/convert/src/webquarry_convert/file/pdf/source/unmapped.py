"""Characters that a font draws without saying what they are: private ones that mean nothing known.

Until here they stay in the text, as they may be the bullets of a list, or tell that all of a page means nothing.
"""

import re

_UNKNOWN = "\ue000-\uf8ff\U000f0000-\U0010fffd"
_LINE = re.compile(rf"^[{_UNKNOWN}][{_UNKNOWN} ]*(?:\n+|\Z)", re.MULTILINE)
_BEFORE_NUMBER = re.compile(rf"[{_UNKNOWN}](?=\s?[.,]?[0-9])")
"""It may be a minus: without it the number would be another."""
_ALONE = re.compile(rf"(?:^|(?<= ))[{_UNKNOWN}]+ ", re.MULTILINE)
_ANY = re.compile(f"[{_UNKNOWN}]")


def drop_unmapped(text: str) -> tuple[str, list[str]]:
    """Markdown without such characters, "?" where they stand before a number; and a warning that counts them."""
    count = 0 if text.isascii() else len(_ANY.findall(text))
    if not count:
        return text, []
    text = _BEFORE_NUMBER.sub("?", _LINE.sub("", text))
    text = _ANY.sub("", _ALONE.sub("", text)).rstrip("\n")
    characters = "1 character" if count == 1 else f"{count:,} characters"
    warning = f'{characters} of fonts that do not say what they draw: left out, or "?" before a number.'
    return f"{text}\n" if text else "", [warning]
