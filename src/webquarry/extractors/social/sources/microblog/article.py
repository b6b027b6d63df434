"""The body of a long article as markdown and as text: blocks of text with style ranges and entities (Draft.js).

Offsets of ranges count UTF-16 code units. An unknown entity is written as its text. See
docs/upstreams/microblog.md#articles.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import Any, Final

from webquarry.extractors.social.model.microblog.names import post_url, to_number
from webquarry.extractors.social.model.microblog.result import Article, ArticleImage
from webquarry.read import at, each, take
from webquarry.read.fields import to_address, to_count, to_instant, to_line, to_text
from webquarry_convert.text import escape

MAX_BLOCKS: Final = 5_000
MAX_DEPTH: Final = 8
_HEADINGS: Final = {f"header-{word}": level for level, word in enumerate(("one", "two", "three", "four"), 2)}
_ITEMS: Final = {"unordered-list-item": "- ", "ordered-list-item": "1. "}
_STYLES: Final = {"bold": "**", "italic": "*", "strikethrough": "~~"}
_FENCE: Final = re.compile(r"(`{3,10}|~{3,10})[ ]{0,3}([\w+#.-]{0,30})[^\n]{0,200}\n")
_TICKS: Final = re.compile(r"`+")


def read_article(node: Mapping[str, Any]) -> Article:
    """Parse an article's node. Its `markdown` and `text` are None if it has no blocks."""
    body = _Body.of(node)
    blocks = each(node, "content.blocks[]")[:MAX_BLOCKS] if at(node, "content.blocks", list) else []
    written = [piece for block in blocks if (piece := _write(block, body)) is not None]
    plain = [text for block in blocks if (text := to_text(block.get("text"))) is not None]
    title = take(node, "title", to_line)
    heading = [_Piece(f"# {escape.heading(title)}")] if title else []
    return Article(
        id=take(node, "id", to_number),
        title=title,
        preview_text=take(node, "preview_text", to_text),
        markdown=_join([*heading, *written]) if written else None,
        text="\n\n".join(plain) if written else None,
        images=list(body.images.values()),
        cover_image_url=take(node, "cover_media.media_info.original_img_url", to_address),
        created_at=take(node, "created_at", to_instant),
        modified_at=take(node, "modified_at", to_instant),
    )


@dataclass(frozen=True, slots=True)
class _Piece:
    """A block of markdown. run: the list or quote that contains it, if any.

    Blocks of one run are joined without an empty line.
    """

    markdown: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class _Body:
    """The data that blocks refer to: entities by key, media by id. images: the images written so far, by address."""

    entities: Mapping[str, Mapping[str, Any]]
    media: Mapping[str, Mapping[str, Any]]
    images: dict[str, ArticleImage] = field(default_factory=dict)

    @classmethod
    def of(cls, node: Mapping[str, Any]) -> "_Body":
        """Parse the body. The entity map is a list of keys and values, or an object as in Draft.js."""
        entities: dict[str, Mapping[str, Any]] = {}
        given = (node.get("content") or {}).get("entityMap") if isinstance(node.get("content"), dict) else None
        if isinstance(given, dict):
            entities = {key: value for key, value in given.items() if isinstance(value, dict)}
        else:
            for entry in each(given, "[]") if given else []:
                if (value := at(entry, "value", dict)) is not None:
                    entities[str(entry.get("key"))] = value
        media = {str(entry.get("media_id")): entry for entry in _read_listed(node, "media_entities")}
        return cls(entities, media)


def _write(block: Mapping[str, Any], body: _Body) -> _Piece | None:
    kind = take(block, "type", to_line) or "unstyled"
    if kind == "atomic":
        lines = list(_write_atomic(block, body))
        return _Piece("\n\n".join(lines)) if lines else None
    text = block.get("text")
    if not isinstance(text, str) or not text.strip():
        return None
    if kind == "code-block":
        return _Piece(_write_fenced(text))
    line = _write_inline(text, block, body)
    if not line:
        return None
    if kind in _HEADINGS:
        return _Piece(f"{'#' * _HEADINGS[kind]} {escape.hashes(' '.join(line.split()))}")
    if kind in _ITEMS:
        depth = min(take(block, "depth", to_count) or 0, MAX_DEPTH)
        item = escape.start(" ".join(line.split()))
        return _Piece(" " * (3 * depth) + _ITEMS[kind] + item, run=kind if depth == 0 else "nested")
    lines = [escape.start(part) for part in line.split("\n") if part.strip()]
    if kind == "blockquote":
        return _Piece("\n>\n".join(f"> {part}" for part in lines), run="blockquote")
    return _Piece("\\\n".join(lines))


def _join(pieces: list[_Piece]) -> str:
    """Join blocks: list items on separate lines, quotes as one block, and empty lines between all others."""
    written: list[str] = []
    last = ""
    for piece in pieces:
        is_item = piece.run in _ITEMS or piece.run == "nested"
        if piece.run == "blockquote" == last:
            written.append("\n>\n")
        elif is_item and last in (piece.run, "nested", *(_ITEMS if piece.run == "nested" else ())):
            written.append("\n")
        elif written:
            written.append("\n\n")
        written.append(piece.markdown)
        last = piece.run
    return "".join(written)


def _write_atomic(block: Mapping[str, Any], body: _Body) -> Iterator[str]:
    """Yield the content between texts: pictures, posts, rules and embedded markdown."""
    for span in _read_listed(block, "entityRanges")[:50]:
        entity = body.entities.get(str(span.get("key")))
        if entity is None:
            continue
        kind = (take(entity, "type", to_line) or "").upper()
        if kind == "MEDIA":
            yield from _read_media(entity, body)
        elif kind == "TWEET":
            if (number := take(entity, "data.tweetId", to_number)) is not None:
                url = post_url(None, number)
                yield f"[{url}]({url})"
        elif kind == "DIVIDER":
            yield "---"
        elif kind in ("MARKDOWN", "LATEX"):
            text = take(entity, "data.markdown" if kind == "MARKDOWN" else "data.latex", to_text)
            if text is not None:
                yield _finished(text, "" if kind == "MARKDOWN" else "latex")
        elif kind == "LINK" and (address := take(entity, "data.url", to_address)) is not None:
            yield _link(address, address)


def _read_media(entity: Mapping[str, Any], body: _Body) -> Iterator[str]:
    caption = take(entity, "data.caption", to_line)
    for item in each(entity, "data.mediaItems[]")[:50]:
        found = body.media.get(str(item.get("mediaId")), {})
        info = found.get("media_info") if isinstance(found, dict) else None
        picture = take(info, "original_img_url", to_address)
        if picture is not None:
            body.images.setdefault(
                picture,
                ArticleImage(
                    url=picture,
                    width=take(info, "original_img_width", to_count),
                    height=take(info, "original_img_height", to_count),
                ),
            )
            yield f"![{escape.label(caption or '')}]({escape.target(picture)})"
            continue
        if (video := _read_best_video(info)) is not None:
            yield _link(caption or "Video", video)


def _read_best_video(info: Any) -> str | None:
    found = [
        (take(variant, "bitrate", to_count) or take(variant, "bit_rate", to_count) or 0, address)
        for path in ("variants", "video_info.variants")
        for variant in (each(info, f"{path}[]") if at(info, path, list) else [])
        if (address := take(variant, "url", to_address)) is not None
    ]
    return max(found)[1] if found else None


def _finished(text: str, language: str) -> str:
    """Return markdown that the author wrote as a code block.

    A fenced block keeps its language, and other markdown is shown as code.
    """
    if (fence := _FENCE.match(text)) is not None and text.rstrip().endswith(fence[1]):
        return _write_fenced(text.rstrip()[fence.end() : -len(fence[1])].rstrip("\n"), fence[2])
    return _write_fenced(text, language or "markdown")


def _write_fenced(text: str, language: str = "") -> str:
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _link(text: str, address: str) -> str:
    return f"[{escape.label(text)}]({escape.target(address)})"


def _write_inline(text: str, block: Mapping[str, Any], body: _Body) -> str:
    """Return the text of a block with its styles and links. Line breaks are kept."""
    places = _Places(text)
    marks = ["" for _ in text]
    for style in _STYLES:
        for place, is_on in enumerate(_covered(places, block, style)):
            if is_on:
                marks[place] += f"{style} "
    links: list[str] = [""] * len(text)
    for start, end, address in _links(places, block, body):
        links[start:end] = [address] * (end - start)
    written = []
    for (address, styles), group in groupby(range(len(text)), key=lambda place: (links[place], marks[place])):
        within = list(group)
        written.append(_write_styled(text[within[0] : within[-1] + 1], styles.split(), address))
    return "".join(written).strip()


def _write_styled(text: str, styles: list[str], address: str) -> str:
    """Return styled text. Style marks directly touch the words, because markdown ignores marks beside spaces."""
    leading, trailing = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    core = text.strip()
    if not core:
        return text
    shown = "\n".join(escape.part(escape.clean_line(line)) for line in core.split("\n"))
    if address:
        shown = _link(escape.clean_line(core), address)
    for style in styles:
        shown = f"{_STYLES[style]}{shown}{_STYLES[style]}" if "\n" not in shown else shown
    return f"{leading}{shown}{trailing}"


class _Places:
    """Positions in a text by their offsets in UTF-16."""

    def __init__(self, text: str) -> None:
        self._ends = list(accumulate(2 if character > "\uffff" else 1 for character in text))
        self._by_offset = {0: 0, **{end: place + 1 for place, end in enumerate(self._ends)}}
        self.length = len(text)

    def within(self, span: Mapping[str, Any], first: str, last: str, *, is_length: bool) -> tuple[int, int] | None:
        """Return the start and end of a range in characters, or None if it is invalid."""
        offset, other = at(span, first, int), at(span, last, int)
        if offset is None or other is None or offset < 0 or other <= 0:
            return None
        start = self._place(offset)
        end = self._place(offset + other if is_length else other)
        return (start, end) if start < end else None

    def _place(self, offset: int) -> int:
        if not self._ends or offset >= self._ends[-1]:
            return self.length
        return self._by_offset.get(offset, self._by_offset.get(offset + 1, self.length))


def _covered(places: _Places, block: Mapping[str, Any], style: str) -> Iterator[bool]:
    """Yield for each character whether it has the style."""
    steps = [0] * (places.length + 1)
    for span in _read_listed(block, "inlineStyleRanges"):
        found = places.within(span, "offset", "length", is_length=True)
        if found is not None and (take(span, "style", to_line) or "").lower() == style:
            steps[found[0]] += 1
            steps[found[1]] -= 1
    yield from (depth > 0 for depth in accumulate(steps[:-1]))


def _links(places: _Places, block: Mapping[str, Any], body: _Body) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and address of each link in a text. Links do not overlap."""
    found: list[tuple[int, int, str]] = []
    for span in _read_listed(block, "entityRanges"):
        entity = body.entities.get(str(span.get("key")), {})
        address = take(entity, "data.url", to_address)
        where = places.within(span, "offset", "length", is_length=True)
        if where is not None and address is not None:
            found.append((*where, address))
    data = block.get("data")
    for span in _read_listed(data, "urls") if isinstance(data, dict) else []:
        address = take(span, "text", to_address)
        where = places.within(span, "fromIndex", "toIndex", is_length=False)
        if where is not None and address is not None:
            found.append((*where, address))
    reached = 0
    for start, end, address in sorted(found):
        if start >= reached:
            yield start, end, address
            reached = end


def _read_listed(node: Any, member: str) -> list[dict[str, Any]]:
    """Return the objects of a list that may be missing."""
    items = node.get(member) if isinstance(node, Mapping) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
