"""OpenDocument sheets, texts and slides."""

from collections.abc import Mapping
from functools import partial

from convert_support.grown.kinds import Builder
from convert_support.office import odf
from convert_support.sheets import ods


def make_ods(kind: str = "string") -> Mapping[str, Builder]:
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


_MATH = "<draw:object><math:math>{}</math:math></draw:object>"


def make_odt() -> Mapping[str, Builder]:
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
