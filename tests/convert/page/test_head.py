import json
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from webquarry.convert.page.head import Head, read_head

URL = "https://example.com/dir/page"


def head(markup: str) -> Head:
    return read_head(LexborHTMLParser(f"<html><head>{markup}</head><body></body></html>"), URL)


def ld(value: Any) -> str:
    return f'<script type="application/ld+json">{value if isinstance(value, str) else json.dumps(value)}</script>'


def test_nothing_said_is_none() -> None:
    assert head("") == Head(URL, None, None, None, None, None, None, None, None, None, {})


@pytest.mark.parametrize(
    ("markup", "title", "source"),
    [
        ("<title> A &amp; B\n</title>", "A & B", "title"),
        ("<title>x</title><meta name=twitter:title content=T>", "T", "twitter:title"),
        ("<title>x</title>" + ld({"@type": "Article", "headline": "H"}), "H", "json-ld"),
        ("<title>x</title><meta property=og:title content='Tom &amp;amp; Co'>", "Tom & Co", "og:title"),
    ],
)
def test_title_is_the_most_specific_one(markup: str, title: str, source: str) -> None:
    found = head(markup)
    assert (found.title, found.sources["title"]) == (title, source)


def test_svg_title_is_not_the_page_s() -> None:
    tree = LexborHTMLParser("<body><svg><title>Logo</title></svg></body>")
    assert read_head(tree, URL).title is None


@pytest.mark.parametrize(
    ("markup", "canonical"),
    [
        ("<link rel=Canonical href=/x>", "https://example.com/x"),
        ("<link rel=canonical href='  https://example.org/y '>", "https://example.org/y"),
        ("<base href=https://example.net/z/><link rel=canonical href=w>", "https://example.net/z/w"),
        ("<link rel=canonical href=javascript:x><meta property=og:url content=/o>", "https://example.com/o"),
        ("<link rel=canonical href=''>", None),
        ("<link rel=canonical href='http://['>", None),
    ],
)
def test_canonical_is_absolute(markup: str, canonical: str | None) -> None:
    assert head(markup).canonical_url == canonical


@pytest.mark.parametrize(
    ("base", "is_"),
    [
        ("<base href=/z/>", "https://example.com/z/"),
        ("<base target=x><base href=//example.org/>", "https://example.org/"),
        ("<base href=javascript:x>", URL),
        ("<base href='http://['>", URL),
    ],
)
def test_base_is_the_first_usable(base: str, is_: str) -> None:
    assert head(base).base == is_


@pytest.mark.parametrize(
    ("written", "is_"),
    [
        ("2024-05-01T08:30:00+02:00", "2024-05-01T06:30:00Z"),
        ("2024-05-01T08:30:00.123456789Z", "2024-05-01T08:30:00Z"),
        ("2024-05-01T08:30", "2024-05-01T08:30:00Z"),
        ("Wed, 01 May 2024 08:30:00 GMT", "2024-05-01T08:30:00Z"),
        ("2024-05-01", "2024-05-01"),
        ("2024/5/1", "2024-05-01"),
        ("0001-01-01T00:00:00Z", None),
        ("0001-01-01T00:00:00+10:00", None),
        ("yesterday", None),
    ],
)
def test_instants_are_utc_and_bare_dates_stay(written: str, is_: str | None) -> None:
    assert head(f'<meta property="article:published_time" content="{written}">').published_at == is_


def test_unreadable_date_leaves_the_word_to_the_next_place() -> None:
    found = head(ld({"@type": "Article", "datePublished": "soon"}) + "<meta name=date content=2024-05-01>")
    assert (found.published_at, found.sources["published_at"]) == ("2024-05-01", "date")


GRAPH = {
    "@graph": [
        {"@type": "WebSite", "@id": "#s", "name": "The Site"},
        {"@type": "WebPage", "name": "Page", "datePublished": "2020-01-01"},
        {"@type": ["Thing", "BlogPosting"], "headline": "Post", "author": {"@id": "#a"}, "dateModified": "2021-01-01"},
        {"@type": "Person", "@id": "#a", "name": "Ada"},
    ]
}


@pytest.mark.parametrize("value", [GRAPH, [GRAPH], {"@context": "https://schema.org", **GRAPH}])
def test_graph_is_read_in_any_wrapping(value: Any) -> None:
    found = head(ld(value))
    assert (found.title, found.author, found.site_name, found.kind) == ("Post", "Ada", "The Site", "article")
    assert (found.published_at, found.modified_at) == ("2020-01-01", "2021-01-01")


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ("Ada", "Ada"),
        ({"name": " Ada  M. "}, "Ada M."),
        ([{"name": "Ada"}, "Tom", {"name": "Ada"}], "Ada, Tom"),
        ({"@id": "#unknown"}, None),
        ("https://example.com/ada", None),
        (7, None),
        ([], None),
    ],
)
def test_author_is_given_by_name(author: Any, name: str | None) -> None:
    assert head(ld({"@type": "NewsArticle", "author": author})).author == name


@pytest.mark.parametrize(
    "text",
    [
        '<!-- {"@type": "Article", "headline": "H"} -->',
        '//<![CDATA[\n{"@type": "Article", "headline": "H"}\n//]]>',
        '{"@type": "Article", "headline": "H",}',
        '{"@type": "Article", "headline": "H", "articleBody": "a\nb\tc"};',
        '{"@type": "Article", "headline": "H"} {"@type": "Person"}',
    ],
)
def test_broken_json_is_mended(text: str) -> None:
    assert head(ld(text)).title == "H"


def test_half_a_character_is_replaced() -> None:
    said = {"@type": "Article", "headline": "Big \ud83d news \U0001f600", "author": "A\udc00", "description": "\x00d"}
    found = head(ld(said))
    assert (found.title, found.author, found.description) == ("Big \ufffd news \U0001f600", "A\ufffd", "d")


@pytest.mark.parametrize("text", ["", "{", "null", "[" * 100_000, '{"@type":' * 5000, '"x"', '{"@type": {}}'])
def test_hopeless_json_says_nothing(text: str) -> None:
    assert head(ld(text) + "<title>T</title>").title == "T"


@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ("<meta property=og:locale content=en_us>", "en-US"),
        ("<meta http-equiv=content-language content='de-de, en'>", "de-DE"),
        ("<meta http-equiv=content-language content='zh-hans'>", "zh-Hans"),
        ("<meta property=og:locale content='%LOCALE%'>", None),
    ],
)
def test_language_is_a_tag(markup: str, language: str | None) -> None:
    assert head(markup).language == language


def test_profile_address_is_not_an_author() -> None:
    assert head("<meta property=article:author content=https://example.com/ada>").author is None
