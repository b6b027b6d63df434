"""PDFs that are small, or below the limit, and expensive to convert: words, drawing, and cycles of objects."""

from collections.abc import Callable, Iterator

from attacks.attack import PATIENT_MB, Attack, Upload
from attacks.making import form, pdf, write_pdf

MEGABYTE = 1024 * 1024

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
        "100,000 words overlap.",
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
        "The structure tree contains itself.",
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


def attacks() -> Iterator[Attack]:
    for what, (tries, makes) in _PDFS.items():
        # a page without text is processed like a picture
        yield Attack(f"pdf: {what}", tries, Upload(makes), child_mb=PATIENT_MB)
