"""What a converted document gives as `data`, whether it was uploaded or met behind an address."""

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
"""Bytes: names of sheets and warnings of the largest file are far below."""
SMALL: Final = 128 * 1024
"""Bytes whose digest takes less time than to ask a thread for it."""


class SheetData(Result):
    name: str = field("Its name; empty for a CSV, which is one sheet.")
    rows: int = field("Rows that hold something, from the first to the last.", unit="rows")
    columns: int = field("Columns that hold something, from the first to the last.", unit="columns")
    is_hidden: bool = field("Whether the workbook hides it.")


class RecognisedPage(Result):
    page: int = field("Number of the page, from 1 on.")
    confidence: float = field("How sure the recognition is of its words, from 0 to 1.")


class DocumentData(Result):
    object: Literal["document"] = field("What this is, where an address may serve either.", default="document")
    url: str | None = field("The address asked for; null of an upload.")
    final_url: str | None = field("The address that answered, after redirects; null of an upload.")
    status: int | None = field("HTTP status of the answer; null of an upload.")
    content_type: str | None = field(
        "Media type that the address said, lower case, without parameters; null of an upload.", wire="content-type"
    )
    file_name: str | None = field("Name that the upload gave its file; null of an address, and where it gave none.")
    file_size: int = field("Size of the file that was converted.", unit="bytes")
    sha256: str = field("SHA-256 of the file that was converted, 64 hexadecimal digits in lower case.")
    type: str = field("What the content is, whatever its name says: pdf, docx, xlsx, csv, png and so on.")
    title: str | None = field("Title that the document gives itself; where it gives none, its first heading.")
    title_source: Literal["properties", "heading"] | None = field(
        "Where the title is from: what the file says of itself, or a heading in its text; null without a title."
    )
    author: str | None = field("Author that the document names.")
    language: str | None = field("Language tag (BCP 47) that the document gives itself.")
    pages: int | None = field("Pages, slides or images; null where the type has none.", unit="pages")
    sheets: list[SheetData] | None = field("Sheets of a workbook or a CSV, in its order; null where the type has none.")
    word_count: int = field("Words of the text; each Chinese, Japanese or Korean sign counts as one.", unit="words")
    ocr_used: bool = field("Whether text was read from pictures.")
    recognised: list[RecognisedPage] = field("The pages whose text was read from a picture.")
    warnings: list[str] = field("What of the document is not in the markdown, a sentence each.")
    markdown: str = Field("", exclude=True, repr=False, description="The text; the answer's other artifact.")


JOB: Final[Job[files.Read]] = Job(
    "webquarry.extractors.web.document_job:convert",
    files.Read,
    {files.Read: (Data(DocumentData, most=MAX_DATA), files.MARKDOWN)},
)
"""What a child does with a file."""


async def document_of(
    body: bytes, name: str, ctx: Context, *, asked: str | None = None, wire: Wire | None = None
) -> Artifacts:
    """The document of these bytes. asked, wire: the address and its answer, of what was not uploaded. ConversionFailed
    says why there is none; EmptyResult: it holds no text."""
    origin = {
        "url": asked,
        "final_url": wire and wire.url,
        "status": wire and wire.status,
        "content_type": wire and wire.content_type,
        "file_name": None if wire else name or None,
    }
    digest = sha256(body) if len(body) < SMALL else await asyncio.to_thread(sha256, body)
    job = JOB.knowing(**origin, file_size=len(body), sha256=digest.hexdigest())
    data, markdown = (await files.convert(ctx.isolated, body, name, ctx.deadline, job, {"origin": origin})).pieces
    if not markdown:
        raise EmptyResult("The file holds no text.")
    return Artifacts(data, markdown)
