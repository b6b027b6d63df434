import gc
import re
from collections.abc import Callable
from functools import partial
from itertools import islice
from threading import Event, Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from convert_support.effort import assert_linear, effort
from webquarry_convert.page import convert, document, to_markdown
from webquarry_convert.text.harmless import MAX_TAGS
from webquarry_convert.tree import MAX_DEPTH

URL = "https://example.com/dir/page"
SENTENCE = "A sentence that is long enough to be taken for the text of a page by anybody, with a comma. "
PIECES = [
    *("<div>", "</div>", "<p>", "</p>", "<a href='x'>", "<a href=//[>", "</a>", "<b>", "</b>", "<table>", "<tr><td>"),
    *(
        "</table>",
        "<ul><li>",
        "</ul>",
        "<pre>",
        "</pre>",
        "<img src=i.png>",
        "<svg>",
        "<math>",
        "<script>",
        "</script>",
    ),
    *("<!--", "-->", "<![CDATA[", "]]>", "<base href='/b/'>", "<title>", "&#0;", "&#xd800;", "&amp;", "\x00", "\x0b"),
    *("\ud800", "\ufffe", "|", "`", "[", "](", "\\", "<", "\n", "text ", SENTENCE, "<template>", "<select>", "<h1>"),
]


def of_size(size: int, piece: str, start: str = "") -> str:
    return start + piece * (size // len(piece))


FORMATTING = "".join(f"<b a={i}>" for i in range(60)) + "<div>" * 20 + "</b>" * 60 + "</div>" * 20
TRAPS: dict[str, Callable[[int], str]] = {
    "formatting that ends around blocks": lambda n: of_size(n, FORMATTING) + "x",
    "formatting open all at once": lambda n: (
        "".join(f"<b a={i}>" for i in range(n // 20)) + "<div>" * 200 + "</b>" * (n // 20) + "x"
    ),
    "nested blocks": lambda n: of_size(n, "<div>") + "x",
    "nested lists": lambda n: of_size(n, "<ul><li>x"),
    "end tags without start": lambda n: "<span>" * 300 + of_size(n, "</b>"),
    "attributes": lambda n: "<p " + " ".join(f"a{i}=1" for i in range(n // 8)) + ">x",
    "open formatting": lambda n: "".join(f"<font id={i}>" for i in range(n // 40)) + "<p>x" * (n // 8),
    "tags within a name": lambda n: "<a" * (n // 100) + "x" * n,
    "tags within a value": lambda n: "<a/b=" * (n // 100) + "x" * n,
    "tags before white space": lambda n: "<a" * (n // 100) + " " * n + "x",
    "open quotes": lambda n: of_size(n, '<a href="'),
    "open comments": lambda n: of_size(n, "<!--"),
    "less-than signs": lambda n: of_size(n, "<", "<p>"),
    "open brackets": lambda n: of_size(n, "[", "<p>"),
    "broken links": lambda n: of_size(n, "](", "<p>"),
    "backticks": lambda n: "<p>" + " ".join("`" * (i % 99) for i in range(n // 50)),
    "links": lambda n: of_size(n, "<a href=/x>y</a> "),
    "one long list": lambda n: of_size(n, f"<li>{SENTENCE[:20]}", "<ol>"),
    "short numbered lists": lambda n: of_size(n, "<ol>" + "<li>item text" * 20 + "</ol>"),
    "one long row": lambda n: of_size(n, "<td>x", "<table><tr>"),
    "style in svg": lambda n: of_size(n, "<g>", "<svg><style>"),
    "short comments": lambda n: of_size(n, "<p>word word</p>", "<div class=comments>"),
    "comments": lambda n: of_size(n, "<div class=comment><p>word word</p></div>"),
    "short items": lambda n: of_size(n, "<li>word word", "<ul>"),
    "tables": lambda n: of_size(n, "<table><tr><td>a</table>"),
    "text around blocks": lambda n: of_size(n, "<div>word<div>word</div>word</div>word "),
    "breaks": lambda n: of_size(n, "word<br><br>"),
    "formatting side by side": lambda n: of_size(n, "<b>word</b> ", "<p>"),
    "code spans": lambda n: of_size(n, "<code>x</code> "),
    "code after a text": lambda n: of_size(n, "<code>x</code> ", f"<article><p>{SENTENCE * 5}</p>"),
    "headings": lambda n: of_size(n, "<h2>T</h2><p>word word</p>"),
    "one word": lambda n: of_size(n, "a", "<p>"),
}


@pytest.mark.parametrize("size", [20_000, pytest.param(50_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("trap", TRAPS)
def test_time_grows_linearly_with_the_page(trap: str, size: int) -> None:
    assert_linear(lambda size: partial(convert, TRAPS[trap](size), URL), size)


@pytest.mark.parametrize("trap", TRAPS)
def test_page_that_narrowly_avoids_sanitizing_takes_at_most_a_second(trap: str) -> None:
    html = TRAPS[trap](300_000)
    beyond = next(islice(re.finditer("<(?!/)", html), MAX_TAGS - 50, None), None)
    assert effort(lambda: convert(html[: beyond and beyond.start()], URL)) < 2


@pytest.mark.parametrize("trap", TRAPS)
def test_tricky_markup_gives_clean_text(trap: str) -> None:
    assert "\x00" not in to_markdown(TRAPS[trap](20_000))


@given(st.lists(st.sampled_from(PIECES), max_size=60))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_any_markup_is_converted(pieces: list[str]) -> None:
    page = convert("".join(pieces), URL)
    page.markdown.encode()  # raises an error if there is a lone surrogate
    assert "\x00" not in page.markdown
    assert all(link.url.startswith(("http://", "https://")) for link in page.links)


@given(st.binary(max_size=200))
def test_any_bytes_are_converted(body: bytes) -> None:
    to_markdown(body.decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize("html", ["", " ", "<!DOCTYPE html>", "<html><body></body></html>", "<frameset>", "\ufeff"])
def test_empty_input_gives_empty_output(html: str) -> None:
    assert to_markdown(html) == ""


def test_deeply_nested_page_keeps_its_text() -> None:
    assert SENTENCE.strip() in to_markdown("<div>" * (MAX_DEPTH + 1) + SENTENCE)


def test_long_page_is_written_completely() -> None:
    markdown = to_markdown("".join(f"<p>{number}. {SENTENCE}</p>" for number in range(12_000)))
    assert markdown.count(SENTENCE.strip()) == 12_000


@pytest.mark.parametrize(
    ("base", "address"),
    [
        ("", "https://example.com/dir/a"),
        ("<base href='/other/'>", "https://example.com/other/a"),
        ("<base href='https://example.org/'>", "https://example.org/a"),
        ("<base href='javascript:x'>", "https://example.com/dir/a"),
    ],
)
def test_links_and_images_are_absolute(base: str, address: str) -> None:
    html = f"<head>{base}</head><body><article><p>{SENTENCE * 3}<a href='a'>label</a> {SENTENCE}</p></article>"
    page = convert(html, URL)
    assert f"[label]({address})" in page.markdown
    assert [(link.url, link.text) for link in page.links] == [(address, "label")]


def test_dropped_navigation_is_not_in_the_lists_of_links_and_images() -> None:
    html = f"<nav><ul><li><a href=/n>Nav</a></ul></nav><article><p>{SENTENCE * 4}</p></article>"
    assert convert(html, URL).links == ()


def test_page_without_text_gives_empty_markdown() -> None:
    assert to_markdown("<body><div id=root></div><script src=/app.js></script></body>", URL) == ""


def test_thread_in_noscript_is_converted() -> None:
    html = f"<body><noscript><div><p>{SENTENCE * 5}</p></div></noscript><script src=/app.js></script></body>"
    assert SENTENCE.strip() in to_markdown(html, URL)


def test_short_page_with_a_script_is_converted() -> None:
    html = "<body><p>The shop is closed until Thursday.</p><script>track()</script></body>"
    assert to_markdown(html, URL) == "The shop is closed until Thursday.\n"


def test_collector_runs_again_after_the_last_of_overlapping_pages() -> None:
    assert gc.isenabled()
    begun, ended = Event(), Event()

    def other_page() -> None:
        with document._collector_paused:
            begun.set()
            ended.wait(10)

    thread = Thread(target=other_page)
    thread.start()
    assert begun.wait(10)
    to_markdown("<p>begins and ends while the other is converted")
    assert not gc.isenabled()
    ended.set()
    thread.join()
    assert gc.isenabled()


def test_collector_runs_again_after_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(document, "build_tree", fail)
    with pytest.raises(MemoryError):
        to_markdown("<p>a")
    assert gc.isenabled()
    gc.disable()
    try:
        with pytest.raises(MemoryError):
            to_markdown("<p>a")
        assert not gc.isenabled()
    finally:
        gc.enable()
