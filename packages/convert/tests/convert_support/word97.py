"""Builds binary Word documents, with text in pieces, formatting in pages, and other parts in the table stream."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from convert_support.compound import filled

_STORIES = ("text", "footnotes", "headers", "macros", "comments", "endnotes", "boxes")
_PLACES = {
    # offsets in the file information block, in Word 6 and in Word 97
    "styles": (0x60, 0xA2),
    "footnote marks": (0x68, 0xAA),
    "footnote texts": (0x70, 0xB2),
    "comment marks": (0x78, 0xBA),
    "comment texts": (0x80, 0xC2),
    "comment authors": (0, 0x1BA),
    "letters": (0xB8, 0xFA),
    "paragraphs": (0xC0, 0x102),
    "fonts": (0xD0, 0x112),
    "pieces": (0x160, 0x1A2),
    "shapes": (0, 0x1DA),
    "endnote marks": (0x1D2, 0x20A),
    "endnote texts": (0x1DA, 0x212),
    "box texts": (0, 0x25A),
    "lists": (0, 0x2E2),
    "list overrides": (0, 0x2EA),
}
_TEXT_AT = 0x600
_RUNS_IN_PAGE = 4


@dataclass(frozen=True)
class Run:
    """A run.

    said: the modifiers of its characters.
    """

    text: str
    properties: bytes = b""


@dataclass(frozen=True)
class Para:
    """A paragraph. content: a text or runs. said: the paragraph's modifiers. end: the modifiers of its end mark."""

    content: str | Sequence[Run] = ""
    properties: bytes = b""
    style: int = 0
    mark: str = "\r"
    end: bytes = b""

    def runs(self) -> list[Run]:
        content = [Run(self.content)] if isinstance(self.content, str) else list(self.content)
        return [*content, Run(self.mark, self.end)]


@dataclass(frozen=True)
class Style:
    """A style.

    said, look: the modifiers of its paragraphs and of its characters. kind: 1 for paragraphs, 2 for text.
    """

    name: str
    identity: int = 0xFFE
    base: int = 0xFFF
    properties: bytes = b""
    look: bytes = b""
    kind: int = 1


@dataclass
class Made:
    """A document.

    parts: further parts of the table stream. tail: bytes after the last part. narrow: whether the text uses one byte
    per character. pieces: the number of characters in each piece of the text except the last, which contains the rest.
    Pieces are stored in reverse order. narrow_pieces: the numbers of pieces with one byte per character. deleted: the
    bytes before each piece that belong to no piece. listed_pages: number of paragraph pages that a file of Word 6
    lists; the other pages follow them.
    """

    paragraphs: Sequence[Para] = ()
    stories: Mapping[str, Sequence[Para]] = field(default_factory=dict)
    styles: Sequence[Style] = ()
    fonts: Sequence[tuple[str, int]] = ()
    parts: Mapping[str, bytes] = field(default_factory=dict)
    tail: bytes = b""
    is_old: bool = False
    narrow: str | None = None
    pieces: Sequence[int] = ()
    narrow_pieces: Sequence[int] = ()
    deleted: bytes = b""
    piece_modifiers: Sequence[int] = ()
    piece_properties: Sequence[bytes] = ()
    language: int = 0x0409
    character_set: int = 0
    flags: int = 0
    listed_pages: int | None = None
    streams: Mapping[str, bytes] = field(default_factory=dict)

    def packed(self) -> bytes:
        stories = {name: list(self.stories.get(name, ())) for name in _STORIES}
        stories["text"] = list(self.paragraphs)
        found = [paragraph for name in _STORIES for paragraph in stories[name]]
        runs = [run for paragraph in found for run in paragraph.runs()]
        letters = "".join(run.text for run in runs)
        narrow = self.narrow or ("cp1252" if self.is_old else None)
        lengths = [sum(_units(run.text, narrow) for p in stories[name] for run in p.runs()) for name in _STORIES]
        width = 2 if narrow is None else 1
        raw = letters.encode(narrow or "utf-16-le")
        total = len(raw) // width
        cuts = [0]
        for length in self.pieces:
            cuts.append(cuts[-1] + length)
        cuts.append(total)
        body = b""
        starts: list[int] = [0] * (len(cuts) - 1)
        widths = [1 if piece in self.narrow_pieces else width for piece in range(len(starts))]
        for piece in reversed(range(len(cuts) - 1)):
            body += self.deleted
            starts[piece] = _TEXT_AT + len(body)
            part = raw[cuts[piece] * width : cuts[piece + 1] * width]
            body += part if widths[piece] == width else part.decode("utf-16-le").encode("cp1252")

        def span(position: int) -> tuple[int, int]:
            piece = max(at for at in range(len(starts)) if cuts[at] <= position)
            start = starts[piece] + (position - cuts[piece]) * widths[piece]
            return start, start + widths[piece]

        main = bytearray(_TEXT_AT) + body
        main += bytes(-len(main) % 512)
        parts = dict(self.parts)
        letter_runs: list[_Bytes] = []
        paragraph_runs: list[_Bytes] = []
        at = 0
        for number, paragraph in enumerate(found):
            first = at
            for run in paragraph.runs():
                length = _units(run.text, narrow)
                letter_runs += [(*span(one), run.properties, 0) for one in range(at, at + length)]
                at += length
            text = struct.pack("<H", paragraph.style) + paragraph.properties
            paragraph_runs += [(*span(one), text, number) for one in range(first, at)]
        for name, of_bytes, is_paragraph in (
            ("letters", letter_runs, False),
            ("paragraphs", paragraph_runs, True),
        ):
            pages_at = len(main) // 512
            parts[name] = _paged(main, _joined(of_bytes), is_old=self.is_old, is_paragraph=is_paragraph)
            if self.listed_pages is not None and is_paragraph:
                struct.pack_into("<HxxH", main, 0x18C, pages_at, len(main) // 512 - pages_at)
                count = (len(parts[name]) - 4) // 6
                firsts = parts[name][: 4 * (self.listed_pages + 1)]
                pages = parts[name][4 * (count + 1) :][: 2 * self.listed_pages]
                parts[name] = firsts + pages
        if self.styles:
            parts["styles"] = _styles(self.styles, is_old=self.is_old)
        if self.fonts:
            parts["fonts"] = _fonts(self.fonts, is_old=self.is_old)
        modifiers = [*self.piece_modifiers, *[0] * len(starts)]
        places = [
            start if width == 2 or self.is_old else 2 * start | 0x4000_0000
            for start, width in zip(starts, widths, strict=True)
        ]
        table = struct.pack(f"<{len(cuts)}I", *cuts)
        table += b"".join(struct.pack("<2xIH", *one) for one in zip(places, modifiers, strict=False))
        properties = b"".join(b"\x01" + struct.pack("<H", len(one)) + one for one in self.piece_properties)
        if not (self.is_old and not self.pieces):
            parts["pieces"] = properties + b"\x02" + struct.pack("<I", len(table)) + table
        return self._packed(main, parts, lengths, len(body))

    def _packed(self, main: bytearray, parts: dict[str, bytes], lengths: list[int], text_bytes: int) -> bytes:
        tables = bytearray() if not self.is_old else main
        for name, part in sorted(
            parts.items(), key=lambda part: part[0] == "lists"
        ):  # the levels of the lists are at the end
            struct.pack_into("<2I", main, _PLACES[name][not self.is_old], len(tables), len(part))
            tables += part
        tables += self.tail
        flags = self.flags | (0x4 if self.pieces else 0) | (0 if self.is_old else 0x200)
        magic, version = (0xA5DC, 101) if self.is_old else (0xA5EC, 193)
        struct.pack_into("<2H2xH2xH", main, 0, magic, version, self.language, flags)
        struct.pack_into("<H", main, 0x14, self.character_set)
        struct.pack_into("<2I", main, 0x18, _TEXT_AT, _TEXT_AT + text_bytes)
        struct.pack_into("<7I", main, 0x34 if self.is_old else 0x4C, *lengths)
        streams = {"WordDocument": bytes(main)}
        if not self.is_old:
            streams["1Table"] = bytes(tables)
        return filled({**streams, **self.streams})


def doc(*paragraphs: Para | str, **more: object) -> bytes:
    """Build a document that consists of paragraphs. more: as in `Made`."""
    found = [Para(one) if isinstance(one, str) else one for one in paragraphs]
    return Made(found, **more).packed()  # type: ignore[arg-type]  # passed on as they are


def sprm(code: int, operand: int | bytes) -> bytes:
    """Build a modifier. operand: a number for a fixed size, or bytes, which are preceded by their length."""
    if isinstance(operand, bytes):
        return struct.pack("<HB", code, len(operand)) + operand
    size = (1, 1, 2, 4, 2, 2, 0, 3)[code >> 13]
    return struct.pack("<H", code) + operand.to_bytes(size, "little")


def _units(text: str, narrow: str | None) -> int:
    """Return the number of positions that a text occupies."""
    return len(text.encode("utf-16-le")) // 2 if narrow is None else len(text.encode(narrow))


_Bytes = tuple[int, int, bytes, int]
"""A run of bytes: start, end, modifiers, and number of the element to which it belongs."""


def _joined(runs: list[_Bytes]) -> list[tuple[int, int, bytes]]:
    """Return the runs in order. Adjacent runs with the same modifiers and element are merged."""
    joined: list[_Bytes] = []
    for start, end, text, owner in sorted(runs):
        if joined and joined[-1][1:] == (start, text, owner):
            joined[-1] = joined[-1][0], end, text, owner
        else:
            joined.append((start, end, text, owner))
    return [run[:3] for run in joined]


def _paged(main: bytearray, runs: list[tuple[int, int, bytes]], *, is_old: bool, is_paragraph: bool) -> bytes:
    """Append pages of runs to the main stream, and return their index, which consists of the pages' first bytes and
    numbers.
    """
    firsts: list[int] = []
    pages: list[int] = []
    size = (7 if is_old else 13) if is_paragraph else 1
    for at in range(0, len(runs), _RUNS_IN_PAGE):
        these = runs[at : at + _RUNS_IN_PAGE]
        page = bytearray(512)
        page[511] = len(these)
        struct.pack_into(f"<{len(these) + 1}I", page, 0, *[run[0] for run in these], these[-1][1])
        end = 510
        for number, (_, _, text) in enumerate(these):
            if is_paragraph:
                odd = len(text) % 2
                body = (
                    bytes([(len(text) + 1) // 2]) + text + bytes(odd)
                    if is_old
                    else bytes([(len(text) + 1) // 2]) + text
                    if odd
                    else bytes([0, len(text) // 2]) + text
                )
            else:
                body = bytes([len(text)]) + text
            end = (end - len(body)) & ~1
            page[end : end + len(body)] = body
            page[4 * (len(these) + 1) + number * size] = end // 2
        firsts.append(these[0][0])
        pages.append(len(main) // 512)
        main += page
    firsts.append(runs[-1][1] if runs else 0)
    return struct.pack(f"<{len(firsts)}I", *firsts) + struct.pack(f"<{len(pages)}{'H' if is_old else 'I'}", *pages)


def _styles(styles: Sequence[Style], *, is_old: bool) -> bytes:
    body = struct.pack("<2H14x", len(styles), 10)
    body = struct.pack("<H", len(body)) + body
    for number, style in enumerate(styles):
        parts = [style.look] if style.kind == 2 else [struct.pack("<H", number) + style.properties, style.look]
        raw = struct.pack("<5H", style.identity, style.base << 4 | style.kind, len(parts), 0, 0)
        if is_old:
            raw += bytes([len(style.name)]) + style.name.encode("cp1252") + b"\0"
        else:
            raw += struct.pack("<H", len(style.name)) + style.name.encode("utf-16-le") + b"\0\0"
        for part in parts:
            raw += bytes(len(raw) % 2) + struct.pack("<H", len(part)) + part
        raw += bytes(len(raw) % 2)
        body += struct.pack("<H", len(raw)) + raw
    return body


def _fonts(fonts: Sequence[tuple[str, int]], *, is_old: bool) -> bytes:
    entries = b""
    for name, character_set in fonts:
        raw = struct.pack("<BHBB", 0, 400, character_set, 0)
        raw += name.encode("cp1252") + b"\0" if is_old else bytes(34) + name.encode("utf-16-le") + b"\0\0"
        entries += bytes([len(raw)]) + raw
    return struct.pack("<H", len(entries) + 2) + entries if is_old else struct.pack("<2H", len(fonts), 0) + entries
