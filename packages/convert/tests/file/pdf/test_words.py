"""Words, letters and formulas are read as a person sees them, even if the file or pdfium reports something else."""

from collections.abc import Callable

import pytest

from convert_support.effort import assert_linear
from convert_support.portable import HEIGHT, Sheet, portable, streams_from
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.source import repair
from webquarry_convert.file.pdf.source.content import Span
from webquarry_convert.file.pdf.source.unmapped import drop_unmapped
from webquarry_convert.file.pdf.words.lines import join_spans


def markdown(sheet: Sheet) -> str:
    return read(portable(sheet)).markdown


def named(sheet: Sheet, letters: dict[str, str]) -> str:
    """Return the markdown for a sheet whose font `Signs` gives its letters other meanings.

    letters: maps drawn letters to intended letters.
    """
    codes = " ".join(f"<{ord(drawn):02X}> <{text.encode('utf-16-be').hex()}>" for drawn, text in letters.items())
    mapped = f"{len(letters)} beginbfchar {codes} endbfchar"
    table = f"begincmap 1 begincodespacerange <00> <FF> endcodespacerange {mapped} endcmap"
    fonts = {"Signs": f"/Subtype/Type1/BaseFont/Naskh/ToUnicode {streams_from(sheet)} 0 R"}
    return read(portable(sheet, streams=[("", table.encode())], fonts=fonts)).markdown


@pytest.mark.parametrize(
    ("font", "sign", "meant"),
    [
        ("ABCDEF+SymbolMT", "\uf0b1", "\u00b1"),
        ("Symbol", "\uf061\uf02b", "\u03b1+"),
        ("ABCDEF+Wingdings-Regular", "\uf0e0", "\u2192"),
        ("Wingdings2", "\uf050", "\u2713"),
        ("MT-Symbol", "\uf0b4", "\u00d7"),
        ("ABCDEF+Own", "\uf0b4", "\uf0b4"),
        ("ABCDEF+Own", "\uf0b1", "\u00b1"),
        ("", "\uf02d", "\u2212"),
        ("ABCDEF+Webdings", "\uf0b1", "\uf0b1"),
        ("ABCDEF+Wingdings-Regular", "\uf02d", "\uf02d"),
        ("Minion", "\uf731\uf739\uf761\uf7e9", "19a\u00e9"),
        ("cmex10", "\uf8ee\uf8fb", "\u23a1\u23a6"),
        ("Own", "\uf6cbo\uf001", "\u00f6fi"),
        ("Own", "\ue001", "\ue001"),
        ("NewTXMI", "\U0001d460\U0001d6fd", "s\u03b2"),
    ],
)
def test_symbol_font_characters_become_the_signs_they_show(font: str, sign: str, meant: str) -> None:
    """The fonts are not embedded, because a generated font would need to contain the pictures."""
    assert repair.map_characters(f"{sign} 5 cm", font) == f"{meant} 5 cm"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("so\u014cware", "software"),
        ("an op\u019fonal a\u01a9ic", "an optional attic"),
        ("\u019fme", "time"),
        ("\u014csaka", "\u014csaka"),
        ("\u019f \u01a9", "\u019f \u01a9"),
    ],
)
def test_ligatures_extracted_as_capitals_become_letters(text: str, read: str) -> None:
    assert repair.map_characters(text, "Calibri") == read


@pytest.mark.parametrize(
    ("font", "text", "read"),
    [
        ("ABCDEF+Wingdings-Regular", "\u00a7 Rye", "\u25aa Rye"),
        ("Wingdings", "n", "\u25a0"),
        ("Wingdings", "\u0178 Rye", "\u2022 Rye"),
        ("Wingdings2", "P Rye", "\u2713 Rye"),
        ("ABCDEF+WPTypographicSymbols", "!", "\u25cf"),
        ("Wingdings", "nobody", "nobody"),
        ("Wingdings", "\u4e00 Rye", "\u4e00 Rye"),
        ("Wingdings", "", ""),
        ("Times", "\u00a7 7", "\u00a7 7"),
    ],
)
def test_picture_with_a_letter_code_becomes_the_first_character_of_its_run(font: str, text: str, read: str) -> None:
    assert repair.read_first_picture(text, font) == read


def with_signs(meant: str, *lines: str) -> bytes:
    """Build lines in which a picture replaces each A.

    meant: the picture's meaning according to the font.
    """
    sheet = Sheet()
    for place, line in enumerate(lines):
        drawn = "/Signs 10 Tf (A) Tj".join(f"/Helvetica 10 Tf ({part}) Tj" if part else "" for part in line.split("A"))
        sheet.drawn.append(f"BT 72 {700 - 20 * place} Td {drawn} ET")
    code = meant.encode("utf-16-be").hex()
    table = f"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <41> <{code}> endbfchar endcmap"
    first = streams_from(sheet)
    font = (
        "/Subtype/Type3/FontBBox[0 0 600 800]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 65/LastChar 65/Widths[584]"
        f"/CharProcs<</C0 {first + 1} 0 R>>/Encoding<</Type/Encoding/Differences[65/C0]>>/ToUnicode {first} 0 R"
    )
    picture = b"584 0 40 230 540 300 d1 40 230 500 70 re f"
    return portable(sheet, streams=[("", table.encode()), ("", picture)], fonts={"Signs": font})


def test_private_use_minus_becomes_a_minus() -> None:
    document = read(with_signs("\uf02d", "It was A7 degrees."))
    assert (document.markdown, document.warnings) == ("It was \u22127 degrees.\n", ())


@pytest.mark.parametrize("meant", ["\u0003", "\u0093", "\ue123"])
def test_unmapped_characters_are_counted_and_marked_before_a_number(meant: str) -> None:
    """A number whose minus sign has no meaning must not become another number."""
    document = read(with_signs(meant, "It was A7 degrees in the daAy."))
    assert document.markdown == "It was ?7 degrees in the day.\n"
    assert document.warnings == ('Unidentifiable text is omitted, or shown as "?" before a number: 2 characters.',)


def test_unmapped_bullet_begins_a_list_item() -> None:
    document = read(with_signs("\ue123", "A apples", "A pears"))
    assert (document.markdown, document.warnings) == ("- apples\n- pears\n", ())


def test_line_of_unmapped_characters_is_removed() -> None:
    assert drop_unmapped("One\n\n\ue123 \ue123\n\nTwo\n", ())[0] == "One\n\nTwo\n"
    assert drop_unmapped("One\n\n\ue123\n", ())[0] == "One\n"
    assert drop_unmapped("\ue123\n", ())[0] == ""
    assert drop_unmapped("\ue123 One \ue123 two\n", ())[0] == "One two\n"
    assert drop_unmapped("Gr\u00f6\u00dfe 5\n", ()) == ("Gr\u00f6\u00dfe 5\n", (), [])


def test_accents_before_their_letter_are_joined_to_it() -> None:
    assert markdown(Sheet().text(72, 72, "B\u00a8orsch and Fran\u00b8cois")) == "B\u00f6rsch and Fran\u00e7ois\n"


def test_apostrophe_is_not_an_accent() -> None:
    assert markdown(Sheet().text(72, 72, "l\u00b4avion")) == "l\u00b4avion\n"


def test_note_mark_is_separated_from_the_note() -> None:
    sheet = Sheet()
    sheet.drawn.append("BT /Helvetica 6 Tf 3 Ts 72 700 Td (12) Tj 0 Ts /Helvetica 10 Tf (Deaton says so.) Tj ET")
    assert markdown(sheet) == "12 Deaton says so.\n"


def test_note_mark_of_any_size_is_separated_from_the_note() -> None:
    sheet = Sheet()
    sheet.drawn.append("BT /Helvetica 8.25 Tf 1.5 Ts 72 700 Td (12) Tj 0 Ts /Helvetica 10 Tf (Deaton says so.) Tj ET")
    assert markdown(sheet) == "12 Deaton says so.\n"


@pytest.mark.parametrize(
    ("mark", "top", "text"), [("2", 4, "2 Wool"), ("\u2020", 4, "\u2020 Wool"), ("2", 12, "2Wool")]
)
def test_note_mark_in_a_separate_run_stays_separate(mark: str, top: float, text: str) -> None:
    """The mark is raised above the line."""
    assert join_spans([Span((0, top, 4, top + 7), mark, 6), Span((4.2, 6, 40, 18), "Wool", 10)]) == text


def test_digits_of_the_same_size_stay_joined_to_their_letters() -> None:
    assert markdown(Sheet().text(72, 72, "13th of May")) == "13th of May\n"


NARROW = f"/Subtype/Type1/BaseFont/Helvetica/FirstChar 32/LastChar 122/Widths[100 {'500 ' * 90}]"
"""A font in which a space is narrower than some gaps between letters."""


def test_words_torn_by_a_narrow_space_are_joined() -> None:
    sheet = Sheet()
    sheet.drawn.append(
        "BT /Narrow 10 Tf 72 700 Td "
        "[(t)-60(he)-300(life)-300(of)-300(t)-60(he)-300(hills)-300(and)-300(t)-60(ail)] TJ ET"
    )
    body = portable(sheet, fonts={"Narrow": NARROW})
    assert read(body).markdown == "the life of the hills and tail\n"


def test_narrow_spaces_are_kept_if_no_word_is_torn() -> None:
    sheet = Sheet()
    sheet.drawn.append("BT /Helvetica 10 Tf 72 700 Td [(and )220(former words )220(of )220(friends)] TJ ET")
    assert markdown(sheet) == "and former words of friends\n"


def test_single_letters_with_spaces_are_not_joined() -> None:
    assert markdown(Sheet().text(72, 72, "A B C or D E F")) == "A B C or D E F\n"


@pytest.mark.parametrize("lam_alef", ["\u0644\u0627", "\u0627\u0644"])
def test_lam_and_alef_are_read_in_the_right_order(lam_alef: str) -> None:
    """The font may name the glyph that represents both letters in either order."""
    sheet = Sheet().text(72, 72, "CBA", font="Signs", size=14)
    found = named(sheet, {"A": "\u06a9", "B": lam_alef, "C": "\u06cc"})
    assert found == "\u06a9\u0644\u0627\u06cc\n"


def test_article_before_a_word_is_kept() -> None:
    sheet = Sheet().text(72, 72, "DCBA", font="Signs", size=14)
    letters = {"A": "\u0627", "B": "\u0644", "C": "\u0628", "D": "\u062d"}
    assert named(sheet, letters) == "\u0627\u0644\u0628\u062d\n"


def test_formulas_in_tex_are_not_escaped() -> None:
    found = markdown(Sheet().text(72, 72, "the set $d_{1},d_{2}$ costs $5_ and 6_ $"))
    assert found == "the set $d_{1},d_{2}$ costs $5\\_ and 6\\_ $\n"


@pytest.mark.parametrize("dash", ["\u2013", "\u2014", "-"])
def test_separate_dash_is_read_as_drawn(dash: str) -> None:
    sheet = Sheet().grid([60, 160, 260], [60, 80, 100])
    code = {"\u2013": "\\226", "\u2014": "\\227", "-": "-"}[dash]
    sheet.text(64, 74, "Oats").text(164, 74, "12").text(64, 94, "Rye 3-4")
    sheet.drawn.append(f"BT /Helvetica 10 Tf 164 {HEIGHT - 94} Td ({code}) Tj ET")
    assert f"| Rye 3-4 | {dash} |" in markdown(sheet).replace("\\", "")


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        (
            "special classes\\227classes in \\221Rye\\222 and well-known",
            "special classes\u2014classes in 'Rye' and well-known",
        ),
        ("Rye \\226 in 2012\\22613 \\226 was dear", "Rye \u2013 in 2012\u201313 \u2013 was dear"),
        ("It fell by \\2265.20 or \\22612 %", "It fell by -5.20 or -12 %"),
        ("Bus 7-9 of 2012\\22613, not 7\\2269", "Bus 7-9 of 2012\u201313, not 7-9"),
    ],
    ids=["between words", "between years", "before a number", "of two kinds"],
)
def test_dashes_in_a_text_are_read_as_drawn(drawn: str, read: str) -> None:
    sheet = Sheet()
    sheet.drawn.append(f"BT /Helvetica 10 Tf 72 {HEIGHT - 94} Td ({drawn}) Tj ET")
    assert markdown(sheet) == f"{read}\n"


def test_work_grows_linearly_with_the_dashes_on_a_page() -> None:
    def prepare(size: int) -> Callable[[], None]:
        sheet = Sheet().text(72, 72, "a-b")
        for place, dashes in enumerate(("\\226" * size, "-\\226" * size, "a-" * size)):
            sheet.drawn.append(f"BT /Helvetica 1 Tf 72 {HEIGHT - 94 - 20 * place} Td ({dashes}) Tj ET")
        body = portable(sheet)
        return lambda: (read(body), None)[1]

    assert_linear(prepare, 2_000)


def write_scaled(x: float, y: float, text: str) -> str:
    """Return operators that write in a font of size 1 on a scaled page."""
    return f"BT /Helvetica 1 Tf 5 0 0 5 {x} {HEIGHT - y} Tm ({text}) Tj ET"


@pytest.mark.parametrize("rows", [40, 104], ids=["few", "many"])
def test_periods_and_bullets_on_a_crowded_page_are_kept(rows: int) -> None:
    sheet = Sheet()
    for row in range(rows):
        y = 40 + 6.5 * row
        sheet.drawn += [write_scaled(60, y, "\\225"), write_scaled(64, y, f"Rye of {1800 + row}")]
        sheet.drawn.append(write_scaled(90.4, y, "."))
    assert markdown(sheet) == "".join([f"- Rye of {1800 + row}.\n" for row in range(rows)])


def test_dots_of_a_drawing_are_not_read_as_periods() -> None:
    sheet = Sheet()
    for row in range(104):
        sheet.drawn += [write_scaled(64, 40 + 6.5 * row, "Rye"), write_scaled(300, 40 + 6.5 * row, ".")]
    assert "." not in markdown(sheet)


def test_gap_between_a_period_and_a_letter_becomes_a_space() -> None:
    sheet = Sheet()
    sheet.drawn.append(
        f"BT /Helvetica 10 Tf 72 {HEIGHT - 80} Td (We saw the river) Tj 3 Tc 76 0 Td (,a) Tj 0 Tc 11.4 0 Td (nd) Tj ET"
    )
    assert "the river, and" in markdown(sheet)


def test_words_with_a_period_between_them_stay_unchanged() -> None:
    assert "the file a.txt,b.txt of node.Js" in markdown(
        Sheet().text(72, 80, "We read the file a.txt,b.txt of node.Js")
    )


def test_divided_word_continues_on_a_more_distant_line() -> None:
    sheet = Sheet().lines(
        72, 60, ["The mill is as old as the bridge is, and its wheel", "turns by what the water of the ri-"]
    )
    sheet.lines(72, 93, ["ver brings down from the hills, as it has done since", "it was made."])
    assert "the water of the river brings down from the hills, as it has done since it was made." in markdown(sheet)


def test_full_line_continues_on_a_more_distant_line() -> None:
    sheet = Sheet().lines(
        72, 60, ["The mill is as old as the bridge is, and its wheel", "turns by the water that comes from far away,"]
    )
    sheet.lines(72, 93, ["down from the hills, as it has done since it was", "made. So it is said."])
    assert "comes from far away, down from the hills, as it has" in markdown(sheet)


def test_line_that_ends_with_a_hyphen_does_not_continue_in_a_new_sentence() -> None:
    sheet = Sheet().lines(72, 60, ["The mill is as old as the bridge is, and its wheel", "turns by what it has, pre-"])
    assert "pre-\n\nThen" in markdown(
        sheet.lines(72, 93, ["Then it was mended, as it has been done since", "it was made."])
    )
