"""Conversion of a binary Word document."""

import re
import struct
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from webquarry_convert.file.document import Document
from webquarry_convert.file.text.comments import name_author
from webquarry_convert.file.text.implied_headings import make_headings
from webquarry_convert.file.text.line import Content, make_element
from webquarry_convert.file.text.output import warn_of_furniture, write_document
from webquarry_convert.file.word97 import codepages
from webquarry_convert.file.word97.body import Body, Counts
from webquarry_convert.file.word97.comments import COMMENT, get_comment_size, read_authors
from webquarry_convert.file.word97.header import read_positions
from webquarry_convert.file.word97.properties import read_properties
from webquarry_convert.file.word97.source import Source
from webquarry_convert.tree import Node

_FIELDS: Final = re.compile("\x13[^\x13-\x15]*+[\x14\x15]")
"""Matches field instructions without nested fields."""
_ENDS: Final = re.compile(r"[\x00-\x08\x0a-\x1f]")
_SHAPE, _BOX = struct.Struct("<i22x"), struct.Struct("<8xH4xi4x")
Range = tuple[int, int]


def read(body: bytes) -> Document:
    """Convert a document to markdown. Footnotes, endnotes and comments follow the text, and headers are dropped.

    Raises only `ConversionFailed`.
    """
    source = Source(body)
    stories = source.header.stories
    end = min(stories.text, len(source.letters))
    texts = _read_notes(source)
    counts = Counts(marks={mark: identity for identity, (mark, _) in texts.items()})
    source.mark_notes(counts.marks)
    anchored, loose = _read_boxes(source)
    counts.boxes = anchored
    root = Node("body", {}, -1)
    root.children = Body(source, counts).read(0, end)
    authors = read_authors(source.header)
    for first, after in loose:
        root.children += Body(source, counts).read(first, after)
    make_headings(root.children)
    for identity, number in sorted(counts.notes.items(), key=lambda note: note[1]):
        content: Content = Body(source, counts).read(*texts[identity][1])
        if identity[0] == COMMENT:
            name_author(content, authors.get(identity[1], ""))
        root.children.append(make_element("div", content, id=f"note-{number}"))
    stated = read_properties(source.streams.get("\x05SummaryInformation"))
    around = source.read_plain(stories.headers_at, stories.headers_at + stories.headers)
    return Document(
        markdown=write_document(root),
        title=stated.title or counts.title,
        author=stated.author,
        language=codepages.find_language_tag(source.language),
        warnings=(*warn_of_furniture(_ENDS.split(_FIELDS.sub("", around))), *counts.left_out.build_warnings()),
    )


def _read_notes(source: Source) -> dict[tuple[str, int], tuple[int, Range]]:
    """Return each note's text range, by kind and by the position of the note's reference."""
    stories = source.header.stories
    found: dict[tuple[str, int], tuple[int, Range]] = {}
    for kind, start, length, size in (
        ("footnote", stories.footnotes_at, stories.footnotes, 2),
        ("endnote", stories.endnotes_at, stories.endnotes, 2),
        (COMMENT, stories.comments_at, stories.comments, get_comment_size(source.header)),
    ):
        marks, _ = read_positions(source.header.part(f"{kind} marks"), size)
        texts = _read_texts(read_positions(source.header.part(f"{kind} texts"), 0)[0], start, length)
        for number, (mark, text) in enumerate(zip(marks[:-1], texts, strict=False)):
            if mark < stories.text and text is not None:
                found[kind, number] = mark, text
    return found


def _read_texts(places: list[int], start: int, length: int) -> Iterator[Range | None]:
    """Yield the range of each of a story's parts, or None for a part that begins before the previous part ends."""
    last = 0
    for first, end in pairwise(places):
        if last <= first < end <= length:
            yield start + first, start + end
            last = end
        else:
            yield None


def _read_boxes(source: Source) -> tuple[dict[int, list[Range]], list[Range]]:
    """Return the contents of text boxes by their anchor's position, and of those without an anchor."""
    header = source.header
    stories = header.stories
    anchors, at = read_positions(header.part("shapes"), _SHAPE.size)
    part = header.part("shapes")
    places = {
        _SHAPE.unpack_from(part, at + number * _SHAPE.size)[0]: anchor for number, anchor in enumerate(anchors[:-1])
    }
    part = header.part("box texts")
    starts, at = read_positions(part, _BOX.size)
    anchored: dict[int, list[Range]] = {}
    loose: list[Range] = []
    for number, text in enumerate(_read_texts(starts, stories.boxes_at, stories.boxes)):
        is_free, shape = _BOX.unpack_from(part, at + number * _BOX.size)
        if text is None or is_free:
            continue
        anchor = places.get(shape)
        if anchor is None or anchor >= stories.text:  # otherwise, it would be read inside another box
            loose.append(text)
        else:
            anchored.setdefault(anchor, []).append(text)
    if header.is_old and stories.boxes:
        loose.append((stories.boxes_at, stories.boxes_at + stories.boxes))
    return anchored, loose
