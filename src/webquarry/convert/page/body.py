"""The main content of a page as markdown.

trafilatura chooses and writes it. It walks trees by recursion and looks along the siblings of much that it writes: the
time grows with the square. So pages beyond the bounds below, and pages in which it finds nothing, go to the plain
writer (`plain.write`), which takes the whole body.
"""

import logging

from selectolax.lexbor import LexborHTMLParser

from webquarry.convert.page import plain
from webquarry.convert.page.markup import Markup

MAX_DEPTH = 200
"""Open elements up to which trafilatura is asked: its recursion takes several frames a level."""
MAX_ELEMENTS = 10_000
"""The time for formatting and code side by side grows with the square: 10,000 take a second, 20,000 five. Two real
pages in a thousand have more elements."""
MAX_NUMBERED = 1_000
"""Items of ordered lists: the time for them grows with the square, 6,000 take 6 seconds."""
MAX_CHARS = 3_000_000
MAX_COMPARED = 2_000
"""Blocks up to which trafilatura compares its choice with those of readability and jusText: jusText looks from each
short paragraph for the next long one, which takes 48 seconds for 19,000 of them."""
MIN_SHARE = 0.05
"""Share of the whole text from which a choice is trusted that was not compared: a smaller one missed the content."""


def write_body(markup: Markup, tree: LexborHTMLParser) -> str:
    """Markdown of the main content, targets as the page writes them; "" when there is no text.

    markup and tree: the same page, as text and parsed.
    """
    if (
        markup.depth > MAX_DEPTH
        or markup.elements > MAX_ELEMENTS
        or markup.numbered > MAX_NUMBERED
        or len(markup.text) > MAX_CHARS
    ):
        return plain.write(tree)
    compared = markup.blocks <= MAX_COMPARED
    text = _main_content(markup.text, compared=compared)
    if compared and text.strip():
        return text
    whole = plain.write(tree)
    return text if text.strip() and len(text) >= MIN_SHARE * len(whole) else whole


def _main_content(html: str, *, compared: bool) -> str:
    import trafilatura  # 100 ms and 20 MB: not paid by a service that only answers from its cache
    from lxml.etree import LxmlError  # type: ignore[import-untyped]  # it has no stubs; trafilatura depends on it

    # it reports every page without content as an error, in plain text beside our structured log
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    try:
        return (
            trafilatura.extract(
                html,  # without its address: relative links would be resolved against the host alone
                fast=not compared,
                output_format="markdown",
                include_links=True,
                include_images=True,
                include_tables=True,
                include_formatting=True,
                include_comments=True,
            )
            or ""
        )
    # what the library raises on trees it did not expect; the plain writer takes these pages
    except (LxmlError, ValueError, TypeError, AttributeError, LookupError, AssertionError, RecursionError):
        return ""
