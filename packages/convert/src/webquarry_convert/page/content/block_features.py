"""Features of each block: length, punctuation, position on the page, and the elements that contain only this block.

Example: in `<div class="price"><p><b>12 €</b></p></div>` next to other blocks, `div` and `p` contain only this block.
`div` is the outer one, so `top_tag` is `div`, and `names` is the sum of both elements' weights.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from webquarry_convert.page.content.anchors import Anchors
from webquarry_convert.page.content.blocks import Blocks
from webquarry_convert.page.content.facts import find_named
from webquarry_convert.page.content.names import TAGS, Names
from webquarry_convert.page.content.scale import cap_counts, roots, weights
from webquarry_convert.page.content.siblings import Siblings
from webquarry_convert.page.content.sums import Sums
from webquarry_convert.page.content.wording import Wording

COLUMNS = (
    "length", "words", "linked", "links", "sentences", "ending", "tag", "top_tag", "names", "like_it", "copies", "copy",
    "wording", "place", "before", "after", "from_title", "from_description", "h1s", "since_heading",
    "heading_length", "heading_tag", "heading_wording", "day", "price", "label",
)  # fmt: skip
"""Names of the columns, one byte each.

`top_tag`, `names`: the tag of the outermost element that contains only this block, and the total weight of the names of
all such elements. `like_it`: number of siblings of this outermost element with the same tag and class. `copies`,
`copy`: how often the text occurs on the page, and how often it occurs before this block. `from_title`,
`from_description`: distance in blocks from the page's own heading, and from the text that the page's description
quotes. 128 is that block, 130 is two blocks after it, and 255 is far after it or a page without such a block. `day`,
`price`: whether a short text contains a date or a price. `label`: 1 for a text that ends like a label or is in a label
element, 2 for the text directly after a label, and otherwise 0.
"""
_ENDINGS = {".": 5, "?": 5, "!": 5, "。": 5, "…": 4, ":": 3, "：": 3, ",": 3, ";": 3, ")": 2, '"': 4, "”": 4, "»": 6}
_LABELS = frozenset({TAGS["dt"], TAGS["th"], TAGS["label"]})
MAX_LABEL = 40
"""Maximum length of a label, in characters."""
_H1 = TAGS["h1"]
_LAST_HEADING = TAGS["h6"]


@dataclass(frozen=True, slots=True)
class SoleHolders:
    """The elements that contain exactly one judged block. Each list has one entry per judged block.

    tops: index of the outermost such element, or of the block's own element if it contains other blocks too. named: the
    total weight of these elements' names. sections: index of the innermost element that contains the block
    together with others.
    """

    tops: list[int]
    named: list[int]
    sections: list[int]


def find_sole_holders(blocks: Blocks, judged: Sequence[int], names: Names) -> SoleHolders:
    tree, starts, ends, found = blocks.tree, blocks.starts, blocks.ends, blocks.all
    weight_of = names.weight
    tops, sums, sections = [], [], []
    for number in judged:
        at = top = found[number].place
        named = 0
        while at and ends[at] - starts[at] == 1:
            node = tree[at]
            named += weight_of(node)
            top = at
            at = node.up
        tops.append(top)
        sums.append(named)
        sections.append(at)
    return SoleHolders(tops, sums, sections)


def build_columns(
    blocks: Blocks,
    judged: Sequence[int],
    holders: SoleHolders,
    sums: Sums,
    siblings: Siblings,
    anchors: Anchors,
    wording: Wording,
) -> list[bytes]:
    """Return one string per name in `COLUMNS`, with one byte per judged block.

    judged: numbers of the blocks. holders: the elements that contain exactly one block.
    """
    tree = blocks.tree
    count, size = len(blocks.all), sums.size
    found = [blocks.all[number] for number in judged]
    texts = [block.text for block in found]
    lengths = roots([block.size for block in found])
    code_of = TAGS.get
    tags = bytes([code_of(tree[block.place].tag, 0) for block in found])
    prose_weights = weights(map(wording.weight, texts))
    return [
        lengths,
        cap_counts([block.tokens for block in found]),
        bytes([64 * block.linked // block.size for block in found]),
        cap_counts([block.links for block in found]),
        cap_counts([_count_sentences(block.text) if block.size > 60 else 0 for block in found]),
        bytes([_ENDINGS.get(text[-1]) or (1 if text[-1].isalpha() else 2) for text in texts]),
        tags,
        bytes([code_of(tree[top].tag, 0) for top in holders.tops]),
        weights(holders.named),
        cap_counts(map(siblings.alike, holders.tops)),
        *_count_copies(texts, Counter([block.text for block in blocks.all])),
        prose_weights,
        bytes([255 * number // count for number in judged]),
        bytes([255 * size[number] // size[-1] for number in judged]),
        roots([count - number for number in judged]),
        _count_since(anchors.title, judged),
        _count_since(anchors.description, judged),
        *_describe_last_heading(judged, lengths, tags, prose_weights),
        *find_named(texts),
        _find_labels(texts, tags),
    ]


def _find_labels(texts: Sequence[str], tags: bytes) -> bytes:
    is_label = [
        tag in _LABELS or (len(text) <= MAX_LABEL and text[-1] in ":：") for text, tag in zip(texts, tags, strict=True)
    ]
    return bytes([1 if own else 2 * before for own, before in zip(is_label, [False, *is_label], strict=False)])


def _count_since(anchor: int, judged: Sequence[int]) -> bytes:
    """Count the blocks since the anchor, starting from 128."""
    if anchor < 0:
        return b"\xff" * len(judged)
    zero = anchor - 128
    return cap_counts([number - zero if number > zero else 1 for number in judged])


def _count_copies(texts: Sequence[str], counts: Mapping[str, int]) -> tuple[bytes, bytes]:
    """Count how often each text occurs on the page, and how often it occurs before this block."""
    times = [counts[text] for text in texts]
    before = [0] * len(texts)
    seen: Counter[str] = Counter()
    for place in [place for place, n in enumerate(times) if n > 1]:
        text = texts[place]
        before[place] = seen[text]
        seen[text] += 1
    return cap_counts(times), cap_counts(before)


def _describe_last_heading(judged: Sequence[int], lengths: bytes, tags: bytes, prose_weights: bytes) -> list[bytes]:
    """Describe the last heading before each block.

    Returns five columns: number of `h1` elements before the block, number of blocks since the last heading, and the
    length, tag and wording of this heading.
    """
    h1s = list(accumulate([tag == _H1 for tag in tags], initial=0))[:-1]
    lasts: list[int] = []
    last = 0
    for following, tag in enumerate(tags, start=1):
        lasts.append(last)
        if _H1 <= tag <= _LAST_HEADING:
            last = following
    numbers = [-255, *judged]
    since = [number - numbers[last] for number, last in zip(judged, lasts, strict=True)]
    of_headings = [b"\0" + column for column in (lengths, tags, prose_weights)]
    return [cap_counts(h1s), cap_counts(since), *[bytes([column[last] for last in lasts]) for column in of_headings]]


def _count_sentences(text: str) -> int:
    ends = text.count(". ") + text.count("? ")
    return ends if text.isascii() else ends + text.count("。")
