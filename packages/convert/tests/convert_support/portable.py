"""Builds small PDF files from the content of their pages."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

Tag = tuple[str, "list[Tag] | int"]
"""An element of the structure tree with its children or its marked content. Dictionary entries may follow the name."""
_PAD = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")
HEIGHT, WIDTH = 792, 612


@dataclass
class Sheet:
    """A page of 612 by 792 points, where y is measured from the top.

    drawn: the content stream's operators. notes: the annotations' dictionaries. tags: the structure of the `marked`
    content.
    """

    drawn: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    box: str = f"0 0 {WIDTH} {HEIGHT}"
    tags: list[Tag] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, *, size: float = 10, font: str = "Helvetica") -> "Sheet":
        """Draw a text. y: the text's baseline. font: one of `FONTS`."""
        shown = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        self.drawn.append(f"BT /{font} {size} Tf {x} {HEIGHT - y} Td ({shown}) Tj ET")
        return self

    def marked(self, mark: int, x: float, y: float, text: str) -> "Sheet":
        self.drawn.append(f"/P <</MCID {mark}>> BDC")
        self.text(x, y, text)
        self.drawn.append("EMC")
        return self

    def lines(self, x: float, y: float, lines: Iterable[str], *, size: float = 10, step: float = 12) -> "Sheet":
        for place, line in enumerate(lines):
            self.text(x, y + place * step, line, size=size)
        return self

    def line(self, x0: float, y0: float, x1: float, y1: float) -> "Sheet":
        self.drawn.append(f"{x0} {HEIGHT - y0} m {x1} {HEIGHT - y1} l S")
        return self

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> "Sheet":
        for y in ys:
            self.line(xs[0], y, xs[-1], y)
        for x in xs:
            self.line(x, ys[0], x, ys[-1])
        return self

    def picture(self, width: float = WIDTH, height: float = HEIGHT) -> "Sheet":
        self.drawn.append(f"q {width} 0 0 {height} 0 0 cm /Picture Do Q")
        return self

    def link(self, x0: float, y0: float, x1: float, y1: float, target: str) -> "Sheet":
        self.notes.append(
            f"<</Type/Annot/Subtype/Link/Rect[{x0} {HEIGHT - y1} {x1} {HEIGHT - y0}]/A<</S/URI/URI({target})>>>>"
        )
        return self

    def field(self, x0: float, y0: float, x1: float, y1: float, name: str, value: str) -> "Sheet":
        self.notes.append(
            f"<</Type/Annot/Subtype/Widget/FT/Tx/F 4/T({name})/V({value})/Rect[{x0} {HEIGHT - y1} {x1} {HEIGHT - y0}]>>"
        )
        return self


FONTS = ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Courier")


def portable(
    *sheets: Sheet,
    info: str = "",
    catalog: str = "",
    password: str | None = None,
    streams: Sequence[tuple[str, bytes]] = (),
    font: str = "",
    fonts: Mapping[str, str] = MappingProxyType({}),
    outline: Sequence[tuple[str, int, int]] = (),
) -> bytes:
    """Build a PDF.

    info, catalog: the entries of these dictionaries. password: the user password, "" to open it without one, None for
    no encryption. streams: further streams, each with its dictionary's entries, numbered from `streams_from` on. font:
    entries for each font. fonts: further fonts with their entries. outline: title, target page from 0 and depth of each
    entry.
    """
    bodies: dict[int, tuple[str, bytes | None]] = {}
    named = "".join(f"/{name} {3 + place} 0 R" for place, name in enumerate(FONTS))
    named += "".join(f"/{name}<</Type/Font{entries}>>" for name, entries in fonts.items())
    for place, name in enumerate(FONTS):
        bodies[3 + place] = (f"<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding{font}>>", None)
    bodies[8] = ("<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", b"\x80")
    first = 20
    pages: list[str] = []
    fields: list[str] = []
    for sheet in sheets:
        notes = []
        for note in sheet.notes:
            bodies[first] = (note, None)
            notes.append(f"{first} 0 R")
            if "/Widget" in note:
                fields.append(f"{first} 0 R")
            first += 1
        bodies[first] = ("<<", "\n".join(sheet.drawn).encode("cp1252"))
        bodies[first + 1] = (
            f"<</Type/Page/Parent 2 0 R/MediaBox[{sheet.box}]/Contents {first} 0 R/Annots[{' '.join(notes)}]"
            f"/StructParents {len(pages)}/Resources<</Font<<{named}>>/XObject<</Picture 8 0 R>>>>>>",
            None,
        )
        pages.append(f"{first + 1} 0 R")
        first += 2
    for entries, body in streams:
        bodies[first] = (f"<<{entries}", body)
        first += 1
    if sheets and sheets[0].tags:
        catalog += "/MarkInfo<</Marked true>>/StructTreeRoot 9 0 R"
        _tag(bodies, sheets[0].tags, first, pages[0])
    if outline:
        first = max(bodies) + 1
        catalog += f"/Outlines {first} 0 R"
        _outline(bodies, outline, first, pages)
    form = f"/AcroForm<</Fields[{' '.join(fields)}]>>" if fields else ""
    bodies[1] = (f"<</Type/Catalog/Pages 2 0 R{form}{catalog}>>", None)
    bodies[2] = (f"<</Type/Pages/Kids[{' '.join(pages)}]/Count {len(pages)}>>", None)
    bodies[7] = (f"<<{info}>>", None)
    return _written(bodies, password)


def streams_from(*sheets: Sheet) -> int:
    """Return the number of the first further stream in a file with these pages."""
    return 20 + sum(2 + len(sheet.notes) for sheet in sheets)


def _outline(
    bodies: dict[int, tuple[str, bytes | None]], entries: Sequence[tuple[str, int, int]], first: int, pages: list[str]
) -> None:
    """Add the outline as the objects from `first` on, with the root before its entries."""
    parents = [first]  # the last element at each depth
    kids: dict[int, list[int]] = {}
    for number, (_, _, depth) in enumerate(entries, first + 1):
        kids.setdefault(parents[depth], []).append(number)
        parents[depth + 1 :] = [number]
    above = {kid: parent for parent, children in kids.items() for kid in children}
    for number in range(first, first + 1 + len(entries)):
        text = ""
        if number in kids:
            text += f"/First {kids[number][0]} 0 R/Last {kids[number][-1]} 0 R"
        if number in above:
            title, page, _ = entries[number - first - 1]
            siblings = kids[above[number]]
            place = siblings.index(number)
            text += f"/Title({title})/Parent {above[number]} 0 R/Dest[{pages[page]}/Fit]"
            text += f"/Prev {siblings[place - 1]} 0 R" if place else ""
            text += f"/Next {siblings[place + 1]} 0 R" if place + 1 < len(siblings) else ""
        bodies[number] = (f"<<{text}>>", None)


def _tag(bodies: dict[int, tuple[str, bytes | None]], tags: list[Tag], first: int, page: str) -> None:
    """Add one page's structure tree as object 9 and the objects from `first` on."""
    marks: dict[int, int] = {}

    def element(tag: Tag, parent: int) -> int:
        nonlocal first
        number, first = first, first + 1
        name, inner = tag
        if isinstance(inner, int):
            marks[inner] = number
            kids = str(inner)
        else:
            kids = " ".join(f"{element(child, number)} 0 R" for child in inner)
        bodies[number] = (f"<</Type/StructElem/S/{name}/P {parent} 0 R/Pg {page}/K[{kids}]>>", None)
        return number

    top = " ".join(f"{element(tag, 9)} 0 R" for tag in tags)
    parents = " ".join(f"{marks[mark]} 0 R" for mark in sorted(marks))
    bodies[9] = (f"<</Type/StructTreeRoot/K[{top}]/ParentTree<</Nums[0[{parents}]]>>>>", None)


def _written(bodies: dict[int, tuple[str, bytes | None]], password: str | None) -> bytes:
    key, encryption = _locked(password) if password is not None else (b"", "")
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number in sorted(bodies):
        entries, stream = bodies[number]
        places[number] = len(out)
        out += f"{number} 0 obj\n{entries}".encode("cp1252")
        if stream is not None:
            if key:
                own = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0", usedforsecurity=False).digest()[:10]
                stream = _rc4(own, stream)
            out += b"/Length %d>>\nstream\n" % len(stream) + stream + b"\nendstream"
        out += b"\nendobj\n"
    table = len(out)
    size = max(bodies) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % places[number] if number in places else b"0000000000 65535 f \n"
    out += f"trailer\n<</Size {size}/Root 1 0 R/Info 7 0 R{encryption}>>\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)


def _locked(password: str) -> tuple[bytes, str]:
    """Return the key and the trailer's entries for the standard security handler of revision 2 (40 bits)."""
    padded = (password.encode() + _PAD)[:32]
    owner = _rc4(hashlib.md5(padded, usedforsecurity=False).digest()[:5], padded)
    name = b"0123456789abcdef"
    key = hashlib.md5(padded + owner + b"\xfc\xff\xff\xff" + name, usedforsecurity=False).digest()[:5]
    user = _rc4(key, _PAD)
    return key, (
        f"/ID[<{name.hex()}><{name.hex()}>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<{owner.hex()}>/U<{user.hex()}>>>"
    )


def _rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)
