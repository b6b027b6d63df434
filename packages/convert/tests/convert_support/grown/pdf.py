from collections.abc import Callable, Mapping

from convert_support.grown.kinds import Builder
from convert_support.portable import HEIGHT, WIDTH, Sheet, Tag, portable


def make_pdf() -> Mapping[str, Builder]:
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
        """Build one row of many words above many rows of one word."""
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
