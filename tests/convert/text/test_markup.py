from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from support.effort import effort
from webquarry_convert.text import markup as markup_module
from webquarry_convert.text.markup import (
    MAX_ALL_ATTRIBUTES,
    MAX_ATTRIBUTES,
    MAX_DEPTH,
    MAX_ELEMENTS,
    MAX_LONG_TAGS,
    MAX_LOOSE,
    MAX_PLAIN_TAGS,
    parse,
    sanitize_markup,
)


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
def test_ordinary_markup_stays(html: str) -> None:
    assert sanitize_markup(html).text == html


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<script>if (a<b) { x('</p>') }</script>y", "<script></script>y"),
        ("<style>p > a {}</style>y", "<style></style>y"),
        ("<SCRIPT src=x></SCRIPT >y", "<SCRIPT src=x></SCRIPT >y"),
        ("<script>never closed", "<script>"),
        ("a\x00\x01b\x7f\tc\n", "ab\tc\n"),
        ("a\ud800b", "a\ufffdb"),
    ],
)
def test_what_no_reader_sees_goes(html: str, left: str) -> None:
    assert sanitize_markup(html).text == left


def test_depth_counts_what_is_open() -> None:
    assert sanitize_markup("<div><ul><li><a>x</a><li><b>y</b></ul></div><div></div>").depth == 3


def test_self_closing_counts_only_in_foreign_content() -> None:
    assert sanitize_markup("<svg>" + "<path/>" * 50 + "</svg>").depth == 1
    assert sanitize_markup("<div/>" * 50).depth == 50
    assert sanitize_markup("<svg><p>" + "<div/>" * 50).depth == 51


@pytest.mark.parametrize("name", ["div", "span", "b", "x-y", "ul", "table", "svg"])
def test_depth_is_bounded_and_text_is_kept(name: str) -> None:
    markup = sanitize_markup(f"<{name}>" * 5000 + "core" + f"</{name}>" * 5000)
    assert markup.depth == MAX_DEPTH
    assert markup.text.count(f"<{name}>") == markup.text.count(f"</{name}>") == MAX_DEPTH
    assert "core" in markup.text


def test_style_within_svg_hides_no_depth() -> None:
    assert sanitize_markup("<svg><style>" + "<g>" * 5000).depth == MAX_DEPTH


def test_tag_of_too_many_attributes_loses_them() -> None:
    names = " ".join(f"a{i}=1" for i in range(MAX_ATTRIBUTES + 1))
    assert sanitize_markup(f"<p {names}>x").text == "<p>x"


def test_options_are_chosen_from_in_time_that_grows_with_their_number() -> None:
    options = 40_000
    tree = parse("<select class=x>" + "<option>a" * options + "</select>b")
    assert len(tree.css("select.x > option")) == options
    assert effort(partial(parse, "<p><select>" + "<option>a" * options)) < 1
    assert sanitize_markup(sanitize_markup("<select><option>a").text).text == "<select multiple><option>a"


def test_long_value_is_one_attribute() -> None:
    html = f'<img src="data:image/png;base64,{"A" * 5000}" alt="x > y">'
    assert sanitize_markup(html).text == html


@given(
    st.lists(st.sampled_from(["<div>", "</div>", "<p", " a=", '"', "'", ">", "<!--", "-->", "x", "<svg>", "<script>"]))
)
def test_taming_twice_changes_nothing(pieces: list[str]) -> None:
    once = sanitize_markup("".join(pieces))
    assert sanitize_markup(once.text).text == once.text


@pytest.mark.parametrize(
    "html",
    [
        "<p>a\ud800b",
        "<p " + " ".join(f"a{n}=1" for n in range(MAX_ATTRIBUTES + 1)) + ">b",
        "<p a='>' " + " ".join(f"a{n}" for n in range(100_000)) + ">b",
        "<i>" * MAX_PLAIN_TAGS + "<p>b",
        "<p a=" * MAX_PLAIN_TAGS + "><p>b",
        "<div><script>if (a<b) { }</script><p>b",
        "<p a='" + "x" * 50_000 + "'>b",
    ],
)
def test_any_page_is_parsed_with_its_text(html: str) -> None:
    body = parse(html).body
    assert body is not None
    assert body.text().endswith("b")


@pytest.mark.parametrize("before", [0, 8000, 16_381, 16_382, 16_384, 20_470, 20_480, 32_766, 40_000])
def test_tag_of_too_many_attributes_is_found_wherever_it_stands(before: int) -> None:
    html = "x" * before + "<p " + " ".join(f"a{n}" for n in range(60_000)) + ">b"
    assert effort(partial(parse, html)) < 1


@pytest.mark.parametrize(
    "html",
    [
        "<a" * MAX_PLAIN_TAGS + "x" * 1_900_000,
        "<a/b=" * MAX_PLAIN_TAGS + "x" * 1_900_000,
        "<a" * MAX_PLAIN_TAGS + " " * 1_900_000,
        ("<a" * 49 + "x" * 16_000 + ">") * 120,
        '<a b="' * MAX_LONG_TAGS + "x" * 1_900_000 + '">',
        ("<a" + " b" * (MAX_ATTRIBUTES - 2) + ">") * 4000,
    ],
)
def test_what_only_looks_like_many_tags_takes_a_second_at_most(html: str) -> None:
    assert effort(partial(parse, html)) < 2


@pytest.mark.parametrize(
    "unit",
    ["<td>a", "<tr><td>a", "<p>", "</p>a", "</br>", "<!---->a", "<i>a</i>", "<br>a", "<svg><g/></svg>a", "<p b>a"],
)
def test_elements_are_bounded_and_text_is_kept(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most = MAX_ELEMENTS if unit == "<td>a" else 10_000
    monkeypatch.setattr(markup_module, "MAX_ELEMENTS", most)
    number = most + 1000
    markup = sanitize_markup("<table>" + unit * number)
    rest = sanitize_markup("<table>" + unit * (number + 1000)).text
    assert rest.startswith(markup.text)
    assert "<" not in rest[len(markup.text) :]
    assert markup.text.count("a") == ("<table>" + unit * number).count("a")


def test_attributes_of_all_elements_are_bounded() -> None:
    tag = "<p " + " ".join(f"a{n}" for n in range(MAX_ATTRIBUTES)) + ">b"
    number = MAX_ALL_ATTRIBUTES // MAX_ATTRIBUTES
    markup = sanitize_markup(tag * 4 * number)
    assert number <= markup.text.count(" a1 ") < 3 * number
    assert markup.text.endswith("<p>b" * number)


@pytest.mark.parametrize(
    ("start", "unit"),
    [
        ("", "<body a#=b>"),
        ("", "<html a#=b>"),
        ("<p>", f"<body {' '.join(f'a#_{n}' for n in range(MAX_ATTRIBUTES - 10))}>"),
        ("", "<optgroup>"),
        ("", "<option><optgroup>"),
        ("", "<rtc><rb>"),
        ("<ruby><object>", "<rt>"),
        ("<svg/>", "<section/>"),
        ("<svg></p>", "<section/>"),
        ("<select><svg></select>", "<section/>"),
    ],
)
def test_elements_out_of_place_take_no_long_time(start: str, unit: str) -> None:
    number = 500_000 // len(unit)
    html = start + "".join(unit.replace("#", str(n)) for n in range(number))
    assert effort(partial(parse, html)) < 2


def test_ends_that_are_written_leave_the_page_as_it_is() -> None:
    rows = "".join(f"<tr><td>{n}<td><svg><path d=M{n} /><g/></svg><ruby>a<rt>b</ruby>" for n in range(MAX_LOOSE))
    html = f"<html lang=en><body class=a><table>{rows}</table>"
    tamed = sanitize_markup(html).text
    assert tamed != html
    assert LexborHTMLParser(tamed).html == LexborHTMLParser(html).html
