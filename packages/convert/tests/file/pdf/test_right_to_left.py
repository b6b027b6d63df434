"""Hebrew and Arabic text as browsers print it. Letters are in reading order, each to the left of the previous one."""

from convert_support.portable import HEIGHT, Sheet, portable, streams_from
from webquarry_convert.file.pdf import read

LETTERS = {"a": "\u0627", "l": "\u0644", "n": "\u0646", "h": "\u0647", "r": "\u0631", "j": "\u062c", "s": "\u0633"}
RIVER, BRIDGE = "\u0627\u0644\u0646\u0647\u0631", "\u0627\u0644\u062c\u0633\u0631"
SIZE = 10
ADVANCE = 6.0
"""The width of each letter in Courier, in points."""


def printed(*words: str) -> Sheet:
    """Draw a line of words from right to left, in reading order.

    The letters within Arabic words are drawn in the same way, each to the left of the previous one.
    """
    sheet = Sheet()
    right = 500.0
    for word in words:
        left = right - ADVANCE * len(word)
        if word.islower():
            letters = " 1200 ".join(f"<{ord(letter):02X}>" for letter in word)
            sheet.drawn.append(f"BT /Signs {SIZE} Tf {right - ADVANCE} {HEIGHT - 100} Td [{letters}] TJ ET")
        else:
            sheet.text(left, 100, word, size=SIZE, font="Signs")
        right = left - ADVANCE
    return sheet


def markdown(sheet: Sheet) -> str:
    meant = LETTERS | {sign: sign for sign in "().:0123456789OPENCITY"}
    codes = " ".join(f"<{ord(drawn):02X}> <{text.encode('utf-16-be').hex()}>" for drawn, text in meant.items())
    mapped = f"{len(meant)} beginbfchar {codes} endbfchar"
    table = f"begincmap 1 begincodespacerange <00> <FF> endcodespacerange {mapped} endcmap"
    fonts = {"Signs": f"/Subtype/Type1/BaseFont/Courier/ToUnicode {streams_from(sheet)} 0 R"}
    return read(portable(sheet, streams=[("", table.encode())], fonts=fonts)).markdown


def test_words_are_read_from_the_right() -> None:
    assert markdown(printed("alnhr", "aljsr", "jsr")) == f"{RIVER} {BRIDGE} {BRIDGE[2:]}\n"


def test_period_follows_its_word() -> None:
    sheet = printed("alnhr", "aljsr", "alnhr")
    at = 500 - 2 * ADVANCE * 6  # a position in the gap between the second and the third word
    sheet.text(at, 100, ".", size=SIZE, font="Signs")
    assert markdown(sheet) == f"{RIVER} {BRIDGE}.{RIVER}\n"


def test_numbers_and_left_to_right_words_stay_unchanged() -> None:
    sheet = printed("alnhr", "2026", "CITY", "OPEN", "aljsr", "alnhr")
    assert markdown(sheet) == f"{RIVER} 2026 OPEN CITY {BRIDGE} {RIVER}\n"


def test_opening_brackets_precede_their_content() -> None:
    """pdfium mirrors brackets that are stored with the letters, like a browser."""
    assert markdown(printed("alnhr", ")aljsr(", "alnhr")) == f"{RIVER} ({BRIDGE}) {RIVER}\n"
    assert markdown(printed("alnhr", "(aljsr)", "alnhr")) == f"{RIVER} ({BRIDGE}) {RIVER}\n"


def test_letters_stored_from_the_right_are_unchanged() -> None:
    sheet = Sheet()
    for place, letter in enumerate("alnhr"):
        sheet.text(500 - ADVANCE * place, 100, letter, size=SIZE, font="Signs")
    assert markdown(sheet) == f"{RIVER}\n"
