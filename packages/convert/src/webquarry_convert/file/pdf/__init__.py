"""Conversion of PDF files to markdown.

`source/` reads a file's content, `words/` builds words and lines, `tables/` finds tables, `layout/` finds the reading
order, and `text/` writes markdown. A file passes through the modules in this order:

1. `signature` removes bytes before the header. `bounds` refuses decompression bombs. `encryption` decrypts files that
   open without a password. `streams` unpacks streams. `font_ranges` and `nested_marks` refuse files whose fonts or
   marked content would keep pdfium busy. `pdfium` opens the file and reads its metadata and outline. `heavy_pages`
   finds pages with too many drawings for liteparse, and reads their text.
2. `content` reads words, ruling lines, links and form fields of a batch of pages, all as rectangles in points
   (`kept_words`: a compact copy of a long file's words), and `printed_fields` reads fields that a browser printed.
   `supplementary` detects letters that liteparse omits, and `supplementary_letters` inserts them; `stops` inserts full
   stops that it drops (`placing`, `insertion`: the position and the span of single characters). `math_signs` reads
   signs of TeX's fonts, `bitmap_fonts` reads TeX's fonts without names, and `marked_runs` divides runs that cross
   tagged cells. `repair` and `ligatures` correct wrong characters and torn words, and `right_to_left` corrects words
   that are written backwards. `monospaced` detects code and its spaces, `letter_spacing` and `initials` join words
   with spaced letters, `accents` joins accents to their letters, `dashes` distinguishes dashes from hyphens,
   `fractions` joins the parts of fractions, `raised` detects superscripts and subscripts, `joined_words` divides words
   with a gap between them, and `leaders` drops the dots before a page number. `lost_words` compares the words with
   pdfium's, and rebuilds a page with lost words from single characters (`glyphs`).
   `vertical_text` reads lines of Japanese and Chinese that run from top to bottom.
   Before that, `unseen_text` removes text that is invisible to a reader (`drawn`: the page's drawings in order,
   `suspects`: text objects that may be invisible). `annotations` adds text that people wrote on pages.
3. `bullets` adds bullets that are drawn. `scans` finds pages without readable text, and `recognition` runs OCR on them.
4. `tagged` reads headings, tables and descriptions of pictures from the structure tree. `furniture` removes running
   titles and page numbers, but keeps table headers at the start of a page.
5. For each page: `inline` attaches links, and `forms` adds filled-in fields and `tick_boxes`. `ruled_tables` finds
   tables with ruling lines (`merged_rules`: lines as a reader sees them, `stripes`: tables with colored rows,
   `undrawn_columns`: tables with columns that are not drawn). `justified` joins lines with wide word spaces, and
   `merged_runs` divides runs that cross columns. `reading_order` finds columns (`flush_columns`: columns of prose, by
   the start of their lines, `side_columns`: sidebars and boxes) and lines. With `borderless_tables`, `row_groups`,
   `blocks` and `stacked_labels`, it also finds tables without ruling lines, and all other blocks.
6. `continued_tables` joins tables across pages. `tagged_blocks` finds lines that tags combine into a paragraph or that
   begin a list item, `line_breaks` finds records, and `listings` finds code. `paragraphs` builds paragraphs and list
   items from lines, and `headings` and `outline` find headings.
7. `writing` writes markdown, and `unmapped` removes its characters of unknown meaning.
"""

from collections.abc import Collection, Iterator

from webquarry_convert.file.document import Document, RecognisedPage
from webquarry_convert.file.page_names import name_pages
from webquarry_convert.file.page_starts import make_page_starts
from webquarry_convert.file.pdf.layout.bullets import add_bullets
from webquarry_convert.file.pdf.layout.furniture import remove_furniture
from webquarry_convert.file.pdf.layout.reading_order import order_boxes
from webquarry_convert.file.pdf.source import annotations, bounds, content, glyphs, scans
from webquarry_convert.file.pdf.source.content import Page, Span
from webquarry_convert.file.pdf.source.encryption import decrypt
from webquarry_convert.file.pdf.source.font_ranges import check_font_ranges
from webquarry_convert.file.pdf.source.forms import MAX_FIELDS, add_fields, has_many_named_fields
from webquarry_convert.file.pdf.source.heavy_pages import find_heavy_pages, read_heavy_page
from webquarry_convert.file.pdf.source.lost_words import Losses, join_text, restore_lost_words
from webquarry_convert.file.pdf.source.nested_marks import check_marks
from webquarry_convert.file.pdf.source.pdfium import Facts, File, Picture
from webquarry_convert.file.pdf.source.printed_fields import add_printed_fields
from webquarry_convert.file.pdf.source.signature import cut_to_header, hide_drawing
from webquarry_convert.file.pdf.source.streams import read_streams
from webquarry_convert.file.pdf.source.supplementary import may_draw_supplementary
from webquarry_convert.file.pdf.source.unmapped import drop_unmapped
from webquarry_convert.file.pdf.source.unseen_text import UnseenText, open_unseen_text
from webquarry_convert.file.pdf.tables import continued_tables, ruled_tables
from webquarry_convert.file.pdf.tables.table import Table
from webquarry_convert.file.pdf.text import (
    headings,
    letter_spacing,
    line_breaks,
    listings,
    paragraphs,
    tagged,
    tagged_blocks,
    writing,
)
from webquarry_convert.file.pdf.text.outline import Outline
from webquarry_convert.file.pdf.words import (
    accents,
    joined_words,
    justified,
    ligatures,
    merged_runs,
    raised,
    right_to_left,
)
from webquarry_convert.file.pdf.words.bitmap_fonts import read_codes
from webquarry_convert.file.pdf.words.dashes import restore_dashes
from webquarry_convert.file.pdf.words.fractions import join_fractions
from webquarry_convert.file.pdf.words.initials import join_initials
from webquarry_convert.file.pdf.words.inline import attach_links
from webquarry_convert.file.pdf.words.leaders import drop_leaders
from webquarry_convert.file.pdf.words.lines import Line
from webquarry_convert.file.pdf.words.marked_runs import divide_marked_runs
from webquarry_convert.file.pdf.words.math_signs import read_signs
from webquarry_convert.file.pdf.words.monospaced import restore_spaces, tell_code
from webquarry_convert.file.pdf.words.stops import restore_stops
from webquarry_convert.file.pdf.words.supplementary_letters import restore_letters
from webquarry_convert.file.pdf.words.vertical_text import take_vertical_text
from webquarry_convert.file.readings import NONE_READ, Readings

__all__ = ["File", "Picture", "read"]

_FEW = 64
"""Maximum number of pages for which all of liteparse's output may stay in memory."""


def read(body: bytes, readings: Readings = NONE_READ) -> Document:
    """Convert a PDF.

    readings: the OCR results by page number. A page that only OCR can read is left unread if it has no OCR result.
    """
    body = cut_to_header(body)
    bounds.check_bounds(body)
    plain = decrypt(body)
    if plain is not body:
        bounds.check_bounds(plain)
    body = plain
    streams = list(read_streams(body))
    check_font_ranges(body, streams)
    check_marks(streams)
    with File(body) as file:
        facts = file.facts()
        has_many_fields = facts.is_form and has_many_named_fields(body, streams)
        heavy = find_heavy_pages(streams, file, facts.pages)
        lacks_letters = may_draw_supplementary(body)
        has_pictures = b"/Image" in body
        pages: list[Page] = []
        pictured: list[int] = []
        losses = Losses()
        unseen = open_unseen_text(file, body, streams)
        is_form = facts.is_form and not has_many_fields
        for batch in _read_batches(body, file, facts, heavy, unseen, is_form=is_form):
            for page in batch:
                unseen.leave_out(page)
            given = [join_text(page) for page in batch]
            _repair_words(batch, file, is_tagged=facts.is_tagged, lacks_letters=lacks_letters)
            restore_lost_words(batch, given, file, losses)
            for page in batch:
                annotations.add_shown_texts(page, file)
                take_vertical_text(page, file)
                if has_pictures and not scans.is_sparse(page):
                    pictured += [page.number] if scans.is_large(file.measure_drawn_picture(page.number)) else []
            if facts.pages > _FEW:
                for page in batch:
                    page.release_source()
            pages += batch
        pages.sort(key=lambda page: page.number)
        if facts.is_dynamic:
            scans.refuse_notice(pages)
        outline = Outline(file.outline())
        attached = file.list_attached()
        recognised, unread, warnings = _place_readings(pages, file, readings)
    for page in pages:
        add_bullets(page)
    are_tagged = facts.is_tagged and tagged.mark_levels(pages)
    furniture = remove_furniture(pages, _find_tables)
    em = paragraphs.find_body_size(pages)
    laid = [(page, _build_parts(page, em)) for page in pages]
    if facts.is_tagged:
        tagged_blocks.mark_blocks(laid)
    if not are_tagged:
        for page, parts in laid:
            outline.mark(page.number, parts)
    joined, repeated = continued_tables.join_tables(laid)
    furniture.repeated += repeated
    warnings += furniture.warnings()
    if has_many_fields:
        warnings.append(f"The document has more than {MAX_FIELDS:,} form fields, so their values are omitted.")
    if heavy:
        warnings.append(
            f"Only plain text is extracted from {name_pages(sorted(heavy))} because of their complex drawings."
        )
    if pictured:
        warnings.append(f"Large images on {name_pages(pictured)} are omitted, including any text in them.")
    warnings += losses.warnings()
    warnings += unseen.warnings()
    if remarks := annotations.count_remarks(pages):
        warnings.append(f"Annotations on the pages are omitted: {remarks:,}.")
    if attached:
        warnings.append(f"Attached files are omitted: {', '.join(attached)}.")
    parts = [*joined, *_make_separate_lines(furniture.strays, em)]
    line_breaks.mark_new_lines(parts)
    blocks = paragraphs.build_blocks(listings.gather_listings(parts), em)
    headings.mark_headings(blocks, em, are_tagged=are_tagged)
    markdown, places = writing.write_markdown(blocks)
    starts = make_page_starts(places, facts.pages, len(markdown))
    markdown, starts, unknown = drop_unmapped(markdown, starts)
    return Document(
        markdown,
        facts.title,
        facts.author,
        facts.language,
        facts.pages,
        recognised=tuple(recognised),
        unread=tuple(unread),
        warnings=(*warnings, *unknown),
        page_starts=starts,
    )


def _read_batches(
    body: bytes, file: File, facts: Facts, heavy: Collection[int], unseen: UnseenText, *, is_form: bool
) -> Iterator[list[Page]]:
    """Yield the pages in `heavy` as plain text, and all others as liteparse reads them.

    If liteparse cannot read the file, build the pages from pdfium's characters.

    is_form: whether to read form fields.
    """
    numbers = [page for page in range(1, facts.pages + 1) if page not in heavy] if heavy else None
    seen = set[int]()
    try:
        for batch in content.read_batches(
            hide_drawing(body),
            file.find_slants,
            facts.pages,
            is_tagged=facts.is_tagged,
            is_form=is_form,
            numbers=numbers,
        ):
            seen.update(page.number for page in batch)
            yield batch
        if heavy:
            for page in heavy:
                unseen.find(page)
            yield [read_heavy_page(page, file) for page in sorted(heavy)]
    except content.UnreadableError:
        for number in range(1, facts.pages + 1):
            unseen.find(number)
        for batch in glyphs.read_pages(file, facts.pages):
            yield [page for page in batch if page.number not in seen]


def _repair_words(pages: list[Page], file: File, *, is_tagged: bool, lacks_letters: bool) -> None:
    """Correct liteparse's output for some pages while pdfium has them open.

    lacks_letters: whether the file may draw letters that liteparse omits.
    """
    if lacks_letters:
        restore_letters(pages, file)
    restore_stops(pages, file)
    read_signs(pages, file)
    read_codes(pages, file)
    if is_tagged:
        divide_marked_runs(pages, file)
        add_printed_fields(pages, file)
    tell_code(pages, file)
    restore_spaces(pages, file)
    letter_spacing.join_spaced_letters(pages)
    for page in pages:
        page.spans = drop_leaders(join_fractions(join_initials(page.spans)))
    ligatures.turn_back_signs(pages, file)
    right_to_left.turn_back_words(pages, file)
    accents.join_accents(pages, file)
    restore_dashes(pages, file)
    raised.mark_raised_digits(pages, file)
    joined_words.part_joined_words(pages, file)


def _place_readings(
    pages: list[Page], file: File, readings: Readings
) -> tuple[list[RecognisedPage], list[int], list[str]]:
    """Place the OCR results of pages without readable text.

    These are scanned pages, and pages whose fonts do not map their glyphs to characters; the unreadable text of such
    fonts is dropped.

    Returns the pages with an OCR result, the numbers of pages without one, and warnings that name these pages.
    """
    pictures = [
        page for page in pages if scans.is_sparse(page) and scans.is_covered(page, file.measure_cover(page.number))
    ]
    garbled = [page for page in pages if scans.is_garbled(page)]
    for page in garbled:
        page.spans = []
    recognised: list[RecognisedPage] = []
    warnings: list[str] = []
    if readings and (pictures or garbled):
        from webquarry_convert.file.image.ocr.low_confidence import warn_of_doubts
        from webquarry_convert.file.pdf.source.recognition import place_readings  # few files need this import

        unreadable = {page.number: page for page in [*pictures, *garbled]}
        recognised = place_readings([unreadable[number] for number in sorted(unreadable)], readings)
        warnings += warn_of_doubts(recognised)
        pictures = [page for page in pictures if page.number not in readings]
        garbled = [page for page in garbled if page.number not in readings]
    if pictures:
        listed = name_pages(page.number for page in pictures)
        warnings.append(f"The text on {listed} is omitted because it is part of an image.")
    if garbled:
        listed = name_pages(page.number for page in garbled)
        warnings.append(f"The text on {listed} is omitted because its fonts don't map glyphs to characters.")
    return recognised, sorted({page.number for page in [*pictures, *garbled]}), warnings


def _find_tables(page: Page, em: float) -> Iterator[list[Table]]:
    """Yield a page's tables, first those with ruling lines and then those without.

    Only tables that can be found before the page's furniture is removed are included. The page is not changed.
    """
    spans = [span.copy() for span in page.spans]
    drawn, spans = ruled_tables.find_tables(spans, page.rules)
    yield drawn
    spans = merged_runs.divide_runs(justified.join_justified(spans))
    parts = order_boxes([*spans, *drawn], em, page.rules, page.width)
    yield [part for part in parts if isinstance(part, Table) and part not in drawn]


def _build_parts(page: Page, em: float) -> list[Line | Table]:
    attach_links(page)
    add_fields(page, em)
    figures = tagged.find_figures(page)
    tables, spans = tagged.find_tables(page)
    drawn, spans = ruled_tables.find_tables(spans, page.rules)
    spans = merged_runs.divide_runs(justified.join_justified(spans))
    parts = [
        *(Line([span], span.x1, is_apart=True) for span in page.vertical),
        *order_boxes([*spans, *tables, *drawn, *figures], em, page.rules, page.width),
        *_make_separate_lines(page.sideways, em),
    ]
    for part in parts:
        part.page = page.number
    # frees the memory of all spans that are now in tables
    page.spans, page.sideways, page.vertical, page.rules, page.discs = [], [], [], [], []
    return parts


def _make_separate_lines(spans: list[Span], em: float) -> list[Line]:
    """Return one line per span, in the running text's size and never bold. em: the running text's size, in points."""
    for span in spans:  # the height of a rotated span is its length
        span.size, span.is_bold = em, False
    return [Line([span], span.x1, is_apart=True) for span in spans]
