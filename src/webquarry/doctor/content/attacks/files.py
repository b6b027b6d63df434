"""Files that are small, or within the limit, and ask for much: archives, XML, tables, documents, pictures."""

import struct
import zlib
from collections.abc import Callable, Iterator

from webquarry.doctor.content.attack import CHILD_MB, PATIENT_MB, Attack, Upload
from webquarry.doctor.content.making import (
    LAUGHS,
    SHEETS,
    WORDS,
    compound,
    document,
    entry,
    form,
    make_open_document,
    make_overlapping_archive,
    nest_elements,
    paragraph,
    pdf,
    png,
    snappy,
    stripes,
    tiff,
    types_part,
    workbook,
    write_pdf,
    zip_parts,
)

MEGABYTE = 1024 * 1024
LARGEST = 10_400_000
"""Bytes of a file that is taken."""

_TABLES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "quotes": ("10 MB of quotes.", lambda: b'a,b\n"' + b'"' * LARGEST),
    "quotes that open": ("Every field begins a quotation.", lambda: b'a,b\n1,"' + b'2\n3,"' * (LARGEST // 6)),
    "returns": ("10 MB of carriage returns.", lambda: b"a,b\r1,2" + b"\r" * LARGEST),
    "columns": ("A million columns.", lambda: b",".join([b"a"] * 1_000_000) + b"\n" + b",".join([b"1"] * 1_000_000)),
    "rows": ("A million rows.", lambda: b"a,b\n" + b"1,2\n" * 1_000_000),
    "empty rows": ("10 MB are empty rows.", lambda: b"a,b\n" + b",\n" * (LARGEST // 2)),
    "commas": ("10 MB of commas.", lambda: b"a,b\n1,2\n" + b"," * (LARGEST - 100)),
    "all delimiters": (
        "Every sign could part the fields.",
        lambda: b"a,b;c\td|e\n" + b"1,2;3\t4|5\n" * (LARGEST // 10 - 9),
    ),
    "one field": ("A field of 10 MB.", lambda: b"a,b\n1," + b"x" * (LARGEST - 100)),
    "bars": (
        "Fields are full of what a table has to escape.",
        lambda: b"a,b\n" + b"|||||\\|,<<<\n" * (LARGEST // 12 - 9),
    ),
    "growing rows": (
        "Each row is longer than the one before.",
        lambda: b"".join(b"a," * at + b"b\n" for at in range(1, 3000)),
    ),
    "undecided encoding": ("10 MB could be any of ten encodings.", lambda: b"a,b\n" + bytes(range(160, 255)) * 100_000),
    "zero bytes": ("Every second byte is zero.", lambda: ("a,b\n" * (LARGEST // 8 - 9)).encode("utf-16-le")),
}
_BOOKS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "far cell": (
        "The last cell that there can be holds something.",
        lambda: workbook('<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'),
    ),
    "merged sheet": (
        "The whole sheet is one cell.",
        lambda: workbook(
            '<row r="1"><c r="A1"><v>5</v></c></row>',
            merged='<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
        ),
    ),
    "merged ranges": (
        "100,000 ranges overlap.",
        lambda: workbook(
            '<row r="1"><c r="A1"><v>5</v></c></row>',
            merged="".join(
                [
                    "<mergeCells>",
                    *(f'<mergeCell ref="A{at}:XFD{at + 900}"/>' for at in range(1, 100_001)),
                    "</mergeCells>",
                ]
            ),
        ),
    ),
    "sheets": (
        "10,000 sheets are one part.",
        lambda: workbook('<row r="1"><c r="A1"><v>5</v></c></row>' * 50, sheets=10_000),
    ),
    "rows": (
        "3,000,000 rows are packed small.",
        lambda: workbook("<row><c><v>1</v></c><c><v>2</v></c></row>" * 1_500_000),
    ),
    "entities": (
        "Entities become a billion laughs.",
        lambda: workbook('<row r="1"><c t="inlineStr"><is><t>&a9;</t></is></c></row>', prolog=LAUGHS),
    ),
    "shared text": (
        "100,000 cells share a text of 30,000 signs.",
        lambda: workbook(
            '<row><c t="s"><v>0</v></c></row>' * 100_000,
            extra=[("xl/sharedStrings.xml", f'<sst xmlns="{SHEETS}"><si><t>{"text " * 6000}</t></si></sst>')],
        ),
    ),
    "shared texts": (
        "A million texts are shared by nobody.",
        lambda: workbook(
            '<row><c t="s"><v>0</v></c></row>',
            extra=[("xl/sharedStrings.xml", f'<sst xmlns="{SHEETS}">{"<si><t>a</t></si>" * 1_000_000}</sst>')],
        ),
    ),
    "formats": (
        "60,000 formats of numbers are long and strange.",
        lambda: workbook(
            '<row><c s="1"><v>1.5</v></c></row>' * 1000,
            extra=[
                (
                    "xl/styles.xml",
                    f'<styleSheet xmlns="{SHEETS}"><numFmts>'
                    + "".join(f'<numFmt numFmtId="{at}" formatCode="{"[h]0.0#;" * 30}"/>' for at in range(200, 20_200))
                    + '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="200"/></cellXfs></styleSheet>',
                )
            ],
        ),
    ),
    "digits": ("A number has a million digits.", lambda: workbook(f"<row><c><v>{'9' * 1_000_000}</v></c></row>")),
    "nested": ("Elements stand 100,000 deep.", lambda: workbook("<row>" * 100_000)),
    "attributes": (
        "A cell has 100,000 attributes.",
        lambda: workbook(f"<row><c {' '.join(f'a{at}=' + chr(34) * 2 for at in range(100_000))}><v>1</v></c></row>"),
    ),
}
_DOCUMENTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "text": ("A text of 90 MB is packed small.", lambda: document(paragraph("A" * 1000) * 90_000)),
    "paragraphs": ("250,000 paragraphs.", lambda: document(paragraph("words") * 250_000)),
    "runs": (
        "A paragraph has a million pieces.",
        lambda: document(
            f"<w:p>{'<w:r><w:rPr><w:b/></w:rPr><w:t>a</w:t></w:r><w:r><w:t>b</w:t></w:r>' * 300_000}</w:p>"
        ),
    ),
    "tables in tables": (
        "1,500 tables stand in each other.",
        lambda: document("<w:tbl><w:tr><w:tc>" * 1500 + paragraph("deep") + "</w:tc></w:tr></w:tbl>" * 1500),
    ),
    "tables in tables, in depth that is read": (
        "Tables stand 40 deep in each other, again and again.",
        lambda: document(("<w:tbl><w:tr><w:tc>" * 40 + paragraph("deep") + "</w:tc></w:tr></w:tbl>" * 40) * 1000),
    ),
    "spans": (
        "Cells span two billion columns.",
        lambda: document(
            '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2000000000"/></w:tcPr>'
            + paragraph("a")
            + "</w:tc></w:tr></w:tbl>"
        ),
    ),
    "controls": (
        "60,000 controls stand in each other.",
        lambda: document("<w:sdt><w:sdtContent>" * 60_000 + paragraph("deep") + "</w:sdtContent></w:sdt>" * 60_000),
    ),
    "entities": ("Entities become a billion laughs.", lambda: document(paragraph("&a9;"), prolog=LAUGHS)),
    "styles in a chain": (
        "30,000 styles are each based on the one before.",
        lambda: document(
            (paragraph("a").replace("<w:p>", '<w:p><w:pPr><w:pStyle w:val="S29999"/></w:pPr>')) * 2000,
            extra=[
                (
                    "word/styles.xml",
                    f'<w:styles xmlns:w="{WORDS}">'
                    + "".join(
                        f'<w:style w:type="paragraph" w:styleId="S{at}"><w:basedOn w:val="S{at - 1}"/></w:style>'
                        for at in range(30_000)
                    )
                    + "</w:styles>",
                )
            ],
        ),
    ),
    "styles in a circle": (
        "Two styles are based on each other.",
        lambda: document(
            paragraph("a").replace("<w:p>", '<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr>'),
            extra=[
                (
                    "word/styles.xml",
                    f'<w:styles xmlns:w="{WORDS}"><w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/>'
                    "</w:style>"
                    '<w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>',
                )
            ],
        ),
    ),
    "lists": (
        "100,000 items belong to lists that are not defined.",
        lambda: document(
            "".join(
                f'<w:p><w:pPr><w:numPr><w:ilvl w:val="{at % 9}"/><w:numId w:val="{at}"/></w:numPr></w:pPr>'
                "<w:r><w:t>a</w:t></w:r></w:p>"
                for at in range(100_000)
            )
        ),
    ),
    "fields": (
        "50,000 fields are open in each other.",
        lambda: document("<w:p>" + '<w:r><w:fldChar w:fldCharType="begin"/></w:r>' * 50_000 + "</w:p>"),
    ),
    "names for one part": ("2,000 names stand for one part of 4 MB.", lambda: make_overlapping_archive(2000)),
    "archive in archives": ("Archives stand nine deep in each other.", lambda: nest_elements(9)),
    "parts": (
        "20,000 parts.",
        lambda: zip_parts(
            [types_part("word/document.xml", "wordprocessingml.document"), *((f"e/{at}", "") for at in range(20_000))],
            stored=True,
        ),
    ),
}
_OPEN: dict[str, tuple[str, Callable[[], bytes]]] = {
    "sheet of repeated rows": (
        "One cell is repeated over a whole sheet.",
        lambda: make_open_document(
            "spreadsheet",
            '<table:table table:name="t"><table:table-row table:number-rows-repeated="1048576"><table:table-cell '
            'table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell>'
            "</table:table-row></table:table>",
        ),
    ),
    "sheets": (
        "10,000 sheets.",
        lambda: make_open_document(
            "spreadsheet",
            (
                '<table:table table:name="t"><table:table-row><table:table-cell office:value-type="string">'
                "<text:p>x</text:p></table:table-cell></table:table-row></table:table>"
            )
            * 10_000,
        ),
    ),
    "spaces": (
        "Two billion spaces are one element.",
        lambda: make_open_document("text", '<text:p>a<text:s text:c="2000000000"/>b</text:p>'),
    ),
    "spaces, often": (
        "100,000 elements are a thousand spaces each.",
        lambda: make_open_document("text", '<text:p>a<text:s text:c="1000"/>b</text:p>' * 100_000),
    ),
    "lists": (
        "20,000 lists stand in each other.",
        lambda: make_open_document(
            "text",
            "<text:list><text:list-item>" * 20_000 + "<text:p>deep</text:p>" + "</text:list-item></text:list>" * 20_000,
        ),
    ),
    "text": (
        "A text of 90 MB is packed small.",
        lambda: make_open_document("text", f"<text:p>{'C' * 1000}</text:p>" * 90_000),
    ),
    "entities": (
        "Entities become a billion laughs.",
        lambda: make_open_document("text", "<text:p>&a9;</text:p>", prolog=LAUGHS),
    ),
    "styles in a chain": (
        "30,000 styles have the one before as their parent.",
        lambda: make_open_document(
            "text",
            '<text:p text:style-name="S29999">a</text:p>' * 2000,
            styles="".join(
                f'<style:style style:name="S{at}" style:family="paragraph" style:parent-style-name="S{at - 1}"/>'
                for at in range(30_000)
            ),
        ),
    ),
    "slides": (
        "20,000 slides.",
        lambda: make_open_document(
            "presentation",
            (
                '<draw:page draw:name="p"><draw:frame><draw:text-box><text:p>a</text:p></draw:text-box></draw:frame>'
                "</draw:page>"
            )
            * 20_000,
        ),
    ),
    "frames in frames": (
        "1,000 frames stand in each other.",
        lambda: make_open_document(
            "presentation",
            "<draw:page>"
            + "<draw:frame><draw:text-box>" * 1000
            + "<text:p>a</text:p>"
            + "</draw:text-box></draw:frame>" * 1000
            + "</draw:page>",
        ),
    ),
}
_PDFS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "words": (
        "A page has 100,000 words, each placed for itself.",
        lambda: pdf(
            b"BT /F1 4 Tf "
            + b"".join(b"1 0 0 1 %d %d Tm (word) Tj " % (at % 600, at // 600 * 4) for at in range(100_000))
            + b"ET"
        ),
    ),
    "words in one place": (
        "100,000 words stand on each other.",
        lambda: pdf(b"BT /F1 4 Tf " + b"1 0 0 1 99 99 Tm (word) Tj " * 100_000 + b"ET"),
    ),
    "text": (
        "A page has 40 MB of text.",
        lambda: pdf(b"BT /F1 1 Tf " + b"(AAAAAAAAAAAAAAAAAAAA) Tj " * 1_500_000 + b"ET"),
    ),
    "lines": (
        "A page has 1,000,000 lines.",
        lambda: pdf(b"BT /F1 9 Tf (words) Tj ET " + b"0 0 m 99 99 l S " * 1_000_000),
    ),
    "grid": (
        "A page is ruled into 250,000 cells.",
        lambda: pdf(
            b"BT /F1 9 Tf (words) Tj ET "
            + b"".join(b"%d 0 m %d 792 l S 0 %d m 612 %d l S " % (at, at, at, at) for at in range(500)) * 20
        ),
    ),
    "spaces": ("100 MB of spaces are packed small.", lambda: pdf(b" " * (100 * MEGABYTE))),
    "forms in each other": (
        "Ten to the eighteenth forms are drawn.",
        lambda: pdf(
            b"/X Do",
            objects=[*(form(b"/X Do " * 10, 7 + at) for at in range(18)), form(b"BT /F1 9 Tf (words) Tj ET", 6)],
        ),
    ),
    "form in itself": ("A form draws itself, twice.", lambda: pdf(b"/X Do", objects=[form(b"/X Do /X Do", 6)])),
    "huge page": (
        "A page is two million points wide.",
        lambda: pdf(b"BT /F1 9 Tf 9 9 Td (words) Tj ET", page="/MediaBox[0 0 2000000 2000000]"),
    ),
    "pages": ("20,000 pages are one.", lambda: pdf(b"BT /F1 9 Tf 9 9 Td (words) Tj ET", pages=20_000)),
    "pages in a circle": (
        "A tree of pages holds itself.",
        lambda: write_pdf(
            [
                b"<</Type/Catalog/Pages 2 0 R>>",
                b"<</Type/Pages/Kids[2 0 R 3 0 R]/Count 2>>",
                b"<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>",
            ]
        ),
    ),
    "outline in a circle": (
        "An outline's entries follow each other round.",
        lambda: write_pdf(
            [
                b"<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>",
                b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>",
                b"<</First 5 0 R/Last 6 0 R/Count 2>>",
                b"<</Title(a)/Parent 4 0 R/Next 6 0 R/First 6 0 R/Last 6 0 R>>",
                b"<</Title(b)/Parent 5 0 R/Next 5 0 R/First 5 0 R/Last 5 0 R>>",
            ]
        ),
    ),
    "nested arrays": (
        "Arrays stand 200,000 deep.",
        lambda: pdf(b"BT /F1 9 Tf (words) Tj ET", page=f"/MediaBox[0 0 612 792]/X {'[' * 200_000}{']' * 200_000}"),
    ),
    "many objects": (
        "200,000 objects are used by nobody.",
        lambda: pdf(b"BT /F1 9 Tf (words) Tj ET", objects=[b"null"] * 200_000),
    ),
    "structure in a circle": (
        "The structure that says what is what holds itself.",
        lambda: write_pdf(
            [
                b"<</Type/Catalog/Pages 2 0 R/StructTreeRoot 4 0 R/MarkInfo<</Marked true>>>>",
                b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/StructParents 0>>",
                b"<</Type/StructTreeRoot/K 5 0 R>>",
                b"<</S/P/P 4 0 R/K[5 0 R 5 0 R]>>",
            ]
        ),
    ),
}
_OLD: dict[str, tuple[str, Callable[[], bytes]]] = {
    "sectors in a circle": (
        "An old file's sectors follow each other round.",
        lambda: compound(
            entry("Root Entry", 5, child=1) + entry("WordDocument", 2, size=4096) + bytes(256), chain=[1, 0]
        ),
    ),
    "directory in a circle": (
        "The entries of an old file's directory stand in each other.",
        lambda: compound(
            entry("Root Entry", 5, child=1) + entry("Workbook", 2, left=1, right=1, child=0, size=99) + bytes(256),
            chain=[0xFFFFFFFD, 0xFFFFFFFE],
            directory=0,
        ),
    ),
    "stream of gigabytes": (
        "An old file says that it holds gigabytes.",
        lambda: compound(
            entry("Root Entry", 5, child=1) + entry("Workbook", 2, size=2**40) + bytes(256), chain=[0xFFFFFFFD, 0]
        ),
    ),
    "empty": ("An old file is a header and zeros.", lambda: compound(bytes(9 * MEGABYTE))),
}
_NUMBERS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "packed to gigabytes": (
        "A part says that it becomes gigabytes.",
        lambda: zip_parts(
            [
                (
                    "Index/Document.iwa",
                    b"\0" + (18).to_bytes(3, "little") + b"\xff\xff\xff\xff\x0f" + b"\xfe\x01\0" * 4,
                ),
                ("Index/Metadata.iwa", bytes(4)),
            ]
        ),
    ),
    "copies of copies": (
        "A part of megabytes is copies of one byte.",
        lambda: zip_parts([("Index/Document.iwa", snappy(60_000) * 200), ("Index/Metadata.iwa", snappy(64))]),
    ),
    "lengths without end": (
        "Lengths have no end.",
        lambda: zip_parts([("Index/Document.iwa", b"\0" + (9000).to_bytes(3, "little") + b"\xff" * 9000)]),
    ),
}
_PICTURES: dict[str, tuple[str, Callable[[], bytes]]] = {
    "pixels": ("A picture of 900 million pixels is packed small.", lambda: png(30_000, 30_000)),
    "pixels that are not there": (
        "A picture says that it has four billion pixels.",
        lambda: png(65_535, 65_535, rows=4),
    ),
    "pixels to the limit": ("A picture of 59 million pixels is white.", lambda: png(7_600, 7_700)),
    "flat": ("A picture is 100,000 pixels wide and two high.", lambda: png(100_000, 2)),
    "remarks": (
        "A picture's remark becomes 200 MB.",
        lambda: png(64, 64, chunks=[(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(200 * MEGABYTE), 9))]),
    ),
    "many remarks": ("A picture has 100,000 remarks.", lambda: png(64, 64, chunks=[(b"tEXt", b"a\0b")] * 100_000)),
    "pages of a TIFF": ("A TIFF has 5,000 pages.", lambda: tiff(5000)),
    "pages of a TIFF in a circle": ("A TIFF's pages follow each other round.", lambda: tiff(2, in_circle=True)),
    "wide TIFF": ("A TIFF says that it has four billion pixels.", lambda: tiff(1, width=65_000)),
    "GIF": (
        "A GIF says that it has four billion pixels.",
        lambda: b"GIF89a\xff\xff\xff\xff\x80\0\0" + bytes(6) + b",\0\0\0\0\xff\xff\xff\xff\0\x08\1\0\0;",
    ),
    "BMP": (
        "A bitmap says that it has four billion pixels.",
        lambda: (
            b"BM" + struct.pack("<IIIIiiHHIIiiII", 99, 0, 54, 40, 65_535, 65_535, 1, 24, 0, 0, 0, 0, 0, 0) + bytes(99)
        ),
    ),
    "pattern": ("A picture is stripes that could be lines of writing.", lambda: stripes(3000, 3000)),
}

_FAMILIES = {
    "csv": _TABLES,
    "workbook": _BOOKS,
    "document": _DOCUMENTS,
    "OpenDocument": _OPEN,
    "pdf": _PDFS,
    "old file": _OLD,
    "numbers": _NUMBERS,
}


def attacks() -> Iterator[Attack]:
    for family, shapes in _FAMILIES.items():
        for what, (tries, makes) in shapes.items():
            # a page of a PDF without text is looked at as a picture is
            child_mb = PATIENT_MB if family == "pdf" else CHILD_MB
            yield Attack(f"{family}: {what}", tries, Upload(makes), child_mb=child_mb)
    for what, (tries, makes) in _PICTURES.items():
        yield Attack(f"picture: {what}", tries, Upload(makes), aim="memory", child_mb=PATIENT_MB)
