"""Features of Word documents, each in a document with a few lines."""

import pytest

from convert_support.office import docx, relations, word
from convert_support.packed import packed
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.document import Document
from webquarry_convert.file.text.docx import read


def p(content: str, properties: str = "") -> str:
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{content}</w:p>"


def r(text: str, properties: str = "") -> str:
    look = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{text}</w:t></w:r>'


def style(identity: str, name: str, content: str = "", kind: str = "paragraph", default: str = "") -> str:
    mark = ' w:default="1"' if default else ""
    return f'<w:style w:type="{kind}" w:styleId="{identity}"{mark}><w:name w:val="{name}"/>{content}</w:style>'


def styled(name: str) -> str:
    return f'<w:pStyle w:val="{name}"/>'


def item(number: int, level: int = 0) -> str:
    return f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'


def levels(identity: int, *levels: tuple[str, str]) -> str:
    """Build list levels.

    levels: the format and the text of each level.
    """
    inner = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for at, (form, text) in enumerate(levels)
    )
    return f'<w:abstractNum w:abstractNumId="{identity}">{inner}</w:abstractNum>'


def number(identity: int, abstract: int, content: str = "") -> str:
    return f'<w:num w:numId="{identity}"><w:abstractNumId w:val="{abstract}"/>{content}</w:num>'


def cell(content: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{content}</w:tc>"


def table(*rows: list[str]) -> str:
    return f"<w:tbl>{''.join('<w:tr>' + ''.join(row) + '</w:tr>' for row in rows)}</w:tbl>"


def text(*args: str, **more: object) -> str:
    return read(docx("".join(args), **more)).markdown  # type: ignore[arg-type]  # passed on


# headings


def test_headings_are_recognized_by_outline_name_and_base_style() -> None:
    styles = (
        style("H1", "heading 1")
        + style("H2", "Mine", '<w:basedOn w:val="H1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr>')
        + style("H3", "Child", '<w:basedOn w:val="H2"/>')
        + style("T", "Title")
        + style("Ü", "Überschrift 4")
        + style("TOC", "TOC Heading", '<w:basedOn w:val="H1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>')
    )
    paragraphs = [p(r(name), styled(name)) for name in ("T", "H1", "H2", "H3", "Ü", "TOC")]
    direct = p(r("direct"), '<w:outlineLvl w:val="4"/>')
    assert (
        text(*paragraphs, direct, styles=styles) == "# T\n\n# H1\n\n## H2\n\n## H3\n\n#### Ü\n\nTOC\n\n##### direct\n"
    )


def test_long_paragraph_is_not_a_heading() -> None:
    assert text(p(r("long " * 200), '<w:outlineLvl w:val="0"/>')).startswith("long long")


def test_headings_are_numbered_by_their_style() -> None:
    styles = "".join(
        style(
            f"H{at}",
            f"heading {at}",
            f'<w:pPr><w:numPr><w:ilvl w:val="{at - 1}"/><w:numId w:val="7"/></w:numPr></w:pPr>',
        )
        for at in (1, 2)
    )
    numbering = levels(3, ("upperRoman", "%1."), ("decimal", "%1.%2")) + number(7, 3)
    marks = [p(r(name), styled(f"H{level}")) for name, level in (("a", 1), ("b", 2), ("c", 2), ("d", 1), ("e", 2))]
    expected = "# I. a\n\n## I.1 b\n\n## I.2 c\n\n# II. d\n\n## II.1 e\n"
    assert text(*marks, styles=styles, numbering=numbering) == expected


def test_paragraph_properties_after_a_bookmark_are_read() -> None:
    marked = '<w:p><w:bookmarkStart w:id="2" w:name="b"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr>'
    assert text(f'{marked}{r("x")}<w:bookmarkEnd w:id="2"/></w:p>') == "## x\n"


def test_cyclic_styles_do_not_hang() -> None:
    styles = style("A", "a", '<w:basedOn w:val="B"/>') + style("B", "heading 2", '<w:basedOn w:val="A"/>')
    assert text(p(r("x"), styled("A")), styles=styles) == "## x\n"


# lists


NUMBERING = (
    levels(0, ("decimal", "%1."), ("lowerLetter", "%2)"), ("decimal", "%1.%2.%3"))
    + levels(1, ("bullet", "·"), ("bullet", "o"))
    + levels(2, ("upperRoman", "Article %1"))
    + number(1, 0)
    + number(2, 1)
    + number(3, 0, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>')
    + number(4, 2)
)


def test_lists_nest_by_level() -> None:
    marks = [p(r(name), item(1, level)) for name, level in (("a", 0), ("b", 1), ("c", 1), ("d", 0))]
    assert text(*marks, numbering=NUMBERING) == "1. a\n   - a) b\n   - b) c\n2. d\n"


def test_list_continues_after_other_text_and_another_list_restarts() -> None:
    body = [p(r("a"), item(1)), p(r("between")), p(r("b"), item(1)), p(r("c"), item(3)), p(r("d"), item(2))]
    assert text(*body, numbering=NUMBERING) == "1. a\n\nbetween\n\n2. b\n5. c\n\n- d\n"


def test_labels_other_than_plain_numbers_are_kept_as_text() -> None:
    body = [p(r("a"), item(1)), p(r("b"), item(1, 2)), p(r("c"), item(4))]
    assert text(*body, numbering=NUMBERING) == "1. a\n   - 1.a.1 b\n\n- Article I c\n"


def test_deeper_list_levels_restart() -> None:
    body = [p(r(name), item(1, level)) for name, level in (("a", 0), ("b", 1), ("c", 0), ("d", 1))]
    assert text(*body, numbering=NUMBERING) == "1. a\n   - a) b\n2. c\n   - a) d\n"


INDENTED = levels(0, ("decimal", "%1."), ("bullet", "-")).replace(
    "</w:lvl>", '<w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl>', 1
) + number(1, 0)


def test_a_paragraph_below_the_text_of_an_item_belongs_to_it() -> None:
    below, apart = '<w:ind w:left="720"/>', '<w:ind w:left="100"/>'
    body = [p(r("a"), item(1)), p(r("more"), below), p(r("b"), item(1, 1)), p(r("c"), item(1)), p(r("d"), apart)]
    assert text(*body, numbering=INDENTED) == "1. a\n\n   more\n\n   - b\n2. c\n\nd\n"


def test_a_paragraph_with_a_blank_bullet_belongs_to_the_item_before() -> None:
    indented = '<w:pPr><w:ind w:left="720" w:hanging="360"/></w:pPr></w:lvl>'
    blank = levels(1, ("bullet", " ")).replace("</w:lvl>", indented) + number(2, 1)
    body = [p(r("a"), item(1)), p(r("more"), item(2)), p(r("b"), item(1))]
    assert text(*body, numbering=INDENTED + blank) == "1. a\n\n   more\n2. b\n"


def test_checkboxes_are_separate_items_wherever_they_begin() -> None:
    body = [p(r("a"), item(1)), p(r("\u2612 b"), '<w:ind w:left="720"/>')]
    assert text(*body, numbering=INDENTED) == "1. a\n\n- [x] b\n"


def test_list_of_a_style_can_be_cancelled_by_a_paragraph() -> None:
    styles = style("L", "List Bullet", '<w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr>')
    body = [p(r("a"), styled("L")), p(r("b"), styled("L") + '<w:numPr><w:numId w:val="0"/></w:numPr>')]
    assert text(*body, styles=styles, numbering=NUMBERING) == "- a\n\nb\n"


def test_list_that_refers_to_a_numbering_style_uses_its_levels() -> None:
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="S"/></w:abstractNum>'
        + levels(1, ("decimal", "%1.")).replace("<w:lvl ", '<w:styleLink w:val="S"/><w:lvl ', 1)
        + number(1, 0)
    )
    assert text(p(r("a"), item(1)), numbering=numbering) == "1. a\n"


def test_single_level_lists_nest_by_their_indent() -> None:
    indented = '<w:pPr><w:ind w:left="{}" w:hanging="360"/></w:pPr></w:lvl>'
    numbering = "".join(
        levels(at, (kind, sign)).replace("</w:lvl>", indented.format(left)) + number(at, at)
        for at, (kind, sign, left) in enumerate(
            [("bullet", "·", 360), ("bullet", "o", 720), ("decimal", "%1.", 1080)], start=1
        )
    )
    body = [p(r(name), item(of)) for name, of in (("a", 1), ("b", 2), ("c", 3), ("d", 3), ("e", 2), ("f", 1))]
    assert text(*body, numbering=numbering) == "- a\n  - b\n    1. c\n    2. d\n  - e\n- f\n"


def test_item_without_text_is_counted() -> None:
    body = [p(r("a"), item(1)), p("", item(1)), p(r("b"), item(1))]
    assert text(*body, numbering=NUMBERING) == "1. a\n3. b\n"


def test_labels_without_a_value_are_dropped() -> None:
    numbering = levels(0, ("none", "%1"), ("decimal", ""), ("none", "§")) + number(1, 0)
    body = [p(r(name), item(1, level)) for level, name in enumerate("abc")]
    assert text(*body, numbering=numbering) == "a\n\nb\n\n- § c\n"


def test_item_of_a_missing_list_becomes_a_paragraph() -> None:
    assert text(p(r("a"), item(99)), numbering=NUMBERING) == "a\n"


def test_check_boxes_become_tasks() -> None:
    assert text(p(r("☒ done")), p(r("☐ open"))) == "- [x] done\n- [ ] open\n"


# runs


def test_marks_are_kept_on_parts_of_a_paragraph() -> None:
    body = p(
        r("a ") + r("bold", "<w:b/>") + r(" ") + r("more", "<w:b/>") + r(" and ") + r("slanted", "<w:i/>")
        + r(" and ") + r("gone", "<w:strike/>") + r(" 10") + r("6", '<w:vertAlign w:val="superscript"/>')
        + r(" H") + r("2", '<w:vertAlign w:val="subscript"/>') + r("O ") + r("x = 1", '<w:rFonts w:ascii="Consolas"/>')
    )  # fmt: skip
    assert text(body) == "a **bold more** and *slanted* and ~~gone~~ 10⁶ H₂O `x = 1`\n"


def test_marks_can_be_removed() -> None:
    styles = style("S", "Strong", "<w:rPr><w:b/></w:rPr>", kind="character")
    body = p(r("a ") + r("b", '<w:rStyle w:val="S"/>') + r("c", '<w:rStyle w:val="S"/><w:b w:val="0"/>'))
    assert text(body, styles=styles) == "a **b**c\n"


def test_formatting_of_a_whole_paragraph_is_not_emphasis() -> None:
    assert text(p(r("all of it is slanted", "<w:i/>"))) == "all of it is slanted\n"
    assert text(p(r("bold " * 40, "<w:b/>"))).startswith("bold bold")


def test_hidden_text_is_removed() -> None:
    styles = style("V", "v", "<w:rPr><w:vanish/></w:rPr>", kind="character")
    hidden = r("no", "<w:vanish/>") + r("no", '<w:rStyle w:val="V"/>') + r("yes", '<w:vanish w:val="0"/>')
    assert text(p(r("a ") + hidden), styles=styles) == "a yes\n"


def test_letters_too_small_to_read_are_removed_and_counted() -> None:
    styles = style("T", "t", '<w:rPr><w:sz w:val="2"/></w:rPr>')
    tiny, small = r("praise us", '<w:sz w:val="1"/>'), r(" seen", '<w:sz w:val="6"/>')
    document = read(docx(p(r("a") + tiny + small) + p(r("praise us"), styled("T")), styles=styles))
    assert document.markdown == "a seen\n"
    assert document.warnings == ("Hidden text in the document is omitted: 18 characters.",)
    assert text(p(r("a") + r(" ", '<w:sz w:val="2"/>') + r("b"))) == "a b\n"


def test_white_letters_on_a_white_page_are_removed_and_counted() -> None:
    white = '<w:color w:val="FFFFFF"/>'
    document = read(docx(p(r("a") + r(" praise us", white) + r(" black", '<w:color w:val="000000"/>'))))
    assert document.markdown == "a black\n"
    assert document.warnings == ("Hidden text in the document is omitted: 9 characters.",)
    styles = style("W", "w", f"<w:rPr>{white}</w:rPr>")
    assert text(p(r("praise us"), styled("W")), p(r("a")), styles=styles) == "a\n"


@pytest.mark.parametrize(
    "seen",
    [
        p(r("seen", '<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="1F3864"/>')),
        p(r("seen", '<w:color w:val="FFFFFF"/><w:highlight w:val="black"/>')),
        p(r("seen", '<w:color w:val="FFFFFF"/>'), '<w:shd w:val="clear" w:fill="000000"/>'),
        table([cell(p(r("seen", '<w:color w:val="FFFFFF"/>'))), cell(p(r("b")))], [cell(p(r("c"))), cell(p(r("d")))]),
        p(r("seen", '<w:color w:val="FFFFFF"/>')) + p("<w:r><w:pict/></w:r>"),
    ],
)
def test_white_letters_on_another_background_are_kept(seen: str) -> None:
    assert "seen" in text(seen)


def test_special_characters_are_converted() -> None:
    run = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:softHyphen/><w:t>d</w:t></w:r>"
    symbols = '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/><w:sym w:font="Symbol" w:char="F061"/></w:r>'
    greek = r("b", '<w:rFonts w:ascii="Symbol"/>')
    assert text(p(run + symbols + greek)) == "a b‑cd✓αβ\n"


def test_breaks_are_converted() -> None:
    assert text(p('<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:br w:type="page"/><w:t>c</w:t></w:r>')) == "a  \nb c\n"


def test_code_paragraphs_become_code_blocks() -> None:
    styles = style("C", "Source Code")
    body = [p(r("def f():"), styled("C")), p(r("    return 1"), styled("C")), p(r("after"))]
    assert text(*body, styles=styles) == "```\ndef f():\n    return 1\n```\n\nafter\n"
    mono = '<w:rFonts w:ascii="Courier New"/>'
    assert text(p(r("x = {}", mono)), p(r("print x", mono))) == "```\nx = {}\nprint x\n```\n"
    assert text(p(r("Dear Sir, I write to you.", mono))) == "Dear Sir, I write to you.\n"


def test_quoted_paragraphs_become_quotes() -> None:
    styles = style("Q", "Intense Quote")
    body = [p(r("a"), styled("Q")), p(r("b"), styled("Q")), p(r("c")), p(r("d"), styled("Q"))]
    assert text(*body, styles=styles) == "> a\n>\n> b\n\nc\n\n> d\n"


# changes


def test_tracked_changes_are_accepted() -> None:
    body = p(
        f"<w:ins>{r('new ')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        f"<w:moveFrom>{r('from')}</w:moveFrom><w:moveTo>{r('to')}</w:moveTo>"
    )
    assert text(body) == "new to\n"


def test_deleted_end_mark_joins_paragraphs() -> None:
    deleted = "<w:rPr><w:del/></w:rPr>"
    assert text(p(r("a "), deleted), p(r("b"))) == "a b\n"
    assert text(p(r("last"), deleted)) == "last\n"
    after = table([cell(p(r("b"))), cell(p(r("c")))], [cell(p(r("d"))), cell(p(r("e")))])
    assert text(p(r("a"), deleted), after) == "a\n\n| b | c |\n| --- | --- |\n| d | e |\n"


def test_deleted_rows_and_cells_are_dropped() -> None:
    gone = "<w:tr><w:trPr><w:del/></w:trPr>" + cell(p(r("no"))) + "</w:tr>"
    row = [cell(p(r("a"))), cell(p(r("no")), "<w:cellDel/>"), cell(p(r("b")))]
    body = table(row, row).replace("</w:tbl>", gone + "</w:tbl>")
    assert text(body) == "| a | b |\n| --- | --- |\n| a | b |\n"


# links and fields


def test_only_external_links_are_kept() -> None:
    links = (("a", "hyperlink", "https://example.com/x"), ("b", "hyperlink", "file.docx"))
    body = p(
        f'<w:hyperlink r:id="a" w:anchor="part">{r("out")}</w:hyperlink> '
        f'<w:hyperlink r:id="b">{r(" beside")}</w:hyperlink><w:hyperlink w:anchor="c">{r(" within")}</w:hyperlink>'
    )
    assert text(body, links=links) == "[out](https://example.com/x#part) beside within\n"
    broken = p('<w:hyperlink r:id="a"><w:r><w:t>a</w:t><w:br/><w:t>b</w:t></w:r></w:hyperlink>')
    assert text(broken, links=links) == "[a b](https://example.com/x)\n"


def mark(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def instruction(words: str) -> str:
    return f'<w:r><w:instrText xml:space="preserve">{words}</w:instrText></w:r>'


def test_fields_show_their_results() -> None:
    link = instruction(' HYPERLINK "https://example.com" \\l "there"')
    inner = mark("begin") + instruction("PAGE") + mark("separate") + r("7") + mark("end")
    body = p(mark("begin") + link + mark("separate") + r("go ") + inner + mark("end") + r(" on"))
    assert text(body) == "[go 7](https://example.com#there) on\n"
    assert text(p(f'<w:fldSimple w:instr="AUTHOR">{r("Ann")}</w:fldSimple>')) == "Ann\n"


def test_unclosed_field_hides_at_most_its_paragraph() -> None:
    assert text(p(mark("begin") + r("no")), p(r("yes")), p(mark("end") + r("and this"))) == "yes\n\nand this\n"
    link = mark("begin") + instruction('HYPERLINK "https://example.com"') + mark("separate") + r("a")
    assert text(p(link), p(r("b"))) == "[a](https://example.com)\n\nb\n"


def test_form_fields_show_their_state() -> None:
    box = (
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData></w:fldChar>'
        "</w:r>"
    )
    choice = (
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="a"/>'
        '<w:listEntry w:val="b"/></w:ddList></w:ffData></w:fldChar></w:r>'
    )
    assert text(p(r("yes ") + box + mark("end") + choice + mark("end"))) == "yes ☒b\n"


@pytest.mark.parametrize(
    ("state", "shown"),
    [
        ("<w:checkBox/>", "☐"),
        ('<w:checkBox><w:checked w:val="0"/></w:checkBox>', "☐"),
        ("<w:checkBox><w:default/></w:checkBox>", "☒"),
        ('<w:checkBox><w:default/><w:checked w:val="0"/></w:checkBox>', "☐"),
        ('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', "☒"),
        ('<w:ddList><w:listEntry w:val="a"/><w:listEntry w:val="b"/></w:ddList>', "a"),
        ('<w:ddList><w:result w:val="0"/><w:listEntry w:val="a"/><w:listEntry w:val="b"/></w:ddList>', "a"),
        ('<w:ddList><w:result w:val="1"/><w:listEntry w:val="a"/><w:listEntry w:val="b"/></w:ddList>', "b"),
        ('<w:ddList><w:result w:val="2"/><w:listEntry w:val="a"/><w:listEntry w:val="b"/></w:ddList>', ""),
        ('<w:ddList><w:result w:val="-1"/><w:listEntry w:val="a"/><w:listEntry w:val="b"/></w:ddList>', ""),
        ('<w:ddList><w:result w:val="?"/><w:listEntry w:val="a"/></w:ddList>', "a"),
        ("<w:ddList/>", ""),
    ],
)
def test_form_field_shows_the_chosen_state_or_the_default(state: str, shown: str) -> None:
    field = f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{state}</w:ffData></w:fldChar></w:r>'
    assert text(p(r("yes ") + field + mark("end") + r("."))) == f"yes {shown}.\n"


# notes


def test_notes_follow_the_text() -> None:
    body = p(
        r("a") + '<w:r><w:footnoteReference w:id="2"/></w:r>' + r("b") + '<w:r><w:endnoteReference w:id="2"/></w:r>'
    )
    footnotes = word(
        "footnotes", f'<w:footnote w:id="2">{p("<w:r><w:footnoteRef/></w:r>" + r("first"))}</w:footnote>'
        f'<w:footnote w:id="3">{p(r("never"))}</w:footnote>',
    )  # fmt: skip
    link = f'<w:hyperlink r:id="x">{r("second")}</w:hyperlink>'
    endnotes = word("endnotes", f'<w:endnote w:id="2">{p(link)}</w:endnote>')
    document = docx(
        body,
        links=(("f", "footnotes", "footnotes.xml"), ("e", "endnotes", "endnotes.xml")),
        more={
            "word/footnotes.xml": footnotes,
            "word/endnotes.xml": endnotes,
            "word/_rels/endnotes.xml.rels": relations(("x", "hyperlink", "https://example.com/note")),
        },
    )
    assert read(document).markdown == "a[^1]b[^2]\n\n[^1]: first\n\n[^2]: [second](https://example.com/note)\n"


def test_comments_become_notes() -> None:
    body = p(
        '<w:commentRangeStart w:id="0"/>'
        + r("a")
        + '<w:r><w:commentReference w:id="0"/></w:r><w:r><w:commentReference w:id="7"/></w:r>'
    )
    comments = word("comments", f'<w:comment w:id="0" w:author="Ada  L.">{p(r("why?"))}{p(r("really"))}</w:comment>')
    document = read(docx(body, links=(("c", "comments", "comments.xml"),), more={"word/comments.xml": comments}))
    assert document.markdown == "a[^1]\n\n[^1]: Comment of Ada L.: why?\n\n    really\n"
    assert document.warnings == ()


def test_spaces_at_the_ends_of_code_move_outside() -> None:
    code = '<w:r><w:rPr><w:rFonts w:ascii="Courier New"/></w:rPr><w:t xml:space="preserve"> make </w:t></w:r>'
    assert text(p(r("Type") + code + r("now."))) == "Type `make` now.\n"


def test_single_column_with_long_cells_is_a_layout_table() -> None:
    frame = table([cell("".join(p(r(x)) for x in "abcdefghij"))], *[[cell(p(r(x)))] for x in "klmnopq"])
    assert text(frame) == "".join(f"{x}\n\n" for x in "abcdefghijklmnopq").removesuffix("\n")


def test_single_column_with_short_cells_is_a_data_table() -> None:
    options = table([cell(p(r("Drinks")))], [cell(p(r("tea")) + p(r("milk")))], [cell(p(r("bread")) + p(r("eggs")))])
    assert text(options) == "|  |\n| --- |\n| Drinks |\n| tea<br>milk |\n| bread<br>eggs |\n"


def test_single_column_of_values_is_a_data_table() -> None:
    values = table(*[[cell(p(r(x)))] for x in "abcdefgh"])
    assert text(values).startswith("|  |\n| --- |\n| a |\n| b |\n")


# tables


def test_spans_in_tables_are_read() -> None:
    body = table(
        [cell(p(r("A"))), cell(p(r("B")), '<w:gridSpan w:val="2"/>'), cell(p(r("C")))],
        [cell(p(r("d")), '<w:vMerge w:val="restart"/>'), cell(p(r("e"))), cell(p(r("f"))), cell(p(r("g")))],
        [cell(p(""), "<w:vMerge/>"), cell(p(r("h"))), cell(p(r("i"))), cell(p(r("j")))],
    )
    assert text(body) == "| A | B |  | C |\n| --- | --- | --- | --- |\n| d | e | f | g |\n|  | h | i | j |\n"


def test_row_that_starts_in_a_later_column_keeps_its_columns() -> None:
    late = f'<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>{cell(p(r("c")))}</w:tr>'
    body = table([cell(p(r("a"))), cell(p(r("b")))]).replace("</w:tbl>", late + "</w:tbl>")
    assert text(body) == "| a | b |\n| --- | --- |\n|  | c |\n"


def test_table_with_one_cell_is_a_layout_table() -> None:
    styles = style("H", "heading 1")
    assert text(table([cell(p(r("a"), styled("H")) + p(r("b")))]), styles=styles) == "# a\n\nb\n"


def test_table_around_another_table_is_a_layout_table() -> None:
    inner = table([cell(p(r(x))) for x in "abc"], [cell(p(r(x))) for x in "def"])
    assert text(table([cell(p(r("left"))), cell(inner + p(""))])) == (
        "left\n\n| a | b | c |\n| --- | --- | --- |\n| d | e | f |\n"
    )


def test_table_with_few_long_cells_is_a_layout_table() -> None:
    styles = style("H", "heading 1")
    long = p(r("Skills"), styled("H")) + p(r("one"), item(2)) + p(r("line")) * 9
    body = table([cell(p(r("left"))), cell(long)])
    expected = "left\n\n# Skills\n\n- one\n\n" + "\n\n".join(["line"] * 9) + "\n"
    assert text(body, styles=styles, numbering=NUMBERING) == expected


def test_nested_table_becomes_text_of_its_cell() -> None:
    inner = table([cell(p(r("x"))), cell(p(r("y")))])
    body = table([cell(p(r("a"))), cell(p(r("b")))], [cell(p(r("c")) + inner + p("")), cell(p(r("d")))])
    assert text(body) == "| a | b |\n| --- | --- |\n| c<br>x<br>y | d |\n"


def test_lists_in_cells_keep_their_marks() -> None:
    head = [cell(p(r("x"))), cell(p(r("y")))]
    body = table(head, [cell(p(r("a"), item(1)) + p(r("b"), item(1))), cell(p(r("c"), item(2)))])
    assert text(body, numbering=NUMBERING) == "| x | y |\n| --- | --- |\n| 1. a<br>2. b | - c |\n"


def test_tables_with_one_row_one_column_or_long_cells_are_read() -> None:
    assert text(table([cell(p(r("a"))), cell(p(r("b")))])) == "| a | b |\n| --- | --- |\n"
    assert text(table([cell(p(r("a")))], [cell(p(r("b")))])) == "|  |\n| --- |\n| a |\n| b |\n"
    long = "word " * 400 + "end"
    assert text(table([cell(p(r("a"))), cell(p(r(long)))], [cell(p(r("b"))), cell(p(r("c")))])).startswith("| a | word")


# boxes, pictures, alternatives


BOX = "<w:pict><v:shape><v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:shape></w:pict>"


def test_text_box_follows_its_paragraph() -> None:
    assert text(p(r("a") + f"<w:r>{BOX.format(p(r('box')))}</w:r>" + r("b")), p(r("c"))) == "ab\n\nbox\n\nc\n"


def test_only_one_of_several_alternatives_is_read() -> None:
    choices = (
        f"<mc:AlternateContent><mc:Choice><w:drawing>{BOX.format(p(r('new')))}</w:drawing></mc:Choice>"
        f"<mc:Fallback>{BOX.format(p(r('old')))}</mc:Fallback></mc:AlternateContent>"
    )
    assert text(p(f"<w:r>{choices}</w:r>")) == "new\n"
    assert text(p(f"<w:r>{choices.replace('mc:Choice', 'mc:Other')}</w:r>")) == "old\n"


def drawing(content: str) -> str:
    return f"<w:r><w:drawing><wp:inline>{content}</wp:inline></w:drawing></w:r>"


def test_pictures_become_their_descriptions() -> None:
    picture = '<wp:docPr id="1" descr="{}"/><a:graphic><a:blip r:embed="i"/></a:graphic>'
    links = (("i", "image", "media/image1.png"),)
    answer = drawing(picture.format("A duck &#10;Description automatically generated"))
    assert text(p(answer), links=links) == "![A duck](image1.png)\n"
    assert text(p(drawing(picture.format(""))), links=links) == ""


CHART = word(
    "chart",
    "<c:chart><c:title><a:t>Sales</a:t></c:title><c:plotArea><c:ser><c:tx><c:v>North</c:v></c:tx>"
    '<c:cat><c:pt idx="0"><c:v>Q1</c:v></c:pt><c:pt idx="1"><c:v>Q2</c:v></c:pt></c:cat>'
    '<c:val><c:pt idx="0"><c:v>4.2999999999999998</c:v></c:pt><c:pt idx="1"><c:v>2</c:v></c:pt></c:val></c:ser>'
    '<c:ser><c:tx><c:pt idx="0"><c:v>South</c:v></c:pt></c:tx><c:val><c:pt idx="1"><c:v>7</c:v></c:pt></c:val></c:ser>'
    "</c:plotArea></c:chart>",
)
DIAGRAM = word(
    "data",
    "<dgm:ptLst><dgm:pt><dgm:t><a:t>First</a:t></dgm:t></dgm:pt><dgm:pt type='sibTrans'><dgm:t><a:t>no</a:t></dgm:t>"
    "</dgm:pt><dgm:pt type='node'><dgm:t><a:t>Second</a:t><a:t>step</a:t></dgm:t></dgm:pt></dgm:ptLst>",
)


def test_charts_and_diagrams_are_read() -> None:
    links = (("c", "chart", "charts/chart1.xml"), ("d", "diagramData", "diagrams/data1.xml"))
    body = p(r("a") + drawing('<c:chart r:id="c"/>')) + p(drawing('<dgm:relIds r:dm="d"/>'))
    document = docx(body, links=links, more={"word/charts/chart1.xml": CHART, "word/diagrams/data1.xml": DIAGRAM})
    assert read(document).markdown == (
        "a\n\nSales\n\n|  | North | South |\n| --- | --- | --- |\n| Q1 | 4.3 |  |\n| Q2 | 2 | 7 |\n"
        "\n- First\n- Second step\n"
    )


def test_large_first_letter_is_joined_to_its_word() -> None:
    assert text(p(r("O"), '<w:framePr w:dropCap="drop" w:lines="3"/>'), p(r("nce"))) == "Once\n"
    assert text(p(r("O"), '<w:framePr w:dropCap="none"/>'), p(r("nce"))) == "O\n\nnce\n"


def test_buttons_show_their_text() -> None:
    button = "".join(
        f"<w:r>{part}</w:r>"
        for part in (
            '<w:fldChar w:fldCharType="begin"/>',
            "<w:instrText> MACROBUTTON NoMacro [Click here] </w:instrText>",
            '<w:fldChar w:fldCharType="end"/>',
        )
    )
    assert text(p(r("Name: ") + button)) == "Name: [Click here]\n"


def test_typed_bullets_are_lists() -> None:
    body = [p(r("•") + r("\tone", "<w:b/>")), p(r("◦ two")), p(r("• three")), p(r("•")), p(r("•four"))]
    assert text(*body) == "- **one**\n  - two\n- three\n\n•\n\n•four\n"


@pytest.mark.parametrize(("said", "is_told"), [("Letter of 5 May", True), ("- 7 -", False)])
def test_headers_with_text_are_quoted(said: str, is_told: bool) -> None:
    parts: dict[str, str | bytes] = {"word/header1.xml": word("hdr", p(r(said)))}
    made = read(docx(p(r("a")), links=(("h", "header", "header1.xml"),), more=parts))
    assert (made.markdown, made.warnings) == (
        "a\n",
        ("Headers and footers are omitted: Letter of 5 May",) if is_told else (),
    )


PAGE = "<html><head><title>T</title></head><body><h2>b</h2><p>c<i hidden>d</i></p><ul><li>é</ul></body></html>"
SAVED = (
    'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="--x"\r\n\r\n----x\r\nContent-Type: text/html; '
    f'charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n{PAGE}\r\n----x--\r\n'
)


@pytest.mark.parametrize(("name", "page"), [("a.htm", PAGE), ("a.mht", SAVED)])
def test_embedded_pages_are_read_in_place(name: str, page: str) -> None:
    body = p(r("a")) + '<w:altChunk r:id="x"/>' + p(r("e"))
    parts: dict[str, str | bytes] = {f"word/{name}": page.encode()}
    made = read(docx(body, links=(("x", "aFChunk", name),), more=parts))
    assert made.markdown == "a\n\n## b\n\nc\n\n- é\n\ne\n"
    assert made.warnings == ("Hidden text in the document is omitted: 1 character.",)


@pytest.mark.parametrize("part", ["{\\rtf1 b}", "PK\3\4", None])
def test_embedded_documents_are_dropped_with_a_warning(part: str | None) -> None:
    parts: dict[str, str | bytes] = {} if part is None else {"word/b": part}
    made = read(docx('<w:altChunk r:id="x"/>' + p(r("a")), links=(("x", "aFChunk", "b"),), more=parts))
    assert (made.markdown, made.warnings) == ("a\n", ("Embedded documents in the document are omitted: 1.",))


def test_objects_of_other_programs_are_dropped_with_a_warning() -> None:
    objects = "".join(
        f'<w:object><v:shape id="s"/><o:OLEObject ProgID="{program}" r:id="x"/></w:object>'
        for program in ("Equation.3", "Equation.DSMT4", "MathType", "Excel.Sheet.12")
    )
    box = '<w:object><v:shape id="b"/><w:control r:id="y" w:name="agree"/></w:object>'
    made = read(docx(p(r("a ") + f"<w:r>{objects}{box}</w:r>" + r("b"))))
    assert made.markdown == "a b\n"
    assert made.warnings == (
        "Formulas embedded as objects are omitted: 3.",
        "Form controls are omitted: 1.",
        "Embedded documents in the document are omitted: 1.",
    )


def test_bold_lines_become_headings_if_there_are_no_others() -> None:
    bold = [p(r(name, "<w:b/>")) for name in ("Title", "First part", "Signed: me.")]
    plain = p(r("Text."))
    body = bold[0] + plain + bold[1] + plain + plain + bold[2] + plain
    expected = "# Title\n\nText.\n\n## First part\n\nText.\n\nText.\n\n**Signed: me.**\n\nText.\n"
    assert text(body) == expected
    assert text(bold[0], plain, p(r("a"), '<w:outlineLvl w:val="0"/>')) == "**Title**\n\nText.\n\n# a\n"
    assert text(*bold[:2], plain) == "**Title**\n\n**First part**\n\nText.\n"


def test_content_controls_and_smart_tags_are_read() -> None:
    inline = f"<w:sdt><w:sdtPr><w:alias w:val='no'/></w:sdtPr><w:sdtContent>{r('a')}</w:sdtContent></w:sdt>"
    tag = f"<w:smartTag>{r(' b')}</w:smartTag>"
    block = f"<w:sdt><w:sdtContent>{p(r('c'))}</w:sdtContent></w:sdt>"
    assert text(p(inline + tag), block) == "a b\n\nc\n"


def test_formulas_are_read() -> None:
    fraction = (
        "<m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f></m:oMath>"
    )
    assert text(p(r("so ") + fraction)) == "so $\\frac{a}{b}$\n"
    assert text(p(f"<m:oMathPara>{fraction}</m:oMathPara>")) == "$$\n\\frac{a}{b}\n$$\n"


# the package


CORE = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> A  title </dc:title><dc:creator>Ann</dc:creator>'
    "<dc:language>de_de</dc:language></cp:coreProperties>"
)


def test_metadata_is_read() -> None:
    document = read(docx(p(r("a")), more={"core.xml": CORE}))
    assert (document.title, document.author, document.language) == ("A title", "Ann", "de-DE")


def test_title_and_language_come_from_the_text() -> None:
    styles = '<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="fr-FR"/></w:rPr></w:rPrDefault></w:docDefaults>'
    document = read(docx(p(r("Mine"), styled("T")), styles=styles + style("T", "Title")))
    assert (document.title, document.language) == ("Mine", "fr-FR")


def test_strict_variant_is_read() -> None:
    body = docx(p(r("a ") + r("b", "<w:b/>"), styled("H")), styles=style("H", "heading 1"))
    strict = {
        name: part.decode()
        .replace(
            "http://schemas.openxmlformats.org/wordprocessingml/2006/", "http://purl.oclc.org/ooxml/wordprocessingml/"
        )
        .replace("http://schemas.openxmlformats.org/officeDocument/2006/", "http://purl.oclc.org/ooxml/officeDocument/")
        for name, part in _parts(body).items()
    }
    assert read(packed({**strict})).markdown == "# a b\n"


def test_document_without_relationships_is_read() -> None:
    plain = packed({"word/document.xml": word("document", f"<w:body>{p(r('a'))}</w:body>")})
    assert read(plain) == Document("a\n")


def test_damaged_optional_part_causes_a_warning() -> None:
    document = read(docx(p(r("a")), links=(("s", "styles", "styles.xml"),), more={"word/styles.xml": "<w:styles"}))
    assert document == Document("a\n", warnings=("The styles of the document are damaged and omitted.",))


@pytest.mark.parametrize("body", [docx(p(r("a" * 2000))), docx(p(r("a")), styles=" " * 2000), docx(p("") * 50)])
def test_oversized_parts_are_rejected(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry_convert.file.text.parts.MAX_XML", 1900)
    monkeypatch.setattr("webquarry_convert.file.text.parts.MAX_TAGS", 40)
    with pytest.raises(ConversionFailed) as failed:
        read(body)
    assert failed.value.reason == "limits"


def _parts(body: bytes) -> dict[str, bytes]:
    found = Archive(body)
    return {name: found.read(name) or b"" for name in found.names}


def test_small_shifted_letters_are_raised_or_lowered() -> None:
    up, down = '<w:position w:val="8"/><w:sz w:val="19"/>', '<w:position w:val="-6"/><w:sz w:val="16"/>'
    assert text(p(r("24.91") + r("3", up) + r(" H", "") + r("2", down) + r("O"))) == "24.91³ H₂O\n"
    assert text(
        p(r("a") + r("2", '<w:position w:val="8"/>') + r("3", '<w:position w:val="1"/><w:sz w:val="19"/>'))
    ) == ("a23\n")


def test_long_headers_are_quoted_only_partly() -> None:
    said = "".join(p(r(f"Line {'long ' * 20}{at}")) for at in range(100)) + p(r("Line 1"))
    (warning,) = read(
        docx(p(r("a")), links=(("h", "header", "h.xml"),), more={"word/h.xml": word("hdr", said)})
    ).warnings
    assert warning.startswith("Headers and footers are omitted: Line long")
    assert warning.endswith("…")
    assert len(warning) < 600
