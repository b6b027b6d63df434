"""The body of a long article as markdown and as text: blocks of text with style ranges and entities (Draft.js).

Offsets of ranges count UTF-16 code units. An unknown entity is written as its text. See
docs/upstreams/microblog.md#articles.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from typing import Any, Final, NamedTuple

from webquarry.extractors.social.model.microblog.names import post_url, to_number
from webquarry.extractors.social.model.microblog.result import Article, ArticleImage
from webquarry.read import at, each, each_given, take
from webquarry.read.fields import to_address, to_count, to_id, to_instant, to_line, to_text
from webquarry.read.losses import read_rows
from webquarry.read.values import reach
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
    blocks = read_rows(each(node, "content.blocks[]")[:MAX_BLOCKS], _check_block, "content.blocks[]")
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
    """A block of an article, as markdown. run: the list or quote that contains it, if any.

    Blocks of the same run are joined without an empty line.
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
        given, path = reach(node, "content.entityMap"), "content.entityMap[]"
        entries = given.items() if isinstance(given, dict) else map(_read_entry, each_given(node, path))
        media = read_rows(each_given(node, "media_entities[]"), _read_media_entity, "media_entities[]")
        return cls(dict(read_rows(entries, _check_entity, path)), dict(media))


def _read_entry(entry: dict[str, Any]) -> tuple[str, Any]:
    return str(entry.get("key")), entry.get("value")


def _check_entity(entry: tuple[str, Any]) -> tuple[str, dict[str, Any]] | None:
    return entry if isinstance(entry[1], dict) else None


def _read_media_entity(entity: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    name = take(entity, "media_id", to_id)
    return None if name is None else (name, entity)


def _check_block(block: dict[str, Any]) -> dict[str, Any] | None:
    """Return a provider's block, or None if it has neither text nor other content."""
    return block if isinstance(block.get("text"), str) or block.get("type") == "atomic" else None


def _write(block: Mapping[str, Any], body: _Body) -> _Piece | None:
    kind = take(block, "type", to_line) or "unstyled"
    if kind == "atomic":
        lines = _write_atomic(block, body)
        return _Piece("\n\n".join(lines)) if lines else None
    text = block.get("text")
    if not isinstance(text, str) or not text.strip():
        return None
    if kind == "code-block":
        return _Piece(_write_fenced(text))
    line = _write_inline(text, block, body)
    return _write_line(line, kind, block) if line else None


def _write_line(line: str, kind: str, block: Mapping[str, Any]) -> _Piece:
    """Return the markdown of a block with text, according to its kind."""
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
    """Join blocks.

    List items are on separate lines, a quote is one block, and all other blocks are separated by empty lines.
    """
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


def _write_atomic(block: Mapping[str, Any], body: _Body) -> list[str]:
    """Return the content between paragraphs: pictures, posts, rules and embedded markdown."""

    def write(span: dict[str, Any]) -> list[str] | None:
        return _write_entity(body.entities.get(str(span.get("key"))), body)

    pieces = read_rows(each_given(block, "entityRanges[]")[:50], write, "entityRanges[]")
    return [line for lines in pieces for line in lines]


def _write_entity(entity: Any, body: _Body) -> list[str] | None:
    """Return the markdown of an entity, or None if it is unreadable or of an unknown kind."""
    kind = (take(entity, "type", to_line) or "").upper()
    if kind == "MEDIA":
        return _write_media(entity, body)
    if kind == "DIVIDER":
        return ["---"]
    if kind in ("MARKDOWN", "LATEX"):
        text = take(entity, f"data.{kind.lower()}", to_text)
        return None if text is None else [_finished(text, "" if kind == "MARKDOWN" else "latex")]
    address = _read_target(entity, kind)
    return None if address is None else [_link(address, address)]


def _read_target(entity: Any, kind: str) -> str | None:
    """Return the address that an entity refers to, or None if the entity is of another kind."""
    if kind == "LINK":
        return take(entity, "data.url", to_address)
    number = take(entity, "data.tweetId", to_number) if kind == "TWEET" else None
    return None if number is None else post_url(None, number)


def _write_media(entity: Mapping[str, Any], body: _Body) -> list[str]:
    caption = take(entity, "data.caption", to_line)

    def write(item: dict[str, Any]) -> str | None:
        info = reach(body.media.get(str(item.get("mediaId"))), "media_info")
        picture = take(info, "original_img_url", to_address)
        if picture is None:
            video = _read_best_video(info)
            return None if video is None else _link(caption or "Video", video)
        width, height = take(info, "original_img_width", to_count), take(info, "original_img_height", to_count)
        body.images.setdefault(picture, ArticleImage(url=picture, width=width, height=height))
        return f"![{escape.label(caption or '')}]({escape.target(picture)})"

    return read_rows(each(entity, "data.mediaItems[]")[:50], write, "data.mediaItems[]")


def _read_best_video(info: Any) -> str | None:
    def read(variant: dict[str, Any]) -> tuple[int, str] | None:
        rate = take(variant, "bitrate", to_count) or take(variant, "bit_rate", to_count) or 0
        address = take(variant, "url", to_address)
        return None if address is None else (rate, address)

    paths = ("variants[]", "video_info.variants[]")
    found = [variant for path in paths for variant in read_rows(each_given(info, path), read, path)]
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
    spans = read_rows(each_given(block, "inlineStyleRanges[]"), places.read_span, "inlineStyleRanges[]")
    for style in _STYLES:
        for place, is_on in enumerate(_covered(places, spans, style)):
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


class _Span(NamedTuple):
    """A range of characters with a style, in lower case."""

    start: int
    end: int
    style: str


class _Places:
    """Positions in a text by their offsets in UTF-16."""

    def __init__(self, text: str) -> None:
        self._ends = list(accumulate(2 if character > "\uffff" else 1 for character in text))
        self._by_offset = {0: 0, **{end: place + 1 for place, end in enumerate(self._ends)}}
        self.length = len(text)

    def within(self, span: Mapping[str, Any], first: str, last: str, *, is_length: bool) -> tuple[int, int] | None:
        """Return a range's start and end in characters, or None if the range is invalid."""
        offset, other = at(span, first, int), at(span, last, int)
        if offset is None or other is None or offset < 0 or other <= 0:
            return None
        start = self._place(offset)
        end = self._place(offset + other if is_length else other)
        return (start, end) if start < end else None

    def read_span(self, node: dict[str, Any]) -> _Span | None:
        """Parse a range with a style, or return None if it is invalid."""
        found = self.within(node, "offset", "length", is_length=True)
        return None if found is None else _Span(*found, (take(node, "style", to_line) or "").lower())

    def _place(self, offset: int) -> int:
        if not self._ends or offset >= self._ends[-1]:
            return self.length
        return self._by_offset.get(offset, self._by_offset.get(offset + 1, self.length))


def _covered(places: _Places, spans: list[_Span], style: str) -> Iterator[bool]:
    """Yield for each character whether it has the style."""
    steps = [0] * (places.length + 1)
    for span in spans:
        if span.style == style:
            steps[span.start] += 1
            steps[span.end] -= 1
    yield from (depth > 0 for depth in accumulate(steps[:-1]))


def _links(places: _Places, block: Mapping[str, Any], body: _Body) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and address of each link in a text. Links do not overlap."""
    found: list[tuple[int, int, str]] = []
    for span in each_given(block, "entityRanges[]"):
        entity = body.entities.get(str(span.get("key")), {})
        address = take(entity, "data.url", to_address)
        where = places.within(span, "offset", "length", is_length=True)
        if where is not None and address is not None:
            found.append((*where, address))
    for span in each_given(block, "data.urls[]"):
        address = take(span, "text", to_address)
        where = places.within(span, "fromIndex", "toIndex", is_length=False)
        if where is not None and address is not None:
            found.append((*where, address))
    reached = 0
    for start, end, address in sorted(found):
        if start >= reached:
            yield start, end, address
            reached = end
