"""Links and images in markdown: search, absolute URLs and lists.

Links are read from the markdown rather than from the page, so navigation that the conversion dropped is not listed.
URLs are http or https. Links within the page appear only as text.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

_BARE = r"[^\s()<]*+(?:\([^\s()]*+\)[^\s()]*+)*+"
_TARGET = re.compile(
    rf"""\([ \t]*+(?:<(?P<angled>[^<>\n]*+)>|(?P<bare>{_BARE}))"""
    r"""(?:[ \t]++(?:"[^"\n]*+"|'[^'\n]*+'))?+[ \t]*+\)"""
)
# The alternatives begin with different characters, so the search can skip everything in between. The first alternative
# matches a plain link in one step.
_SCAN = re.compile(rf"\[([^\[\]\\`~]*+)\]\(({_BARE})\)|``*+|~~~+|\\.|\[++|\]", re.DOTALL)
_MARKED = re.compile(r"[\\\[*_`~]")
_MARKS = re.compile(r"\\([!-/:-@\[-`{-~])|[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}")
_ESCAPED = {" ": "%20", "<": "%3C", ">": "%3E", "(": "%28", ")": "%29", "\n": "", "\r": "", "\t": ""}
_READER_SCHEMES = frozenset({"http", "https", "mailto", "tel"})
MAX_ADDRESS = 4096
MAX_NESTED = 64
MAX_TICKS = 16
MIN_FENCE = 3


class Reference(NamedTuple):
    """A link or an image at `text[start:end]`, with its label at `text[label:closing]`, and its unescaped target."""

    start: int
    label: int
    closing: int
    end: int
    target: str
    is_image: bool


class Link(NamedTuple):
    url: str
    text: str


class Image(NamedTuple):
    url: str
    alt: str


def find_references(markdown: str) -> Iterator[Reference]:
    """Yield inline links and images outside of code. They are ordered by their end."""
    return _ReferenceScan(markdown).run() if "](" in markdown else iter(())


class _ReferenceScan:
    """The state of a scan of markdown. position: offset of the next character to read."""

    __slots__ = ("_markdown", "_open", "_paragraph_end", "_position")

    def __init__(self, markdown: str) -> None:
        self._markdown = markdown
        self._open: deque[tuple[int, int]] = deque(maxlen=MAX_NESTED + 1)  # open brackets; the outermost may be dropped
        self._position = self._paragraph_end = 0

    def run(self) -> Iterator[Reference]:
        markdown = self._markdown
        while (token := _SCAN.search(markdown, self._position)) is not None:
            start, sign = token.start(), token[0][0]
            is_image = start > self._position and markdown[start - 1] == "!"
            self._position = token.end()
            if token.lastindex:
                if len(self._open) > MAX_NESTED:
                    self._open.popleft()
                yield Reference(start - is_image, start + 1, token.end(1), token.end(), token[2], is_image)
            elif sign == "[":
                self._open_brackets(start, is_image=is_image)
            elif sign == "]":
                if self._open and (found := self._close_bracket(start)) is not None:
                    yield found
            elif sign != "\\":
                self._skip_code(start, token[0])

    def _open_brackets(self, start: int, *, is_image: bool) -> None:
        """Record a run of brackets."""
        self._open.append((start - is_image, start + 1))
        if self._position > start + 1:
            further = range(max(start + 1, self._position - MAX_NESTED - 1), self._position)
            self._open.extend((bracket, bracket + 1) for bracket in further)

    def _close_bracket(self, start: int) -> Reference | None:
        """Close the innermost bracket. Returns None if no target follows."""
        markdown, position = self._markdown, self._position
        opened, label = self._open.pop()
        target = _TARGET.match(markdown, position) if markdown.startswith("(", position) else None
        if target is None:
            return None
        self._position = target.end()
        address = target["angled"] if target["angled"] is not None else target["bare"]
        return Reference(opened, label, start, target.end(), address, markdown[opened] == "!")

    def _skip_code(self, start: int, sign: str) -> None:
        """Skip the code that begins with a run of backticks or tildes."""
        markdown, position = self._markdown, self._position
        if position - start >= MIN_FENCE and _is_line_start(markdown, start):
            fence = re.compile(rf"^[ ]{{0,3}}{sign}[^\n]*$", re.MULTILINE)
            end = fence.search(markdown, position)
            self._position = len(markdown) if end is None else end.end()
        elif sign[0] == "`":
            if self._paragraph_end < position:  # searched once per paragraph rather than once per span
                empty_line = markdown.find("\n\n", position)
                self._paragraph_end = len(markdown) if empty_line < 0 else empty_line
            end_of_span = _find_span_end(markdown, position, self._paragraph_end, sign)
            self._position = position if end_of_span is None else end_of_span


def _is_line_start(markdown: str, position: int) -> bool:
    line = markdown.rfind("\n", max(0, position - 4), position) + 1
    return (line > 0 or position < 4) and not markdown[line:position].strip(" ")


def make_absolute(markdown: str, base: str | None) -> str:
    """Return the markdown with absolute targets.

    Links without a usable target (`javascript:`, `data:`, invalid URLs) are replaced by their label, and images without
    a usable target are removed. Without a base, relative targets are kept.
    """
    edits: list[tuple[int, int, str]] = []
    for found in find_references(markdown):
        target = _resolve_target(found.target, base)
        if target is None and found.is_image:
            edits.append((found.start, found.end, ""))
        elif target is None:
            edits += [(found.start, found.label, ""), (found.closing, found.end, "")]
        elif target != found.target:
            edits.append((found.closing, found.end, f"]({target})"))
    edits.sort()
    pieces: list[str] = []
    copied = 0
    for start, end, text in edits:
        if start < copied:  # the reference is inside a removed image
            continue
        pieces += (markdown[copied:start], text)
        copied = end
    return "".join([*pieces, markdown[copied:]])


def list_links(
    markdown: str, page: str | None, references: Iterable[Reference] | None = None
) -> tuple[tuple[Link, ...], tuple[Image, ...]]:
    """Return the links and images of markdown with absolute targets.

    Each URL is listed once, with the first non-empty text. references: references in the markdown, if known.
    """
    links: dict[str, str] = {}
    images: dict[str, str] = {}
    own = urldefrag(page).url if page else None
    inner: Reference | None = None
    for found in find_references(markdown) if references is None else references:
        address = found.target
        if not _leads_elsewhere(found, own):
            continue
        seen = images if found.is_image else links
        if not seen.get(address):
            seen[address] = _read_label(markdown, found, inner)
        inner = found if found.is_image else inner
    return tuple(Link(*item) for item in links.items()), tuple(Image(*item) for item in images.items())


def _leads_elsewhere(found: Reference, own: str | None) -> bool:
    """Return whether a reference is an image or a link to another page. own: the page's URL without its fragment."""
    return is_web(found.target) and (found.is_image or found.target.partition("#")[0] != own)


def _read_label(markdown: str, found: Reference, inner: Reference | None) -> str:
    """Return the text of a reference. The label of a linked image is its alt text. inner: the last image before."""
    text = extract_visible(markdown[found.label : found.closing])
    if not text and inner is not None and inner.start >= found.label:
        return extract_visible(markdown[inner.label : inner.closing])
    return text


def extract_visible(markdown: str) -> str:
    """Return the visible text of inline markdown.

    Links are replaced by their labels; images, marks and escapes are removed.
    """
    if _MARKED.search(markdown) is None:
        return " ".join(markdown.split())
    return " ".join(_MARKS.sub(lambda match: match[1] or "", keep_labels(markdown)).split())


def keep_labels(markdown: str, references: Iterable[Reference] | None = None) -> str:
    """Return the markdown without link targets and images, so that its words can be counted.

    Marks and escapes are kept.

    references: references in the markdown, if known.
    """
    cut: list[tuple[int, int]] = []
    for found in find_references(markdown) if references is None else references:
        cut += (
            [(found.start, found.end)] if found.is_image else [(found.start, found.label), (found.closing, found.end)]
        )
    pieces: list[str] = []
    copied = 0
    for start, end in sorted(cut):
        if start >= copied:
            pieces.append(markdown[copied:start])
            copied = end
    return "".join([*pieces, markdown[copied:]])


def join_address(base: str | None, target: str | None) -> str | None:
    """Return the absolute http or https URL of `target`, or None for other targets."""
    address = _resolve_target(target, base) if target and target.strip() else None
    return address if address is not None and is_web(address) else None


def is_web(address: str) -> bool:
    return address[:8].lower().startswith(("http://", "https://")) and len(address) <= MAX_ADDRESS


def _resolve_target(target: str, base: str | None) -> str | None:
    try:
        address = urljoin(base, target.strip()) if base else target.strip()
        scheme = urlsplit(address).scheme.lower()
    except ValueError:
        return None
    if (scheme and scheme not in _READER_SCHEMES) or not address:
        return None
    if any(sign in address for sign in _ESCAPED) and not _TARGET.fullmatch(f"({address})"):
        address = "".join(_ESCAPED.get(sign, sign) for sign in address)
    return address


def _find_span_end(markdown: str, position: int, paragraph_end: int, ticks: str) -> int | None:
    """Return the end of the code span that begins before `position`, or None if it does not end in its paragraph."""
    if len(ticks) > MAX_TICKS:
        return None
    closing = re.compile(rf"(?<!`){ticks}(?!`)").search(markdown, position, paragraph_end)
    return None if closing is None else closing.end()
