"""The time of each stage from a response's bytes to its markdown grows linearly with the input."""

from collections.abc import Callable
from functools import partial

import pytest

from convert_support.pumps import TEXTS, Growth, Pump, element_pumps, judge, pair_pumps
from convert_support.responses import Received
from webquarry_convert.fetched import Fetched
from webquarry_convert.links import extract_visible, keep_labels, list_links, make_absolute
from webquarry_convert.media import identify_media
from webquarry_convert.page import convert, find_refresh
from webquarry_convert.page.head import Places, read_head
from webquarry_convert.page.state import find_missing
from webquarry_convert.text import escape
from webquarry_convert.text.charset import decode
from webquarry_convert.text.markup import parse
from webquarry_convert.text.sanitizer import sanitize_markup
from webquarry_convert.text.unreadable import strip_unreadable
from webquarry_convert.tree import copy_tree
from webquarry_convert.verdict import find_block_page, find_shell, measure_page
from webquarry_convert.words import count_words
from webquarry_convert.write.handlers import DISPATCH

URL = "https://example.com/a"


def _blocked_html(html: str) -> object:
    page = measure_page(html)
    return find_block_page(page, url=URL, requested_url=URL, status=200, headers={}, rendered=False), find_shell(page)


def _stated(html: str) -> object:
    places = Places(copy_tree(parse(html)))
    return read_head(places, URL), find_missing(html, places.description, "")


def _passed_on(text: str, media_type: str) -> object:
    headers = {"content-type": media_type}
    return Fetched(Received(text.encode("utf-8", "replace"), URL, 200, headers)).convert()


OF_TEXT: dict[str, Callable[[str], object]] = {
    "decode": lambda text: decode(text.encode("utf-8", "replace")),
    "decode, not UTF-8": lambda text: decode(b"\xe4\xff" + text.encode("utf-16-le", "replace")),
    "media_of": lambda text: identify_media(text.encode("utf-8", "replace"), "", text[:4000]),
    "readable": strip_unreadable,
    "tame": sanitize_markup,
    "absolute": lambda text: make_absolute(text, URL),
    "listed": lambda text: list_links(text, URL),
    "labels_only": keep_labels,
    "visible": extract_visible,
    "count_words": count_words,
    "escape.part": escape.part,
    "escape.label": escape.label,
    "escape.line": escape.line,
    "escape.further": escape.further,
    "escape.heading": escape.heading,
    "escape.cell": escape.cell,
    "escape.target": escape.target,
    "markdown": partial(_passed_on, media_type="text/markdown"),
    "json": partial(_passed_on, media_type="application/json"),
    "xml": partial(_passed_on, media_type="application/xml"),
    "plain": partial(_passed_on, media_type="text/plain"),
    "html": partial(_passed_on, media_type="text/html"),
}
"""The functions that read a text."""
PAGES: dict[str, Callable[[str], object]] = {
    "convert": lambda html: convert(html, URL),
    "verdict": _blocked_html,
    "state": _stated,
    "refresh": lambda html: find_refresh(copy_tree(parse(html)), URL, 5),
}
"""The functions that read a page."""

_ATTRIBUTE_NAMES = """
    action alt aria-hidden aria-label class colspan content data-callout data-size data-src data-srcset data-type
    datetime display encoding height href id itemprop itemtype lang name property rel role rowspan src srcset start
    style title type value width
"""
ATTRIBUTES = tuple(_ATTRIBUTE_NAMES.split())
_SCRIPTS = (
    ("<script type=application/ld+json>", "</script>"),
    ("<script>window.__INITIAL_STATE__=", "</script>"),
    ("<script id=__NEXT_DATA__ type=application/json>", "</script>"),
    ('<script>self.__next_f.push([1,"', '"])</script>'),
)
_DATA = ("[", '{"a":', '{"articleBody":"', '"\\u0061', '"a",', "[1,", '{"a":1},', "\\", '\\"', '"', "'", "1", "{", "}")
_NESTED = (
    "<ul><li>a", "<ol><li>a", "<blockquote>a", "<table><tr><td>a", "<b>a", "<em>a<i>b", "<a href=x>a", "<code>a",
    "<pre>a",
    "<details><summary>a", "<dl><dt>a<dd>b", "<sup><a href=#fn1>1</a></sup>", "<li id=fn1>a</li>", "<math><mi>a",
    '<div class="admonition note">a', "<figure><figcaption>a", "<section><h2>a", "<div class=highlight>a",
    "<sub>a", "<q>a",
    "<ruby>a<rt>b", "<video src=x>a", "<picture><source srcset=a><img src=b>", "<iframe src=//youtube.com/embed/a>",
    "<span class=math>a", "<aside>a", "<del>a<ins>b", "<h1>a", "<form><input value=a>", "<select><option>a",
)  # fmt: skip


def page_pumps() -> list[Pump]:
    """Return pumps for all input that a stage processes: every element that the writer supports, every attribute that
    is read, data in scripts, and nested containers.
    """
    found = [
        *element_pumps(
            sorted(tag for tag in DISPATCH.elements if tag.isidentifier()), ("", "<p>", "<article><table><tr><td>")
        )
    ]
    found += [Pump("<article><p>b", unit, "") for unit in _NESTED]
    for name in ATTRIBUTES:
        for unit in ("a", " a", "a ", "0", " ", "/", "a:", "a;", "-", "_", "%", "a, ", "{", "a-b ", "&#"):
            found.append(Pump(f'<p>a<img {name}="', unit, '\x01"><p>a'))
        found += [Pump("", f'<p {name}="a b">a', ""), Pump("", f'<meta {name}="a" content="b">', "")]
        found += [Pump("", f'<a {name}="b#c">a</a> ', ""), Pump("<p>", f'<img {name}="1" src=a>', "")]
    for start, end in _SCRIPTS:
        found += [Pump(start, unit, end) for unit in _DATA] + [Pump("", start + unit + end, "") for unit in _DATA]
    return found


def growing(
    reads: dict[str, Callable[[str], object]], pumps: list[Pump], largest: int, longest_s: float = 0.2
) -> list[Growth]:
    def prepared(read: Callable[[str], object], pump: Pump, size: int) -> Callable[[], object]:
        return partial(read, pump.text(size))

    return [
        found
        for name, read in reads.items()
        for pump in pumps
        if (
            found := judge(
                partial(prepared, read, pump), f"{name}: {pump}", size=1000, largest=largest, longest_s=longest_s
            )
        )
        is not None
    ]


@pytest.mark.parametrize("name", OF_TEXT)
def test_work_grows_linearly_with_a_text(name: str) -> None:
    assert growing({name: OF_TEXT[name]}, list(TEXTS[1::5]), 8000) == []


@pytest.mark.parametrize("name", PAGES)
def test_work_grows_linearly_with_a_page(name: str) -> None:
    assert growing({name: PAGES[name]}, page_pumps()[::29], 8000) == []


@pytest.mark.long
@pytest.mark.parametrize("name", OF_TEXT)
def test_work_grows_linearly_with_random_texts(name: str) -> None:
    assert growing({name: OF_TEXT[name]}, list(TEXTS), 128_000) == []


@pytest.mark.long
@pytest.mark.parametrize("name", PAGES)
def test_work_grows_linearly_with_random_pages(name: str) -> None:
    assert growing({name: PAGES[name]}, [*page_pumps(), *element_pumps(), *pair_pumps()], 64_000) == []
