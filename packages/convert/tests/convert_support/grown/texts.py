"""Word texts in the XML and the binary format."""

from collections.abc import Mapping
from functools import partial

from convert_support.compound import filled
from convert_support.grown.kinds import SIGNS, Builder
from convert_support.office import docx, word
from convert_support.word97 import Made, Para, Run, Style, sprm


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
    """Build a document that shows the same chart many times."""
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


def make_docx() -> Mapping[str, Builder]:
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
    for sign in SIGNS:
        escaped = sign.replace("&", "&amp;").replace("<", "&lt;")
        found[f"docx text of {sign!a}"] = partial(_docx_text, sign=escaped)
    return found


def make_doc() -> Mapping[str, Builder]:
    return {
        "doc paragraphs": lambda n: Made([Para("a" * 40)] * (n // 40)).packed(),
        "doc letters": lambda n: Made([Para("a " * n)], narrow="cp1252").packed(),
        "doc letters of another script": lambda n: Made(
            [Para("б a" * n)], narrow="cp1251", fonts=[("Arial", 204)], styles=[Style("Normal", 0)]
        ).packed(),
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
