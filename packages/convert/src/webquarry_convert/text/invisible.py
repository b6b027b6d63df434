"""Removal of invisible characters.

Invisible characters are direction marks, tag characters, variation selectors after a character without variants, and
joiners that join nothing.

Legitimate uses are kept: joiners in emoji and in Persian and Indic words, one variation selector after a character that
has variants, direction marks in Hebrew and Arabic text, and flags written with tag characters.
"""

import re
from unicodedata import category

from webquarry_convert.text.edits import Edit, apply_edits

MOST_SILENT = 2
"""Maximum length of a run of unneeded soft hyphens, breaks and joiners that is removed without a warning.

Such short runs are common. A longer run may hide a message.
"""
_LAYOUT = frozenset(
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u061c\u2060\ufeff\u034f\u180e\u2061\u2062\u2063\u2064\u17b4\u17b5"
)
_RUN = re.compile(
    "[\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_JOINED = re.compile(
    "[\u0600-\u08ff\u0900-\u109f\u1700-\u1cff\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff]"
)
"""Matches letters and marks of scripts in which a joiner changes a word's spelling or shape."""
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_FLAG = re.compile("[\U000e0061-\U000e007a]{2}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,3}\U000e007f")
_BLACK_FLAG = "\U0001f3f4"
_FIRST_SYMBOL = "\u203c"
_KEYS = frozenset("#*0123456789\u00a9\u00ae")
_MARKS = frozenset("\u200e\u200f\u061c")
_JOINERS = frozenset("\u200c\u200d")


def strip_invisible(text: str) -> tuple[str, int]:
    """Remove invisible characters. Return the text and the number of suspicious characters that were removed.

    Unneeded hyphens and breaks don't count as suspicious. Never fails, and takes linear time.
    """
    edits, removed = find_invisible(text)
    return apply_edits(text, edits), removed


def find_invisible(text: str) -> tuple[list[Edit], int]:
    """Return the edits that `strip_invisible` makes, and the number of suspicious characters they remove."""
    edits: list[Edit] = []
    removed = 0
    if text.isascii() or _RUN.search(text) is None:
        return edits, removed
    has_marks = _RIGHT_TO_LEFT.search(text) is not None
    for run in _RUN.finditer(text):
        start, end = run.span()
        kept = _filter_run(run[0], text[start - 1 : start], text[end : end + 1], has_marks=has_marks)
        gone = end - start - len(kept)
        if gone:
            edits.append(Edit(start, end, kept))
            if gone > MOST_SILENT or not _LAYOUT.issuperset(run[0]):
                removed += gone
    return edits, removed


def build_warning(characters: int) -> str:
    """Return the warning about removed invisible characters."""
    return f"Invisible characters are omitted: {characters:,}."


def _filter_run(run: str, before: str, after: str, *, has_marks: bool) -> str:
    """Return a run of mostly invisible characters without those that have no effect.

    before, after: the adjacent characters, "" at the ends of the text.
    has_marks: whether the text has right-to-left letters.
    """
    kept = ""
    at = 0
    if before == _BLACK_FLAG and (flag := _FLAG.match(run)) is not None:
        kept, at = flag[0], flag.end()
    for place in range(at, len(run)):
        sign = run[place]
        last = kept[-1:] or before
        if has_marks and last not in _MARKS if sign in _MARKS else _does_something(sign, last, after):
            kept += sign
    return kept


def _does_something(sign: str, last: str, after: str) -> bool:
    """Return whether a joiner or selector changes how adjacent characters look.

    last: the character before it, "" at the beginning; after: the character after the run.
    """
    if sign in _JOINERS:
        return last not in _JOINERS and _is_joining(sign, last, after)
    return last != "" and _is_selecting(sign, last)


def _is_joining(joiner: str, before: str, after: str) -> bool:
    """Return whether a joiner has an effect between two characters."""
    if _JOINED.match(before) or _JOINED.match(after):
        return True
    return joiner == "\u200d" and _is_picture(before) and _is_picture(after)


def _is_picture(sign: str) -> bool:
    return sign != "" and (sign == "\ufe0f" or "\U0001f3fb" <= sign <= "\U0001f3ff" or category(sign) == "So")


def _is_selecting(selector: str, base: str) -> bool:
    """Return whether a variation selector may follow a character."""
    if "\u180b" <= selector <= "\u180f" and selector != "\u180e":
        return "\u1800" <= base <= "\u18af" and _RUN.match(base) is None
    if "\ufe0e" <= selector <= "\ufe0f":
        return base in _KEYS or (base >= _FIRST_SYMBOL and _RUN.match(base) is None)
    if "\ufe00" <= selector <= "\ufe0d":
        return base >= "\u1000" and _RUN.match(base) is None
    return "\U000e0100" <= selector <= "\U000e01ef" and _IDEOGRAPH.match(base) is not None
