"""Selects the text and facts in a page's data that its content lacks."""

from collections.abc import Mapping
from typing import Any

from webquarry_convert.links import extract_visible
from webquarry_convert.page.state import json_ld, prose, state_objects
from webquarry_convert.page.state.known_text import KnownText
from webquarry_convert.page.structured import Description
from webquarry_convert.tree import Node
from webquarry_convert.words import count_words

RICH_CHARS = 2000
"""Minimum length, in characters, of selected text that makes it unnecessary to read state objects.

On such pages, scripts repeat the visible text.
"""
RICH_WORDS = 80
"""Minimum number of words on a page whose state objects need not be read.

Menus and notices around an empty page have fewer.
"""
MIN_WORDS = 40
"""Minimum number of words in a body from a state object. Shorter strings are notices."""
MIN_GAIN = 3
"""Minimum length of the body as a multiple of the selected text's length."""


def find_missing(html: str, description: Description, kept: str) -> list[Node]:
    """Return the nodes (headings, paragraphs, lists) to add after the content, or [] if the content is complete.


    html: the page as received, with its scripts. description: its JSON-LD (`head.Places.description`). kept: the text
    selected from the elements, plain or as markdown; may be "". The nodes are new, contain whole strings and belong to
    no tree: `up` is -1 and `end` is 0.

    For a page with text and without JSON-LD, the function only compares two lengths. State objects are read only if
    there is almost no text. Accepts any markup and takes linear time.
    """
    known = KnownText(kept)
    found = json_ld.build_nodes(description, known) if description else []
    if len(kept) < RICH_CHARS and count_words(kept) < RICH_WORDS:
        enough = max(MIN_WORDS, MIN_GAIN * known.words)
        best: list[prose.Piece] = []
        for value in state_objects.find_values(html):
            body = prose.find_body(value)
            if prose.count_prose_words(body) > prose.count_prose_words(best):
                best = body
        if prose.count_prose_words(best) >= enough:
            found += prose.build_nodes(best, known)
    return found


def find_ingredients(recipe: Mapping[str, Any], kept: str) -> list[Node]:
    """Return a list of a recipe's ingredients, or [] if the content contains most of them.

    The content lacks ingredients that a widget inserts. kept: as in `find_missing`.
    """
    return json_ld.build_ingredients(recipe, KnownText(extract_visible(kept)))
