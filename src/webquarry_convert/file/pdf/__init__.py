"""PDF as markdown.

The modules in the order in which a file passes through them:

1. `bounds` refuses files that would inflate without end; `pdfium` opens the file and reads its metadata and outline.
2. `content` reads words, ruling lines, links and form fields of each page, all as rectangles in points. `repair` and
   `ligatures` correct wrong characters and torn words.
3. `scans` finds pages without readable text; `recognition` has them read by OCR.
4. `tagged` reads headings, tables and descriptions of pictures from the structure tree. `furniture` removes running
   titles and page numbers.
5. For each page: `inline` attaches links, `forms` adds filled-in fields, `ruled_tables` finds tables with ruling lines,
   and `reading_order` finds columns, lines and, with `borderless_tables`, tables without ruling lines.
6. `continued_tables` joins tables that go on over pages. `outline` and `paragraphs` build headings, paragraphs and list
   items out of lines, and `titles` chooses the title of the document.
7. `writing` writes markdown, and `unmapped` removes characters of unknown meaning from it.
"""

from webquarry_convert.file.document import Document, Recognised
from webquarry_convert.file.pdf import (
    bounds,
    content,
    continued,
    flow,
    ligatures,
    ruled,
    scans,
    tagged,
    titles,
    writing,
)
from webquarry_convert.file.pdf.content import Page, Span
from webquarry_convert.file.pdf.forms import lay_fields
from webquarry_convert.file.pdf.furniture import without_furniture
from webquarry_convert.file.pdf.inline import lay_links
from webquarry_convert.file.pdf.lines import Line
from webquarry_convert.file.pdf.opened import File, Picture
from webquarry_convert.file.pdf.order import ordered
from webquarry_convert.file.pdf.outline import Outline
from webquarry_convert.file.pdf.table import Table
from webquarry_convert.file.pdf.unknown import without_unknown

__all__ = ["File", "Picture", "read"]


def read(body: bytes, *, reads_pictures: bool = False) -> Document:
    """reads_pictures: whether pages that are pictures are read by OCR, which needs more time, memory and programs."""
    bounds.check(body)
    with File(body) as file:
        facts = file.facts()
        pages = content.pages(body, file.slants, is_tagged=facts.is_tagged, is_form=facts.is_form)
        ligatures.turn(pages, file)
        outline = Outline(file.outline())
        recognised, unread, warnings = _look(pages, file, reads_pictures=reads_pictures)
    are_tagged = facts.is_tagged and tagged.mark_levels(pages)
    furniture = without_furniture(pages)
    warnings += furniture.warnings()
    em = flow.body_size(pages)
    laid = [(page, _parts(page, em)) for page in pages]
    if not are_tagged:
        for page, parts in laid:
            outline.mark(page.number, parts)
    blocks = flow.blocks([*continued.joined(laid), *_lines_apart(furniture.strays, em)])
    flow.mark_headings(blocks, em, are_tagged=are_tagged)
    markdown, unknown = without_unknown(writing.markdown(blocks))
    return Document(
        markdown,
        titles.title(facts.title, blocks),
        facts.author,
        facts.language,
        facts.pages,
        recognised=tuple(recognised),
        unread=tuple(unread),
        warnings=(*warnings, *unknown),
    )


def _look(pages: list[Page], file: File, *, reads_pictures: bool) -> tuple[list[Recognised], list[int], list[str]]:
    """Has pages without readable text read by OCR: those that are a picture, and those whose fonts do not say which
    characters they draw. The unreadable text of the latter is dropped.

    Returns the pages that were read, the numbers of those that were not, and warnings that name them.
    """
    pictures = [page for page in pages if scans.is_sparse(page) and scans.is_covered(file.covered(page.number))]
    garbled = [page for page in pages if scans.is_garbled(page)]
    for page in garbled:
        page.spans = []
    recognised: list[Recognised] = []
    warnings: list[str] = []
    if reads_pictures and (pictures or garbled):
        from webquarry_convert.file.image.ocr.doubts import doubts
        from webquarry_convert.file.pdf.recognised import recognise  # few files need the engines

        unread = {page.number: page for page in [*pictures, *garbled]}
        recognised = recognise([unread[number] for number in sorted(unread)], file)
        warnings += doubts(recognised)
        seen = {page.page for page in recognised}
        pictures = [page for page in pictures if page.number not in seen]
        garbled = [page for page in garbled if page.number not in seen]
    if pictures:
        listed = scans.numbers(page.number for page in pictures)
        warnings.append(f"Only a picture stands on {listed}: text in it is not read.")
    if garbled:
        listed = scans.numbers(page.number for page in garbled)
        warnings.append(f"The fonts of {listed} do not say which characters they draw: their text is left out.")
    return recognised, sorted({page.number for page in [*pictures, *garbled]}), warnings


def _parts(page: Page, em: float) -> list[Line | Table]:
    lay_links(page)
    lay_fields(page)
    figures = tagged.figures(page)
    tables, spans = tagged.tables(page)
    drawn, spans = ruled.tables(spans, page.rules)
    return [*ordered([*spans, *tables, *drawn, *figures], em, page.rules), *_lines_apart(page.sideways, em)]


def _lines_apart(spans: list[Span], em: float) -> list[Line]:
    """One line per span, in the size of the running text and never bold. em: that size, in points."""
    for span in spans:  # of what is turned, the height is its length
        span.size, span.is_bold = em, False
    return [Line([span], span.x1, is_apart=True) for span in spans]
