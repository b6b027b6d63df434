"""Files of each format in which one thing grows: what a hostile author can have much of, one builder for each.

A builder takes how many of the thing there are, and gives the file; it costs about as much as the file is large.
"""

import io
import struct
import zipfile
from collections.abc import Callable, Mapping
from functools import partial

from support.compound import filled
from support.grown_further import make_books, make_mails, make_slides
from support.office import docx, odf, relations, word
from support.packed import packed
from support.portable import HEIGHT, WIDTH, Sheet, Tag, portable
from support.sheets import Wire, biff8, biff_link, biff_note, number_cell, numbers, ods, text_cell, xlsx
from support.word97 import Made, Para, Run, Style, sprm

Builder = Callable[[int], bytes]

_SIGNS = (
    '"',
    "'",
    "\\",
    "|",
    "*",
    "_",
    "[",
    "]",
    "](",
    "<",
    ">",
    "&",
    "`",
    "#",
    "$",
    " ",
    "\u00a0",
    "\n",
    "-",
    ".",
    "=",
    "é",
)


def _letters(column: int) -> str:
    letters = ""
    while column >= 0:
        letters, column = chr(65 + column % 26) + letters, column // 26 - 1
    return letters


# --- delimited text

_CSV_UNITS = (
    *(
        '"',
        '""',
        '"\n',
        '"a\n',
        '","',
        '"",',
        ',"',
        ',"a',
        '"a",',
        '"a"b,',
        ' "',
        '"\r',
        "\r",
        "\n",
        "\r\n",
        "\n\r",
        ",",
    ),
    *(
        ";",
        "\t",
        "|",
        "^",
        ":",
        " ",
        "a,b\n",
        "a;b,c\n",
        '"a\nb",c\n',
        "a\tb\r",
        "word ",
        "0:0 ",
        "://",
        "é,",
        "\u2028",
        "0",
    ),
)
_CSV_ENDS = (("", ""), ('a,"', "\n"), ("a,b\n1,2\n", '"'), ('"', "x"), ("sep=;\n", ""))


def _pumped(number: int, *, unit: str, end: str, start: str = "") -> bytes:
    return (start + unit * (8 * number) + end).encode()


def _csv() -> Mapping[str, Builder]:
    found: dict[str, Builder] = {}
    for unit in _CSV_UNITS:
        for start, end in _CSV_ENDS:
            name = f"csv {start!a} + {unit!a} * n + {end!a}"
            found[name] = partial(_pumped, start=start, unit=unit, end=end)
    found["csv of one row"] = lambda n: (",".join(["a"] * (8 * n)) + "\n" + ",".join(["1"] * (8 * n))).encode()
    found["csv of rows that differ"] = lambda n: "\n".join("a," * (row % 90) + "b" for row in range(n)).encode()
    found["csv in utf-16"] = lambda n: ("a,b\n" * n).encode("utf-16")
    found["csv of no encoding"] = lambda n: b"\xe9\x80,\xff\n" * n
    return found


# --- workbooks of XML


def _rows(number: int, cell: str) -> str:
    return "".join(f'<row r="{row}">{cell.format(row=row)}</row>' for row in range(1, number + 1))


def _row(number: int) -> str:
    cells = "".join(f'<c r="{_letters(at)}1"><v>{at}</v></c>' for at in range(min(number, 16_000)))
    return f'<row r="1">{cells}</row>'


def _strings_cells(number: int, each: int = 1) -> str:
    return _rows(number, "".join(f'<c r="{_letters(at)}{{row}}" t="s"><v>0</v></c>' for at in range(each)))


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def _sheet_part(data: str, behind: str) -> str:
    return f'<worksheet xmlns="{_MAIN}" xmlns:r="{_R}"><sheetData>{data}</sheetData>{behind}</worksheet>'


def _linked(cells: str, links: str, addresses: int = 1) -> bytes:
    related = tuple((f"h{at}", "hyperlink", f"https://a.example/{at}") for at in range(addresses))
    return xlsx(
        "",
        more={
            "xl/worksheets/sheet1.xml": _sheet_part(cells, f"<hyperlinks>{links}</hyperlinks>"),
            "xl/worksheets/_rels/sheet1.xml.rels": relations(*related),
        },
    )


def _listed_again(number: int) -> bytes:
    """A workbook that lists one sheet many times."""
    listed = "".join(f'<sheet name="s{at}" sheetId="{at}" r:id="r1"/>' for at in range(number))
    book = f'<workbook xmlns="{_MAIN}" xmlns:r="{_R}"><sheets>{listed}</sheets></workbook>'
    return xlsx("<!-- -->" * (8 * number), more={"xl/workbook.xml": book})


def _commented(number: int, text: str = "<t>remark</t>") -> bytes:
    notes = "".join(f'<comment ref="A{row}" authorId="0"><text>{text}</text></comment>' for row in range(1, number + 1))
    return xlsx(
        _rows(number, '<c r="A{row}"><v>1</v></c>'),
        more={
            "xl/comments1.xml": f'<comments xmlns="{_MAIN}"><authors><author>Ada</author></authors>'
            f"<commentList>{notes}</commentList></comments>",
            "xl/worksheets/_rels/sheet1.xml.rels": relations(("c1", "comments", "../comments1.xml")),
        },
    )


def _xlsx_text(number: int, *, sign: str) -> bytes:
    return xlsx(f'<row r="1"><c r="A1" t="inlineStr"><is><t>{sign * (4 * number)}</t></is></c></row>')


def _xlsx() -> Mapping[str, Builder]:
    text = '<c r="A1" t="inlineStr"><is><t>{}</t></is></c>'
    found: dict[str, Builder] = {
        "xlsx rows": lambda n: xlsx(_rows(n, '<c r="A{row}"><v>{row}</v></c>')),
        "xlsx rows that need a parser": lambda n: xlsx(_rows(n, '<x/><c r="A{row}"><v>{row}</v></c>')),
        "xlsx rows at random": lambda n: xlsx(_rows(n, '<c r="C{row}"><v>1</v></c><c r="A{row}"><v>{row}</v></c>')),
        "xlsx columns": lambda n: xlsx(
            _row(n)
        ),
        "xlsx rows of other columns": lambda n: xlsx(
            "".join(f'<row r="{at + 1}"><c r="{_letters(at % 16_000)}{at + 1}"><v>1</v></c></row>' for at in range(n))
        ),
        "xlsx one row again": lambda n: xlsx('<row r="1"><c r="A1"><v>1</v></c></row>' * n),
        "xlsx one cell again": lambda n: xlsx(
            '<row r="1">' + '<c r="B1"><v>1</v></c><c r="A1"><v>1</v></c>' * n + "</row>"
        ),
        "xlsx empty rows": lambda n: xlsx('<row r="1"/>' * n),
        "xlsx formulas": lambda n: xlsx(_rows(n, '<c r="A{row}"><f>SUM(B1:C3)</f><v>1</v></c>')),
        "xlsx links by formulas": lambda n: xlsx(
            _rows(n, '<c r="A{row}" t="str"><f>HYPERLINK("https://a.example","a")</f><v>a</v></c>')
        ),
        "xlsx strings": lambda n: xlsx(
            _rows(n, '<c r="A{row}" t="s"><v>{row}</v></c>'),
            strings="".join(f"<si><t>s{at}</t></si>" for at in range(n)),
        ),
        "xlsx one string of many cells": lambda n: xlsx(_strings_cells(n), strings=f"<si><t>{'ab ' * n}</t></si>"),
        "xlsx one blank string of many cells": lambda n: xlsx(
            _strings_cells(n).replace('t="s"', 't="s" s="1"'), strings=f"<si><t>{' ' * 8 * n}</t></si>", codes=["@"]
        ),
        "xlsx runs of a string": lambda n: xlsx(_strings_cells(1), strings="<si>" + "<r><t>a</t></r>" * n + "</si>"),
        "xlsx readings": lambda n: xlsx(_strings_cells(1), strings="<si>" + "<rPh sb='0'><t>a</t></rPh>" * n + "</si>"),
        "xlsx readings without end": lambda n: xlsx(_strings_cells(1), strings="<si>" + "<rPh" * n + "</si>"),
        "xlsx strings without end": lambda n: xlsx(_strings_cells(1), strings="<si><t>" * n + "</si>"),
        "xlsx escapes": lambda n: xlsx(text.join(["<row r='1'>", "</row>"]).format("_x000D_" * n)),
        "xlsx formats": lambda n: xlsx(
            _rows(n, '<c r="A{row}" s="{row}"><v>{row}.5</v></c>'), codes=[f'0.0"{at}"' for at in range(n)]
        ),
        "xlsx one format of many numbers": lambda n: xlsx(
            _rows(n, '<c r="A{row}" s="1"><v>{row}.5</v></c>'), codes=['"a"0' * (n // 3)]
        ),
        "xlsx one format that says a text again": lambda n: xlsx(
            _strings_cells(n).replace('t="s"', 't="s" s="1"'), strings=f"<si><t>{' a' * n}</t></si>", codes=["@" * 900]
        ),
        "xlsx sheets": lambda n: xlsx(*['<row r="1"><c r="A1"><v>1</v></c></row>'] * min(n, 4_000),
            names=[f"s{at}" for at in range(n)], states=["visible"] * n),
        "xlsx one sheet listed again": _listed_again,
        "xlsx links": lambda n: _linked(
            _rows(n, '<c r="A{row}"><v>{row}</v></c>'),
            "".join(f'<hyperlink ref="A{row}" r:id="h{row - 1}"/>' for row in range(1, n + 1)), n),
        "xlsx links of one area": lambda n: _linked(
            _rows(n, '<c r="A{row}"><v>{row}</v></c>'), f'<hyperlink ref="A1:B{n}" r:id="h0"/>' * n),
        "xlsx links of one row": lambda n: _linked(
            _row(n),
            '<hyperlink ref="A1:XFD1" r:id="h0"/>' * n),
        "xlsx links of one long text": lambda n: _linked(
            '<row r="1">' + text.format("a [b" * (4 * n)) + "</row>", '<hyperlink ref="A1" r:id="h0"/>' * n),
        "xlsx notes": _commented,
        "xlsx runs of a note": lambda n: _commented(1, "<r><t>a</t></r>" * n),
        "xlsx merged cells": lambda n: xlsx("", more={"xl/worksheets/sheet1.xml": _sheet_part(
            _rows(n, '<c r="A{row}"><v>1</v></c>'),
            "<mergeCells>" + "".join(f'<mergeCell ref="A{at}:B{at}"/>' for at in range(1, n)) + "</mergeCells>")}),
        "xlsx attributes": lambda n: xlsx(
            "<row r='1' " + " ".join(f'a{at}="1"' for at in range(n)) + '><c r="A1"><v>1</v></c></row>'),
        "xlsx depth": lambda n: xlsx("<x>" * n + "</x>" * n),
        "xlsx relations": lambda n: xlsx(
            "",
            more={"xl/worksheets/_rels/sheet1.xml.rels": relations(*[(f"r{at}", "x", "../../a") for at in range(n)])},
        ),
        "xlsx digits of a number": lambda n: xlsx(f'<row r="1"><c r="A1"><v>{"1" * (8 * n)}</v></c></row>'),
        "xlsx names": lambda n: xlsx("", more={"xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_R}"><sheets/>'
            "<definedNames>" + "".join(f'<definedName name="n{at}">A1</definedName>' for at in range(n))
            + "</definedNames></workbook>"}),
    }  # fmt: skip
    for sign in _SIGNS:
        escaped = sign.replace("&", "&amp;").replace("<", "&lt;")
        found[f"xlsx text of {sign!a}"] = partial(_xlsx_text, sign=escaped)
    return found


# --- OpenDocument spreadsheets


def _ods(kind: str = "string") -> Mapping[str, Builder]:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'

    def table(rows: str) -> str:
        return f'<table:table table:name="t">{rows}</table:table>'

    def row(cells: str) -> str:
        return f"<table:table-row>{cells}</table:table-row>"

    return {
        "ods rows": lambda n: ods(table(row(cell.format("a")) * n)),
        "ods columns": lambda n: ods(table(row(cell.format("a") * min(n, 16_000)))),
        "ods tables": lambda n: ods(table(row(cell.format("a"))) * n),
        "ods paragraphs": lambda n: ods(table(row(cell.format("a</text:p><text:p>" * n)))),
        "ods links": lambda n: ods(table(row(cell.format('<text:a xlink:href="http://a.example">a</text:a>' * n)))),
        "ods links within each other": lambda n: ods(
            table(row(cell.format('<text:a xlink:href="http://a.example">a' * min(n, 200) + "</text:a>" * min(n, 200))))
        ),
        "ods spaces": lambda n: ods(table(row(cell.format('<text:s text:c="900"/>' * n)))),
        "ods notes": lambda n: ods(
            table(
                row(
                    cell.format("a").replace(
                        "<text:p>", "<office:annotation><text:p>x</text:p></office:annotation><text:p>"
                    )
                    * n
                )
            )
        ),
        "ods repeated rows": lambda n: ods(
            table(f'<table:table-row table:number-rows-repeated="9">{cell.format("a")}</table:table-row>' * n)
        ),
        "ods hidden styles": lambda n: ods(
            table(row(cell.format("a"))),
            styles='<style:style style:name="a"><style:table-properties table:display="false"/></style:style>' * n,
        ),
        "ods digits of a number": lambda n: ods(
            table(row(f'<table:table-cell office:value-type="float" office:value="{"1" * (8 * n)}"/>'))
        ),
        "ods signs": lambda n: ods(table(row(cell.format("[a](*_`|" * n)))),
        "ods formula": lambda n: ods(
            table(
                row(
                    f'<table:table-cell table:formula="of:=HYPERLINK(&quot;{"&quot;&quot;" * n}">'
                    "<text:p>a</text:p></table:table-cell>"
                )
            )
        ),
    }


# --- workbooks of records


def _biff_many(number: int, sheets: int) -> bytes:
    """A workbook that lists one sheet many times, whose records are many."""
    body = biff8([["a"]], more=[(0x3FF, b"x" * 20)] * number)
    at = body.index(struct.pack("<H", 0x85))
    length = 4 + struct.unpack_from("<H", body, at + 2)[0]
    (start,) = struct.unpack_from("<I", body, at + 4)
    listed = struct.pack("<HHI", 0x85, length - 4, start + length * (sheets - 1)) + body[at + 8 : at + length]
    return body[:at] + listed * sheets + body[at + length :]


def _xls() -> Mapping[str, Builder]:
    def joined(cells: list[list[object]], **more: object) -> bytes:
        return biff8(cells, **more)  # type: ignore[arg-type]  # passed on as they are

    return {
        "xls rows": lambda n: joined([["a", 1.5]] * (n // 2)),
        "xls formats": lambda n: joined(
            [[(1.5, at)] for at in range(n // 4)], codes=[f'0"{at}"' for at in range(n // 4)]
        ),
        "xls links": lambda n: joined([["a"]], more=[biff_link((0, 0, 0, 0), "https://a.example/x")] * n),
        "xls links of one column": lambda n: joined(
            [["a"]] * (n // 4), more=[biff_link((0, 65_535, 0, 255), "https://a.example/x")] * (n // 4)
        ),
        "xls notes": lambda n: joined([["a"]], more=biff_note(0, 0, "Ada", "text") * n),
        "xls texts of a note": lambda n: joined([["a"]], more=biff_note(0, 0, "Ada", *["text"] * n)),
        "xls merged cells": lambda n: joined([["a"]], more=[(0xE5, struct.pack("<5H", 1, 0, 1, 0, 1))] * n),
        "xls one sheet listed again": lambda n: _biff_many(n, n // 4 + 1),
        "xls in a compound file": lambda n: filled({"Workbook": biff8([["a"]], more=[(0x3FF, b"x" * 90)] * n)}),
        "xls streams": lambda n: filled({"Workbook": biff8([["a"]]), **{f"s{at}": b"x" * 70 for at in range(n // 2)}}),
        "xls signs": lambda n: joined([["[a](*_`|" * 100]] * (n // 100)),
    }


# --- Numbers


def _numbers_cells(number: int, key: int = 1) -> list[list[bytes | None]]:
    return [[text_cell(key)] for _ in range(number)]


def _numbers() -> Mapping[str, Builder]:
    return {
        "numbers rows": lambda n: numbers(_numbers_cells(n // 8), strings=["a"]),
        "numbers strings": lambda n: numbers(
            [[text_cell(at + 1)] for at in range(n // 8)], strings=[f"s{at}" for at in range(n // 8)]
        ),
        "numbers one string of many cells": lambda n: numbers(_numbers_cells(n // 8), strings=["ab " * n]),
        "numbers one blank string of many cells": lambda n: numbers(_numbers_cells(n // 8), strings=[" " * (8 * n)]),
        "numbers one format of many cells": lambda n: numbers(
            [[number_cell(at, 1)] for at in range(n // 8)],
            formats=[Wire().put(1, 270).put(41, Wire().put(1, 7).put(2, 7))],
            custom=[(7, Wire().put(3, Wire().put(18, "'a'" * (n // 8) + "0")))],
        ),
        "numbers cells over each other": lambda n: _crossed(n // 8),
    }


def _crossed(number: int) -> bytes:
    """Cells that begin at the start and at the end of their row by turns."""
    return numbers([[number_cell(1) * number, *[number_cell(1)] * 2] * 8] * 4)


# --- texts of XML


def _paragraph(text: str, properties: str = "") -> str:
    return f"<w:p>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>"


def _item(level: int = 0) -> str:
    return f'<w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr></w:pPr>'


def _list(text: str) -> str:
    return (
        f'<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/>'
        '</w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )


_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"


def _chart(series: str) -> str:
    return f'<c:chartSpace xmlns:c="{_C}"><c:chart>{series}</c:chart></c:chartSpace>'


def _charts(number: int, chart: str) -> bytes:
    """A document that shows one chart many times."""
    return docx(
        "<w:p><w:r><w:drawing><c:chart r:id='c1'/></w:drawing></w:r></w:p>" * number,
        links=(("c1", "chart", "charts/chart1.xml"),),
        more={"word/charts/chart1.xml": chart},
    )


def _styles(number: int) -> str:
    chain = "".join(
        f'<w:style w:type="paragraph" w:styleId="s{at}"><w:basedOn w:val="s{at + 1}"/></w:style>'
        for at in range(number)
    )
    return chain + f'<w:style w:type="paragraph" w:styleId="s{number}"/>'


def _noted(number: int) -> bytes:
    marks = "".join(f'<w:r><w:footnoteReference w:id="{at}"/></w:r>' for at in range(number))
    notes = "".join(f'<w:footnote w:id="{at}">{_paragraph("n")}</w:footnote>' for at in range(number))
    return docx(f"<w:p>{marks}</w:p>", links=(("f", "footnotes", "footnotes.xml"),),
        more={"word/footnotes.xml": word("footnotes", notes)})  # fmt: skip


def _docx_text(number: int, *, sign: str) -> bytes:
    return docx(_paragraph(sign * (4 * number)))


def _docx() -> Mapping[str, Builder]:
    field = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    instruction = "<w:r><w:instrText>{}</w:instrText></w:r>"

    def table(rows: str) -> str:
        return f"<w:tbl>{rows}</w:tbl>"

    def row(cells: str) -> str:
        return f"<w:tr>{cells}</w:tr>"

    cell = f"<w:tc>{_paragraph('a')}</w:tc>"
    found: dict[str, Builder] = {
        "docx paragraphs": lambda n: docx(_paragraph("a") * n),
        "docx runs": lambda n: docx("<w:p>" + "<w:r><w:t>a</w:t></w:r>" * n + "</w:p>"),
        "docx runs by turns": lambda n: docx(
            "<w:p>" + "<w:r><w:rPr><w:b/></w:rPr><w:t>a</w:t></w:r><w:r><w:t> </w:t></w:r>" * n + "</w:p>"
        ),
        "docx breaks": lambda n: docx("<w:p><w:r>" + "<w:br/>" * n + "<w:t>a</w:t></w:r></w:p>"),
        "docx joined paragraphs": lambda n: docx(
            _paragraph("a", "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>") * n + _paragraph("b")
        ),
        "docx items": lambda n: docx(_paragraph("a", _item()) * n, numbering=_list("%1.")),
        "docx items by turns": lambda n: docx(
            (_paragraph("a", _item()) + _paragraph("a", _item(1))) * n, numbering=_list("%1.")
        ),
        "docx one label of many items": lambda n: docx(_paragraph("a", _item()) * n, numbering=_list("x%1 " * n)),
        "docx styles on each other": lambda n: docx(
            "".join(_paragraph("a", f'<w:pPr><w:pStyle w:val="s{at}"/></w:pPr>') for at in reversed(range(n))),
            styles=_styles(n),
        ),
        "docx one font of many runs": lambda n: docx(
            "<w:p>" + '<w:r><w:rPr><w:rStyle w:val="c"/></w:rPr><w:t>a</w:t></w:r>' * n + "</w:p>",
            styles='<w:style w:type="character" w:styleId="c"><w:rPr>'
            f'<w:rFonts w:ascii="{"F" * (8 * n)}"/></w:rPr></w:style>',
        ),
        "docx boxes of code": lambda n: docx(
            _paragraph("a = 1", '<w:pPr><w:pStyle w:val="c"/></w:pPr>') * n,
            styles='<w:style w:type="paragraph" w:styleId="c"><w:name w:val="Code"/></w:style>',
        ),
        "docx fields": lambda n: docx(
            "<w:p>" + (field.format("begin") + instruction.format('HYPERLINK "http://a.example"')
            + field.format("separate") + "<w:r><w:t>a</w:t></w:r>" + field.format("end")) * n + "</w:p>"
        ),
        "docx open fields": lambda n: docx(("<w:p>" + field.format("begin") + "</w:p>") * n),
        "docx instruction": lambda n: docx(
            "<w:p>"
            + field.format("begin")
            + instruction.format("HYPERLINK \\l ") * n
            + field.format("separate")
            + "</w:p>"
        ),
        "docx links": lambda n: docx(
            "<w:p>" + '<w:hyperlink r:id="h"><w:r><w:t>a</w:t></w:r></w:hyperlink>' * n + "</w:p>",
            links=(("h", "hyperlink", "http://a.example"),)),
        "docx notes": _noted,
        "docx rows": lambda n: docx(table(row(cell * 2) * n)),
        "docx columns": lambda n: docx(table(row(cell * n) * 2)),
        "docx rows of other columns": lambda n: docx(table("".join(
            f'<w:tr><w:trPr><w:gridBefore w:val="{at % 1000}"/></w:trPr>{cell}</w:tr>' for at in range(n)))),
        "docx tables": lambda n: docx((table(row(cell * 2) * 2) + "<w:p/>") * n),
        "docx tables within each other": lambda n: docx(
            (table(row("<w:tc>" * 1)[:-7])).replace("</w:tbl>", "") * min(n, 60)
            + _paragraph("a") + "</w:tc></w:tr></w:tbl>" * min(n, 60)),
        "docx spanning cells": lambda n: docx(table(row(
            "<w:tc><w:tcPr><w:gridSpan w:val='900'/></w:tcPr><w:p/></w:tc>" * n) * 2)),
        "docx text boxes": lambda n: docx(
            "<w:p>"
            + f"<w:r><w:drawing><w:txbxContent>{_paragraph('a')}</w:txbxContent></w:drawing></w:r>" * n
            + "</w:p>"),
        "docx one chart shown again": lambda n: _charts(
            n // 4 + 1, _chart("<c:x/>" * (4 * n) + "<c:ser><c:val><c:pt idx='0'><c:v>1</c:v></c:pt></c:val></c:ser>")),
        "docx series of a chart": lambda n: _charts(1, _chart("".join(
            f"<c:ser><c:val><c:pt idx='{at}'><c:v>1</c:v></c:pt></c:val></c:ser>" for at in range(n // 4)))),
        "docx formulas": lambda n: docx("<w:p>" + "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>" * n + "</w:p>"),
        "docx a long formula": lambda n: docx("<w:p><m:oMath>" + "<m:r><m:t>x</m:t></m:r>" * n + "</m:oMath></w:p>"),
        "docx attributes": lambda n: docx(
            "<w:p " + " ".join(f'w:a{at}="1"' for at in range(n)) + "/>" + _paragraph("a")),
        "docx strict attributes": lambda n: docx("", more={"word/document.xml":
            '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"><w:body><w:p '
            + " ".join(f'w:a{at}="1"' for at in range(n)) + "/></w:body></w:document>"}),
        "docx namespaces": lambda n: docx(
            "<w:p " + " ".join(f'xmlns:n{at}="u:{at}"' for at in range(n)) + "/>" + _paragraph("a")),
        "docx relations": lambda n: docx(_paragraph("a"), links=tuple((f"h{at}", "x", "../../a") for at in range(n))),
        "docx alternatives": lambda n: docx(
            "<w:p><mc:AlternateContent><mc:Choice><w:r><w:t>a</w:t></w:r></mc:Choice>" + "<mc:Fallback/>" * n
            + "</mc:AlternateContent></w:p>"),
        "docx comments in the XML": lambda n: docx("<!-- a -->" * n + _paragraph("a")),
        "docx entities": lambda n: docx(_paragraph("&amp;&#65;" * n)),
        "docx pictures": lambda n: docx(
            "<w:p>" + '<w:r><w:drawing><wp:docPr descr="a b"/><a:blip r:embed="p"/></w:drawing></w:r>'
            * n + "</w:p>"),
        "docx nested pictures": lambda n: docx(
            ("<w:p><w:r><w:drawing>" * min(n, 60)) + "</w:drawing></w:r></w:p>" * min(n, 60)),
        "docx choices": lambda n: docx('<w:p><w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList>'
            + '<w:listEntry w:val="a"/>' * n + "</w:ddList></w:ffData></w:fldChar></w:r></w:p>"),
    }  # fmt: skip
    for sign in _SIGNS:
        escaped = sign.replace("&", "&amp;").replace("<", "&lt;")
        found[f"docx text of {sign!a}"] = partial(_docx_text, sign=escaped)
    return found


# --- OpenDocument texts and slides

_MATH = "<draw:object><math:math>{}</math:math></draw:object>"


def _odt() -> Mapping[str, Builder]:
    p = "<text:p>{}</text:p>"

    def table(rows: str) -> str:
        return f"<table:table>{rows}</table:table>"

    def row(cells: str) -> str:
        return f"<table:table-row>{cells}</table:table-row>"

    cell = f"<table:table-cell>{p.format('a')}</table:table-cell>"
    one_list = f'<text:list text:style-name="L">{"{}"}</text:list>'
    list_item = f"<text:list-item>{p.format('a')}</text:list-item>"
    chain = "".join(
        '<style:style style:name="s{}" style:family="paragraph" style:parent-style-name="s{}"/>' for _ in range(1)
    )
    odt = partial(odf, "text")
    return {
        "odt paragraphs": lambda n: odt(p.format("a") * n),
        "odt spans": lambda n: odt(p.format('<text:span text:style-name="b">a</text:span>' * n)),
        "odt spaces": lambda n: odt(p.format('<text:s text:c="90"/>a' * n)),
        "odt styles on each other": lambda n: odt(
            "".join(f'<text:p text:style-name="s{at}">a</text:p>' for at in range(n)),
            styles="".join(chain.format(at, at + 1) for at in range(n)),
        ),
        "odt items": lambda n: odt(one_list.format(list_item * n)),
        "odt lists": lambda n: odt(one_list.format(list_item) * n),
        "odt one long name of many lists": lambda n: odt(
            f'<text:list text:style-name="{"L" * (8 * n)}"><text:list-item>'
            + f"<text:list>{list_item}</text:list>" * n
            + "</text:list-item></text:list>"
        ),
        "odt one label of many items": lambda n: odt(
            one_list.format(list_item * n),
            automatic='<text:list-style style:name="L"><text:list-level-style-number text:level="1"'
            f' style:num-format="1" style:num-prefix="{"a " * n}"/></text:list-style>',
        ),
        "odt one label of many headings": lambda n: odt(
            '<text:h text:outline-level="1">a</text:h>' * n,
            styles='<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"'
            f' style:num-suffix="{"a " * n}"/></text:outline-style>',
        ),
        "odt notes": lambda n: odt(
            p.format(f"<text:note><text:note-body>{p.format('n')}</text:note-body></text:note>" * n)
        ),
        "odt rows": lambda n: odt(table(row(cell * 2) * n)),
        "odt columns": lambda n: odt(table(row(cell * n) * 2)),
        "odt tables": lambda n: odt(table(row(cell * 2) * 2) * n),
        "odt tables within each other": lambda n: odt(
            "<table:table><table:table-row><table:table-cell>" * min(n, 60)
            + "</table:table-cell></table:table-row></table:table>" * min(n, 60)
        ),
        "odt covered cells": lambda n: odt(
            table(row(cell + '<table:covered-table-cell table:number-columns-repeated="9"/>' * n) * 2)
        ),
        "odt frames": lambda n: odt(
            p.format(f"<draw:frame><draw:text-box>{p.format('a')}</draw:text-box></draw:frame>" * n)
        ),
        "odt one object shown again": lambda n: odt(
            p.format('<draw:frame><draw:object xlink:href="./o"/></draw:frame>' * (n // 4 + 1)),
            more={"o/content.xml": '<math xmlns="http://www.w3.org/1998/Math/MathML">' + "<mi>x</mi>" * n + "</math>"},
        ),
        "odt scripts around a sign": lambda n: odt(
            p.format(_MATH.format("<math:mmultiscripts>" + "<math:mi>x</math:mi>" * n + "</math:mmultiscripts>"))
        ),
        "odt a long formula": lambda n: odt(p.format(_MATH.format("<math:mo>(</math:mo><math:mi>x</math:mi>" * n))),
        "odt a matrix": lambda n: odt(p.format(_MATH.format(
            "<math:mtable>" + "<math:mtr><math:mi>x</math:mi></math:mtr>" * n + "</math:mtable>"))),
        "odt sections": lambda n: odt(f"<text:section>{p.format('a')}</text:section>" * n),
        "odp slides": lambda n: odf(
            "presentation", f"<draw:page><draw:frame>{p.format('a')}</draw:frame></draw:page>" * n
        ),
        "odp shapes": lambda n: odf(
            "presentation",
            "<draw:page>"
            + f'<draw:frame svg:y="1cm" svg:height="2cm"><draw:text-box>{p.format("a")}'
            "</draw:text-box></draw:frame>" * n
            + "</draw:page>",
        ),
    }  # fmt: skip


# --- binary texts


def _doc() -> Mapping[str, Builder]:
    return {
        "doc paragraphs": lambda n: Made([Para("a" * 40)] * (n // 40)).packed(),
        "doc letters": lambda n: Made([Para("a " * n)], narrow="cp1252").packed(),
        "doc runs": lambda n: Made([Para([Run("a", sprm(0x0835, 1)), Run("b")] * (n // 20))]).packed(),
        "doc pieces": lambda n: Made([Para("abcd" * (n // 20))], pieces=[2] * (n // 20)).packed(),
        "doc fields": lambda n: Made([Para('\x13 HYPERLINK "http://a.example" \x14a\x15' * (n // 40))]).packed(),
        "doc open fields": lambda n: Made([Para("\x13")] * (n // 20)).packed(),
        "doc cells": lambda n: Made([Para("a", sprm(0x2416, 1), mark="\x07")] * (n // 20)).packed(),
        "doc styles on each other": lambda n: Made(
            [Para("a", style=at) for at in range(min(n // 20, 900))],
            styles=[Style(f"s{at}", base=at + 1) for at in range(min(n // 20, 900))],
        ).packed(),
        "doc streams": lambda n: filled(
            {"WordDocument": b"\xec\xa5" + bytes(2000), **{f"s{at}": b"x" for at in range(n // 4)}}
        ),
    }


# --- PDF


def _pdf() -> Mapping[str, Builder]:
    def words(n: int) -> Sheet:
        sheet = Sheet()
        for at in range(n // 4):
            sheet.text(40 + at * 37 % 500, 40 + at * 91 % 700, "word")
        return sheet

    def columns(n: int, rows: int = 3) -> Sheet:
        width = n // 4
        sheet = Sheet(box=f"0 0 {20 + 40 * width} {HEIGHT}")
        for row in range(rows):
            for at in range(width):
                sheet.text(10 + 40 * at, 100 + 14 * row, "12", size=8)
        return sheet

    def stairs(n: int) -> Sheet:
        sheet = Sheet(box=f"0 0 {20 + 40 * n} {100 + 14 * n}")
        for at in range(n // 4):
            sheet.text(10 + 40 * at, 50 + 4 * at, "12", size=8)
        return sheet

    def comb(n: int) -> Sheet:
        """One row of many words above many of one."""
        count = n // 8
        sheet = Sheet(box=f"0 0 {20 + 40 * count} {200 + 12 * count}")
        for at in range(count):
            sheet.drawn.append(f"BT /Helvetica 8 Tf {10 + 40 * at} {150 + 12 * count} Td (12) Tj ET")
            sheet.drawn.append(f"BT /Helvetica 8 Tf 10 {130 + 12 * (count - at)} Td (12) Tj ET")
        return sheet

    def tall(n: int) -> Sheet:
        sheet = Sheet(box=f"0 0 {WIDTH} {100 + 12 * n}")
        for at in range(n // 4):
            sheet.drawn.append(f"BT /Helvetica 10 Tf 72 {50 + 12 * at} Td (some words of a line {at}) Tj ET")
        return sheet

    def table_rows(n: int) -> Sheet:
        sheet = Sheet(box=f"0 0 {WIDTH} {100 + 14 * n}")
        for at in range(n // 8):
            for x, text in ((72, "name"), (200, "12"), (300, "3.5")):
                sheet.drawn.append(f"BT /Helvetica 10 Tf {x} {50 + 14 * at} Td ({text}) Tj ET")
        return sheet

    def rules(n: int) -> Sheet:
        sheet = Sheet().text(80, 80, "a")
        side = max(2, int((n // 4) ** 0.5))
        for at in range(side):
            sheet.line(40, 40 + 600 * at / side, 500, 40 + 600 * at / side)
            sheet.line(40 + 460 * at / side, 40, 40 + 460 * at / side, 640)
        return sheet

    def lines(n: int) -> Sheet:
        sheet = Sheet().text(80, 80, "a")
        for at in range(n // 4):
            sheet.line(40 + at % 50, 40 + at * 7 % 600, 60 + at % 50, 40 + at * 7 % 600)
        return sheet

    def pages(n: int) -> list[Sheet]:
        return [
            Sheet().lines(72, 90, [f"Row {page} {at} of a text" for at in range(4)]).text(72, 30, "Head of all")
            for page in range(n // 16)
        ]

    def tables_on_pages(n: int) -> list[Sheet]:
        found = []
        for page in range(n // 16):
            sheet = Sheet()
            for row in range(20):
                y = 140 + row * 30
                for x, text in ((72, f"name {page} {row}"), (220, "12"), (330, f"{page}.5")):
                    sheet.text(x, y, text)
            found.append(sheet.grid([60, 200, 320, 500], [120 + 30 * at for at in range(21)]))
        return found

    def links(n: int) -> Sheet:
        sheet = words(n)
        for at in range(n // 4):
            sheet.link(0, 0, WIDTH, HEIGHT, f"https://a.example/{at}")
        return sheet

    def fields(n: int) -> Sheet:
        sheet = words(n)
        for at in range(n // 4):
            sheet.field(60, 60, 200, 700, f"f{at}", "value")
        return sheet

    def tagged(n: int, made: Callable[[int], list[Tag]]) -> Sheet:
        sheet = Sheet(tags=made(n // 8))
        for at in range(n // 8):
            sheet.marked(at, 40 + at * 37 % 500, 40 + at * 91 % 700, "word")
        return sheet

    def rows_of(marks: int) -> list[Tag]:
        rows: list[Tag] = [("TR", [("TD", at)]) for at in range(marks)]
        return [("Table", rows)]

    def wide(marks: int) -> list[Tag]:
        half = marks // 2
        first: Tag = ("TR", [("TD", at) for at in range(half)])
        rows: list[Tag] = [("TR", [("TD", at)]) for at in range(half, marks)]
        return [("Table", [first, *rows])]

    def spanning(marks: int) -> list[Tag]:
        span = "TD/A<</O/Table/RowSpan 100/ColSpan 100>>"
        return [("Table", [("TR", [(span, at), ("TD", at + 1)]) for at in range(0, marks - 1, 2)])]

    def headings(marks: int) -> list[Tag]:
        return [("H1" if at % 9 == 0 else "P", at) for at in range(marks)]

    def deep(marks: int) -> list[Tag]:
        tag: Tag = ("P", 0)
        for _ in range(min(marks, 200)):
            tag = ("Sect", [tag])
        return [tag, *[("P", at) for at in range(1, marks)]]

    def figures(marks: int) -> list[Tag]:
        return [(f"Figure/Alt(picture {at})", at) for at in range(marks)]

    return {
        "pdf words": lambda n: portable(words(n)),
        "pdf words of one place": lambda n: portable(
            Sheet(drawn=["BT /Helvetica 10 Tf 72 72 Td (word) Tj ET"] * (n // 4))
        ),
        "pdf columns": lambda n: portable(columns(n)),
        "pdf stairs": lambda n: portable(stairs(n)),
        "pdf comb": lambda n: portable(comb(n)),
        "pdf lines": lambda n: portable(tall(n)),
        "pdf rows of a table": lambda n: portable(table_rows(n)),
        "pdf rules": lambda n: portable(rules(n)),
        "pdf short rules": lambda n: portable(lines(n)),
        "pdf pages": lambda n: portable(*pages(n)),
        "pdf tables that go on": lambda n: portable(*tables_on_pages(n)),
        "pdf links": lambda n: portable(links(n)),
        "pdf fields": lambda n: portable(fields(n)),
        "pdf rows by tags": lambda n: portable(tagged(n, rows_of)),
        "pdf columns and rows by tags": lambda n: portable(tagged(n, wide)),
        "pdf spanning cells by tags": lambda n: portable(tagged(n, spanning)),
        "pdf headings by tags": lambda n: portable(tagged(n, headings)),
        "pdf deep tags": lambda n: portable(tagged(n, deep)),
        "pdf figures by tags": lambda n: portable(tagged(n, figures)),
        "pdf outline": lambda n: portable(words(80), outline=[(f"word {at}", 0, 0) for at in range(n // 16)]),
        "pdf dots of a line": lambda n: portable(Sheet().text(40, 40, ". " * (n // 8) + "x", size=1)),
        "pdf title of '!'": lambda n: portable(Sheet().text(72, 72, "word"), info=f"/Title({'!' * (2 * n)}x y z)"),
        "pdf title of '.'": lambda n: portable(Sheet().text(72, 72, "word"), info=f"/Title({'.d' * (2 * n)}x)"),
        "pdf alternative of '.'": lambda n: portable(tagged(80, lambda _: [(f"Figure/Alt({'. ' * n}x y)", 0)])),
        "pdf streams": lambda n: portable(Sheet().text(72, 72, "word"), streams=[("/A 1", b"stream\n" * 9)] * (n // 4)),
        "pdf forms": lambda n: portable(
            Sheet().text(72, 72, "word"),
            streams=[
                (
                    f"/Type/XObject/Subtype/Form/Resources<</XObject<</A {23 + at} 0 R/B {24 + at} 0 R>>>>",
                    b"/A Do /B Do ",
                )
                for at in range(n // 8)
            ],
        ),
    }  # fmt: skip


# --- archives


def _archive() -> Mapping[str, Builder]:
    def parts(n: int) -> bytes:
        return packed({"word/document.xml": "<a/>", **{f"p{at}": b"x" for at in range(n)}})

    def names(n: int) -> bytes:
        body = io.BytesIO()
        with zipfile.ZipFile(body, "w") as archive:
            for at in range(min(n, 4_900)):
                archive.writestr("a/" * 9 + str(at), b"")
        return body.getvalue()

    return {
        "zip parts": parts,
        "zip names": names,
        "zip of a stored part": lambda n: packed({"xl/workbook.xml": "<a/>", "x": b"x" * (40 * n)}, stored=("x",)),
    }


# --- texts that are no table, told apart by their beginning

_DETECTED = (
    "<",
    "<!--",
    "<!-- -->",
    "<?a?>",
    "\n",
    " ",
    "a:\n",
    "a: b\n c\n",
    "{",
    "[ ",
    "<!doctype ",
    "<a:",
    "%PDF-",
    "\ufeff",
    "sep=",
)


def _detect() -> Mapping[str, Builder]:
    return {f"text of {unit!a}": partial(_pumped, unit=unit, end="x") for unit in _DETECTED}


FILES: Mapping[str, Builder] = {
    **_csv(),
    **_xlsx(),
    **_ods(),
    **_xls(),
    **_numbers(),
    **_docx(),
    **_odt(),
    **_doc(),
    **_pdf(),
    **make_slides(),
    **make_books(),
    **make_mails(),
    **_archive(),
    **_detect(),
}
"""By what grows."""
