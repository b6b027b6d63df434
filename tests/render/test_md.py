"""Written text is parsed back to the same text, with CommonMark, tables and strikethrough."""

import re
from datetime import UTC, date, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from webquarry.render import Bold, Link, Md, Value

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
PLAIN_INLINE = {"text", "text_special"}
MARKS = st.sampled_from("*_~`[]()!<>&\\|#-+=:0aZé {}$。“\n\t\0\u2028\u00ad\u200b")
PIECES = st.sampled_from(
    ["**", "__", "~~", "```", "~~~", "--", "---", "===", "  ", "&amp;", "&#35;", "1.", "2)", "<b>", "</b>", "<!--"]
) | st.sampled_from(
    ["<https://x.y>", "https://x.y/a_b_(c)", "x@y.z", "[a](b)", "[a]: b", "![i](j)", "- [ ] ", "[x] ", "\\|", "| --- |"]
)
NASTY = st.lists(MARKS | PIECES, max_size=8).map("".join)
TEXTS = st.text(max_size=30) | NASTY


def shown(text: str) -> str:
    """Return the visible text of a value: one line, without control characters."""
    visible = re.sub(r"[\x00-\x1f\x7f-\x9f]", "", " ".join(text.split()))
    return " ".join(visible.split())


def content(token: Token) -> str:
    """Return the text of an inline token, asserting that it contains only text."""
    assert {child.type for child in token.children or []} <= PLAIN_INLINE, token
    return "".join(child.content for child in token.children or [])


def outline(markdown: str) -> list[tuple[str, str]]:
    """Return (block, text) for every block that contains text."""
    found = []
    path: list[str] = []
    for token in PARSER.parse(markdown):
        if token.nesting == 1:
            path.append(token.tag)
        elif token.nesting == -1:
            path.pop()
        else:
            assert token.type == "inline", token
            found.append((" ".join(path), content(token)))
    return found


@given(TEXTS)
@example("C #")
@example("##")
def test_heading_keeps_its_text(text: str) -> None:
    assert outline(Md("T").heading(text).text())[1:] == ([("h2", shown(text))] if shown(text) else [])


@given(TEXTS)
@example("1. first")
@example("***")
@example("- - -")
@example("_ _ _")
@example("[x]: https://x.y 'z'")
@example("a\\")
def test_paragraph_keeps_its_text(text: str) -> None:
    assert outline(Md("T").paragraph(text).text())[1:] == ([("p", shown(text))] if shown(text) else [])


@given(st.lists(TEXTS, max_size=4))
@example(["===", "---", "--"])
@example(["[ ] task", "[x]"])
def test_bullets_keep_their_texts(texts: list[str]) -> None:
    items = [("ul li p", shown(text)) for text in texts if shown(text)]
    assert outline(Md("T").bullets("B", texts).text())[1:] == ([("h2", "B"), *items] if items else [])


@given(TEXTS.filter(shown), TEXTS)
def test_facts_keep_label_and_value(label: str, value: str) -> None:
    expected = [("ul li p", shown(f"{label}: {value}"))] if shown(value) else []
    assert outline(Md("T").facts([(label, value)]).text())[1:] == expected


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=3), st.tuples(TEXTS.filter(shown), TEXTS.filter(shown)))
def test_table_keeps_its_cells(rows: list[tuple[str, str]], headers: tuple[str, str]) -> None:
    full = [("left", "right"), *rows]
    expected = [("h2", "B")]
    expected += [("table thead tr th", shown(header)) for header in headers]
    expected += [("table tbody tr td", shown(cell)) for row in full for cell in row]
    assert outline(Md("T").table("B", headers, full).text())[1:] == expected


@given(TEXTS)
def test_source_keeps_its_text(text: str) -> None:
    assert outline(Md("T").source(text).text())[1:] == ([("p", shown(f"Source: {text}"))] if text else [])


@given(TEXTS, TEXTS, TEXTS)
def test_adjacent_blocks_do_not_affect_each_other(first: str, second: str, third: str) -> None:
    markdown = (
        Md("T").paragraph(first).bullets("B", [second]).paragraph(third).heading(first).facts({"f": second}).text()
    )
    expected = [
        ("h1", "T"), ("p", shown(first)), ("h2", "B"), ("ul li p", shown(second)), ("p", shown(third)),
        ("h2", shown(first)), ("ul li p", shown(f"f: {second}")),
    ]  # fmt: skip
    kept = [block for block in expected if block[1] and not (block == ("h2", "B") and not shown(second))]
    if not shown(second):
        kept.remove(("ul li p", "f:"))
    assert outline(markdown) == kept


@pytest.mark.parametrize(
    "text",
    ["snake_case_name", "5 * 3", "~500 visits", "[1] cited", "a < b > c", "R&D", "C# and F#", "50% - 60%", "-5", "3.14",
     "a | b", "f(x) [y]", "https://example.com/a_b?c=d&e=f", "me@example.com", "1997-09-15T04:00:00Z", "_private"],
)  # fmt: skip
def test_plain_text_is_not_escaped(text: str) -> None:
    assert Md("T").paragraph(text).text() == f"# T\n\n{text}\n"


def test_document_is_blocks_one_line_apart() -> None:
    registered = datetime(1997, 9, 15, 4, 0, 0, 5, tzinfo=UTC)
    facts: list[tuple[str, Value]] = [("Registered", registered), ("Day", date(2026, 1, 2)), ("Open", True)]
    document = (
        Md("Title")
        .facts(facts)
        .paragraph("Some text.")
        .bullets("Names", ["a", "b"])
        .table("Numbers", ["name", "count", "rate"], [["x|y", 1, 0.5], ["z", 0, None]])
        .source("https://example.com/")
    )
    assert document.text() == (
        "# Title\n\n"
        "- Registered: 1997-09-15T04:00:00Z\n- Day: 2026-01-02\n- Open: yes\n\n"
        "Some text.\n\n"
        "## Names\n\n- a\n- b\n\n"
        "## Numbers\n\n| name | count | rate |\n| --- | --- | --- |\n| x\\|y | 1 | 0.5 |\n| z | 0 |  |\n\n"
        "Source: https://example.com/\n"
    )


def test_empty_values_are_left_out() -> None:
    document = (
        Md("T")
        .facts([("none", None), ("blank", " \n"), ("list", [])])
        .paragraph(None)
        .bullets("B", [None, ""])
        .table("C", ["a"], [])
        .table("D", ["a", "b"], [[None, ""]])
        .heading("")
        .source(None)
    )
    assert document.text() == "# T\n"


def test_zero_and_no_are_values() -> None:
    assert Md("T").facts({"count": 0, "open": False}).text() == "# T\n\n- count: 0\n- open: no\n"


def test_a_list_is_one_value() -> None:
    assert Md("T").facts({"names": ["a", "b"]}).text() == "# T\n\n- names: a, b\n"


def test_a_column_without_values_is_left_out() -> None:
    assert "| a | c |\n" in Md("T").table("B", ["a", "b", "c"], [[1, None, 2], [3, "", None]]).text()


def test_a_row_of_another_width_is_refused() -> None:
    with pytest.raises(ValueError):
        Md("T").table("B", ["a", "b"], [[1, 2], [3]])


ADDRESSES = st.text(alphabet=st.sampled_from("abc/?&=;#%()<>[]*_\\`!\"' |.~-é"), max_size=20).map(
    "https://x.y/".__add__
)


def links(markdown: str) -> list[tuple[str, str]]:
    """Return (text, target) of every link, in order."""
    found = []
    for token in PARSER.parse(markdown):
        text, target = "", None
        for child in token.children or []:
            if child.type == "link_open":
                text, target = "", str(child.attrs["href"])
            elif child.type == "link_close" and target is not None:
                found.append((text, target))
            else:
                text += child.content
    return found


def same_address(url: str) -> str:
    """Return a URL in the parser's form."""
    return PARSER.normalizeLink(re.sub(r"[<>\\| ]", lambda match: f"%{ord(match[0]):02X}", url))


@given(TEXTS.filter(shown), ADDRESSES)
@example("a](b)", "https://x.y/(a")
@example("a", "https://x.y/?a=1&copy;=2&lt=3")
def test_link_keeps_text_and_target(text: str, url: str) -> None:
    line = (Bold("b"), Link(text, url), "c")
    for document in (Md("T").paragraph(line), Md("T").bullets("H", [line]), Md("T").numbered("H", [[line]])):
        assert links(document.text()) == [(shown(text), same_address(url))]
    assert links(Md("T").facts([("F", Link(text, url))]).text()) == [(shown(text), same_address(url))]


@given(TEXTS.filter(shown), ADDRESSES)
def test_link_in_a_table_keeps_text_and_target(text: str, url: str) -> None:
    document = Md("T").table("H", ("A", "B"), [(Link(text, url), "x")]).text()
    assert links(document) == [(shown(text), same_address(url))]


@pytest.mark.parametrize("url", [None, "", "javascript:alert(1)", "data:text/html,x", "/relative"])
def test_link_without_a_valid_url_is_its_text(url: str | None) -> None:
    assert Md("T").paragraph(Link("text", url)).text() == "# T\n\ntext\n"


def test_numbered_entries_have_lines() -> None:
    document = Md("T").numbered("H", [[Link("a", "https://x.y/"), "more", None], [None, ""], [Bold("b")]]).text()
    assert document == "# T\n\n## H\n\n1. [a](https://x.y/)\\\n   more\n2. **b**\n"


def test_numbering_continues_from_the_start() -> None:
    assert Md("T").numbered("H", [["a"], ["b"]], start=11).text().splitlines()[-2:] == ["11. a", "12. b"]


@given(TEXTS)
@example("- a")
@example("=")
def test_quote_keeps_its_text(text: str) -> None:
    blocks = outline(Md("T").quote(text, "end").text())[1:]
    assert blocks == [("blockquote p", part) for part in (shown(text), "end") if part]
