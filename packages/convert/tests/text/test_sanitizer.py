"""Markup that is limited to what a parser can handle quickly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from webquarry_convert.text import sanitizer
from webquarry_convert.text.sanitizer import MAX_ALL_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS, MAX_LOOSE, sanitize_markup
from webquarry_convert.text.tags import MAX_ATTRIBUTES


@pytest.mark.parametrize(
    "html",
    [
        "",
        "text",
        "<p>a<br><img src=x>b",
        "<!DOCTYPE html><html lang=en><body><p class='a > b'>x</body></html>",
        "<ul><li>a<li>b<ul><li>c</ul></ul>",
        "<title>a < b</title><textarea><div></textarea>",
        '<script type="application/ld+json">{"a": "<b>"}</script>',
        '<script type="math/tex">a < b</script>',
        "<svg viewBox='0 0 1 1'><path d='M0 0'/><g/></svg>",
        "a < b <- c </",
    ],
)
def test_ordinary_markup_is_unchanged(html: str) -> None:
    assert sanitize_markup(html).text == html


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<script>if (a<b) { x('</p>') }</script>y", "<script></script>y"),
        ("<style>p > a {}</style>y", "<style>p > a {}</style>y"),
        ("<style><p></style>y", "<style></style>y"),
        ("<SCRIPT src=x></SCRIPT >y", "<SCRIPT src=x></SCRIPT >y"),
        ("<script>never closed", "<script>"),
        ("a\x00\x01b\x7f\tc\n", "ab\tc\n"),
        ("a\ud800b", "a\ufffdb"),
    ],
)
def test_control_characters_are_removed(html: str, left: str) -> None:
    assert sanitize_markup(html).text == left


def test_depth_counts_open_elements() -> None:
    assert sanitize_markup("<div><ul><li><a>x</a><li><b>y</b></ul></div><div></div>").depth == 3


def test_self_closing_tags_count_only_in_foreign_content() -> None:
    assert sanitize_markup("<svg>" + "<path/>" * 50 + "</svg>").depth == 1
    assert sanitize_markup("<div/>" * 50).depth == 50
    assert sanitize_markup("<svg><p>" + "<div/>" * 50).depth == 51


@pytest.mark.parametrize("name", ["div", "span", "b", "x-y", "ul", "table", "svg"])
def test_depth_is_limited_and_text_is_kept(name: str) -> None:
    markup = sanitize_markup(f"<{name}>" * 5000 + "core" + f"</{name}>" * 5000)
    assert markup.depth == MAX_DEPTH
    assert markup.text.count(f"<{name}>") == markup.text.count(f"</{name}>") == MAX_DEPTH
    assert "core" in markup.text


def test_style_within_svg_does_not_hide_nesting() -> None:
    assert sanitize_markup("<svg><style>" + "<g>" * 5000).depth == MAX_DEPTH


def test_attributes_of_a_tag_with_too_many_are_removed() -> None:
    names = " ".join(f"a{i}=1" for i in range(MAX_ATTRIBUTES + 1))
    assert sanitize_markup(f"<p {names}>x").text == "<p>x"


def test_select_elements_get_a_single_multiple_attribute() -> None:
    assert sanitize_markup(sanitize_markup("<select><option>a").text).text == "<select multiple><option>a"


def test_long_value_counts_as_one_attribute() -> None:
    html = f'<img src="data:image/png;base64,{"A" * 5000}" alt="x > y">'
    assert sanitize_markup(html).text == html


@given(
    st.lists(st.sampled_from(["<div>", "</div>", "<p", " a=", '"', "'", ">", "<!--", "-->", "x", "<svg>", "<script>"]))
)
def test_sanitizing_twice_changes_nothing(pieces: list[str]) -> None:
    once = sanitize_markup("".join(pieces))
    assert sanitize_markup(once.text).text == once.text


@pytest.mark.parametrize(
    "unit",
    ["<td>a", "<tr><td>a", "<p>", "</p>a", "</br>", "<!---->a", "<i>a</i>", "<br>a", "<svg><g/></svg>a", "<p b>a"],
)
def test_number_of_elements_is_limited_and_text_is_kept(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most = MAX_ELEMENTS if unit == "<td>a" else 10_000
    monkeypatch.setattr(sanitizer, "MAX_ELEMENTS", most)
    number = most + 1000
    markup = sanitize_markup("<table>" + unit * number)
    rest = sanitize_markup("<table>" + unit * (number + 1000)).text
    assert rest.startswith(markup.text)
    assert "<" not in rest[len(markup.text) :]
    assert markup.text.count("a") == ("<table>" + unit * number).count("a")


def test_total_number_of_attributes_is_limited() -> None:
    tag = "<p " + " ".join(f"a{n}" for n in range(MAX_ATTRIBUTES)) + ">b"
    number = MAX_ALL_ATTRIBUTES // MAX_ATTRIBUTES
    markup = sanitize_markup(tag * 4 * number)
    assert number <= markup.text.count(" a1 ") < 3 * number
    assert markup.text.endswith("<p>b" * number)


def test_inserted_end_tags_do_not_change_the_page() -> None:
    rows = "".join(f"<tr><td>{n}<td><svg><path d=M{n} /><g/></svg><ruby>a<rt>b</ruby>" for n in range(MAX_LOOSE))
    html = f"<html lang=en><body class=a><table>{rows}</table>"
    tamed = sanitize_markup(html).text
    assert tamed != html
    assert LexborHTMLParser(tamed).html == LexborHTMLParser(html).html
