"""PDF as markdown.

`bounds` and `opened` check the file, `content` says what stands on its pages, `words` and `ligatures` mend how it is
spelled; from then on all are rectangles. `tagged` takes from the structure tree what can be believed, `furniture`
leaves once what repeats at the edges, `forms` and `inline` lay fields and links on the page, `ruled` finds drawn
tables, `order` the columns, the lines, and the tables without ruling lines (`aligned`); `continued` joins tables over
pages, `outline` and `flow` make paragraphs, headings and list items of lines, `writing` makes markdown, of which
`unknown` takes the characters without a meaning. `scans` tells which pages only OCR can read, `recognised` has them
read.
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
    """Reads the pages whose text does not say what one sees on them, or takes from them what is no text. Gives also the
    numbers of those that were not read, and warnings that name them."""
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
    """A line for each, as plain as the text."""
    for span in spans:  # of what is turned, the height is its length
        span.size, span.is_bold = em, False
    return [Line([span], span.x1, is_apart=True) for span in spans]
