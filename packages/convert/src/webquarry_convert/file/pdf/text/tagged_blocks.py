"""Paragraphs and list items on tagged pages: lines that one tag marks as a paragraph, and lines that begin an item.

    P with marked content 3, 4        →  lines of 3 and 4 may be one paragraph, a line of 5 is another one
    LI with LBody and P of content 5  →  the first line of 5 begins an item, even without a drawn bullet

Adjacent single lines that are each tagged as a paragraph, such as the lines of an address, form one paragraph. Some
programs tag each line of running text in this way. If a sentence continues after the end of a tagged paragraph, the
paragraph does not end there. If this occurs often, all such tags in the file are ignored.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from webquarry_convert.file.pdf.source.content import Page
from webquarry_convert.file.pdf.source.structure import Element
from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.text.paragraphs import is_full
from webquarry_convert.file.pdf.words.lines import Line

_INLINE = frozenset({"Span", "Link", "Code", "Lbl", "Quote", "Em", "Strong", "Reference", "Annot", "Form", "Formula"})
_RUN = "NonStruct"
"""Tag used by browsers for runs of text, and for boxes around blocks."""
_MOST_TORN = 0.1
"""Maximum share of tagged paragraphs whose sentence continues after the paragraph's end."""

Owner = tuple[int, int | None]
"""The indexes of the block and of the list item that contain some content."""


def mark_blocks(laid: Iterable[tuple[Page, Sequence[Line | Table]]]) -> None:
    """Set `Line.block`, `Line.begins_item` and `Line.is_new` of lines on all pages, unless the tags break sentences."""
    marked = [lines for page, parts in laid if (lines := _find_owners(page, parts))]
    ends = [(line, below) for lines in marked for (line, one), (below, other) in pairwise(lines) if one[0] != other[0]]
    torn = {id(below) for line, below in ends if _is_torn(line, below)}
    if len(torn) > _MOST_TORN * len(ends):
        return
    for number, lines in enumerate(marked):
        sizes = Counter(block for _, (block, _) in lines)
        begun: set[int | None] = {None}
        joined: dict[int, int] = {}
        before: int | None = None
        for line, (own, item) in lines:
            line.begins_item = item not in begun
            begun.add(item)
            block = joined.get(own, own)
            if before not in (None, block):
                are_short = sizes[own] == sizes[before] == 1 and item is None and not line.level
                line.is_new = line.is_new or are_short
                if are_short or id(line) in torn:
                    block = joined[own] = before
            line.block = number, block
            before = block


def _find_owners(page: Page, parts: Sequence[Line | Table]) -> list[tuple[Line, Owner]]:
    """Return the lines of a page that have tagged content, with their owners."""
    owners = _own_marks(page.structure)
    lines = [part for part in parts if isinstance(part, Line)] if owners else []
    return [(line, owners[mark]) for line in lines if (mark := line.spans[0].mark) is not None and mark in owners]


def _own_marks(elements: Sequence[Element]) -> dict[int, Owner]:
    """Return the owner of each marked content. An item's label belongs to the content that follows it."""
    owners: dict[int, Owner] = {}
    # for each open element: the element's end, its content's owner, and whether the element is a label
    opened: list[tuple[int, Owner, bool]] = []
    labels: list[int] = []
    for place, element in enumerate(elements):
        while opened and opened[-1][0] <= place:
            opened.pop()
        (block, item), is_label = opened[-1][1:] if opened else ((place, None), False)
        kind = element.element_type
        if kind == "LI":
            block, item = place, place
        elif kind not in _INLINE and not (kind == _RUN and element.marked_content_ids):
            block = place
        is_label = is_label or kind == "Lbl"
        opened.append((element.end, (block, item), is_label))
        for mark in element.marked_content_ids:
            owners.setdefault(mark, (block, item))
        if is_label:
            labels += element.marked_content_ids
        elif element.marked_content_ids:
            owners |= {label: (block, item) for label in labels if owners[label][1] == item}
            labels.clear()
    return owners


def _is_torn(line: Line, below: Line) -> bool:
    """Return whether a sentence continues from a line to the next line."""
    return is_full(line) and below.text[:1].islower()
