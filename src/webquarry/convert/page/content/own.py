"""What each block says itself: its length, signs, place on the page, and the element that holds it alone."""

from collections import Counter

from webquarry.convert.page.content.blocks import Blocks
from webquarry.convert.page.content.names import TAGS, Names
from webquarry.convert.page.content.scale import ROOTS, root, weight
from webquarry.convert.page.content.siblings import Siblings
from webquarry.convert.page.content.sums import Sums
from webquarry.convert.page.content.wording import Wording

COLUMNS = (
    "length", "words", "linked", "links", "sentences", "ending", "tag", "top_tag", "names", "like_it", "copies", "copy",
    "wording", "place", "before", "after", "from_title", "from_description", "h1s", "since_heading",
    "heading_length", "heading_tag", "heading_wording",
)  # fmt: skip
"""`top_tag`, `names`: of the elements that hold this block alone. `like_it`: elements beside the topmost of them with
its tag and class. `copies`, `copy`: how often the text is there, and how often it was before. `from_…`: blocks since
the page's own heading and since the text that the head describes it with; 128 is there, 255 is far behind it, as on
pages without one."""
_ENDINGS = {".": 5, "?": 5, "!": 5, "。": 5, "…": 4, ":": 3, "：": 3, ",": 3, ";": 3, ")": 2, '"': 4, "”": 4, "»": 6}
_H1 = TAGS["h1"]
_LAST_HEADING = TAGS["h6"]
_KEY = 40
"""Characters by which a text is known to begin with the page's description."""


def rows(
    blocks: Blocks,
    judged: list[int],
    sums: Sums,
    siblings: Siblings,
    anchors: tuple[int, int],
    names: Names,
    wording: Wording,
) -> tuple[list[bytes], list[int]]:
    """A row per judged block, and the place of the innermost element that holds it with others.

    judged: numbers of blocks. anchors: as `anchors_of` finds them.
    """
    tree, starts, ends = blocks.tree, blocks.starts, blocks.ends
    found = blocks.all
    count, total = len(found), sums.size[-1]
    # without such a text every block is far behind it
    title_zero, description_zero = [at - 128 if at >= 0 else -len(found) - 255 for at in anchors]
    copies = Counter([block.text for block in found])
    seen: Counter[str] = Counter()
    code_of, ending_of, name_weight, wording_weight = TAGS.get, _ENDINGS.get, names.weight, wording.weight
    heading_at, heading_row, h1s = -255, bytes(3), 0
    made: list[bytes] = []
    sections: list[int] = []
    for number in judged:
        block = found[number]
        text, size = block.text, block.size
        at = top = block.place
        named = 0
        while ends[at] - starts[at] == 1 and at:
            node = tree[at]
            named += name_weight(node)
            top = at
            at = node.up
        sections.append(at)
        code = code_of(tree[block.place].tag, 0)
        times, copy = copies[text], 0
        if times > 1:
            copy = seen[text]
            seen[text] = copy + 1
        said = weight(wording_weight(text))
        length = ROOTS[size] if size < 4100 else 255
        tokens, links, before = block.tokens, block.links, number - heading_at
        alike = siblings.alike(top)
        since_title, since_description = number - title_zero, number - description_zero
        made.append(
            bytes(
                (
                    length,
                    tokens if tokens < 256 else 255,
                    64 * block.linked // size,
                    links if links < 256 else 255,
                    _sentences(text) if size > 60 else 0,
                    ending_of(text[-1]) or (1 if text[-1].isalpha() else 2),
                    code,
                    code_of(tree[top].tag, 0),
                    weight(named),
                    alike if alike < 256 else 255,
                    times if times < 256 else 255,
                    copy if copy < 256 else 255,
                    said,
                    255 * number // count,
                    255 * sums.size[number] // total,
                    root(count - number),
                    since_title if 1 <= since_title <= 255 else 1 if since_title < 1 else 255,
                    since_description if 1 <= since_description <= 255 else 1 if since_description < 1 else 255,
                    h1s if h1s < 256 else 255,
                    before if before < 256 else 255,
                )
            )
            + heading_row
        )
        if _H1 <= code <= _LAST_HEADING:
            heading_at = number
            heading_row = bytes((length, code, said))
            h1s += code == _H1
    return made, sections


def _sentences(text: str) -> int:
    ends = text.count(". ") + text.count("? ")
    if not text.isascii():
        ends += text.count("。")
    return min(255, ends)


def anchors_of(blocks: Blocks, about: tuple[str, str]) -> tuple[int, int]:
    """Numbers of the blocks of the page's own heading and of the text that its description begins; -1 for none.

    about: title and description of the page as its head gives them.
    """
    return _title_at(blocks, about[0]), _described_at(blocks, about[1])


def _title_at(blocks: Blocks, title: str) -> int:
    """The block of the page's own heading: an h1 that the title holds or is held by, else the first h1; or -1."""
    tree = blocks.tree
    title = _plain(title)
    first = -1
    for number, block in enumerate(blocks.all):
        node = tree[block.place]
        if node.tag == "h1" or (node.up >= 0 and tree[node.up].tag == "h1"):
            low = _plain(block.text)
            if title and (low in title or title in low):
                return number
            if first < 0:
                first = number
    return first


def _described_at(blocks: Blocks, description: str) -> int:
    """The first block that holds the beginning of the description; or -1."""
    key = _plain(description[: 3 * _KEY])[:_KEY]
    if len(key) < _KEY // 2:
        return -1
    for number, block in enumerate(blocks.all):
        if block.size >= len(key) and key in _plain(block.text[: 10 * _KEY]):
            return number
    return -1


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
