"""Small generated PDFs with one feature each. Real files are measured by `bench.files`."""

import contextlib
import math
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.portable import HEIGHT, WIDTH, Sheet, portable
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.limits import MAX_PAGES, MAX_PIXELS
from webquarry_convert.file.pdf import File, read

PROSE = [
    "The river rises in the hills and runs through meadows",
    "until it meets the sea, where in spring many birds nest",
    "and in autumn the fog stands for days over the marshes.",
]
LEFT = [f"Left column, line number {word} of its text" for word in ("one", "two", "three", "four", "five")]
RIGHT = [f"Right column, line number {word} of it all" for word in ("one", "two", "three", "four", "five")]


def markdown(*sheets: Sheet) -> str:
    return read(portable(*sheets)).markdown


def reason(body: bytes) -> str | None:
    with pytest.raises(ConversionFailed) as failed:
        read(body)
    return failed.value.reason


def rows(text: str) -> list[list[str]]:
    """Return the cells of the tables in a markdown text, without the separator rows below the headers."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|") and not line.startswith("| ---")
    ]


def test_metadata_is_returned() -> None:
    body = portable(Sheet().lines(72, 72, PROSE), Sheet(), info="/Title(A river)/Author(Ada)", catalog="/Lang(en-GB)")
    document = read(body)
    assert (document.title, document.author, document.language, document.pages) == ("A river", "Ada", "en-GB", 2)


def test_lines_form_a_paragraph_and_hyphenated_words_are_joined() -> None:
    sheet = Sheet().lines(
        72, 72, ["The first line ends with a hyphen-", "ated word; the second goes on to", "the third."]
    )
    assert markdown(sheet) == "The first line ends with a hyphenated word; the second goes on to the third.\n"


def test_page_text_is_escaped() -> None:
    assert markdown(Sheet().text(72, 72, "a *b* and <b> and [a](b)")) == "a *b\\* and \\<b> and [a\\](b)\n"


def test_columns_are_read_one_after_the_other() -> None:
    text = markdown(Sheet().text(72, 60, "Above both of them").lines(72, 90, LEFT).lines(330, 96, RIGHT))
    assert text.index("Above both") < text.index("Left column, line number five") < text.index("Right column")


def test_larger_text_and_bold_lines_become_headings() -> None:
    sheet = Sheet().text(72, 72, "The river", size=18).lines(72, 100, PROSE)
    sheet.text(72, 160, "Its birds", font="Helvetica-Bold").lines(72, 174, PROSE)
    assert [line for line in markdown(sheet).splitlines() if line.startswith("#")] == ["# The river", "## Its birds"]


def test_italic_line_above_a_paragraph_is_a_heading() -> None:
    sheet = Sheet().lines(72, 72, PROSE).text(72, 130, "Its birds", font="Helvetica-Oblique").lines(72, 142, PROSE)
    assert "# Its birds\n" in markdown(sheet)


def test_numbered_headings_get_the_level_of_their_number() -> None:
    sheet = Sheet()
    for place, heading in enumerate(("1 Water", "1.1 Rivers", "2 Land")):
        sheet.text(72, 72 + 80 * place, heading, font="Helvetica-Bold").lines(72, 86 + 80 * place, PROSE)
    found = [line for line in markdown(sheet).splitlines() if line.startswith("#")]
    assert found == ["# 1 Water", "## 1.1 Rivers", "# 2 Land"]


def test_bold_caption_is_not_a_heading() -> None:
    sheet = Sheet().text(72, 72, "Table 3: Lengths of rivers", font="Helvetica-Bold").lines(72, 90, PROSE)
    assert "#" not in markdown(sheet)


@pytest.mark.parametrize("heading", ["Table of fees", "Figures and facts", "Chart room"])
def test_heading_may_begin_with_a_caption_word(heading: str) -> None:
    sheet = Sheet().text(72, 72, heading, font="Helvetica-Bold").lines(72, 90, PROSE)
    assert markdown(sheet).startswith(f"# {heading}\n")


def test_markers_make_lists_and_their_indent_sets_the_depth() -> None:
    sheet = Sheet().text(72, 72, "\u2022").text(84, 72, "one").text(90, 86, "\u2022").text(102, 86, "within")
    sheet.text(72, 100, "\u2022").text(84, 100, "two").text(72, 140, "3. three").text(72, 154, "4. four")
    assert markdown(sheet) == "- one\n   - within\n- two\n3. three\n4. four\n"


def test_drawn_lines_form_a_table() -> None:
    sheet = Sheet().grid([72, 172, 272], [200, 220, 250]).text(76, 214, "Name").text(176, 214, "Length")
    sheet.text(76, 232, "Thames").lines(176, 232, ["three hundred", "kilometres"])
    assert rows(markdown(sheet)) == [["Name", "Length"], ["Thames", "three hundred kilometres"]]


def test_text_of_a_spanning_cell_is_in_the_first_column() -> None:
    sheet = Sheet().line(72, 200, 272, 200).line(72, 220, 272, 220).line(72, 240, 272, 240)
    sheet.line(72, 200, 72, 240).line(272, 200, 272, 240).line(172, 220, 172, 240)
    sheet.text(140, 214, "All rivers").text(76, 234, "Thames").text(176, 234, "346")
    assert rows(markdown(sheet)) == [["All rivers", ""], ["Thames", "346"]]


def test_frame_around_text_is_not_a_table() -> None:
    assert markdown(Sheet().grid([60, 400], [60, 110]).lines(72, 76, PROSE)) == " ".join(PROSE) + "\n"


FIGURES = [("Year", "Apples", "Pears"), ("2001", "12", "130"), ("2002", "9", "88"), ("2003", "17", "145")]


def aligned(sheet: Sheet, top: float = 200) -> Sheet:
    for place, cells in enumerate(FIGURES):
        for x, cell in zip((72, 200, 300), cells, strict=True):
            sheet.text(x, top + 14 * place, cell)
    return sheet


def test_aligned_cells_form_a_table() -> None:
    assert rows(markdown(aligned(Sheet().lines(72, 72, PROSE)))) == [list(row) for row in FIGURES]


def test_heading_over_columns_does_not_merge_them() -> None:
    sheet = aligned(Sheet().text(220, 186, "Tons of fruit"))
    found = rows(markdown(sheet))
    assert [cell for cell in found[0] if cell] == ["Tons of fruit"]
    assert found[1:] == [list(row) for row in FIGURES]


def test_line_without_a_label_continues_the_row_above() -> None:
    sheet = Sheet()
    for y, cells in (
        (72, ["Name", "What it is"]),
        (86, ["Thames", "a river in the south"]),
        (98, ["", "of England"]),
        (112, ["Ouse", "another one"]),
    ):
        for x, cell in zip((72, 250), cells, strict=True):
            sheet.text(x, y, cell)
    assert rows(markdown(sheet))[1] == ["Thames", "a river in the south of England"]


def test_header_with_several_lines_becomes_one_row() -> None:
    sheet = aligned(Sheet().text(72, 176, "Harvest").text(200, 176, "Tons of").text(300, 176, "Tons of"), 188)
    assert rows(markdown(sheet))[0] == ["Harvest Year", "Tons of Apples", "Tons of Pears"]


def test_lines_of_numbers_in_one_drawn_row_become_rows() -> None:
    sheet = Sheet().grid([60, 190, 290, 390], [190, 208, 262]).text(200, 202, "Apples").text(300, 202, "Pears")
    for place, cells in enumerate(FIGURES[1:]):
        for x, cell in zip((72, 200, 300), cells, strict=True):
            sheet.text(x, 222 + 14 * place, cell)
    assert rows(markdown(sheet))[1:] == [list(row) for row in FIGURES[1:]]


def test_shaded_row_joins_unshaded_rows() -> None:
    shaded = Sheet()
    shaded.drawn.append("0.9 g 60 574 330 14 re f 0 g")
    assert rows(markdown(aligned(shaded))) == [list(row) for row in FIGURES]


def test_heading_tags_take_precedence_over_large_text() -> None:
    sheet = Sheet().text(72, 60, "Only large", size=20).marked(0, 72, 90, "A tagged one").lines(72, 120, PROSE)
    sheet.tags = [("H2", 0)]
    assert markdown(sheet).splitlines()[:3] == ["Only large", "", "## A tagged one"]


def test_cells_of_tagged_tables_are_used() -> None:
    sheet = Sheet()
    for mark, (x, y, text) in enumerate(
        [(72, 72, "Name"), (172, 72, "Kind"), (72, 84, "Thames"), (172, 84, "River")],
    ):
        sheet.marked(mark, x, y, text)
    sheet.tags = [("Table", [("TR", [("TH", 0), ("TH", 1)]), ("TR", [("TD", 2), ("TD", 3)])])]
    assert rows(markdown(sheet)) == [["Name", "Kind"], ["Thames", "River"]]
    sheet.tags = [("P", mark) for mark in range(4)]
    assert rows(markdown(sheet)) == []


def test_links_cover_only_their_words() -> None:
    sheet = Sheet().text(72, 72, "Read more of it").link(72, 62, 95, 76, "https://example.com/a")
    assert markdown(sheet) == "[Read](https://example.com/a) more of it\n"


def test_urls_that_run_programs_are_not_links() -> None:
    assert markdown(Sheet().text(72, 72, "Read").link(72, 62, 95, 76, "javascript:alert\\(1\\)")) == "Read\n"


def test_filled_in_fields_are_part_of_the_text() -> None:
    sheet = Sheet().text(72, 72, "Name:").field(110, 62, 250, 76, "name", "Ada Lovelace")
    assert markdown(sheet) == "Name: Ada Lovelace\n"


def test_checkboxes_become_a_task_list() -> None:
    sheet = Sheet().text(90, 72, "Yes, please").field(72, 62, 84, 74, "yes", "")
    sheet.notes = [note.replace("/FT/Tx", "/FT/Btn").replace("/V()", "/V/Off/AS/Off") for note in sheet.notes]
    assert markdown(sheet) == "- [ ] Yes, please\n"


def test_only_files_with_an_empty_password_are_opened() -> None:
    sheet = Sheet().text(72, 72, "Not so secret")
    assert read(portable(sheet, password="")).markdown == "Not so secret\n"
    assert reason(portable(sheet, password="open")) == "encrypted"


def test_scanned_pages_are_named_in_a_warning() -> None:
    words = Sheet().lines(72, 72, PROSE)
    document = read(portable(Sheet().picture(), words, Sheet().picture(), Sheet().picture(), Sheet()))
    assert document.warnings == ("The text on pages 1, 3 and 4 is omitted because it is part of an image.",)
    assert "The river rises" in document.markdown


def test_small_picture_does_not_make_a_page_a_scan() -> None:
    assert read(portable(Sheet().picture(200, 200).text(72, 72, "Logo"))).warnings == ()


def test_text_in_unmapped_fonts_is_dropped_and_named() -> None:
    unknown = b" ".join(b"<%02X> <FFFD>" % code for code in range(0x20, 0x7F))
    codes = b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 95 beginbfchar %s endbfchar endcmap" % unknown
    sheet = Sheet().lines(72, 72, PROSE)
    document = read(portable(sheet, streams=[("", codes)], font="/ToUnicode 22 0 R"))
    assert document.markdown == ""
    assert document.warnings == ("The text on page 1 is omitted because its fonts don't map glyphs to characters.",)


def test_page_is_drawn_in_gray() -> None:
    with File(portable(Sheet().text(72, 72, "Some ink"))) as file:
        drawn = file.picture(1, 200)
    assert (drawn.width, drawn.height) == (1700, 2200)
    assert len(drawn.pixels) == 1700 * 2200
    assert min(drawn.pixels) < 60
    assert max(drawn.pixels) == 255


def test_a_huge_page_is_drawn_with_fewer_pixels() -> None:
    with File(portable(Sheet(box="0 0 14400 14400"))) as file:
        drawn = file.picture(1, 300)
    assert drawn.width * drawn.height <= MAX_PIXELS


@pytest.mark.parametrize("turn", ["0 1 -1 0 {y} {x}", "0 -1 1 0 {down} {up}"])
def test_sideways_page_is_turned(turn: str) -> None:
    sheet = Sheet()
    for place, cells in enumerate(FIGURES):
        for x, cell in zip((72, 200, 300), cells, strict=True):
            y = 200 + 14 * place
            matrix = turn.format(x=x, y=y, up=HEIGHT - x, down=WIDTH - y)
            sheet.drawn.append(f"BT /Helvetica 10 Tf {matrix} Tm ({cell}) Tj ET")
    assert rows(markdown(sheet)) == [list(row) for row in FIGURES]


def drawn_at(sheet: Sheet, matrix: str, text: str) -> None:
    sheet.drawn.append(f"BT /Helvetica 10 Tf {matrix} Tm ({text}) Tj ET")


@pytest.mark.parametrize("lean", [0.2, 0.33, -0.2])
def test_line_of_slanted_letters_stays_between_adjacent_lines(lean: float) -> None:
    sheet = Sheet().text(72, 72, "The harbour is old.").text(72, 112, "The light is new.")
    drawn_at(sheet, f"1 0 {lean} 1 72 {HEIGHT - 92}", "The town came later.")
    assert markdown(sheet) == "The harbour is old. The town came later. The light is new.\n"


def test_slanted_words_are_separated_from_the_following_words() -> None:
    sheet = Sheet().text(72, 72, "The harbour is old and lies below the town.").text(111, 84, "the keeper lives there.")
    drawn_at(sheet, f"1 0 0.33 1 72 {HEIGHT - 84}", "Today")
    assert markdown(sheet) == "The harbour is old and lies below the town. Today the keeper lives there.\n"


@pytest.mark.parametrize("degrees", [15, 345])
def test_rotated_line_is_not_part_of_the_text(degrees: float) -> None:
    sheet = Sheet().text(72, 72, "The harbour is old.").text(72, 132, "The light is new.")
    across, up = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    drawn_at(sheet, f"{across:.4f} {up:.4f} {-up:.4f} {across:.4f} 250 {HEIGHT - 102}", "Do not copy this")
    drawn_at(sheet, f"1 0 0.2 1 72 {HEIGHT - 102}", "The town came later.")
    found = markdown(sheet)
    assert found.index("harbour") < found.index("town") < found.index("light") < found.index("Do not copy this")


def test_too_many_pages_are_rejected() -> None:
    assert reason(portable(*[Sheet() for _ in range(MAX_PAGES + 1)])) == "limits"


@pytest.mark.parametrize("layers", [1, 2])
def test_stream_that_inflates_too_much_is_rejected(layers: int) -> None:
    bomb = bytes(60_000_000)
    for _ in range(layers):
        bomb = zlib.compress(bomb, 9)
    entries = "/Filter[" + "/FlateDecode" * layers + "]"
    assert reason(portable(Sheet(), streams=[(entries, bomb)])) == "limits"


def test_streams_with_ordinary_compression_are_read() -> None:
    drawn = zlib.compress(b" ".join(b"%d %d m" % (n, n * n) for n in range(200_000)))
    assert read(portable(Sheet().text(72, 72, "Here"), streams=[("/Filter/FlateDecode", drawn)])).markdown == "Here\n"


@pytest.mark.parametrize("turns", [[22], [23, 24, 25, 26, 27, 28]])
def test_forms_that_draw_each_other_endlessly_are_rejected(turns: list[int]) -> None:
    """The cases are a form that draws itself, and a chain of forms that each draw the next one ten times."""
    entries = "/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</XObject<</Next {} 0 R>>>>"
    streams = [(entries.format(number), b"/Next Do " * 10) for number in turns]
    assert reason(portable(Sheet(), streams=streams)) == "limits"


def test_nested_forms_are_read() -> None:
    form = "/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</XObject<</Next 23 0 R>>>>"
    body = portable(Sheet().text(72, 72, "Here"), streams=[(form, b"/Next Do"), ("/Type/XObject/Subtype/Form", b"")])
    assert read(body).markdown == "Here\n"


@pytest.mark.parametrize("body", [b"", b"%PDF-1.7\n", b"%PDF-1.7\n" + bytes(range(256)) * 40])
def test_non_pdf_is_rejected_as_corrupt(body: bytes) -> None:
    assert reason(body) == "corrupt"


WHOLE = portable(
    aligned(
        Sheet().text(72, 72, "Rivers", size=20).lines(72, 100, PROSE).link(72, 90, 120, 112, "https://example.com/")
    )
    .grid([72, 172, 272], [400, 420, 440])
    .text(76, 414, "Name")
    .text(176, 434, "346")
    .field(110, 500, 250, 520, "name", "Ada"),
    outline=[("Rivers", 0, 0), ("Name", 0, 1)],
    info="/Title(untitled)",
)


@given(st.data())
def test_damaged_files_give_a_document_or_a_clear_error(data: st.DataObject) -> None:
    body = bytearray(WHOLE)
    for place in data.draw(st.lists(st.integers(0, len(body) - 1), max_size=12)):
        body[place] = data.draw(st.integers(0, 255))
    body = body[: data.draw(st.integers(0, len(body)))] if data.draw(st.booleans()) else body
    with contextlib.suppress(ConversionFailed):
        read(bytes(body))
