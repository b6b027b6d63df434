"""Which of the data's texts and facts the content lacks."""

from collections.abc import Mapping
from typing import Any

from webquarry_convert.links import extract_visible
from webquarry_convert.page.state import json_ld, prose, state_objects
from webquarry_convert.page.state.known_text import KnownText
from webquarry_convert.page.structured import Description
from webquarry_convert.tree import Node
from webquarry_convert.words import count_words

RICH_CHARS = 2000
"""Characters of chosen text from which state objects are not read: scripts then repeat what the elements show."""
RICH_WORDS = 80
"""Words from which they are not: menus and notices around an empty place have fewer."""
MIN_WORDS = 40
"""Words of a body in a state object; what is shorter is a notice."""
MIN_GAIN = 3
"""How many times the chosen text the body must be long."""


def find_missing(html: str, description: Description, kept: str) -> list[Node]:
    """Nodes to add after the content, in order: headings, paragraphs, lists; [] when the content has it all.

    html: the page as received, with its scripts. description: its JSON-LD (`head.Places.description`). kept: the text
    that was chosen from the elements, plain or as markdown; "" when there is none. The nodes are new, hold whole texts
    and stand in no tree: `up` is -1 and `end` is 0.

    A page with a text and without JSON-LD costs the comparison of two lengths. State objects are read only when
    there is hardly a text. Total: any markup in; linear in its size.
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
    """A list of a recipe's ingredients, when the content lacks most of them: widgets fill them in. kept: as in
    `find_missing`."""
    return json_ld.build_ingredients(recipe, KnownText(extract_visible(kept)))
