"""Excel workbooks in XML."""

from collections.abc import Mapping
from functools import partial

from convert_support.grown.kinds import SIGNS, Builder
from convert_support.office import relations
from convert_support.sheets import xlsx


def name_column(column: int) -> str:
    letters = ""
    while column >= 0:
        letters, column = chr(65 + column % 26) + letters, column // 26 - 1
    return letters


def _rows(number: int, cell: str) -> str:
    return "".join(f'<row r="{row}">{cell.format(row=row)}</row>' for row in range(1, number + 1))


def _row(number: int) -> str:
    cells = "".join(f'<c r="{name_column(at)}1"><v>{at}</v></c>' for at in range(min(number, 16_000)))
    return f'<row r="1">{cells}</row>'


def _strings_cells(number: int, each: int = 1) -> str:
    return _rows(number, "".join(f'<c r="{name_column(at)}{{row}}" t="s"><v>0</v></c>' for at in range(each)))


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
    """Build a workbook that refers to the same sheet many times."""
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


def make_xlsx() -> Mapping[str, Builder]:
    text = '<c r="A1" t="inlineStr"><is><t>{}</t></is></c>'
    found: dict[str, Builder] = {
        "xlsx rows": lambda n: xlsx(_rows(n, '<c r="A{row}"><v>{row}</v></c>')),
        "xlsx rows that need a parser": lambda n: xlsx(_rows(n, '<x/><c r="A{row}"><v>{row}</v></c>')),
        "xlsx rows at random": lambda n: xlsx(_rows(n, '<c r="C{row}"><v>1</v></c><c r="A{row}"><v>{row}</v></c>')),
        "xlsx columns": lambda n: xlsx(
            _row(n)
        ),
        "xlsx rows of other columns": lambda n: xlsx(
            "".join(
                f'<row r="{at + 1}"><c r="{name_column(at % 16_000)}{at + 1}"><v>1</v></c></row>' for at in range(n)
            )
        ),
        "xlsx one row again": lambda n: xlsx('<row r="1"><c r="A1"><v>1</v></c></row>' * n),
        "xlsx one cell again": lambda n: xlsx(
            '<row r="1">' + '<c r="B1"><v>1</v></c><c r="A1"><v>1</v></c>' * n + "</row>"
        ),
        "xlsx empty rows": lambda n: xlsx('<row r="1"/>' * n),
        "xlsx formulas": lambda n: xlsx(_rows(n, '<c r="A{row}"><f>SUM(B1:C3)</f><v>1</v></c>')),
        "xlsx shared formulas": lambda n: xlsx(
            f'<row r="1"><c r="A1"><f t="shared" si="0" ref="A1:A{n + 1}">SUM(B1:C3)</f><v>1</v></c></row>'
            + "".join(f'<row r="{at + 2}"><c r="A{at + 2}"><f t="shared" si="0"/><v>1</v></c></row>' for at in range(n))
        ),
        "xlsx masters of shared formulas": lambda n: xlsx(
            _rows(n, '<c r="A{row}"><f t="shared" si="{row}" ref="A1:A1048576">SUM(B1:C3)</f><v>1</v></c>')
        ),
        "xlsx shared links by formulas": lambda n: xlsx(
            _rows(n, '<c r="A{row}" t="str"><f t="shared" si="0" ref="A1:A1048576">HYPERLINK("https://a.example","a")'
                     "</f><v>a</v></c>")
        ),
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
        "xlsx hidden rows": lambda n: xlsx(
            "".join(f'<row r="{row}" hidden="1"><c r="A{row}"><v>1</v></c></row>' for row in range(1, n + 1))
        ),
        "xlsx hidden columns": lambda n: xlsx(
            "",
            more={
                "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><cols>'
                + "".join(f'<col min="{at}" max="16384" hidden="1"/>' for at in range(1, n + 1))
                + f"</cols><sheetData>{_row(n)}</sheetData></worksheet>"
            },
        ),
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
        "xlsx names of areas": lambda n: xlsx(
            _rows(n, '<c r="A{row}"><v>1</v></c>'),
            more={"xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_R}"><sheets><sheet name="Sheet1"'
                  ' sheetId="1" r:id="r1"/></sheets><definedNames>' + "".join(
                      f'<definedName name="_xlnm.Print_Titles" localSheetId="0">Sheet1!$A:$XFD,Sheet1!$1:${at + 1}'
                      "</definedName>" for at in range(n)) + "</definedNames></workbook>"},
        ),
        "xlsx names": lambda n: xlsx("", more={"xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_R}"><sheets/>'
            "<definedNames>" + "".join(f'<definedName name="n{at}">A1</definedName>' for at in range(n))
            + "</definedNames></workbook>"}),
    }  # fmt: skip
    for sign in SIGNS:
        escaped = sign.replace("&", "&amp;").replace("<", "&lt;")
        found[f"xlsx text of {sign!a}"] = partial(_xlsx_text, sign=escaped)
    return found
