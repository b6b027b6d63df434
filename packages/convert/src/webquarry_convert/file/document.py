"""A converted file, and why one could not be converted. Every reader gives and raises these and nothing else."""

from dataclasses import dataclass, replace
from typing import Literal

from webquarry_convert.errors import ConversionFailed

TitleSource = Literal["properties", "heading"]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of a workbook. rows, columns: of the part that holds something, beginning at the first cell."""

    name: str
    rows: int
    columns: int
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """A page whose text was read from its picture. page: from 1 on; confidence: from 0 to 1; illegible: lines that
    could not be read."""

    page: int
    confidence: float
    illegible: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """What a file holds, as a reader gets it.

    markdown: "" when the file holds no text; ends with one line break otherwise. pages: of documents that have them
    (PDF, images, slides); None elsewhere. sheets: of workbooks, and the one of a CSV, without a name. title, author,
    language (BCP 47): as the file itself says. title_source: where the title is from, where the reader knows.
    recognised: pages read by OCR; unread: pages that only OCR could read, and did not. word_count: of the text, counted
    when it is whole. warnings: what of the file is not in the markdown, one sentence each.
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

    def add_warnings(self, *warnings: str) -> "Document":
        return replace(self, warnings=(*self.warnings, *warnings))


def make_encrypted_error() -> ConversionFailed:
    return ConversionFailed("The file is encrypted: upload it without a password.", reason="encrypted")


def make_corrupt_error(what: str) -> ConversionFailed:
    """what: "the archive ends too early"; a clause without capital and full stop."""
    return ConversionFailed(f"The file cannot be read, {what}: it may be damaged.", reason="corrupt")


def make_limit_error(what: str) -> ConversionFailed:
    """what: "more than 5,000 parts"; what the file has too much of."""
    return ConversionFailed(f"The file is too large or too complex to be converted: {what}.", reason="limits")
