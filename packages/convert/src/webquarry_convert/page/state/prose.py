"""Finds the body text in a state object and returns its strings in order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import orjson

from webquarry_convert.page.state import build
from webquarry_convert.page.state.known_text import KnownText
from webquarry_convert.tree import Node
from webquarry_convert.words import count_words

T = TypeVar("T")

MAX_VALUES = 100_000
MAX_DEPTH = 60
MAX_INLINE = 8
MAX_KEY = 60
MIN_NESTED = 40
"""Minimum length, in characters, of a text that may be nested JSON."""
MAX_WORD = 15
"""Maximum average length, in characters, of a text's words. URLs and keys are longer."""
WORD_SHARE = 0.7
"""Minimum share of plain words among the parts between spaces. Lists of class names and options have a lower share."""
MIN_PROSE = 8
"""Minimum number of words in prose. Labels, names and notices have fewer."""
FULL = 20
"""Minimum number of words in a paragraph."""
FULL_SHARE = 0.5
"""Minimum share of a body's words that are in paragraphs. User interfaces have a lower share."""
SHARE = 0.8
"""Minimum share of a part's words that one nested value must have to be the whole body."""
MAX_TITLE = 200
MAX_PIECES = 2000
_TITLES = frozenset({"title", "headline", "heading", "name", "question", "subtitle", "subheading"})
_BLOCK_TYPES = re.compile(
    r"heading[-_ ]?([1-6])?|h([1-6])|paragraph|block|list[-_ ]?item|listitem|quote|blockquote|p|li", re.IGNORECASE
)
_REACT_BLOCK = re.compile("p|li|blockquote|dt|dd|td|th|figcaption|h([1-6])")
_INTERFACE = re.compile(
    r"i18n|locale|translat|dictionar|strings$|labels?$|phrases|resources|theme|css|class|styles?$|config|settings|feature|"
    r"experiment|menu|nav|footer|header$|cookie|consent|gdpr|legal|disclaimer|error|related|recommend|trending|popular|"
    r"sidebar|seo|meta|schema|tracking|analytics|ads?$|advert|promo|banner|modal|newsletter|translations|messages$|"
    r"reviews?$|ratings?$|script|query|mutation|fragment|alt(?:text)?$|caption$|svg|icon|teaser|breadcrumb",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"[{};][^\S\n]*+$|=>|function\s*+\(|^[^\S\n]*+[.#@]?+[\w-]++\s*+\{|^(?:https?:)?//|^data:|^M[\d .,-]++[a-zA-Z]",
    re.MULTILINE,
)
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[\W_]*[^\W\d_]+(?:['’][^\W\d_]+)?[\W_]*")


@dataclass(slots=True)
class Piece:
    """One text of a body. title: whether the text is the heading of the following pieces."""

    text: str
    words: int
    title: bool = False
    level: int = 3


@dataclass(slots=True)
class _Part:
    """A value that contains pieces, directly and in nested parts, in order."""

    inner: "list[Piece | _Part]" = field(default_factory=list)
    words: int = 0


def find_body(value: Any) -> list[Piece]:
    """Return the pieces of a state object's body, or [] if the object has no body."""
    part = _Walk().part(value)
    if part is None:
        return []
    while True:
        inner = max((item for item in part.inner if isinstance(item, _Part)), key=lambda item: item.words, default=None)
        own_titles = [item for item in part.inner if isinstance(item, Piece) and item.title]
        if inner is None or inner.words < SHARE * part.words or (own_titles and inner.words < part.words):
            break
        part = inner
    pieces = _collect_pieces(part)
    in_full = sum(piece.words for piece in pieces if piece.words >= FULL)
    return pieces if in_full >= FULL_SHARE * count_prose_words(pieces) else []


def count_prose_words(pieces: list[Piece]) -> int:
    return sum(piece.words for piece in pieces if not piece.title)


def build_nodes(pieces: list[Piece], known: KnownText) -> list[Node]:
    """Return nodes for the pieces that are not known, and add the pieces to `known`.

    A title that no text follows is dropped.
    """
    found: list[Node] = []
    title: Piece | None = None
    for piece in pieces:
        if piece.title:
            title = piece
            continue
        nodes = build.parse_text(piece.text)
        if known.holds(build.get_text(nodes)):
            title = None
            continue
        if title is not None and not known.holds(title.text):
            found.append(build.make_element(f"h{title.level}", title.text))
            known.add(title.text)
        title = None
        found += nodes
        known.add(build.get_text(nodes))
    return found


def _collect_pieces(part: _Part) -> list[Piece]:
    found: list[Piece] = []
    waiting: list[Piece | _Part] = [part]
    while waiting and len(found) < MAX_PIECES:
        item = waiting.pop()
        if isinstance(item, Piece):
            found.append(item)
        else:
            waiting.extend(reversed(item.inner))
    return found


class _Walk:
    """A walk over a value that stops after `MAX_VALUES`."""

    def __init__(self) -> None:
        self._room = MAX_VALUES
        self._skipped: dict[str, bool] = {}

    def part(self, value: Any, depth: int = 0) -> _Part | None:
        """Return the prose of a value, or None."""
        self._room -= 1
        if self._room < 0 or depth > MAX_DEPTH or not isinstance(value, dict | list):
            return None
        if (line := _read_block(value) if isinstance(value, dict) else _read_react_block(value)) is not None:
            return _Part([line], 0 if line.title else line.words)
        part = _Part()
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(item, str | dict | list) and not (isinstance(name, str) and self._is_interface(name)):
                self._take(part, name, item, depth)
        return part if part.words else None

    def _take(self, part: _Part, name: str | int, item: Any, depth: int) -> None:
        if isinstance(item, str) and item[:1] in ("{", "[") and len(item) > MIN_NESTED:
            item = _parse_json(item) or item
        if isinstance(item, str):
            if (piece := _make_piece(name, item)) is not None:
                part.inner.append(piece)
                part.words += 0 if piece.title else piece.words
        elif (inner := self.part(item, depth + 1)) is not None:
            part.inner.append(inner)
            part.words += inner.words

    def _is_interface(self, name: str) -> bool:
        if name not in self._skipped:  # a state has thousands of keys, but only a few hundred distinct ones
            self._skipped[name] = _INTERFACE.search(name[:MAX_KEY]) is not None
        return self._skipped[name]


def _make_piece(name: str | int, text: str) -> Piece | None:
    if isinstance(name, str) and name.lower() in _TITLES and 1 < len(text) <= MAX_TITLE and " " not in text[:1]:
        return Piece(" ".join(text.split()), 0, title=True)
    if len(text) < 3 * MIN_PROSE:
        return None
    if build.is_html(text):
        plain = re.sub(r"<[^<>]*>", " ", text)
        words = count_words(plain[: build.MAX_TEXT])
        return Piece(text, words) if words >= MIN_PROSE else None
    words = count_words(text[: build.MAX_TEXT])
    return Piece(text, words) if words >= MIN_PROSE and is_prose(text) else None


def is_prose(text: str) -> bool:
    """Return whether a text is written for readers.

    Such a text consists mostly of letters, has words of plausible length, and is not code.
    """
    start = text[:2000]
    letters = len(_LETTER.findall(start))
    if letters < 0.6 * len(start) or _CODE.search(start):
        return False
    if not start.isascii():
        return True
    tokens = start.split()
    are_short = len(start) < MAX_WORD * (len(tokens) + 1)
    return are_short and sum(_WORD.fullmatch(token) is not None for token in tokens) >= WORD_SHARE * len(tokens)


def _read_block(value: dict[str, Any]) -> Piece | None:
    """Return the text of a rich-text block, or None for other values.

    Supports ProseMirror, Contentful, Portable Text, Slate and Lexical, whose inline pieces are separate nodes.
    """
    kind = _get_first(value, str, ("type", "nodeType", "_type", "style"))
    inner = _get_first(value, list, ("children", "content", "spans"))
    if kind is None or inner is None or not (found := _BLOCK_TYPES.fullmatch(kind)):
        return None
    texts: list[str] = []
    if not _collect_inline(inner, texts, 0):
        return None
    text = "".join(texts).strip()
    if not text:
        return None
    style = value.get("style")
    if not found[0].lower().startswith("h"):
        found = _BLOCK_TYPES.fullmatch(style) if isinstance(style, str) else None
    if found is None:
        return Piece(text, count_words(text))
    is_title = found[0].lower().startswith("h") and len(text) <= MAX_TITLE
    return Piece(text, count_words(text), title=is_title, level=int(found[1] or found[2] or 3))


def _get_first(value: dict[str, Any], kind: type[T], keys: Sequence[str]) -> T | None:
    """Return the value of the first key whose value has one of these types."""
    return next((found for key in keys if isinstance(found := value.get(key), kind)), None)


def _read_react_block(value: list[Any]) -> Piece | None:
    """Return the text of a block element in React's notation: `["$", tag, key, {"children": …}]`.

    Returns None for other values.
    """
    match value:
        case ["$", str(tag), _, {"children": children}] if found := _REACT_BLOCK.fullmatch(tag):
            texts: list[str] = []
            _collect_react_texts(children, texts, 0)
            text = "".join(texts).strip()
            if text:
                is_title = found[1] is not None and len(text) <= MAX_TITLE
                return Piece(text, count_words(text), title=is_title, level=int(found[1] or 3))
    return None


def _collect_react_texts(value: Any, texts: list[str], depth: int) -> None:
    if depth > MAX_DEPTH:
        return
    match value:
        case str():
            texts.append("" if value.startswith("$") else value)
        case ["$", _, _, {"children": children}]:
            _collect_react_texts(children, texts, depth + 1)
        case ["$", *_]:
            pass
        case list():
            for item in value:
                _collect_react_texts(item, texts, depth + 1)


def _collect_inline(items: list[Any], texts: list[str], depth: int) -> bool:
    """Collect the strings of inline nodes. Returns False if there are blocks among them."""
    for item in items:
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, dict):
            text = _get_first(item, str, ("text", "value"))
            inner = _get_first(item, list, ("children", "content"))
            if text is not None:
                texts.append(text)
            elif inner is not None and (
                depth > MAX_INLINE or _is_block(item) or not _collect_inline(inner, texts, depth + 1)
            ):
                return False
    return True


def _is_block(item: dict[str, Any]) -> bool:
    kind = item.get("type") or item.get("nodeType")
    return isinstance(kind, str) and _BLOCK_TYPES.fullmatch(kind) is not None


def _parse_json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
