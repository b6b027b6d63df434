"""Generated binary Word documents, each of which uses one feature of the format."""

import struct
from collections.abc import Sequence

import pytest

from convert_support.compound import filled
from convert_support.kit import KIT
from convert_support.word97 import Made, Para, Run, Style, doc, sprm
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.compound import Compound
from webquarry_convert.file.readers import convert
from webquarry_convert.file.word97 import read

BOLD = sprm(0x0835, 1)
ITALIC = sprm(0x0836, 1)
STRIKE = sprm(0x0837, 1)
HIDDEN = sprm(0x083C, 1)
DELETED = sprm(0x0800, 1)
INSERTED = sprm(0x0801, 1)
IN_TABLE = sprm(0x2416, 1)
ROW_END = IN_TABLE + sprm(0x2417, 1)
NORMAL = Style("Normal", 0)
HEADINGS = [NORMAL, Style("heading 1", 1, 0), Style("heading 2", 2, 0)]
DEV = KIT / "evals/files/dev/docs"


def text(*paragraphs: Para | str, **more: object) -> str:
    return read(doc(*paragraphs, **more)).markdown


def reason(body: bytes) -> str | None:
    try:
        read(body)
    except ConversionFailed as failed:
        return failed.reason
    return None


class TestText:
    def test_paragraphs_are_separated(self) -> None:
        assert text("One", "", "Two") == "One\n\nTwo\n"

    def test_surrogate_pairs_are_joined(self) -> None:
        assert text("a 😀 b", Para([Run("𐌲"), Run("x", BOLD)])) == "a 😀 b\n\n𐌲**x**\n"

    def test_lone_surrogate_is_replaced_without_losing_text(self) -> None:
        body = doc("a 😀 b").replace("😀".encode("utf-16-le")[2:], b"x\0", 1)
        assert read(body).markdown == "a �x b\n"

    def test_8_bit_pieces_use_the_western_code_page(self) -> None:
        assert text("“é” – €", narrow="cp1252") == "“é” – €\n"

    @pytest.mark.parametrize(
        ("words", "codec", "character_set"),
        [
            ("Привет, «мир» – 5 °C", "cp1251", 204),
            ("Καλημέρα, κόσμε: “ναι”", "cp1253", 161),
            ("שלום עולם", "cp1255", 177),
            ("مرحبا بالعالم", "cp1256", 178),
            ("สวัสดีชาวโลก", "cp874", 222),
            ("日本語のテキスト、ソート", "cp932", 128),
            ("中文文本，测试", "gbk", 134),
            ("中文文字，測試", "big5", 136),
            ("한국어 본문", "cp949", 129),
        ],
    )
    def test_8_bit_pieces_may_use_the_character_set_of_their_font(
        self, words: str, codec: str, character_set: int
    ) -> None:
        fonts = [("Arial", 0), ("Other", character_set)]
        styles = [Style("Normal", 0, look=sprm(0x4A4F, 1))]
        runs = [Run(words), Run("bold", BOLD)]
        assert text(Para(runs), fonts=fonts, styles=styles, narrow=codec) == f"{words}**bold**\n"
        far = [Run(words, sprm(0x4A50, 1)), Run(" plain")]
        assert text(Para(far), fonts=fonts, styles=[NORMAL], narrow=codec) == f"{words} plain\n"
        assert text(words, fonts=fonts[::-1], styles=[NORMAL], narrow=codec) == f"{words}\n"

    @pytest.mark.parametrize(
        ("words", "codec", "language"),
        [
            ("Zażółć gęślą jaźń", "cp1250", 0x0415),
            ("Příliš žluťoučký kůň", "cp1250", 0x0405),
            ("Işığı söndür, ağaç", "cp1254", 0x041F),
            ("Ķīmija un ģeogrāfija", "cp1257", 0x0426),
        ],
    )
    def test_8_bit_pieces_may_use_the_code_page_of_their_language(self, words: str, codec: str, language: int) -> None:
        assert text(words, language=language, narrow=codec) == f"{words}\n"

    @pytest.mark.parametrize(
        "words",
        ["Café – “déjà vu”: créée à Zürich…”", "“Yes”—“No”…”", "naïve", "a\xa0\xa0\xa0\xa0b", "é", "þjóð og það ær"],
    )
    @pytest.mark.parametrize("character_set", [0, 204, 128, 161, 238])
    def test_8_bit_pieces_with_western_letters_stay_western(self, words: str, character_set: int) -> None:
        made = text(words, fonts=[("Times New Roman", character_set)], styles=[NORMAL], narrow="cp1252")
        assert made == words.replace("\xa0", " ").replace("    ", " ") + "\n"

    def test_western_and_other_8_bit_runs_are_distinguished(self) -> None:
        western = Run("élève créée à l’école, déjà été, forêt".encode("cp1252").decode("cp1251"), sprm(0x4A4F, 0))
        made = text(
            Para([western, Run("Привет мир", sprm(0x4A4F, 1))]),
            fonts=[("Arial", 204), ("Arial Cyr", 204)],
            narrow="cp1251",
        )
        assert made == "élève créée à l’école, déjà été, forêtПривет мир\n"

    def test_pieces_are_read_in_reading_order(self) -> None:
        paragraphs = [Para("first half, second half"), Para([Run("then "), Run("bold", BOLD)])]
        assert read(Made(paragraphs, pieces=(6, 8, 12)).packed()).markdown == (
            "first half, second half\n\nthen **bold**\n"
        )

    def test_repeatedly_fast_saved_document_is_read(self) -> None:
        paragraphs = [
            Para("One café."),
            Para("Zwei Ω.", style=1),
            Para([Run("three "), Run("bold", BOLD), Run(" end.")]),
        ]
        made = Made(paragraphs, styles=HEADINGS, pieces=(4, 9, 7, 5), narrow_pieces=(0, 3), deleted=b"gone\r" * 3)
        assert read(made.packed()).markdown == "One café.\n\n# Zwei Ω.\n\nthree **bold** end.\n"

    def test_copied_text_that_is_stored_once_is_written_twice(self) -> None:
        streams = Compound(doc("a" * 99))
        main, table = bytearray(streams.get("WordDocument") or b""), streams.get("1Table") or b""
        place, length = struct.unpack_from("<2I", main, 0x1A2)
        copies = 60
        pieces = struct.pack(f"<{copies + 1}I", *range(0, 100 * copies + 1, 100))
        pieces += table[place + length - 8 : place + length] * copies
        struct.pack_into("<2I", main, 0x1A2, len(table), len(pieces) + 5)
        struct.pack_into("<I", main, 0x4C, 100 * copies)
        table += b"\x02" + struct.pack("<I", len(pieces)) + pieces
        assert 200 * copies > len(main)
        copied = read(filled({"WordDocument": bytes(main), "1Table": table}))
        assert copied.markdown == "\n\n".join(["a" * 99] * copies) + "\n"

    def test_modifiers_of_pieces_are_applied(self) -> None:
        struck = 0x57 << 1 | 1 << 8
        made = Made(
            [Para("abc def ghi")],
            pieces=(4, 4),
            piece_modifiers=(0, struck, 1 | 1 << 1),
            piece_properties=(b"", ITALIC),
        )
        assert read(made.packed()).markdown == "abc ~~def~~ *ghi*\n"

    def test_small_streams_are_read(self) -> None:
        assert len(doc("x")) > 4096
        assert text("x") == "x\n"

    def test_special_characters_are_converted(self) -> None:
        assert text("a\x1eb\x1fc\x0bd\x05\x03 e\tf") == "a\u2011bc  \nd e f\n"

    def test_page_break_within_a_paragraph_becomes_a_space(self) -> None:
        assert text("before\x0cafter") == "before after\n"

    def test_section_break_ends_a_paragraph(self) -> None:
        assert text(Para("before", mark="\x0c"), "after") == "before\n\nafter\n"

    def test_inserted_symbol_is_translated(self) -> None:
        symbol = sprm(0x6A09, 0 | 0xF061 << 16)
        assert text(Para([Run("("), Run("(", symbol), Run(")")]), fonts=[("Symbol", 2)]) == "(α)\n"

    def test_text_in_a_symbol_font_is_translated(self) -> None:
        assert text(Para([Run("p", sprm(0x4A4F, 1)), Run(" r")]), fonts=[("Arial", 0), ("Symbol", 2)]) == "π r\n"


class TestLooks:
    def test_emphasis_is_written(self) -> None:
        runs = [Run("a "), Run("b", BOLD), Run(" "), Run("i", ITALIC), Run(" "), Run("s", STRIKE)]
        assert text(Para(runs)) == "a **b** *i* ~~s~~\n"

    def test_formats_are_toggled_relative_to_the_style(self) -> None:
        turned = sprm(0x0835, 0x81)
        styles = [NORMAL, Style("Loud", look=BOLD)]
        made = [Para([Run("a "), Run("b", turned)]), Para([Run("a "), Run("b", turned)], style=1)]
        assert text(*made, styles=styles) == "a **b**\n\na b\n"

    def test_style_formats_are_toggled_relative_to_the_base_style(self) -> None:
        turned = sprm(0x0835, 0x81)
        styles = [NORMAL, Style("Loud", look=turned), Style("Less", look=turned, base=1), Style("Same", base=1)]
        made = [Para([Run("a "), Run("b", turned)], style=style) for style in (1, 2, 3)]
        assert text(*made, styles=styles) == "a b\n\na **b**\n\na b\n"

    def test_hidden_is_toggled_relative_to_the_style(self) -> None:
        turned, same = sprm(0x083C, 0x81), sprm(0x083C, 0x80)
        styles = [NORMAL, Style("Secret", look=HIDDEN), Style("Open", look=turned, base=1)]
        runs = [Run("a"), Run("b", turned), Run("c", same), Run("d", sprm(0x083C, 0))]
        assert text(Para(runs), Para(runs, style=1), Para(runs, style=2), styles=styles) == "acd\n\nbd\n\nacd\n"

    def test_character_style_is_applied(self) -> None:
        styles = [NORMAL, Style("Strong", look=BOLD, kind=2, base=2), Style("Lean", look=ITALIC, kind=2)]
        assert text(Para([Run("a "), Run("b", sprm(0x4A30, 1)), Run(" c")]), styles=styles) == "a ***b*** c\n"

    def test_raised_and_lowered_text_is_recognized(self) -> None:
        raised, lowered = sprm(0x2A48, 1), sprm(0x2A48, 2)
        assert text(Para([Run("m"), Run("2", raised), Run(" H"), Run("2", lowered), Run("O")])) == "m² H₂O\n"

    def test_code_is_recognized_by_its_font(self) -> None:
        runs = [Run("call "), Run("main()", sprm(0x4A4F, 0)), Run(" now")]
        assert text(Para(runs), fonts=[("Courier New", 0)]) == "call `main()` now\n"

    def test_hidden_and_deleted_text_is_removed(self) -> None:
        runs = [Run("a"), Run("x", HIDDEN), Run("y", DELETED), Run("b", INSERTED)]
        assert text(Para(runs)) == "ab\n"

    def test_deleted_end_mark_joins_paragraphs(self) -> None:
        assert text(Para("one ", end=DELETED), "two", Para("three", end=DELETED)) == "one two\n\nthree\n"

    def test_formatting_can_be_reset(self) -> None:
        assert text(Para([Run("a "), Run("b", BOLD + sprm(0x2A33, 0)), Run(" c")])) == "a b c\n"

    def test_words_in_a_code_style_become_code(self) -> None:
        styles = [NORMAL, Style("HTML Code", kind=2)]
        assert text(Para([Run("a "), Run("b", sprm(0x4A30, 1)), Run(" c")]), styles=styles) == "a `b` c\n"

    def test_tab_modifiers_without_a_length_do_not_hide_later_modifiers(self) -> None:
        tabs = b"\x15\xc6\xff" + b"\1" + bytes(4) + b"\2" + bytes(6)
        assert text(Para("A", tabs + sprm(0x2640, 0))) == "# A\n"


class TestStyles:
    def test_headings_are_recognized_by_style_number(self) -> None:
        assert text(Para("A", style=1), Para("B", style=2), "c", styles=HEADINGS) == "# A\n\n## B\n\nc\n"

    def test_headings_are_recognized_by_style_name_in_any_language(self) -> None:
        assert text(Para("A", style=1), styles=[NORMAL, Style("Überschrift 3,u3")]) == "### A\n"

    def test_headings_are_recognized_by_the_base_style(self) -> None:
        assert text(Para("A", style=3), styles=[*HEADINGS, Style("Chapter", base=2)]) == "## A\n"

    def test_headings_are_recognized_by_outline_level(self) -> None:
        assert text(Para("A", sprm(0x2640, 2)), Para("b", sprm(0x2640, 9), style=1), styles=HEADINGS) == "### A\n\nb\n"

    def test_title_style_becomes_a_heading(self) -> None:
        made = read(doc(Para("The  title", style=1), styles=[NORMAL, Style("Title", 62)]))
        assert (made.markdown, made.title) == ("# The title\n", "The title")

    def test_code_paragraphs_become_a_code_block(self) -> None:
        styles = [NORMAL, Style("HTML Preformatted")]
        assert text(Para("if x:", style=1), Para("  y", style=1), styles=styles) == "```\nif x:\n  y\n```\n"

    def test_cyclic_styles_do_not_hang(self) -> None:
        assert text(Para("A", style=1), styles=[NORMAL, Style("a", base=2), Style("b", base=1)]) == "A\n"


def level(start: int = 1, form: int = 0, label: str = "\0.", flags: int = 0, limit: int = 0) -> bytes:
    raw = struct.pack("<iBB18x3Bx", start, form, flags, 0, 0, limit)
    return raw + struct.pack("<H", len(label)) + label.encode("utf-16-le")


def lists(
    *templates: list[bytes], changes: dict[int, bytes] | None = None, further: Sequence[tuple[int, int, bytes]] = ()
) -> dict[str, object]:
    """Build lists numbered from 1, each with its template.

    changes: a list's further data, by its number. further: lists that reuse a template, each given as the template's
    number, the number of changed levels, and the data.
    """
    found = struct.pack("<H", len(templates))
    levels = b""
    for number, template in enumerate(templates):
        found += struct.pack("<i22xBx", number + 7, len(template) == 1)
        levels += b"".join([*template, *[level()] * (9 - len(template))] if len(template) > 1 else template)
    more = changes or {}
    told = [(number + 1, int(number + 1 in more), more.get(number + 1, b"")) for number in range(len(templates))]
    told += further
    lists_told = struct.pack("<I", len(told))
    lists_told += b"".join(struct.pack("<i8xB3x", number + 6, count) for number, count, _ in told)
    lists_told += b"".join(b"\xff\xff\xff\xff" + data for _, _, data in told)
    # the levels follow the list of templates, whose length does not include them
    return {"parts": {"list overrides": lists_told, "lists": found}, "tail": levels}


def item(words: str, number: int = 1, at: int = 0) -> Para:
    return Para(words, sprm(0x460B, number) + sprm(0x260A, at))


def test_small_shifted_letters_are_raised() -> None:
    moved = sprm(0x4845, 8) + sprm(0x4A43, 16)
    assert text(Para([Run("24.91"), Run("3", moved), Run("4", sprm(0x4845, 8))])) == "24.91³4\n"


class TestLists:
    def test_bullets_are_nested_by_level(self) -> None:
        templates = lists([level(form=23, label="\uf0b7"), level(form=23, label="o")])
        assert text(item("a"), item("b", at=1), item("c"), "d", **templates) == "- a\n  - b\n- c\n\nd\n"

    def test_letter_labels_are_kept(self) -> None:
        templates = lists([level(label="(\0)", form=4)])
        assert text(item("first"), item("second"), **templates) == "- (a) first\n- (b) second\n"

    def test_paragraph_below_the_text_of_an_item_belongs_to_it(self) -> None:
        left = sprm(0x840F, 720)
        mark = sprm(0x460B, 1) + left
        body = [Para("a", mark), Para("more", left), Para("b", mark), Para("apart", sprm(0x840F, 100))]
        assert text(*body, **lists([level()])) == "1. a\n\n   more\n2. b\n\napart\n"

    def test_numbers_continue_after_a_paragraph(self) -> None:
        assert text(item("a"), item("b"), "c", item("d"), **lists([level(3)])) == "3. a\n4. b\n\nc\n\n5. d\n"

    def test_label_with_several_levels_is_kept(self) -> None:
        templates = lists([level(label="\0"), level(label="\0.\1", form=4)])
        made = text(item("a"), item("b", at=1), item("c", at=1), item("d"), item("e", at=1), **templates)
        assert made == "1. a\n   - 1.a b\n   - 1.b c\n2. d\n   - 2.a e\n"

    def test_level_without_restart_continues_its_numbers(self) -> None:
        templates = lists([level(), level(label="\1.", flags=0x08)])
        made = text(item("a"), item("b", at=1), item("c"), item("d", at=1), **templates)
        assert made == "1. a\n   1. b\n2. c\n\n   2. d\n"

    def test_list_can_restart_its_numbers(self) -> None:
        start_at_5 = struct.pack("<iI", 5, 0x10)
        templates = lists([level()], changes={1: start_at_5})
        assert text(item("a"), item("b"), **templates) == "5. a\n6. b\n"

    def test_restarting_list_restarts_each_level_with_its_first_item(self) -> None:
        anew = struct.pack("<iIiI", 1, 0x10, 4, 0x11)
        template = lists([level(label="\0"), level(label="\0.\1")], further=[(1, 2, anew)])
        paragraphs = [item("a"), item("b"), item("c", 2, 1), item("d", 2), item("e", 2, 1), item("f"), item("g", at=1)]
        assert text(*paragraphs, **template) == ("1. a\n2. b\n   - 2.4 c\n\n1) d\n   - 1.4 e\n2) f\n   - 2.1 g\n")

    def test_overridden_list_level_is_used(self) -> None:
        templates = lists([level()], changes={1: struct.pack("<iI", 0, 0x30) + level(form=23)})
        assert text(item("a"), **templates) == "- a\n"

    def test_paragraph_can_leave_the_list_of_its_style(self) -> None:
        styles = [NORMAL, Style("Bulleted", properties=sprm(0x460B, 1))]
        out = Para("b", sprm(0x460B, 0), style=1)
        assert text(Para("a", style=1), out, styles=styles, **lists([level(form=23)])) == "- a\n\nb\n"

    def test_numbered_heading_keeps_its_number(self) -> None:
        numbered = Para("A", sprm(0x460B, 1), style=1)
        assert text(numbered, styles=HEADINGS, **lists([level(label="\0.")])) == "# 1 A\n"

    def test_paragraph_of_a_missing_list_is_ordinary_text(self) -> None:
        assert text(item("a", 9), **lists([level()])) == "a\n"

    def test_label_without_a_number_is_kept_as_text(self) -> None:
        assert text(item("a"), **lists([level(label="Note:")])) == "- Note: a\n"
        assert text(item("a"), **lists([level(form=255, label="")])) == "a\n"

    def test_levels_without_items_count_as_their_first_number(self) -> None:
        templates = lists([level(3), level(label="\0.\1")])
        assert text(item("a", at=1), **templates) == "- 3.1 a\n"


def row(*cells: str, edges: tuple[int, ...] = (), more: bytes = b"") -> list[Para]:
    """Build a table row. edges: the edges of its cells. more: the row's modifiers."""
    edges = edges or tuple(range(0, 1000 * (len(cells) + 1), 1000))
    found = struct.pack(f"<B{len(edges)}h", len(edges) - 1, *edges)
    described = struct.pack("<HH", 0xD608, len(found) + 1) + found
    paragraphs = [
        Para(line, IN_TABLE, mark="\x07" if last else "\r")
        for cell in cells
        for lines in [cell.split("\n")]
        for last, line in ((at == len(lines) - 1, line) for at, line in enumerate(lines))
    ]
    return [*paragraphs, Para("", ROW_END + described + more, mark="\x07")]


class TestTables:
    def test_rows_and_cells_form_a_table(self) -> None:
        made = text("x", *row("a", "b"), *row("c\nd", ""), "y")
        assert made == "x\n\n| a | b |\n| --- | --- |\n| c<br>d |  |\n\ny\n"

    def test_columns_follow_the_edges_of_cells(self) -> None:
        made = text(*row("all", edges=(0, 3000)), *row("a", "b", "c", edges=(-20, 1000, 2010, 3000)))
        assert made.splitlines()[-1] == "| a | b | c |"
        made = text(*row("a", "b c", edges=(0, 1000, 3000)), *row("d", "e", "f", edges=(0, 1000, 2000, 3000)))
        assert made.splitlines()[0] == "| a | b c |  |"
        made = text(*row("a b", "c", edges=(0, 2000, 3000)), *row("d", "e", "f", edges=(0, 1000, 2000, 3000)))
        assert made.splitlines()[0] == "| a b |  | c |"

    def test_merged_cells_are_written_once(self) -> None:
        made = text(*row("a", "b", "c"), *row("d", "", "e"), *row("", "f", "g"))
        assert made.splitlines()[2:] == ["| d |  | e |", "|  | f | g |"]

    def test_cell_edges_that_do_not_match_the_cells_are_ignored(self) -> None:
        made = text(*row("a", "b", edges=(0, 9, 99, 999)), *row("c", "d", "e"))
        assert made.splitlines()[0] == "| a | b |  |"

    def test_header_row_is_recognized(self) -> None:
        assert text(*row("a", "b", more=sprm(0x3404, 1)), *row("c", "d")).startswith("| a | b |\n| --- |")

    def test_deleted_row_is_dropped(self) -> None:
        *cells, end = row("x", "y")
        gone = [*cells, Para("", end.properties, mark="\x07", end=DELETED)]
        assert "x" not in text(*row("a", "b"), *gone, *row("c", "d"))

    def test_table_with_one_cell_becomes_its_text(self) -> None:
        assert text(*row("only")) == "only\n"

    def test_nested_table_becomes_text_of_its_cell(self) -> None:
        inner = IN_TABLE + sprm(0x6649, 2)
        nested = [
            Para("n1", inner + sprm(0x244B, 1)),
            Para("n2", inner + sprm(0x244B, 1)),
            Para("", inner + sprm(0x244C, 1)),
        ]
        first = Para("a", IN_TABLE, mark="\x07")
        made = text(first, *nested, Para("after", IN_TABLE, mark="\x07"), row("", "")[-1], *row("c", "d"))
        assert made.splitlines()[0] == "| a | n1<br>n2<br>after |"
        assert made.splitlines()[2] == "| c | d |"

    def test_table_depth_can_change_by_several_levels(self) -> None:
        up, down = sprm(0x664A, 1), sprm(0x664A, 0xFFFF_FFFF)
        assert text(*row("a", "b", more=up + up + down), *row("c", "d"), Para("e", up + down)) == (
            "| a | b |\n| --- | --- |\n| c | d |\n\ne\n"
        )

    def test_table_depth_is_limited(self) -> None:
        deep = Para("x", IN_TABLE + sprm(0x6649, 0x7FFF_FFFF))
        assert text(deep, "y") == "x\n\ny\n"

    def test_list_in_a_cell_keeps_its_markers(self) -> None:
        bullet = Para("i", IN_TABLE + sprm(0x460B, 1), mark="\x07")
        made = text(*row("a", "b"), bullet, *row("c")[:1], row("", "")[-1], **lists([level(form=23)]))
        assert "| - i | c |" in made.replace("\\", "")

    def test_modifiers_stored_in_the_data_stream_are_read(self) -> None:
        *cells, end = row("a", "b")
        data = b"\0" * 8 + struct.pack("<H", len(end.properties)) + end.properties
        far = Para("", sprm(0x6646, 8), mark="\x07")
        made = text(*cells, far, *row("c", "d"), streams={"Data": data})
        assert made == "| a | b |\n| --- | --- |\n| c | d |\n"


def linked(instruction: str, shown: str) -> str:
    return f"\x13 {instruction} \x14{shown}\x15"


class TestFields:
    def test_links_are_written(self) -> None:
        there = linked('HYPERLINK "https://a.example/"', "there")
        made = text(f"see {there}.")
        assert made == "see [there](https://a.example/).\n"

    def test_fields_show_their_results(self) -> None:
        day = linked("REF x", linked("DATE", "today"))
        assert text(f"page {linked('PAGE', '7')}, {day}") == "page 7, today\n"

    def test_fields_without_a_result_show_no_text(self) -> None:
        assert text("a\x13 TC hidden \x15b") == "ab\n"

    def test_objects_of_other_programs_are_dropped_with_a_warning(self) -> None:
        objects = linked("EMBED Equation.3", "") + linked("EMBED Excel.Sheet.8", "")
        boxes = linked(r"CONTROL Forms.CheckBox.1 \s", "") + linked(r"CONTROL Forms.TextBox.1 \s", "")
        made = read(doc(f"a{objects}{boxes} b"))
        assert (made.markdown, made.warnings) == (
            "a b\n",
            (
                "Formulas embedded as objects are omitted: 1.",
                "Form controls are omitted: 2.",
                "Embedded documents in the document are omitted: 1.",
            ),
        )

    def test_unclosed_field_hides_at_most_its_paragraph(self) -> None:
        assert text("a\x13 HYPERLINK", "b\x14c", "\x15d") == "a\n\nbc\n\nd\n"

    @pytest.mark.parametrize(("state", "box"), [(0, "☐"), (1, "☒")])
    def test_check_boxes_of_forms_show_their_state(self, state: int, box: str) -> None:
        field = b"".join([_counted("Check1"), struct.pack("<H", 0), *[_counted("")] * 5])
        data = b"x" * 4 + _FORM + struct.pack("<IH4x", 0xFFFF_FFFF, 1 | state << 2) + field
        runs = [Run("\x13 FORMCHECKBOX "), Run("\x01", sprm(0x6A03, 4) + sprm(0x0806, 1)), Run("\x15 agreed")]
        assert text(Para([Run("I have "), *runs]), streams={"Data": data}) == f"I have {box} agreed\n"

    def test_drop_down_lists_of_forms_show_their_choice(self) -> None:
        choices = struct.pack("<3H", 0xFFFF, 2, 0) + b"".join(_counted(one)[:-2] for one in ("red", "green"))
        field = b"".join([_counted("Choice1"), struct.pack("<H", 0), *[_counted("")] * 5, choices])
        data = b"x" * 4 + _FORM + struct.pack("<IH4x", 0xFFFF_FFFF, 2 | 1 << 2) + field
        runs = [Run("in \x13 FORMDROPDOWN "), Run("\x01", sprm(0x6A03, 4) + sprm(0x0806, 1)), Run("\x15")]
        assert text(Para(runs), streams={"Data": data}) == "in green\n"


_FORM = struct.pack("<IH62x", 0, 68)


def _counted(words: str) -> bytes:
    return struct.pack("<H", len(words)) + words.encode("utf-16-le") + b"\0\0"


class TestNotesAndBoxes:
    def test_notes_follow_the_text(self) -> None:
        made = text(
            "a\x02 b\x02",
            "c*",
            stories={"footnotes": [Para("\x02 first"), Para("\x02 third")], "endnotes": [Para("\x02 second")]},
            parts={
                "footnote marks": struct.pack("<3I2H", 1, 7, 9, 1, 0),
                "footnote texts": struct.pack("<4I", 0, 8, 16, 17),
                "endnote marks": struct.pack("<2IH", 4, 9, 1),
                "endnote texts": struct.pack("<3I", 0, 9, 10),
            },
        )
        assert made == "a[^1] b[^2]\n\nc[^3]\n\n[^1]: first\n\n[^2]: second\n\n[^3]: third\n"

    def test_comments_become_notes_and_headers_are_dropped(self) -> None:
        ada = struct.pack("<H", 3) + "Ada".encode("utf-16-le")
        made = read(
            doc(
                "a\x05",
                "b\x05",
                stories={"headers": [Para("head")], "comments": [Para("\x05 said"), Para("\x05 answered")]},
                parts={
                    "comment marks": struct.pack("<3I20xh8x20xh8x", 1, 4, 6, 0, 9),
                    "comment texts": struct.pack("<4I", 0, 7, 18, 19),
                    "comment authors": ada,
                },
            )
        )
        assert made.markdown == "a[^1]\n\nb[^2]\n\n[^1]: Comment of Ada: said\n\n[^2]: Comment: answered\n"
        assert made.warnings == ("Headers and footers are omitted: head",)

    @pytest.mark.parametrize("is_old", [False, True])
    def test_headers_in_the_character_set_of_their_font_are_quoted(self, is_old: bool) -> None:
        fonts = [("Arial Cyr", 204)]
        made = doc(
            "a", stories={"headers": [Para("Глава")]}, fonts=fonts, styles=[NORMAL], is_old=is_old, narrow="cp1251"
        )
        assert read(made).warnings == ("Headers and footers are omitted: Глава",)

    def test_headers_with_only_numbers_cause_no_warning(self) -> None:
        made = read(doc("a", stories={"headers": [Para("\x13 PAGE \x147\x15 / 9")]}))
        assert (made.markdown, made.warnings) == ("a\n", ())

    def test_comments_of_word_6_have_initials(self) -> None:
        marks = struct.pack("<2I", 1, 3) + b"\x02AL".ljust(20, b"\0")
        parts = {"comment marks": marks, "comment texts": struct.pack("<3I", 0, 7, 8)}
        made = text("a\x05", stories={"comments": [Para("\x05 said")]}, parts=parts, is_old=True)
        assert made == "a[^1]\n\n[^1]: Comment of AL: said\n"

    def test_large_first_letter_is_joined_to_its_word(self) -> None:
        assert text(Para("O", sprm(0x442C, 0x19)), "nce upon a time") == "Once upon a time\n"

    def test_buttons_show_their_text(self) -> None:
        assert text("see \x13 MACROBUTTON NoMacro [Click here]\x15.") == "see [Click here].\n"

    def test_text_box_follows_its_anchor(self) -> None:
        boxes = struct.pack("<3I", 0, 4, 5) + struct.pack("<8xH4xi4x", 0, 77) + struct.pack("<8xH4xi4x", 1, 0)
        shapes = struct.pack("<2I", 1, 5) + struct.pack("<i22x", 77)
        made = text(
            "a\x08b",
            "c",
            stories={"boxes": [Para("box"), Para("")]},
            parts={"box texts": boxes, "shapes": shapes},
        )
        assert made == "ab\n\nbox\n\nc\n"

    def test_text_box_without_a_shape_follows_the_text(self) -> None:
        boxes = struct.pack("<3I", 0, 4, 5) + struct.pack("<8xH4xi4x", 0, 77) + bytes(22)
        assert text("a", stories={"boxes": [Para("box"), Para("")]}, parts={"box texts": boxes}) == "a\n\nbox\n"

    def test_picture_becomes_its_description(self) -> None:
        words = "A red kite\0".encode("utf-16-le")
        properties = struct.pack("<HI", 0xC381, len(words)) + words
        shape = struct.pack("<HHI", 1 << 4 | 3, 0xF00B, len(properties)) + properties
        body = struct.pack("<HHI", 0xF, 0xF004, len(shape)) + shape
        data = struct.pack("<I2H60x", 68 + len(body), 68, 0x64) + body
        made = text(Para([Run("a "), Run("\x01", sprm(0x6A03, 0))]), streams={"Data": data})
        assert made == "a ![A red kite](picture)\n"


def property_set(codec: int, **values: bytes) -> bytes:
    numbers = {"title": 2, "author": 4}
    entries = [(1, struct.pack("<IHxx", 2, codec))]
    for name, raw in values.items():
        padded = raw + b"\0" + bytes(-(len(raw) + 1) % 4)
        entries.append((numbers[name], struct.pack("<II", 30, len(raw) + 1) + padded))
    table, body = b"", b""
    for number, raw in entries:
        table += struct.pack("<II", number, 8 + 8 * len(entries) + len(body))
        body += raw
    section = struct.pack("<II", 8 + len(table) + len(body), len(entries)) + table + body
    return b"\xfe\xff\0\0" + bytes(20) + struct.pack("<I", 1) + bytes(16) + struct.pack("<I", 48) + section


class TestProperties:
    def test_title_and_author_use_the_code_page_of_the_property_set(self) -> None:
        answer = property_set(1251, title="Отчёт".encode("cp1251"), author=b"A.  B.")
        made = read(doc("x", streams={"\x05SummaryInformation": answer}))
        assert (made.title, made.author) == ("Отчёт", "A. B.")

    def test_unknown_code_page_falls_back_to_western(self) -> None:
        made = read(doc("x", streams={"\x05SummaryInformation": property_set(4711, title=b"plain")}))
        assert made.title == "plain"

    def test_language_is_read(self) -> None:
        assert read(doc("x", language=0x0407)).language == "de-DE"
        assert read(doc("x", styles=[Style("Normal", 0, look=sprm(0x4873, 0x040C))])).language == "fr-FR"


class TestOldWord:
    """Word 6 and 95, which have different offsets, different modifiers and 8-bit text."""

    def test_paragraphs_styles_and_formatting_are_read(self) -> None:
        made = text(
            Para("Head", style=1),
            Para([Run("a "), Run("b", b"\x55\x01"), Run(" "), Run("gone", b"\x41\x01"), Run("d", b"\x5c\x01")]),
            styles=HEADINGS,
            is_old=True,
        )
        assert made == "# Head\n\na **b**\n"

    def test_text_in_pieces_is_read(self) -> None:
        assert text("one two three", is_old=True, pieces=(4, 5)) == "one two three\n"

    def test_code_page_is_chosen_by_language(self) -> None:
        assert text("Привет", is_old=True, language=0x0419, narrow="cp1251") == "Привет\n"
        assert text("日本語", is_old=True, language=0x0411, narrow="cp932") == "日本語\n"

    def test_code_page_is_chosen_by_font(self) -> None:
        runs = [Run("Ж".encode("cp1251").decode("cp1252"), b"\x5d\x01\0"), Run("é")]
        assert text(Para(runs), is_old=True, fonts=[("Arial", 0), ("Arial Cyr", 204)]) == "Жé\n"

    def test_code_page_is_chosen_by_the_default_styles_language(self) -> None:
        words = "Слово".encode("cp1251").decode("cp1252")
        styles = [Style("Normal", 0, look=b"\x61\x19\x04")]
        assert text(words, is_old=True, fonts=[("Arial", 0)], styles=styles) == "Слово\n"

    def test_code_page_is_chosen_by_the_default_font(self) -> None:
        words = "Слово".encode("cp1251").decode("cp1252")
        assert text(words, is_old=True, fonts=[("Arial Cyr", 204)], styles=[NORMAL]) == "Слово\n"

    def test_code_page_is_chosen_by_the_font_of_a_style(self) -> None:
        words = "Слово".encode("cp1251").decode("cp1252")
        styles = [Style("Normal", 0, look=b"\x5d\0\0")]
        assert text(words, is_old=True, fonts=[("Arial Cyr", 204)], styles=styles) == "Слово\n"

    @pytest.mark.parametrize("magic", [0xA697, 0xA698, 0xA699])
    def test_files_of_east_asian_versions_are_read(self, magic: int) -> None:
        body = doc("日本語", is_old=True, language=0x0411, narrow="cp932")
        at = body.index(struct.pack("<2H", 0xA5DC, 101))
        assert read(body[:at] + struct.pack("<H", magic) + body[at + 2 :]).markdown == "日本語\n"

    def test_macintosh_encoding_is_read(self) -> None:
        assert text("é", is_old=True, character_set=0x100, narrow="mac_roman") == "é\n"

    def test_table_is_read(self) -> None:
        found = struct.pack("<B3h", 2, 0, 1000, 2000) + bytes(20)
        end = b"\x18\x01\x19\x01\xbe" + struct.pack("<H", len(found) + 1) + found
        cells = [Para(one, b"\x18\x01", mark="\x07") for one in "ab"]
        made = text(*cells, Para("", end, mark="\x07"), *cells, Para("", end, mark="\x07"), is_old=True)
        assert made == "| a | b |\n| --- | --- |\n| a | b |\n"

    def test_unlisted_formatting_pages_are_read(self) -> None:
        made = Made([Para(f"{at}", style=at % 2) for at in range(12)], styles=HEADINGS, is_old=True, listed_pages=1)
        assert read(made.packed()).markdown.count("# ") == 6

    def test_text_boxes_follow_the_text(self) -> None:
        assert text("a", is_old=True, stories={"boxes": [Para("box")]}) == "a\n\nbox\n"

    def test_numbers_and_bullets_are_read(self) -> None:
        def labelled(form: int, kind: int, after: bytes) -> bytes:
            number = struct.pack("<BBB7xH8x", form, 0, len(after), 4) + after.ljust(32, b"\0")
            return b"\x0d" + bytes([kind]) + b"\x0c" + bytes([len(number)]) + number

        counted, bullet = labelled(0, 10, b"."), labelled(0, 11, b"\xb7")
        made = text(Para("a", counted), Para("b", counted), "c", Para("d", bullet), is_old=True)
        assert made == "4. a\n5. b\n\nc\n\n- d\n"

    def test_number_label_with_words_is_kept(self) -> None:
        label = struct.pack("<BBB7xH8x", 2, 5, 1, 4) + b"Part )".ljust(32, b"\0")
        assert text(Para("a", b"\x0d\x0a\x0c\x34" + label), is_old=True) == "- Part iv) a\n"


class TestRefused:
    def test_encrypted_document_is_rejected(self) -> None:
        assert reason(doc("x", flags=0x100)) == "encrypted"

    def test_other_compound_file_is_rejected(self) -> None:
        assert reason(filled({"Workbook": b"x" * 5000})) == "corrupt"
        assert reason(filled({"WordDocument": b"x" * 5000})) == "corrupt"
        assert reason(b"") == "corrupt"
        assert reason(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") == "corrupt"

    @pytest.mark.parametrize(("end", "why"), [(0x600 + 2000, "corrupt"), (0x7FFF_FFFF, "limits")])
    def test_text_outside_the_file_is_rejected(self, end: int, why: str) -> None:
        body = bytearray(doc("x" * 50, is_old=True))
        struct.pack_into("<I", body, body.index(struct.pack("<2I", 0x600, 0x600 + 51)) + 4, end)
        assert reason(bytes(body)) == why


def test_large_file_with_an_extended_allocation_table_is_read() -> None:
    padding = bytes(range(256)) * 31_000
    assert read(doc("x", streams={"Padding": padding})).markdown == "x\n"
    assert Compound(filled({"a": padding})).get("a") == padding


def test_runs_that_cross_pieces_keep_their_formatting() -> None:
    made = Made([Para([Run(f"a{at} "), Run("b", BOLD)]) for at in range(9)], pieces=(12, 7, 3))
    assert read(made.packed()).markdown == "\n\n".join(f"a{at} **b**" for at in range(9)) + "\n"


def test_reader_is_found_by_type() -> None:
    kind, made = convert(doc("x"))
    assert (kind, made.markdown) == ("doc", "x\n")


@pytest.mark.skipif(not DEV.is_dir(), reason="the development documents are not here")
def test_development_documents_are_converted() -> None:
    documents = sorted(DEV.glob("*.doc"))
    assert documents
    for path in documents:
        assert read(path.read_bytes()).markdown, path.name
