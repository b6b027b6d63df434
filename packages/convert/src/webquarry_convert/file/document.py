"""A converted file, and the errors of a failed conversion. Readers return no other type and raise no other errors."""

from dataclasses import dataclass, replace
from typing import Literal

from webquarry_convert.errors import ConversionFailed

TitleSource = Literal["properties", "heading"]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a workbook. rows, columns: the size of the used range, which starts at the first cell."""

    name: str
    rows: int
    columns: int
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """A page whose text was recognized in its image.

    page: the page number, from 1. confidence: a number from 0 to 1. illegible: the number of lines that could not be
    read.
    """

    page: int
    confidence: float
    illegible: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a file.

    markdown: the text, which ends with one line break, or "" if there is no text. pages: number of pages, slides or
    images; None for other types. sheets: the sheets of a workbook; a CSV file has one sheet without a name. title,
    author, language (BCP 47): from the file's metadata. title_source: the title's source, if the reader knows it.
    page_starts: the offset in the markdown at which each page begins, in characters; () if unknown. recognised: pages
    read with OCR. unread: page numbers of scanned pages that were not read. word_count: number of words in the complete
    text. warnings: one sentence for each kind of content that the markdown lacks.
    """

    markdown: str
    title: str | None = None
    author: str | None = None
    language: str | None = None
    pages: int | None = None
    sheets: tuple[Sheet, ...] | None = None
    recognised: tuple[RecognisedPage, ...] = ()
    unread: tuple[int, ...] = ()
    word_count: int = 0
    warnings: tuple[str, ...] = ()
    title_source: TitleSource | None = None
    page_starts: tuple[int, ...] = ()

    def add_warnings(self, *warnings: str) -> "Document":
        return replace(self, warnings=(*self.warnings, *warnings))


def make_encrypted_error() -> ConversionFailed:
    return ConversionFailed("The file is encrypted. Upload it without a password.", reason="encrypted")


def make_corrupt_error(what: str) -> ConversionFailed:
    """Return an error for a damaged file.

    what: a clause without a capital letter or full stop, such as "the archive ends too early".
    """
    return ConversionFailed(f"The file can't be read because {what}. It may be damaged.", reason="corrupt")


def make_limit_error(what: str) -> ConversionFailed:
    """Return an error for a file that exceeds a limit.

    what: the exceeded limit, such as "more than 5,000 parts".
    """
    return ConversionFailed(f"The file is too large or too complex to convert: {what}.", reason="limits")
