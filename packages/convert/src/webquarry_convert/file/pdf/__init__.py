"""PDF as markdown.

What a file holds is read by `source/`, made words and lines by `words/`, tables by `tables/`, put in order by `layout/`
and told as markdown by `text/`. The modules in the order in which a file passes through them:

1. `signature` cuts bytes before the header. `bounds` refuses files that would inflate without end. `encryption`
   decrypts files that open without a password. `streams` unpacks streams, in which `font_ranges` finds fonts, and
   `nested_marks` marked content, that would keep pdfium busy; such files are refused. `pdfium` opens the file and reads
   its metadata and outline. `heavy_pages` finds pages that draw too much for liteparse, and reads their text.
2. `content` reads words, ruling lines, links and form fields of some pages at a time, all as rectangles in points
   (`kept_words`: what is kept of the words of long files), `printed_fields` those that a browser drew.
   `supplementary` tells whether a file draws letters that liteparse leaves out, `supplementary_letters` puts them
   back, `stops` full stops that it drops (`placing`, `insertion`: where single characters stand, and into which
   span). `math_signs` reads signs of TeX's fonts, `bitmap_fonts` those of its fonts without names, `marked_runs`
   divides what goes over tagged cells. `repair` and `ligatures` correct wrong characters and torn words,
   `right_to_left` words that are written backwards; `monospaced` tells code and reads its spaces, `letter_spacing`
   and `initials` put words together whose letters stand apart, `accents` joins accents to their letters, `dashes`
   tells dashes from hyphens, `fractions` joins numbers above a slash to those below it, `raised` tells superscripts
   and subscripts, `joined_words` parts words that have room between them, `leaders` drops dots that lead to the
   number of a page. `lost_words` compares the words with those of pdfium, and has a page that lacks some put together
   from single characters (`glyphs`).
   Before that, `unseen_text` leaves out what a reader does not see (`drawn`: what a page draws, in order, `suspects`:
   which of its texts may be unseen). `annotations` adds texts that people wrote on pages.
3. `bullets` adds bullets that are drawn. `scans` finds pages without readable text; `recognition` has them read by OCR.
4. `tagged` reads headings, tables and descriptions of pictures from the structure tree. `furniture` removes running
   titles and page numbers, but for heads of tables that begin a page.
5. For each page: `inline` attaches links, `forms` adds filled-in fields and `tick_boxes`, `ruled_tables` finds tables
   with ruling lines (`merged_rules`: as they are seen, `stripes`: with coloured rows, `undrawn_columns`: with columns
   that are not drawn), `justified` joins lines that are set wide, `merged_runs` divides what goes over columns, and
   `reading_order` finds columns (`flush_columns`: of prose, by where lines begin, `side_columns`: sidebars and boxes),
   lines and, with `borderless_tables`, `row_groups`, `blocks` and `stacked_labels`, tables without ruling lines and
   blocks that are none.
6. `continued_tables` joins tables that go on over pages. `tagged_blocks` tells which lines are tagged as one paragraph
   or begin a list item, `line_breaks` which are records, `listings` which are code. `paragraphs` builds paragraphs and
   list items out of lines, `headings` and `outline` tell which are headings.
7. `writing` writes markdown, and `unmapped` removes characters of unknown meaning from it.
"""

from collections.abc import Collection, Iterator

from webquarry_convert.file.document import Document, RecognisedPage
from webquarry_convert.file.page_names import name_pages
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
from webquarry_convert.file.scans import NONE_READ, Readings

__all__ = ["File", "Picture", "read"]

_FEW = 64
"""Pages of a file that may stay in memory with all that liteparse gave."""


def read(body: bytes, readings: Readings = NONE_READ) -> Document:
    """readings: what OCR read on pages that only it can read; those without a reading are left unread."""
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
        warnings.append(f"There are more than {MAX_FIELDS:,} form fields: what is filled in is left out.")
    if heavy:
        warnings.append(f"So much is drawn on {name_pages(sorted(heavy))} that only plain text is read there.")
    if pictured:
        warnings.append(f"Large pictures on {name_pages(pictured)} are left out: text in them is not read.")
    warnings += losses.warnings()
    warnings += unseen.warnings()
    if remarks := annotations.count_remarks(pages):
        warnings.append(f"Remarks on the pages: {remarks:,}, left out.")
    if attached:
        warnings.append(f"Files within this one, not read: {', '.join(attached)}.")
    parts = [*joined, *_make_separate_lines(furniture.strays, em)]
    line_breaks.mark_new_lines(parts)
    blocks = paragraphs.build_blocks(listings.gather_listings(parts), em)
    headings.mark_headings(blocks, em, are_tagged=are_tagged)
    markdown, unknown = drop_unmapped(writing.write_markdown(blocks))
    return Document(
        markdown,
        facts.title,
        facts.author,
        facts.language,
        facts.pages,
        recognised=tuple(recognised),
        unread=tuple(unread),
        warnings=(*warnings, *unknown),
    )


def _read_batches(
    body: bytes, file: File, facts: Facts, heavy: Collection[int], unseen: UnseenText, *, is_form: bool
) -> Iterator[list[Page]]:
    """Yield pages as liteparse reads them, and those in `heavy` as plain text; as pdfium draws them where liteparse
    refuses the file. is_form: whether fields are read."""
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
    """Correct what liteparse gave for some pages, while pdfium has them open.

    lacks_letters: whether the file may draw letters that liteparse leaves out.
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
    """Lay what OCR read on pages without readable text: those that are a picture, and those whose fonts do not say
    which characters they draw. The unreadable text of the latter is dropped.

    Returns the pages that were read, the numbers of those that were not, and warnings that name them.
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
        from webquarry_convert.file.pdf.source.recognition import place_readings  # few files need it

        unreadable = {page.number: page for page in [*pictures, *garbled]}
        recognised = place_readings([unreadable[number] for number in sorted(unreadable)], readings)
        warnings += warn_of_doubts(recognised)
        pictures = [page for page in pictures if page.number not in readings]
        garbled = [page for page in garbled if page.number not in readings]
    if pictures:
        listed = name_pages(page.number for page in pictures)
        warnings.append(f"Only a picture stands on {listed}: text in it is not read.")
    if garbled:
        listed = name_pages(page.number for page in garbled)
        warnings.append(f"The fonts of {listed} do not say which characters they draw: their text is left out.")
    return recognised, sorted({page.number for page in [*pictures, *garbled]}), warnings


def _find_tables(page: Page, em: float) -> Iterator[list[Table]]:
    """Yield the tables of a page with ruling lines, then those without, as far as they are known before its furniture
    is removed. The page stays as it is.
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
        *order_boxes([*spans, *tables, *drawn, *figures], em, page.rules, page.width),
        *_make_separate_lines(page.sideways, em),
    ]
    page.spans, page.sideways, page.rules, page.discs = [], [], [], []  # what is in tables takes no memory any more
    return parts


def _make_separate_lines(spans: list[Span], em: float) -> list[Line]:
    """One line per span, in the size of the running text and never bold. em: that size, in points."""
    for span in spans:  # of what is turned, the height is its length
        span.size, span.is_bold = em, False
    return [Line([span], span.x1, is_apart=True) for span in spans]
