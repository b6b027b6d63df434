"""Any page can be parsed, in time that is linear in its size."""

from functools import partial

import pytest

from convert_support.effort import effort
from webquarry_convert.text.harmless import MAX_LONG_TAGS, MAX_TAGS
from webquarry_convert.text.markup import parse
from webquarry_convert.text.tags import MAX_ATTRIBUTES


def test_many_options_take_linear_time() -> None:
    options = 40_000
    tree = parse("<select class=x>" + "<option>a" * options + "</select>b")
    assert len(tree.css("select.x > option")) == options
    assert effort(partial(parse, "<p><select>" + "<option>a" * options)) < 1


@pytest.mark.parametrize(
    "html",
    [
        "<p>a\ud800b",
        "<p " + " ".join(f"a{n}=1" for n in range(MAX_ATTRIBUTES + 1)) + ">b",
        "<p a='>' " + " ".join(f"a{n}" for n in range(100_000)) + ">b",
        "<i>" * MAX_TAGS + "<p>b",
        "<p a=" * MAX_TAGS + "><p>b",
        "<div><script>if (a<b) { }</script><p>b",
        "<p a='" + "x" * 50_000 + "'>b",
    ],
)
def test_any_page_is_parsed_with_its_text(html: str) -> None:
    body = parse(html).body
    assert body is not None
    assert body.text().endswith("b")


@pytest.mark.parametrize("before", [0, 8000, 16_381, 16_382, 16_384, 20_470, 20_480, 32_766, 40_000])
def test_tag_with_too_many_attributes_is_found_in_any_position(before: int) -> None:
    html = "x" * before + "<p " + " ".join(f"a{n}" for n in range(60_000)) + ">b"
    assert effort(partial(parse, html)) < 1


@pytest.mark.parametrize(
    "html",
    [
        "<a" * MAX_TAGS + "x" * 1_900_000,
        "<a/b=" * MAX_TAGS + "x" * 1_900_000,
        "<a" * MAX_TAGS + " " * 1_900_000,
        ("<a" * 49 + "x" * 16_000 + ">") * 120,
        '<a b="' * MAX_LONG_TAGS + "x" * 1_900_000 + '">',
        ("<a" + " b" * (MAX_ATTRIBUTES - 2) + ">") * 4000,
    ],
)
def test_text_that_resembles_many_tags_takes_at_most_a_second(html: str) -> None:
    assert effort(partial(parse, html)) < 2


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
def test_misplaced_elements_take_little_time(start: str, unit: str) -> None:
    number = 500_000 // len(unit)
    html = start + "".join(unit.replace("#", str(n)) for n in range(number))
    assert effort(partial(parse, html)) < 2
