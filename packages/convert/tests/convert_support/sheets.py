"""Builds small spreadsheets in every format."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from decimal import Decimal

from cramjam import snappy

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return body.getvalue()


def xlsx(
    *sheets: str,
    names: Sequence[str] = ("Sheet1", "Sheet2", "Sheet3"),
    states: Sequence[str] = ("visible", "visible", "visible"),
    strings: str = "",
    codes: Sequence[str] = (),
    from_1904: bool = False,
    is_strict: bool = False,
    more: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """Build a workbook.

    sheets: the contents of each `sheetData`. strings: the contents of `sst`. codes: the format codes of the styles from
    1 on.
    """
    main = _STRICT if is_strict else _MAIN
    listed = "".join(
        f'<sheet name="{name}" sheetId="{index}" state="{state}" r:id="r{index}"/>'
        for index, (name, state, _) in enumerate(zip(names, states, sheets, strict=False), 1)
    )
    formats = "".join(
        f'<numFmt numFmtId="{164 + index}" formatCode="{_attribute(code)}"/>' for index, code in enumerate(codes)
    )
    styles = "".join(f'<xf numFmtId="{164 + index}"/>' for index in range(len(codes)))
    related = "".join(
        f'<Relationship Id="r{index}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{index}.xml"/>'
        for index in range(1, len(sheets) + 1)
    )
    dates = "<workbookPr date1904='1'/>" if from_1904 else ""
    return zipped(
        {
            "[Content_Types].xml": "<Types xmlns='http://schemas.openxmlformats.org/package/2006/content-types'>"
            "<Override PartName='/xl/workbook.xml' ContentType="
            "'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'/></Types>",
            "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="a" '
            f'Type="{_OFFICE}/officeDocument" Target="/xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{_OFFICE}">{dates}'
            f"<sheets>{listed}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}">{related}'
            f'<Relationship Id="s" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
            f'<Relationship Id="t" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
            "xl/sharedStrings.xml": f'<sst xmlns="{main}">{strings}</sst>',
            "xl/styles.xml": f'<styleSheet xmlns="{main}"><numFmts>{formats}</numFmts>'
            f'<cellXfs><xf numFmtId="0"/>{styles}</cellXfs></styleSheet>',
            **{
                f"xl/worksheets/sheet{index}.xml": f'<worksheet xmlns="{main}">'
                f"<sheetData>{sheet}</sheetData></worksheet>"
                for index, sheet in enumerate(sheets, 1)
            },
            **(more or {}),
        }
    )


def ods(tables: str, *, styles: str = "", more: Mapping[str, str | bytes] | None = None) -> bytes:
    """Build an OpenDocument spreadsheet. tables: the contents of `office:spreadsheet`."""
    spaces = " ".join(
        f'xmlns:{name}="{_ODF}:{name if name != "draw" else "drawing"}:1.0"'
        for name in ("office", "table", "text", "style", "draw")
    )
    spaces += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body></office:document-content>"
    )
    return zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": content,
            **(more or {}),
        }
    )


def biff8(
    rows: Sequence[Sequence[object]],
    *,
    codes: Sequence[str] = (),
    name: str = "Sheet1",
    mode: int = 0,
    more: Sequence[tuple[int, bytes]] = (),
) -> bytes:
    """Build the records of an Excel 97 workbook with one sheet, without a compound file.

    A cell is a text, a number, a boolean, None, or a pair of a number and the index of its format code from 0. mode: 1
    for dates from 1904. more: the types and contents of records after the cells.
    """

    def record(kind: int, content: bytes) -> bytes:
        return struct.pack("<HH", kind, len(content)) + content

    def style(number: int, is_cell: bool) -> bytes:
        return record(0xE0, struct.pack("<HHH14x", 0, number, 0 if is_cell else 0xFFF5))

    font = record(0x31, struct.pack("<HHHHHBBBB", 200, 0, 0x7FFF, 400, 0, 0, 0, 0, 0) + b"\x01\x00A")
    head = record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0)) + record(0x42, struct.pack("<H", 1200))
    head += record(0x22, struct.pack("<H", mode)) + font * 4
    for index, code in enumerate(codes):
        head += record(0x41E, struct.pack("<HHB", 164 + index, len(code), 1) + code.encode("utf-16-le"))
    head += style(0, False) + style(0, True) + b"".join(style(164 + index, True) for index in range(len(codes)))
    title = name.encode("utf-16-le")
    end = record(0x0A, b"")
    start = len(head) + 4 + 8 + len(title) + len(end)
    head += record(0x85, struct.pack("<IBBBB", start, 0, 0, len(name), 1) + title) + end
    sheet = record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            match cell:
                case str():
                    text = struct.pack("<HHHHB", row, column, 1, len(cell), 1) + cell.encode("utf-16-le")
                    sheet += record(0x204, text)
                case bool():
                    sheet += record(0x205, struct.pack("<HHHBB", row, column, 1, cell, 0))
                case int() | float():
                    sheet += record(0x203, struct.pack("<HHHd", row, column, 1, cell))
                case (float() | int() as number, int() as style_number):
                    sheet += record(0x203, struct.pack("<HHHd", row, column, 2 + style_number, number))
    return head + sheet + b"".join(record(kind, content) for kind, content in more) + end


def biff5(
    rows: Sequence[Sequence[bytes | float]], codepage: int | None, *, more: Sequence[tuple[int, bytes]] = ()
) -> bytes:
    """Build the records of an Excel 95 workbook with one sheet.

    A cell is a text in the code page, or a number. more: as in `biff8`.
    """

    def record(kind: int, content: bytes) -> bytes:
        return struct.pack("<HH", kind, len(content)) + content

    head = record(0x809, struct.pack("<HHHH", 0x500, 5, 0, 0))
    head += b"" if codepage is None else record(0x42, struct.pack("<H", codepage))
    head += record(0x31, struct.pack("<HHHHHBBBBB", 200, 0, 0x7FFF, 400, 0, 0, 0, 0, 0, 1) + b"A") * 4
    head += record(0xE0, struct.pack("<HHH10x", 0, 0, 0xFFF5)) + record(0xE0, struct.pack("<HHH10x", 0, 0, 0))
    head += record(0x85, struct.pack("<IBBB", len(head) + 4 + 8 + 4, 0, 0, 1) + b"S") + record(0x0A, b"")
    sheet = record(0x809, struct.pack("<HHHH", 0x500, 0x10, 0, 0))
    for row, cells in enumerate(rows):
        for column, cell in enumerate(cells):
            if isinstance(cell, bytes):
                sheet += record(0x204, struct.pack("<HHHH", row, column, 1, len(cell)) + cell)
            else:
                sheet += record(0x203, struct.pack("<HHHd", row, column, 1, cell))
    return head + sheet + b"".join(record(kind, content) for kind, content in more) + record(0x0A, b"")


def biff_link(area: tuple[int, int, int, int], address: str, place: str = "") -> tuple[int, bytes]:
    """Build a record that turns cells into links. area: first and last row, first and last column."""
    flags = 0x03 | (0x08 if place else 0)
    content = struct.pack("<4H", *area) + bytes.fromhex("d0c9ea79f9bace118c8200aa004ba90b")
    content += struct.pack("<II", 2, flags) + bytes.fromhex("e0c9ea79f9bace118c8200aa004ba90b")
    content += _counted(address, in_bytes=True)
    return 0x1B8, content + (_counted(place, in_bytes=False) if place else b"")


def _counted(text: str, *, in_bytes: bool) -> bytes:
    body = f"{text}\0".encode("utf-16-le")
    return struct.pack("<I", len(body) if in_bytes else len(body) // 2) + body


def biff_note(row: int, column: int, author: str, *texts: str) -> list[tuple[int, bytes]]:
    """Build the records of a note. texts: the note's text, split into one part per record."""
    number = row * 256 + column + 1
    length = min(sum(map(len, texts)), 0xFFFF)  # the field cannot store a larger number
    return [
        (0x5D, struct.pack("<4H", 0x15, 0x12, 0x19, number) + bytes(14)),
        (0x1B6, struct.pack("<HH6xHH4x", 0, 0, length, 16)),
        *((0x3C, b"\1" + text.encode("utf-16-le")) for text in texts),
        (0x3C, bytes(16)),
        (0x1C, struct.pack("<4HHB", row, column, 0, number, len(author), 0) + author.encode("latin-1") + b"\0"),
    ]


class Wire:
    """A Protocol Buffers message, built field by field."""

    def __init__(self) -> None:
        self.body = b""

    def put(self, field: int, value: "int | float | str | bytes | Wire") -> "Wire":
        match value:
            case int():
                self.body += _varint(field << 3) + _varint(value)
            case float():
                self.body += _varint(field << 3 | 1) + struct.pack("<d", value)
            case _:
                content = value.body if isinstance(value, Wire) else value.encode() if isinstance(value, str) else value
                self.body += _varint(field << 3 | 2) + _varint(len(content)) + content
        return self

    def refer(self, field: int, identifier: int) -> "Wire":
        return self.put(field, Wire().put(1, identifier))


def number_cell(value: str | int, format_key: int | None = None) -> bytes:
    """Build a Numbers cell with a decimal number."""
    sign, digits, exponent = Decimal(value).as_tuple()
    assert isinstance(exponent, int)
    bits = int("".join(map(str, digits))) | (exponent + 0x1820) << 113 | sign << 127
    flags = 1 | (0x2000 if format_key is not None else 0)
    tail = b"" if format_key is None else struct.pack("<I", format_key)
    return struct.pack("<BB6xI", 5, 2, flags) + bits.to_bytes(16, "little") + tail


def text_cell(key: int) -> bytes:
    """Build a Numbers cell that refers to a text in the table's list."""
    return struct.pack("<BB6xII", 5, 3, 8, key)


def date_cell(seconds: float, format_key: int) -> bytes:
    """Build a Numbers cell with a date. seconds: seconds since 2001."""
    return struct.pack("<BB6xIdI", 5, 5, 4 | 0x8000, seconds, format_key)


def double_cell(kind: int, value: float, format_flag: int, format_key: int) -> bytes:
    """Build a Numbers cell with a boolean (kind 6) or a duration (kind 7)."""
    return struct.pack("<BB6xIdI", 5, kind, 2 | format_flag, value, format_key)


def numbers(
    rows: Sequence[Sequence[bytes | None]],
    *,
    strings: Sequence[str] = (),
    formats: Sequence[Wire] = (),
    custom: Sequence[tuple[int, Wire]] = (),
    sheet: str = "Sheet 1",
    table: str = "Table 1",
) -> bytes:
    """Build a Numbers document with one table.

    strings, formats: entries with keys from 1 on. custom: custom formats, by the lower half of their identifiers.
    """
    return zipped(
        {
            f"Index/{name}.iwa": packed(objects)
            for name, objects in numbers_objects(rows, strings, formats, custom, sheet, table).items()
        }
    )


def numbers_objects(
    rows: Sequence[Sequence[bytes | None]],
    strings: Sequence[str],
    formats: Sequence[Wire],
    custom: Sequence[tuple[int, Wire]],
    sheet: str,
    table: str,
) -> dict[str, list[tuple[int, int, Wire]]]:
    """Return the identifier, type and message of each object, by the part that contains it."""
    tile = Wire()
    for index, row in enumerate(rows):
        buffer, offsets = b"", b""
        for cell in row:
            offsets += struct.pack("<H", 0xFFFF if cell is None else len(buffer) // 4)
            buffer += cell or b""
        tile.put(5, Wire().put(1, index).put(2, len(row)).put(6, buffer).put(7, offsets).put(8, 1))
    listed = Wire()
    for key, text in enumerate(strings, 1):
        listed.put(3, Wire().put(1, key).put(3, text))
    styles = Wire()
    for key, style in enumerate(formats, 1):
        styles.put(3, Wire().put(1, key).put(6, style))
    made = Wire()
    for lower, style in custom:
        made.put(1, Wire().put(1, lower).put(2, 7)).put(2, style)
    store = Wire().put(3, Wire().put(1, Wire().put(1, 0).refer(2, 20)).put(2, 256)).refer(4, 21).refer(22, 22)
    model = Wire().put(4, store).put(6, len(rows)).put(7, max(map(len, rows), default=0)).put(8, table)
    return {
        "Document": [
            (1, 1, Wire().refer(1, 10).put(8, Wire().put(3, "en").refer(12, 30))),
            (10, 2, Wire().put(1, sheet).refer(2, 11)),
            (30, 222, made),
        ],
        "CalculationEngine": [(11, 6000, Wire().refer(2, 12)), (12, 6001, model)],
        "Tables/Tile": [(20, 6002, tile)],
        "Tables/DataList": [(21, 6005, listed), (22, 6005, styles)],
    }


def packed(objects: Sequence[tuple[int, int, Wire]]) -> bytes:
    """Build a part of a Numbers document."""
    body = b""
    for identifier, kind, message in objects:
        about = Wire().put(1, identifier).put(2, Wire().put(1, kind).put(3, len(message.body)))
        body += _varint(len(about.body)) + about.body + message.body
    frame = bytes(snappy.compress_raw(body))
    return b"\0" + len(frame).to_bytes(3, "little") + frame


def _varint(value: int) -> bytes:
    body = b""
    while value >= 0x80:
        body += bytes([value & 0x7F | 0x80])
        value >>= 7
    return body + bytes([value])


def _attribute(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
