"""The `data` of a converted document, which was uploaded or fetched."""

import asyncio
from hashlib import sha256
from typing import Final, Literal

from pydantic import Field

from webquarry.convert import file as files
from webquarry.core.errors import EmptyResult
from webquarry.core.types import Wire
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import Artifacts, Result, field
from webquarry.workers.job import Job
from webquarry.workers.pieces import Data

MAX_DATA: Final = 20_000_000
"""Maximum size of the data in bytes. The sheet names and warnings of the largest file are far smaller."""
SMALL: Final = 128 * 1024
"""Size in bytes below which hashing takes less time than passing the work to a thread."""


class SheetData(Result):
    name: str = field("Name of the sheet; empty for a CSV.")
    rows: int = field("Number of rows from the first to the last non-empty row.", unit="rows")
    columns: int = field("Number of columns from the first to the last non-empty column.", unit="columns")
    is_hidden: bool = field("Whether the sheet is hidden.")


class RecognisedPage(Result):
    page: int = field("Page number, starting at 1.")
    confidence: float = field("Confidence of the text recognition, 0 to 1.")


class DocumentData(Result):
    object: Literal["document"] = field("Type of the result: a page or a document.", default="document")
    url: str | None = field("Requested URL; null for an upload.")
    final_url: str | None = field("Final URL after redirects; null for an upload.")
    status: int | None = field("HTTP status; null for an upload.")
    content_type: str | None = field(
        "Media type from the response header, in lower case and without parameters; null for an upload.",
        wire="content-type",
    )
    file_name: str | None = field("File name of the upload; null for a URL or if not set.")
    file_size: int = field("Size of the converted file.", unit="bytes")
    sha256: str = field("SHA-256 of the converted file, as 64 lower-case hexadecimal digits.")
    type: str = field("Detected file type, regardless of the name: pdf, docx, xlsx, csv, png and so on.")
    title: str | None = field("Title from the document's metadata, or its first heading.")
    title_source: Literal["properties", "heading"] | None = field(
        "Origin of the title: the file's metadata or a heading; null if there is no title."
    )
    author: str | None = field("Author from the document's metadata.")
    language: str | None = field("Language tag (BCP 47) from the document.")
    pages: int | None = field("Number of pages, slides or images; null for types without pages.", unit="pages")
    sheets: list[SheetData] | None = field("Sheets of a workbook or CSV, in order; null for types without sheets.")
    word_count: int = field("Word count. Each Chinese, Japanese or Korean character counts as one word.", unit="words")
    ocr_used: bool = field("Whether text was recognized in images (OCR).")
    recognised: list[RecognisedPage] = field("Pages whose text was recognized in an image (OCR).")
    warnings: list[str] = field("Parts of the document that are not in the markdown, one sentence each.")
    markdown: str = Field("", exclude=True, repr=False, description="The text.")


JOB: Final[Job[files.Read]] = Job(
    "webquarry.extractors.web.child.document_job:convert",
    files.Read,
    {files.Read: (Data(DocumentData, most=MAX_DATA), files.MARKDOWN)},
    rule=files.check_pages,
)
"""The job that converts a file in a child process."""


async def make_document(
    body: bytes, name: str, ctx: Context, *, kind: str = "", requested_url: str | None = None, wire: Wire | None = None
) -> Artifacts:
    """Convert a document.

    kind: the document's type, if it has been detected already. requested_url, wire: the address and its response, for a
    fetched document. Raises ConversionFailed, with the reason, and EmptyResult if the document has no text.
    """
    origin = {
        "url": requested_url,
        "final_url": wire and wire.url,
        "status": wire and wire.status,
        "content_type": wire and wire.content_type,
        "file_name": None if wire else name or None,
    }
    digest = sha256(body) if len(body) < SMALL else await asyncio.to_thread(sha256, body)
    job = JOB.knowing(**origin, file_size=len(body), sha256=digest.hexdigest())
    options = {"origin": origin, "kind": kind}
    found = await files.convert(ctx.isolated, body, name, ctx.deadline, job, options)
    data, markdown = found.pieces
    if not markdown:
        raise EmptyResult("The file has no text.")
    return Artifacts(data, markdown, tuple(found.facts.page_starts))
