"""Menus, footers and consent dialogs.

Elements that are marked as menus, footers or consent dialogs are weighed only if the page has nothing else.
"""

import re

from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.names import MAX_NAME
from webquarry_convert.page.content.noise import find_noise
from webquarry_convert.page.content.sums import Sums
from webquarry_convert.tree import Tree

_TAGS = frozenset({"nav", "footer"})
_WHOLE = frozenset({"html", "body", "main"})
LEVELS = 3
"""Number of ancestors that are searched for a quote or comment whose author is named in a footer."""
_ROLES = frozenset({"navigation", "contentinfo"})
MOST = 4
"""Menus and footers count as content if they contain more than one `MOST`th of the page's prose, or if half of their
text is prose.
"""
MOST_ASKED = 0.85
"""Minimum share of the page's text that an apparent consent dialog needs to count as the page itself."""
_DIALOG = re.compile(
    r"onetrust|didomi|usercentrics|cybot|(?<![a-z])(?:truste(?![a-z])|cmpbox|cookie-?(?:bot|law|yes|first|script|hub|pro)(?![a-z])"
    r"|(?:cookies?|consent|gdpr|cmp|ccpa)(?:[-_ ]?[a-z]+)?[-_]{0,2}"
    r"(?:banner|notice|notification|bar|pop-?up|modal|dialog|overlay|wall|alert|layer|prompt|disclaimer|manager|consent|"
    r"message|msg|warning|hint|accept|warn|box|settings|preferences|policy|popover|panel|toast|tool|info)(?![a-z])"
    r"|(?:[a-z]+[-_])?(?:banner|notice|bar|modal|popup|dialog|alert)[-_]{1,2}(?:cookies?|consent|gdpr)(?![a-z]))"
)
"""Matches names that only consent dialogs use.

`cmp-text` is excluded, because a widely used content management system uses it.
"""
_TOPIC = re.compile(r"(?<![a-z])(?:cookie|consent|gdpr)")
"""Matches names of consent dialogs and of blocks about consent."""
_HINTS = re.compile("cookie|consent|gdpr|trust|cmp|didomi|usercentrics|cybot")
"""Matches substrings of every match of the two patterns above, because searching for them is faster."""
_ASKING_ROLES = frozenset({"dialog", "alertdialog", "alert"})
_PLACED = re.compile(r"position\s*:\s*(?:fixed|sticky)", re.IGNORECASE)
_CONTROLS = frozenset({"button", "input", "dialog"})
_TEACHING = frozenset({"pre", "code", "h1"})
MIN_LINKS = 3
MOST_LINKED = 0.9
"""Minimum number of links, and minimum share of linked text, that make a table cell a menu."""
MAX_LABEL = 3
"""Maximum average number of tokens in a menu's links."""
MIN_PROSE = 300
"""Minimum amount of prose, in characters, next to which links count as a menu."""
MAX_LOOKED = 200
"""Maximum number of elements that are searched for a button."""

Span = tuple[int, int]


def select_outside(blocks: Blocks, sums: Sums) -> list[int]:
    """Return the numbers of blocks outside of menus, footers and consent dialogs."""
    menus, questions = _find_spans(blocks)
    count = len(blocks.all)
    size, prose = sums.size, sums.prose
    menus = [(start, end) for start, end in menus if 2 * (prose[end] - prose[start]) <= size[end] - size[start]]
    if sum([size[end] - size[start] for start, end in questions]) > MOST_ASKED * size[-1]:
        questions = []
    in_questions = sum([prose[end] - prose[start] for start, end in questions])
    if MOST * sum([prose[end] - prose[start] for start, end in menus]) > prose[-1] - in_questions:
        menus = []
    left: list[int] = []
    at = 0
    for start, end in sorted(menus + questions + _find_link_cells(blocks, sums) + find_noise(blocks, sums)):
        left += range(at, start)
        at = max(at, end)
    left += range(at, count)
    return left or list(range(count))


def _find_spans(blocks: Blocks) -> tuple[list[Span], list[Span]]:
    """Return the block ranges of the outermost menus and footers, and of the outermost consent dialogs."""
    tree, tags, starts, ends = blocks.tree, blocks.tags, blocks.starts, blocks.ends
    menus: list[Span] = []
    questions: list[Span] = []
    after = 0  # end of the last element that was found
    for place in blocks.holders:
        if place < after:
            continue
        if tags[place] in _TAGS or tree[place].attributes.get("role") in _ROLES:
            if tags[place] == "footer" and _names_author(blocks, place):
                continue
            spans = menus
        elif tree[place].attributes and _is_question(blocks, place):
            spans = questions
        else:
            continue
        spans.append((starts[place], ends[place]))
        after = tree[place].end
    return menus, questions


def _is_question(blocks: Blocks, place: int) -> bool:
    """Return whether an element asks for consent and contains more than one text."""
    if blocks.ends[place] - blocks.starts[place] < 2 or blocks.tags[place] in _WHOLE:
        return False
    return _is_consent_dialog(blocks.tree, place)


def _find_link_cells(blocks: Blocks, sums: Sums) -> list[Span]:
    """Return the cells that contain only short links, in a table row that lays out the page and contains most of its
    prose.
    """
    found = []
    for place in blocks.holders:
        is_menu = blocks.tags[place] == "td" and _holds_short_links(blocks, place)
        if is_menu and _lays_out_page(blocks, sums, blocks.tree[place].up):
            found.append((blocks.starts[place], blocks.ends[place]))
    return found


def _holds_short_links(blocks: Blocks, place: int) -> bool:
    texts = blocks.all[blocks.starts[place] : blocks.ends[place]]
    links = sum([block.links for block in texts])
    if links < MIN_LINKS or sum([block.tokens for block in texts]) > MAX_LABEL * links:
        return False
    return sum([block.linked for block in texts]) >= MOST_LINKED * sum([block.size for block in texts])


def _lays_out_page(blocks: Blocks, sums: Sums, row: int) -> bool:
    """Return whether a table row contains most of the page's prose."""
    prose = sums.prose[blocks.ends[row]] - sums.prose[blocks.starts[row]]
    return prose >= MIN_PROSE and 2 * prose > sums.prose[-1]


def _names_author(blocks: Blocks, place: int) -> bool:
    """Return whether a footer names the author of the adjacent text.

    Such a footer is inside a quote, or above an article's text, as in WordPress comments.
    """
    tree, tags, starts, ends = blocks.tree, blocks.tags, blocks.starts, blocks.ends
    up = tree[place].up
    for _ in range(LEVELS):
        if up < 0 or tags[up] in _WHOLE:
            return False
        if tags[up] == "blockquote":
            return True
        if tags[up] == "article":
            return starts[up] == starts[place] and ends[up] > ends[place]
        up = tree[up].up
    return False


def _is_consent_dialog(tree: Tree, place: int) -> bool:
    """Return whether an element is a consent dialog.

    A dialog is recognized by its name, or by its subject together with a dialog's role, position or buttons.
    """
    node = tree[place]
    attributes = node.attributes
    names = f"{attributes.get('id')} {attributes.get('class')}"[:MAX_NAME].lower()
    if _HINTS.search(names) is None:
        return False
    if _DIALOG.search(names) is not None:
        return True
    if _TOPIC.search(names) is None:
        return False
    if (
        attributes.get("role") in _ASKING_ROLES
        or "aria-modal" in attributes
        or _PLACED.search(attributes.get("style") or "")
    ):
        return True
    tags = {inner.tag for inner in tree[place : min(node.end, place + MAX_LOOKED)]}
    return not tags.isdisjoint(_CONTROLS) and tags.isdisjoint(_TEACHING)
