"""Formats the numbers in list labels."""

from typing import Final

MAX_NUMBER: Final = 999_999_999
MAX_LABEL: Final = 255
"""Maximum length, in characters, of a label's text apart from its numbers. Office programs write no more."""
_MAX_ROMAN: Final = 4999
_MAX_LETTERS: Final = 780
"""Largest number that is written with letters. Larger numbers would repeat a letter more than thirty times."""
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def format_label(number: int, form: str) -> str:
    """Format a number.

    form: the number format, written as its first label, as in OpenDocument: `1`, `01`, `a`, `A`, `i` or `I`; "" for no
    number.
    """
    if not form:
        return ""
    if form == "01":
        return f"{number:02}"
    if number < 1:
        return str(number)
    if form in ("a", "A") and number <= _MAX_LETTERS:
        text = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif form in ("i", "I") and number <= _MAX_ROMAN:
        text = _write_roman(number)
    else:
        return str(number)
    return text.upper() if form.isupper() else text


def _write_roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        while number >= value:
            text += letters
            number -= value
    return text
