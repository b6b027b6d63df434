import json
import string
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from convert_support.effort import assert_linear
from webquarry_convert.page.head import Head, Places, read_head
from webquarry_convert.page.head.authors import MAX_AUTHORS, MAX_REL_AUTHORS
from webquarry_convert.page.head.byline import MAX_LINE, MAX_NAME_TEXT
from webquarry_convert.tree import build_tree

URL = "https://example.com/dir/page"


def head(markup: str, body: str = "", url: str | None = URL) -> Head:
    return read_head(Places(build_tree(f"<html><head>{markup}</head><body>{body}</body></html>")), url)


def ld(value: Any) -> str:
    return f'<script type="application/ld+json">{value if isinstance(value, str) else json.dumps(value)}</script>'


def test_missing_values_are_none() -> None:
    assert head("") == Head()


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


def test_svg_title_is_not_the_page_title() -> None:
    assert head("", "<svg><symbol><title>Logo</title></symbol></svg>").title is None


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
def test_canonical_url_is_absolute(markup: str, canonical: str | None) -> None:
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
def test_first_usable_base_element_is_used(base: str, is_: str) -> None:
    assert Places(build_tree(base)).base_of(URL) == is_


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
def test_instants_are_converted_to_utc_and_dates_are_kept(written: str, is_: str | None) -> None:
    assert head(f'<meta property="article:published_time" content="{written}">').published_at == is_


def test_unreadable_date_is_skipped() -> None:
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
def test_json_ld_is_read_in_any_structure(value: Any) -> None:
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
def test_author_is_returned_by_name(author: Any, name: str | None) -> None:
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
def test_invalid_json_is_repaired(text: str) -> None:
    assert head(ld(text)).title == "H"


def test_lone_surrogate_is_replaced() -> None:
    fields = {"@type": "Article", "headline": "Big \ud83d news \U0001f600", "author": "A\udc00", "description": "\x00d"}
    found = head(ld(fields))
    assert (found.title, found.author, found.description) == ("Big \ufffd news \U0001f600", "A\ufffd", "d")


@pytest.mark.parametrize("text", ["", "{", "null", "[" * 100_000, '{"@type":' * 5000, '"x"', '{"@type": {}}'])
def test_unparsable_json_is_ignored(text: str) -> None:
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
def test_language_is_a_bcp_47_tag(markup: str, language: str | None) -> None:
    assert head(markup).language == language


def test_profile_url_is_not_an_author() -> None:
    assert head("<meta property=article:author content=https://example.com/ada>").author is None


SITE = "<meta property=og:site_name content='The Daily'>"


@pytest.mark.parametrize(
    ("markup", "body", "title"),
    [
        (f"{SITE}<title>Mill sold | The Daily</title>", "", "Mill sold"),
        (f"{SITE}<title>The Daily: Mill sold</title>", "", "Mill sold"),
        (f"{SITE}<title>Mill sold - News - THE DAILY</title>", "<h1>Mill sold</h1>", "Mill sold"),
        ("<title>Mill - sold - Example</title>", "", "Mill - sold"),
        ("<title>Mill sold [example.com]</title>", "", "Mill sold"),
        ("<title>Mill sold » Some other name</title>", "<h1> </h1><h1>Mill  sold!</h1>", "Mill sold"),
        ("<title>水车出售_某某新闻</title>", "<h1>水车出售</h1>", "水车出售"),
        ("<title>水车出售-某某新闻</title>" + ld({"@type": "Article", "headline": "水车出售"}), "", "水车出售"),
        (f"{SITE}<meta property=og:title content='The Daily'><title>Mill sold</title>", "", "Mill sold"),
        ("<title>Well-known facts: a list (of ten)</title>", "<h1>Well</h1>", "Well-known facts: a list (of ten)"),
        ("<title>Mill | sold</title>", "<h1>sold</h1>", "Mill | sold"),
    ],
)
def test_title_excludes_the_site_name(markup: str, body: str, title: str) -> None:
    assert head(markup, body).title == title


@pytest.mark.parametrize(
    ("title", "is_"),
    [("The Daily - All the news", "The Daily - All the news"), ("All the news | The Daily", "All the news")],
)
def test_home_page_keeps_the_site_name_as_its_title(title: str, is_: str) -> None:
    assert head(f"{SITE}<title>{title}</title>", "<h1>All the news</h1>", "https://example.org/").title == is_


@pytest.mark.parametrize(
    ("title", "site"),
    [("Mill sold | Example News", "Example News"), ("Mill sold | Elsewhere", None), ("Mill sold", None)],
)
def test_site_name_is_taken_from_the_title_if_it_matches_the_host(title: str, site: str | None) -> None:
    found = head(f"<title>{title}</title>", "<h1>Mill sold</h1>")
    assert (found.site_name, found.sources.get("site_name")) == (site, site and "title")


@pytest.mark.parametrize(
    ("markup", "author"),
    [
        ("<meta name=author content='By Ada Lovelace'>", "Ada Lovelace"),
        ("<meta name=author content='Ada Lovelace | '>", "Ada Lovelace"),
        ("<meta name=author content='105464'>", None),
        (
            "<meta name=citation_author content='Lovelace, A.'><meta name=citation_author content=Tom>",
            "Lovelace, A., Tom",
        ),
        ("<html lang=de><meta name=author content='Von Ada Lovelace'>", "Ada Lovelace"),
        ("<html lang=en><meta name=author content='Von Trapp'>", "Von Trapp"),
        ("<meta name=author content='作者：王乐文'>", "王乐文"),
    ],
)
def test_author_is_returned_without_the_surrounding_words(markup: str, author: str | None) -> None:
    assert read_head(Places(build_tree(markup)), URL).author == author


@pytest.mark.parametrize(
    ("body", "author"),
    [
        ("<p class=byline>By <a>Ada Lovelace</a></p>", "Ada Lovelace"),
        ("<p class=byline>by Ada Lovelace, senior editor</p>", "Ada Lovelace"),
        ("<p class=post-author>Ada Lovelace May 3, 2024</p>", "Ada Lovelace"),
        ("<p class=author>ada_l</p>", "ada_l"),
        ("<div class=byline>Posted by Ada on 3 May</div>", "Ada"),
        ("<p><span itemprop=author><img><b itemprop=name>Ada Lovelace</b> writes</span></p>", "Ada Lovelace"),
        ("<a rel='nofollow author' href=/ada>Ada Lovelace</a>", "Ada Lovelace"),
        ("<a rel=author href=/ada>https://example.com/ada</a>", None),
        ("<p class=byline>Edited by Ada Lovelace</p>", None),
        ("<p class=author>Ada</p><p class=author>Tom</p>", None),
        ("<p class=byline>By Ada</p><p class=author>Tom</p>", "Ada"),
        ("<p class=author>Written by</p>", None),
        ("<p class=author>The defence ministries of both countries said so</p>", None),
        ("<p class=author>Peter sagt:</p>", None),
        ("<p class=author>June 2024</p>", None),
        ("<p>By Ada Lovelace</p>", None),
    ],
)
def test_byline_near_the_heading_names_the_author(body: str, author: str | None) -> None:
    assert head("", f"<main><header><h1>Mill sold</h1>{body}</header></main>").author == author


@pytest.mark.parametrize("count", [MAX_AUTHORS - 1, MAX_AUTHORS, MAX_AUTHORS + 1])
def test_number_of_authors_is_limited(count: int) -> None:
    names = [f"Ada {letter}" for letter in string.ascii_uppercase[:count]]
    found = head("".join(f"<meta name=citation_author content='{name}'>" for name in names)).author
    assert found == ", ".join(names[:MAX_AUTHORS])


@pytest.mark.parametrize(("place", "is_read"), [(MAX_REL_AUTHORS, True), (MAX_REL_AUTHORS + 1, False)])
def test_number_of_examined_author_links_is_limited(place: int, is_read: bool) -> None:
    links = "<a rel=author href=/a>https://example.com/a</a>" * (place - 1)
    assert head("", f"{links}<a rel=author href=/b>Ada</a>").author == ("Ada" if is_read else None)


def test_author_name_is_read_only_inside_the_author_element() -> None:
    assert head("", "<p itemprop=author>Ada</p><p itemprop=name>The Mill</p>").author == "Ada"
    inner = "<b itemprop=name>Ada</b> of the mill at Rye"
    assert head("", f"<p itemprop=name>The Mill</p><p itemprop=author>{inner}</p>").author == "Ada"
    assert head("", "<p itemprop=author itemscope><b itemprop=name>Ada</b></p><p itemprop=name>T</p>").author == "Ada"


@pytest.mark.parametrize(("size", "is_name"), [(MAX_NAME_TEXT, True), (MAX_NAME_TEXT + 1, False)])
def test_text_longer_than_a_name_is_not_an_author(size: int, is_name: bool) -> None:
    text = f"Ada, {'b' * (size - 5)}"
    assert (head("", f"<p itemprop=author content='{text}'></p>").author is not None) is is_name


@pytest.mark.parametrize(("size", "is_read"), [(MAX_LINE, True), (MAX_LINE + 1, False), (10 * MAX_LINE, False)])
def test_line_with_many_words_does_not_name_an_author(size: int, is_read: bool) -> None:
    line = "By Ada Lovelace, ".ljust(size, "x")
    found = head("", f"<main><header><h1>Mill sold</h1><p class=byline>{line}</p></header></main>").author
    assert found == ("Ada Lovelace" if is_read else None)


def test_url_is_not_an_author() -> None:
    assert head("", "<p itemprop=author content='https://example.com/ada'></p>").author is None


def test_nearest_byline_is_used() -> None:
    body = "<main><div><h1>T</h1><p class=author>Ada</p></div><ul><li class=author>Tom<li class=author>Eve</ul></main>"
    assert head("", body).author == "Ada"


@pytest.mark.parametrize(
    ("line", "published"),
    [
        ("<time datetime=2024-05-01T08:30:00+02:00>yesterday</time>", "2024-05-01T06:30:00Z"),
        ("<time>May 1, 2024</time>", "2024-05-01"),
        ("<p class=entry-date>Wednesday, 1st May 2024 at 8:30</p>", "2024-05-01"),
        ("<p class=post-date>1. Mai 2024, 08:30 Uhr</p>", "2024-05-01"),
        ("<p class=date>1 de mayo de 2024</p>", "2024-05-01"),
        ("<p class=date>1er mai 2024</p>", "2024-05-01"),
        ("<p class=date>01.05.2024</p>", "2024-05-01"),
        ("<p class=date>13/05/2024</p>", "2024-05-13"),
        ("<p class=date>05/13/2024</p>", "2024-05-13"),
        ("<p class=date>2024年5月1日 08:30</p>", "2024-05-01"),
        ("<p class=date>04/05/2024</p>", None),
        ("<p class=date>1 May 2024</p><p class=date>2 May 2024</p>", None),
        ("<p class=date>31 June 2024</p>", None),
        ("<p class=date>soon</p>", None),
        ("<p>1 May 2024</p>", None),
        (f"<p class=date>{'It was found that ' * 15} on 1 May 2024 the mill was sold.</p>", None),
    ],
)
def test_single_date_near_the_heading_is_the_page_date(line: str, published: str | None) -> None:
    found = head("", f"<main><h1>Mill sold</h1>{line}</main>")
    assert (found.published_at, found.modified_at) == (published, None)


@pytest.mark.parametrize(
    "line", ["<p class=date>Updated: {}</p>", "<p>Updated <time>{}</time></p>", "<p class=update-date>{}"]
)
def test_date_of_a_change_is_not_the_publication_date(line: str) -> None:
    found = head("", f"<main><h1>T</h1><p class=date>1 May 2024</p>{line.format('3 May 2024')}</main>")
    assert (found.published_at, found.modified_at) == ("2024-05-01", "2024-05-03")


def test_dates_of_other_articles_are_not_the_page_date() -> None:
    others = "".join(f"<li><time datetime=2024-03-0{day}></time></li>" for day in range(1, 8))
    assert head("", f"<main><h1>T</h1><ul>{others}</ul></main>").published_at is None
    near = f"<main><header><h1>T</h1><time datetime=2024-05-01></time></header><ul>{others}</ul></main>"
    assert head("", near).published_at == "2024-05-01"


@pytest.mark.parametrize(
    ("url", "published"),
    [
        ("https://example.com/2024/05/01/mill-sold", "2024-05-01"),
        ("https://example.com/news/2024-05-01-mill.html", "2024-05-01"),
        ("https://example.com/20240501/mill", "2024-05-01"),
        ("https://example.com/2024/05/01/", None),
        ("https://example.com/2024/05/mill", None),
        ("https://example.com/2024/13/01/mill", None),
        ("https://example.com/120240501/mill", None),
        ("http://[", None),
        (None, None),
    ],
)
def test_date_in_the_url_is_used_without_other_dates(url: str | None, published: str | None) -> None:
    assert head("", url=url).published_at == published
    text = head("<meta name=date content=2020-01-01>", url=url)
    assert (text.published_at, text.sources["published_at"]) == ("2020-01-01", "date")


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("article:published", "published_at"),
        ("cXenseParse:recs:publishtime", "published_at"),
        ("some:article_published_time", "published_at"),
        ("og:publish_date", "published_at"),
        ("article:modified", "modified_at"),
        ("dateUpdate", "modified_at"),
        ("updated_at", "modified_at"),
    ],
)
def test_date_fields_are_recognized_by_the_ends_of_their_names(name: str, field: str) -> None:
    assert getattr(head(f"<meta name={name} content='2024-05-01'>"), field) == "2024-05-01"


def test_instant_is_preferred_to_a_written_date() -> None:
    text = ld({"@type": "Article", "datePublished": "May 1, 2024"})
    assert head(text + "<meta name=date content=2024-05-01T08:00:00Z>").published_at == "2024-05-01T08:00:00Z"
    assert head(text).published_at == "2024-05-01"


@pytest.mark.parametrize(
    ("title", "language"),
    [
        ("川沿いの古い水車小屋が月曜日に売却された", "ja"),
        ("河边的旧水磨坊星期一卖给了邻村的一家人", "zh"),
        ("강가의 오래된 물레방앗간이 월요일에 팔렸다", "ko"),
        ("Старая мельница у реки была продана в понедельник, мы рады", "ru"),
        ("Стару мельницю біля річки продали в понеділок, її купили", "uk"),
        ("Старата мелница край реката беше продадена", None),
        ("Ο παλιός μύλος δίπλα στο ποτάμι πουλήθηκε", "el"),
        ("The old mill by the river was sold", None),
        ("The old mill by the river (川沿いの水車小屋) was sold on Monday to a family", None),
        ("水车", None),
    ],
)
def test_script_determines_an_undeclared_language(title: str, language: str | None) -> None:
    assert head(f"<title>{title}</title>").language == language


def test_metadata_of_broken_pages_is_read_in_any_position() -> None:
    found = head("<noscript><img src=x></noscript><meta property=og:title content=T><link rel=canonical href=/c>")
    assert (found.title, found.canonical_url) == ("T", "https://example.com/c")


def test_time_grows_linearly_with_the_page() -> None:
    line = "<p class='date author byline'>By Ada 1 May 2024</p><time>x</time><i itemprop=author rel=author>"

    def reading(count: int) -> Callable[[], object]:
        html = f"<meta name=a content=b>{'<meta name=c content=d>' * count}<h1>T</h1>{line * count}"
        return partial(read_head, Places(build_tree(html)), URL)

    assert_linear(reading, 500)
