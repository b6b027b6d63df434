"""Unclosed raw-text elements do not hide the rest of the page."""

import time

import pytest

from webquarry_convert.page import to_markdown
from webquarry_convert.text.unclosed import close_elements

AFTER = """<header><a href="/">Home</a><nav><ul><li><a href="/a">Hives</a></li><li><a href="/b">Wax</a></li></ul></nav>
</header><article><h1>Bees in winter</h1><p>A colony does not sleep in winter; it hangs in a ball and turns honey into
warmth.</p><p>Leave the hive closed until the first day on which the bees fly of their own accord.</p></article>
<footer><a href="/imprint">Imprint</a></footer></body></html>"""


@pytest.mark.parametrize(
    "tag",
    [
        '<noscript><iframe src="https://tags.example/ns.html?id=1" height="0" style="display:none" /></noscript>',
        '<noscript><iframe src="https://tags.example/ns.html"></noscript>',
        '<iframe src="/x"/>',
        '<textarea name="q" />',
        "<noembed/>",
        "<noframes/>",
        "<xmp/>",
        '<script src="/x.js" />',
        "<style/>",
        "<IFRAME/>",
    ],
)
def test_page_after_the_interstitial_is_read(tag: str) -> None:
    read = to_markdown(f"<html><head><title>Bees</title></head><body>{tag}{AFTER}", "https://bees.example/")
    assert "# Bees in winter" in read
    assert "of their own accord" in read


@pytest.mark.parametrize(
    "html",
    [
        "<iframe src=https://a.example/></iframe><p>b</p>",
        '<script>document.write("<iframe/>")</script><p>b</p>',
        "<textarea/>a</textarea><p>b</p>",
        "<noscript><p>a</p></noscript><iframe></iframe>",
        "<textarea><noscript>",
        "<p>plain</p>",
    ],
)
def test_closed_elements_are_unchanged(html: str) -> None:
    assert close_elements(html) == html


def test_unclosed_elements_are_closed() -> None:
    ended = "<noscript><p>a</p></noscript>"
    assert close_elements(f"{ended}<p>b<xmp/>c") == f"{ended}<p>b<xmp/></xmp>c"
    assert close_elements(f"{ended}<noscript><xmp></noscript>") == f"{ended}<noscript><xmp></xmp></noscript>"


def test_many_unclosed_elements_take_linear_time() -> None:
    def taken(count: int) -> float:
        begin = time.process_time()
        close_elements("<noscript><iframe/>" * count)
        return time.process_time() - begin

    taken(1000)
    assert taken(40_000) < 40 * max(taken(4000), 0.001)
