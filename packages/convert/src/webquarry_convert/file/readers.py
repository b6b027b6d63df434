"""The readers of all file types, imported on first use. This code runs in a worker."""

from dataclasses import replace

import orjson

from webquarry_convert.file.detect import detect
from webquarry_convert.file.document import Document, make_limit_error
from webquarry_convert.file.format import import_function
from webquarry_convert.file.formats import FORMATS, get_format, is_type, list_installed
from webquarry_convert.file.limits import MAX_FILE, MAX_MARKDOWN
from webquarry_convert.file.readings import NONE_READ, Readings
from webquarry_convert.file.scans import read_pages
from webquarry_convert.file.titles import choose_title
from webquarry_convert.links import keep_labels
from webquarry_convert.text.edits import apply_edits, move_places
from webquarry_convert.text.invisible import build_warning, find_invisible, strip_invisible
from webquarry_convert.words import count_words


def preload() -> None:
    """Import all readers. Otherwise, the first file of each type would be delayed."""
    for reader in sorted({each.reader for each in FORMATS.values()}):
        import_function(reader)
    list_installed()


def convert(
    body: bytes,
    name: str = "",
    *,
    kind: str = "",
    reads_pictures: bool = False,
    readings: Readings = NONE_READ,
) -> tuple[str, Document]:
    """Convert a file and return its type and the document.

    name: the file's name, used to recognize tables among text files and to distinguish comma-separated from
    tab-separated values. kind: the type that `detect` returned; an unknown type is detected again. readings: OCR
    results for the document's `unread` pages, by page number. reads_pictures: whether to run OCR on unread pages in
    this process, which needs time, memory and the OCR programs.

    Raises `UnsupportedType` and `ConversionFailed`.
    """
    if len(body) > MAX_FILE:
        raise make_limit_error(f"more than {MAX_FILE:,} bytes")
    known = kind if is_type(kind) else detect(body, name)
    document = _read(known, body, name, readings)
    if reads_pictures and document.unread:
        document = _read(known, body, name, {**readings, **read_pages(body, document.unread)})
    document = make_encodable(clean_document(choose_title(document)))
    return known, replace(document, word_count=count_words(keep_labels(document.markdown)))


def _read(kind: str, body: bytes, name: str, readings: Readings) -> Document:
    document = get_format(kind).read(body, name, readings)
    if len(document.markdown) > MAX_MARKDOWN:
        raise make_limit_error(f"more than {MAX_MARKDOWN:,} characters of text")
    return document


def clean_document(document: Document) -> Document:
    """Return the document without invisible characters, with a warning if any were removed."""
    edits, removed = find_invisible(document.markdown)
    document = replace(
        document,
        markdown=apply_edits(document.markdown, edits),
        page_starts=move_places(document.page_starts, edits),
        title=document.title and strip_invisible(document.title)[0],
        warnings=tuple(strip_invisible(warning)[0] for warning in document.warnings),
        author=document.author and strip_invisible(document.author)[0],
        sheets=document.sheets
        and tuple(replace(sheet, name=strip_invisible(sheet.name)[0]) for sheet in document.sheets),
    )
    return document.add_warnings(build_warning(removed)) if removed else document


def make_encodable(document: Document) -> Document:
    """Return the document without lone surrogates. Files may contain them, and UTF-8 can't encode them."""
    try:
        orjson.dumps(document)
    except TypeError:
        return replace(
            document,
            markdown=_replace_surrogates(document.markdown),
            title=document.title and _replace_surrogates(document.title),
            author=document.author and _replace_surrogates(document.author),
            language=document.language and _replace_surrogates(document.language),
            sheets=document.sheets
            and tuple(replace(sheet, name=_replace_surrogates(sheet.name)) for sheet in document.sheets),
            warnings=tuple(map(_replace_surrogates, document.warnings)),
        )
    return document


def _replace_surrogates(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
