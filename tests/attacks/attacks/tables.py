"""Tables below the limit that are expensive to convert: delimited text and workbooks."""

from collections.abc import Callable, Iterator

from attacks.attack import Attack, Upload
from attacks.making import LAUGHS, SHEETS, workbook

LARGEST = 10_400_000
"""Size in bytes of a file below the limit."""

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


def attacks() -> Iterator[Attack]:
    for what, (tries, makes) in _TABLES.items():
        yield Attack(f"csv: {what}", tries, Upload(makes))
    for what, (tries, makes) in _BOOKS.items():
        yield Attack(f"workbook: {what}", tries, Upload(makes))
