"""PDFs in which a list of the format, other than words and pages, is as long as possible."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from convert_support.grown.kinds import Builder
from convert_support.portable import Sheet, portable, streams_from


def _draw(number: int, one: Callable[[int], str]) -> bytes:
    sheet = Sheet(drawn=[one(at) for at in range(number)])
    return portable(sheet.text(72, 72, "word"))


def _frame(at: int, number: int) -> str:
    inset = 290 * at / number
    return f"{inset:.4f} {inset:.4f} {600 - 2 * inset:.4f} {780 - 2 * inset:.4f} re"


def _frames(number: int, *, operator: str) -> bytes:
    return _draw(number, lambda at: f"{_frame(at, number)} {operator}")


def _fonts(number: int) -> bytes:
    sheet = Sheet()
    for at in range(number // 8):
        sheet.drawn.append(f"BT /X{at} 10 Tf {40 + at * 37 % 500} {40 + at * 91 % 700} Td (word) Tj ET")
    return portable(sheet, fonts={f"X{at}": f"/Subtype/Type1/BaseFont/Foo{at}" for at in range(number // 8)})


def _letters(entries: str, *, locked: bool = False, maps: Sequence[bytes] = ()) -> bytes:
    """Build text in a font.

    entries: the entries of its descendant font. locked: whether the file is encrypted with an empty password. maps:
    CMaps, of which the first maps codes to Unicode, and the second is the encoding.
    """
    sheet = Sheet().text(72, 72, "word")
    sheet.drawn.append("BT /X 10 Tf 72 600 Td <" + "00410042" * 50 + "> Tj ET")
    first = streams_from(sheet)
    encoding = f"{first + 1} 0 R" if len(maps) > 1 else "/Identity-H"
    to_text = f"/ToUnicode {first} 0 R" if maps else ""
    font = (
        f"/Subtype/Type0/BaseFont/Foo{to_text}/Encoding {encoding}/DescendantFonts[<</Type/Font"
        "/Subtype/CIDFontType2/BaseFont/Foo"
        f"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>{entries}>>]"
    )
    streams = [("/Type/CMap/CMapName/M", each) for each in maps]
    return portable(sheet, fonts={"X": font}, streams=streams, password="" if locked else None)


def _map(section: str, entry: str, number: int) -> bytes:
    """Build a CMap that repeats an entry."""
    return (
        "/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange "
        f"{number} begin{section} {entry * number}end{section} endcmap end"
    ).encode()


def _mapped(number: int, *, locked: bool) -> Mapping[str, Callable[[], bytes]]:
    """Return builders of fonts whose maps describe characters once, and repeatedly."""
    one = [f"<{at % 65_536:04x}> <{at % 65_536:04x}> " for at in range(number)]
    single = "".join(f"{each}<0041> " for each in one)
    whole = _map("bfchar", "", 0)
    return {
        "ranges of a map": lambda: _letters("", locked=locked, maps=[_map("bfrange", single, 1)]),
        "ranges of a map again": lambda: _letters(
            "", locked=locked, maps=[_map("bfrange", "<0000> <ffff> <0000> ", number)]
        ),
        "characters of a map": lambda: _letters(
            "", locked=locked, maps=[_map("bfchar", "".join(f"{each.split()[0]} <0041> " for each in one), 1)]
        ),
        "ranges of codes again": lambda: _letters(
            "", locked=locked, maps=[whole, _map("cidrange", "<0000> <ffff> 0 ", number)]
        ),
    }


def _map_builder(number: int, *, name: str, locked: bool) -> bytes:
    return _mapped(number, locked=locked)[name]()


def _annotated(number: int) -> bytes:
    sheet = Sheet().text(72, 72, "word")
    sheet.notes += [f"<</Type/Annot/Subtype/Text/Rect[9 9 20 20]/Contents(note {at})>>" for at in range(number // 4)]
    return portable(sheet)


def _fields_of_pages(number: int) -> bytes:
    return portable(
        *(Sheet().text(72, 72, "word").field(60, 60, 200, 90, f"f{at}", "value") for at in range(number // 16))
    )


def make_pdf_lists() -> Mapping[str, Builder]:
    return {
        **{f"pdf frames within each other, {operator}": partial(_frames, operator=operator) for operator in "SfB"},
        "pdf frames beside each other": lambda n: _draw(n, lambda at: f"{at % 90 * 6} {at // 90 % 110 * 7} 4 5 re f"),
        "pdf frames that cross": lambda n: _draw(
            n, lambda at: f"{at * 300 / n} 9 300 700 re S" if at % 2 else f"9 {at * 300 / n} 500 300 re S"
        ),
        "pdf frames of one path": lambda n: _draw(1, lambda _: " ".join(_frame(at, n) for at in range(n)) + " S"),
        "pdf dashes of one height": lambda n: _draw(n, lambda at: f"{600 * at / n} 400 m {600 * at / n + 1} 400 l S"),
        "pdf coloured lines of one place": lambda n: _draw(
            n, lambda at: f"{at % 2} {at % 3 / 2} 0 RG 10 400 m {10 + at * 500 / n} 400 l S"
        ),
        "pdf a long line": lambda n: _draw(
            1, lambda _: "0 0 m " + "".join(f"{at % 600} {at % 7} l " for at in range(n)) + "S"
        ),
        "pdf curves": lambda n: _draw(n, lambda at: f"{at % 500} 9 m 1 2 3 4 {at % 500} 600 c S"),
        "pdf clips": lambda n: _draw(n, lambda at: f"0 0 {600 - at / n} 700 re W n"),
        "pdf states": lambda n: _draw(n, lambda _: "q"),
        "pdf pictures": lambda n: _draw(n, lambda at: f"q 20 0 0 20 {at % 500} {at * 7 % 700} cm /Picture Do Q"),
        "pdf marks within each other": lambda n: _draw(n, lambda _: "/P <</MCID 1>> BDC"),
        "pdf fonts": _fonts,
        "pdf widths": lambda n: _letters(f"/W[{' '.join(f'{at} [500]' for at in range(n))}]"),
        "pdf ranges of widths": lambda n: _letters(f"/W[{' '.join(f'{at} {at} 500' for at in range(n))}]"),
        "pdf widths again": lambda n: _letters(f"/W[{'0 65535 500 ' * n}]"),
        "pdf upright widths again": lambda n: _letters(f"/W2[{'0 65535 -900 500 880 ' * n}]"),
        **{
            f"pdf {'locked ' if locked else ''}{name}": partial(_map_builder, name=name, locked=locked)
            for name in _mapped(1, locked=False)
            for locked in (False, True)
        },
        "pdf locked widths": lambda n: _letters(f"/W[{' '.join(f'{at} [500]' for at in range(n))}]", locked=True),
        "pdf locked widths again": lambda n: _letters(f"/W[{'0 65535 500 ' * n}]", locked=True),
        "pdf annotations": _annotated,
        "pdf fields of pages": _fields_of_pages,
        "pdf named places": lambda n: portable(
            Sheet().text(72, 72, "word"),
            catalog=f"/Dests<<{''.join(f'/d{at}[21 0 R/Fit]' for at in range(n))}>>",
        ),
    }
