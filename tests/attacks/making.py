"""Files of each kind, of any size and with any defect."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator

MEGABYTE = 1024 * 1024
SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
LAUGHS = (
    "<!DOCTYPE l [<!ENTITY a0 'ha'>" + "".join(f"<!ENTITY a{at} '{f'&a{at - 1};' * 10}'>" for at in range(1, 10)) + "]>"
)


def zip_parts(parts: Iterable[tuple[str, str | bytes]], *, stored: bool = False) -> bytes:
    """Return a ZIP archive of these parts. A part named `mimetype` is stored without compression."""
    made = io.BytesIO()
    packing = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(made, "w", packing, compresslevel=6) as archive:
        for name, content in parts:
            archive.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else packing)
    return made.getvalue()


def workbook(
    sheet: str, *, sheets: int = 1, prolog: str = "", merged: str = "", extra: Iterable[tuple[str, str]] = ()
) -> bytes:
    """Return an Excel workbook of rows. Its `sheets` sheets are all the same part."""
    named = "".join(f'<sheet name="S{at}" sheetId="{at}" r:id="r1"/>' for at in range(1, sheets + 1))
    return zip_parts(
        [
            types_part("xl/workbook.xml", "spreadsheetml.sheet"),
            ("_rels/.rels", _write_relation("r0", "officeDocument", "xl/workbook.xml")),
            ("xl/workbook.xml", f'<workbook xmlns="{SHEETS}" xmlns:r="{_OFFICE}"><sheets>{named}</sheets></workbook>'),
            ("xl/_rels/workbook.xml.rels", _relations(("r1", "worksheet", "worksheets/sheet1.xml"), *_aside(extra))),
            (
                "xl/worksheets/sheet1.xml",
                f'{prolog}<worksheet xmlns="{SHEETS}"><sheetData>{sheet}</sheetData>{merged}</worksheet>',
            ),
            *extra,
        ]
    )


def document(body: str, *, prolog: str = "", extra: Iterable[tuple[str, str]] = ()) -> bytes:
    """Return a Word document."""
    return zip_parts(
        [
            types_part("word/document.xml", "wordprocessingml.document"),
            ("_rels/.rels", _write_relation("r0", "officeDocument", "word/document.xml")),
            ("word/_rels/document.xml.rels", _relations(*_aside(extra))),
            ("word/document.xml", f'{prolog}<w:document xmlns:w="{WORDS}"><w:body>{body}</w:body></w:document>'),
            *extra,
        ]
    )


def make_open_document(kind: str, body: str, *, styles: str = "", prolog: str = "") -> bytes:
    """Return an OpenDocument file. kind: text, spreadsheet or presentation."""
    media = f"application/vnd.oasis.opendocument.{kind}"
    spaces = " ".join(f'xmlns:{name}="{_ODF}:{name}:1.0"' for name in ("office", "text", "table", "style", "draw"))
    return zip_parts(
        [
            ("mimetype", media),
            (
                "META-INF/manifest.xml",
                f'<m:manifest xmlns:m="{_ODF}:manifest:1.0"><m:file-entry m:full-path="/" m:media-type="{media}"/>'
                '<m:file-entry m:full-path="content.xml" m:media-type="text/xml"/></m:manifest>',
            ),
            (
                "content.xml",
                f"{prolog}<office:document-content {spaces}><office:automatic-styles>{styles}</office:automatic-styles>"
                f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document-content>",
            ),
        ]
    )


def paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def pdf(
    content: bytes, *, page: str = "/MediaBox[0 0 612 792]", objects: Iterable[bytes] = (), pages: int = 1
) -> bytes:
    """Return a PDF whose pages all show one stream, in Helvetica as F1. objects: from the sixth on."""
    packed = zlib.compress(content, 6)
    kids = " ".join(f"{6 + len(list(objects)) + at} 0 R" for at in range(pages))
    leaf = f"<</Type/Page/Parent 2 0 R{page}/Contents 4 0 R/Resources 5 0 R>>".encode()
    return write_pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            f"<</Type/Pages/Kids[{kids}]/Count {pages}>>".encode(),
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            b"<</Length %d/Filter/FlateDecode>>\nstream\n%b\nendstream" % (len(packed), packed),
            b"<</Font<</F1 3 0 R>>/XObject<</X 6 0 R>>>>",
            *objects,
            *([leaf] * pages),
        ]
    )


def write_pdf(objects: Iterable[bytes]) -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is its catalog."""
    made = bytearray(b"%PDF-1.7\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(made) + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(places) + 1, start)


def form(content: bytes, inner: int) -> bytes:
    """Return a PDF form XObject, which may draw object `inner` as X."""
    return (
        b"<</Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</XObject<</X %d 0 R>>/Font<</F1 3 0 R>>>>"
        b"/Length %d>>\nstream\n%b\nendstream" % (inner, len(content), content)
    )


def png(width: int, height: int, *, rows: int | None = None, chunks: Iterable[tuple[bytes, bytes]] = ()) -> bytes:
    """Return a white picture of one bit per pixel. rows: the real number of rows; chunks: further chunks."""
    packer = zlib.compressobj(9)
    row = b"\0" + b"\xff" * ((width + 7) // 8)
    data = b"".join(packer.compress(row) for _ in range(height if rows is None else rows)) + packer.flush()
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = [(b"IHDR", head), *chunks, (b"IDAT", data), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts
    )


def tiff(pages: int, *, width: int = 64, in_circle: bool = False) -> bytes:
    """Return a TIFF of many pages that share one strip. in_circle: whether the last page links to the first."""
    made = bytearray(b"II*\0" + struct.pack("<I", 8))
    first = len(made)
    for at in range(pages):
        fields = ((256, 4, width), (257, 4, width), (258, 3, 1), (259, 3, 1), (262, 3, 1), (273, 4, 8), (278, 4, width))
        entries = [struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in (*fields, (279, 4, 512))]
        made += struct.pack("<H", len(entries)) + b"".join(entries)
        after = len(made) + 4 if at < pages - 1 else first if in_circle else 0
        made += struct.pack("<I", after)
    return bytes(made) + bytes(512)


def compound(sectors: bytes, *, chain: Iterable[int] = (), directory: int = 0) -> bytes:
    """Return an OLE file (`.doc`, `.xls`) whose sector table is `chain`."""
    fat = struct.pack("<128I", *(list(chain) + [0xFFFFFFFF] * 128)[:128])
    head = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, directory, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    return head + struct.pack("<109I", 0, *([0xFFFFFFFF] * 108)) + fat + sectors


def entry(
    name: str, kind: int, *, left: int = -1, right: int = -1, child: int = -1, start: int = 0, size: int = 0
) -> bytes:
    """Return an entry of an OLE file's directory."""
    text = name.encode("utf-16-le") + b"\0\0"
    links = struct.pack("<iii", left, right, child)
    return (
        text.ljust(64, b"\0")
        + struct.pack("<HBB", len(text), kind, 1)
        + links
        + bytes(36)
        + struct.pack("<IQ", start, size)
    )


def make_overlapping_archive(names: int) -> bytes:
    """Return a Word document's archive that has thousands of names for one part of 4 MB."""
    plain = document(paragraph("overlapping"), extra=[("word/media/k.png", "0" * (4 * MEGABYTE))])
    with zipfile.ZipFile(io.BytesIO(plain)) as archive:
        entry = archive.getinfo("word/media/k.png")
        last = archive.start_dir
    end = plain.rfind(b"PK\5\6")
    listed, tail = plain[last:end], bytearray(plain[end:])
    more = bytearray()
    for at in range(names):
        name = b"word/media/%05d.png" % at
        more += (
            struct.pack(
                "<4sHHHHHHIIIHHHHHII",
                b"PK\1\2",
                20,
                20,
                0,
                8,
                0,
                33,
                entry.CRC,
                entry.compress_size,
                entry.file_size,
                len(name),
                0,
                0,
                0,
                0,
                0,
                entry.header_offset,
            )
            + name
        )
    count = struct.unpack_from("<H", tail, 10)[0] + names
    struct.pack_into("<HHII", tail, 8, count, count, len(listed) + len(more), last)
    return plain[:last] + listed + bytes(more) + bytes(tail)


def types_part(part: str, kind: str) -> tuple[str, str]:
    space = "http://schemas.openxmlformats.org/package/2006/content-types"
    return (
        "[Content_Types].xml",
        f'<Types xmlns="{space}"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/{part}" '
        f'ContentType="application/vnd.openxmlformats-officedocument.{kind}.main+xml"/></Types>',
    )


def _aside(extra: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    for at, (name, _) in enumerate(extra):
        yield f"x{at}", name.rpartition("/")[2].partition(".")[0], name.partition("/")[2]


def _write_relation(name: str, kind: str, target: str) -> str:
    return _relations((name, kind, target))


def _relations(*related: tuple[str, str, str]) -> str:
    relations = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/{kind}" Target="{to}"/>' for name, kind, to in related
    )
    return f'<Relationships xmlns="{_RELATIONS}">{relations}</Relationships>'


def stripes(width: int, height: int) -> bytes:
    rows = b"".join(b"\0" + (b"\xaa" if at // 8 % 2 else b"\xff") * (width // 8) for at in range(height))
    head = struct.pack(">IIBBBBB", width // 8 * 8, height, 1, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def snappy(size: int) -> bytes:
    """Return a chunk that decompresses to `size` equal bytes."""
    length = bytearray()
    left = size
    while left >= 0x80:
        length.append(left & 0x7F | 0x80)
        left >>= 7
    length.append(left)
    copies = b"".join(b"\xfe\1\0" for _ in range((size - 1) // 64))
    packed = bytes(length) + b"\0A" + copies
    return b"\0" + len(packed).to_bytes(3, "little") + packed


def nest_elements(levels: int) -> bytes:
    made = document(paragraph("deep"))
    for _ in range(levels):
        made = zip_parts([types_part("word/document.xml", "wordprocessingml.document"), ("word/document.xml", made)])
    return made
