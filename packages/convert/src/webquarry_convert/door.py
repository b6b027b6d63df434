"""The functions `detect`, `convert` and `explain` for pages and files."""

from dataclasses import dataclass
from pathlib import Path

from webquarry_convert.errors import UnsupportedType
from webquarry_convert.fetched import Fetched, Foreign, Moved
from webquarry_convert.file import readers
from webquarry_convert.file.detect import detect as detect_file
from webquarry_convert.file.document import Sheet
from webquarry_convert.file.limits import MAX_FILE
from webquarry_convert.links import Image, Link
from webquarry_convert.media import identify_media
from webquarry_convert.page import explain as explain_page
from webquarry_convert.text.charset import decode

PAGE = "text/html"
_FORMS = frozenset({"html", "markdown", "text", "code"})
"""Types of content that are pages or plain text rather than files."""


@dataclass(frozen=True, slots=True)
class Document:
    """A page or a file as markdown.

    markdown: the text, which ends with one line break, or "" if there is no text. type: `html`, `markdown`, `text`,
    `code`, or the type of a file, such as `pdf`. published_at: `…Z` or a date without a time. language: a BCP 47 tag.
    pages: the number of pages in a paginated document. page_starts: the offset in the markdown at which each page
    begins, in characters; () if unknown. sheets: the sheets of a workbook or table. links, images: only for pages.
    warnings: one sentence for each kind of content that the markdown lacks.
    """

    markdown: str
    type: str
    title: str | None = None
    author: str | None = None
    language: str | None = None
    description: str | None = None
    published_at: str | None = None
    canonical_url: str | None = None
    pages: int | None = None
    sheets: tuple[Sheet, ...] | None = None
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    word_count: int = 0
    warnings: tuple[str, ...] = ()
    page_starts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Source:
    """The source of a page that was not fetched, as input for `Fetched`."""

    body: bytes
    url: str
    content_type: str
    status: int = 200
    rendered: bool = False

    @property
    def headers(self) -> dict[str, str]:
        return {"content-type": self.content_type} if self.content_type else {}


def detect(body: bytes, name: str = "") -> str:
    """Detect the type of a page or a file from its content.

    Returns `html`, `markdown`, `text`, `code`, or the type of a file, such as `pdf`. name: the file's name, used only
    to distinguish kinds of text.

    Raises `UnsupportedType` and `ConversionFailed`.
    """
    form = identify_media(body, "", name).form
    try:
        return detect_file(body, name) if form != "html" else form
    except UnsupportedType:
        if form == "other" or not body:
            raise
        return form


def convert(source: bytes | Path, *, name: str = "", url: str | None = None, ocr: bool = True) -> Document:
    """Convert a page or a file to markdown.

    source: the content, or the path of a file. name: the file's name; defaults to the name in the path. url: the URL of
    a page after redirects; without it, links stay relative. ocr: read scanned pages, which takes seconds per page and
    needs Tesseract or the extra `ocr`; otherwise `warnings` names them.

    Raises OSError for a path that cannot be read, `UnsupportedType` for content of an unknown type, and
    `ConversionFailed` for content that is encrypted, damaged or too large. Converts in this process: for untrusted
    content, run it in a process that you can stop.
    """
    if isinstance(source, Path):
        name = name or source.name
        with source.open("rb") as file:
            source = file.read(MAX_FILE + 1)
    kind = detect(source[: MAX_FILE + 1], name)
    if kind in _FORMS:
        return _convert_page(source, name, url, kind)
    _, document = readers.convert(source, name, kind=kind, reads_pictures=ocr)
    return Document(
        document.markdown,
        kind,
        title=document.title,
        author=document.author,
        language=document.language,
        pages=document.pages,
        sheets=document.sheets,
        word_count=document.word_count,
        warnings=document.warnings,
        page_starts=document.page_starts,
    )


def explain(source: bytes | Path, *, url: str | None = None) -> str:
    """Return a line for each text on a page, with the names of the stages that kept or dropped it.

    source, url: as in `convert`. The fields of a line are separated by tabs: `kept` or `dropped`, the text's score
    relative to the threshold for content, the stages, the element, and the beginning of the text.

    Raises OSError, `UnsupportedType` for anything but a page, and `ConversionFailed`.
    """
    body = source if isinstance(source, bytes) else source.read_bytes()
    kind = detect(body[: MAX_FILE + 1])
    if kind != "html":
        raise UnsupportedType(f"The content is {kind}. Only HTML pages can be explained.")
    return explain_page(decode(body, PAGE).text, url)


def _convert_page(body: bytes, name: str, url: str | None, kind: str) -> Document:
    content_type = PAGE if kind == "html" else ""
    converted = Fetched(_Source(body, url or name, content_type)).convert()
    if isinstance(converted, Moved):
        return Document("", kind, warnings=(f"The page only redirects to {converted.url}.",))
    if isinstance(converted, Foreign):
        raise UnsupportedType(f"The content is {converted.name}, which cannot be converted.")
    page = converted.page
    head = page.head
    return Document(
        page.markdown,
        kind,
        title=head.title,
        author=head.author,
        language=head.language,
        description=head.description,
        published_at=head.published_at,
        canonical_url=head.canonical_url,
        links=page.links,
        images=page.images,
        word_count=page.word_count,
        warnings=page.warnings,
    )
