"""Word 97 documents in which a list of the format, other than the text, is as long as possible."""

import struct
from collections.abc import Mapping

from convert_support.grown.kinds import Builder
from convert_support.word97 import Made, Para, Style, sprm

_LIST, _LEVEL, _IN_TABLE, _ROW_END, _ROW = 0x460B, 0x260A, 0x2416, 0x2417, 0xD608


def _count(first: int, step: int, number: int) -> bytes:
    return struct.pack(f"<{number}I", *range(first, first + step * number, step))


def _noted(number: int, kind: str, *, mark: str = "\x02") -> bytes:
    """Build a text of note marks, with a note for each mark. kind: `footnote` or `endnote`."""
    marks = _count(0, 2, number) + struct.pack("<I", 2 * number) + b"\1\0" * number
    texts = _count(0, 3, number + 1) + struct.pack("<I", 3 * number + 1)
    return Made(
        [Para(f"{mark} " * number)],
        stories={f"{kind}s": [Para(f"{mark}a")] * number},
        parts={f"{kind} marks": marks, f"{kind} texts": texts},
    ).packed()


def _commented(number: int, authors: int) -> bytes:
    marks = _count(0, 2, number) + struct.pack("<I", 2 * number)
    marks += b"".join(bytes(20) + struct.pack("<h8x", at % authors) for at in range(number))
    texts = _count(0, 3, number + 1) + struct.pack("<I", 3 * number + 1)
    names = b"".join(struct.pack("<H", 8) + f"{at:08}".encode("utf-16-le") for at in range(authors))
    return Made(
        [Para("\x05 " * number)],
        stories={"comments": [Para("\x05a")] * number},
        parts={"comment marks": marks, "comment texts": texts, "comment authors": names},
    ).packed()


def _level(label: str = "\0.") -> bytes:
    return struct.pack("<iBB18x3Bx", 1, 0, 0, 0, 0, 0) + struct.pack("<H", len(label)) + label.encode("utf-16-le")


def _listed(templates: int, lists: int, items: int, *, changes: int = 0, label: str = "\0.") -> bytes:
    """Build list items that alternate between lists, which alternate between templates.

    changes: number of changed levels in each list.
    """
    found = struct.pack("<H", templates) + b"".join(struct.pack("<i22xBx", at, 1) for at in range(templates))
    told = struct.pack("<I", lists)
    told += b"".join(struct.pack("<i8xB3x", at % templates, changes) for at in range(lists))
    told += (b"\xff\xff\xff\xff" + struct.pack("<iI", 1, 0x10) * changes) * lists
    paragraphs = [Para("a", sprm(_LIST, at % lists + 1) + sprm(_LEVEL, 0)) for at in range(items)]
    parts = {"list overrides": told, "lists": found}
    return Made(paragraphs, parts=parts, tail=_level(label) * templates).packed()


def _rows(number: int, cells: int, *, shift: int = 0) -> bytes:
    """Build a table. shift: distance of each row's edges from the edges of the row above, in twentieths of a point."""
    paragraphs = []
    for row in range(number):
        paragraphs += [Para("a", sprm(_IN_TABLE, 1), mark="\x07")] * cells
        edges = struct.pack(f"<{cells + 1}h", *(row * shift % 20_000 + 200 * at for at in range(cells + 1)))
        about = bytes([cells]) + edges + bytes(20 * cells)
        said = struct.pack("<HH", _ROW, len(about) + 1) + about
        paragraphs.append(Para("", sprm(_IN_TABLE, 1) + sprm(_ROW_END, 1) + said, mark="\x07"))
    return Made(paragraphs).packed()


def make_doc_lists() -> Mapping[str, Builder]:
    return {
        "doc footnotes": lambda n: _noted(n // 20, "footnote"),
        "doc endnotes": lambda n: _noted(n // 20, "endnote"),
        "doc comments": lambda n: _commented(n // 20, 1),
        "doc authors of comments": lambda n: _commented(n // 20, n // 20),
        "doc headers": lambda n: Made([Para("a")], stories={"headers": [Para("head")] * (n // 20)}).packed(),
        "doc items": lambda n: _listed(1, 1, n // 20),
        "doc lists": lambda n: _listed(1, n // 20, n // 20),
        "doc templates of lists": lambda n: _listed(n // 20, n // 20, n // 20),
        "doc changes of a list": lambda n: _listed(1, 1, 20, changes=min(n // 20, 255)),
        "doc labels of items": lambda n: _listed(1, 1, n // 20, label="\0" * 30),
        "doc rows": lambda n: _rows(n // 40, 2),
        "doc rows of other edges": lambda n: _rows(n // 40, 2, shift=130),
        "doc fonts": lambda n: Made([Para("a")], fonts=[(f"Font {at}", 0) for at in range(n // 4)]).packed(),
        "doc styles": lambda n: Made(
            [Para("a", style=at) for at in range(min(n // 20, 900))],
            styles=[Style(f"heading {at}") for at in range(min(n // 20, 900))],
        ).packed(),
        "doc modifiers of a paragraph": lambda n: Made([Para("a", sprm(_LEVEL, 1) * 30)] * (n // 40)).packed(),
        "doc properties of pieces": lambda n: Made(
            [Para("ab" * (n // 20))],
            pieces=[2] * (n // 20),
            piece_modifiers=[2 * at + 1 for at in range(n // 20)],
            piece_properties=[sprm(0x0835, 1)] * (n // 20),
        ).packed(),
        "doc letters that were deleted": lambda n: Made([Para("ab" * 8)], pieces=[2] * 8, deleted=b"x" * n).packed(),
    }
