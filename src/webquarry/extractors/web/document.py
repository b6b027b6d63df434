"""What a converted document gives as `data`, whether it was uploaded or met behind an address."""

from dataclasses import asdict

from pydantic import Field

from webquarry.convert.file.conversion import conversion
from webquarry.declare import Context, Result, field
from webquarry.errors import EmptyResult


class SheetData(Result):
    name: str = field("Its name; empty for a CSV, which is one sheet.")
    rows: int = field("Rows that hold something, from the first to the last.", unit="rows")
    columns: int = field("Columns that hold something, from the first to the last.", unit="columns")
    is_hidden: bool = field("Whether the workbook hides it.")


class RecognisedPage(Result):
    page: int = field("Number of the page, from 1 on.")
    confidence: float = field("How sure the recognition is of its words, from 0 to 1.")


class DocumentData(Result):
    type: str = field("What the content is, whatever its name says: pdf, docx, xlsx, csv, png and so on.")
    title: str | None = field("Title that the document gives itself.")
    author: str | None = field("Author that the document names.")
    language: str | None = field("Language tag (BCP 47) that the document gives itself.")
    pages: int | None = field("Pages, slides or images; null where the type has none.", unit="pages")
    sheets: list[SheetData] | None = field("Sheets of a workbook or a CSV, in its order; null where the type has none.")
    word_count: int = field("Words of the text; each Chinese, Japanese or Korean sign counts as one.", unit="words")
    ocr_used: bool = field("Whether text was read from pictures.")
    recognised: list[RecognisedPage] = field("The pages whose text was read from a picture.")
    warnings: list[str] = field("What of the document is not in the markdown, a sentence each.")
    markdown: str = Field(exclude=True, repr=False, description="The text; the answer's other artifact.")


async def document_of(body: bytes, name: str, ctx: Context) -> DocumentData:
    """The document of these bytes. ConversionFailed says why there is none; EmptyResult: it holds no text."""
    kind, document = await conversion(ctx.isolated, body, name)
    if not document.markdown:
        raise EmptyResult("The file holds no text.")
    return DocumentData(
        type=kind,
        title=document.title,
        author=document.author,
        language=document.language,
        pages=document.pages,
        sheets=None if document.sheets is None else [SheetData(**asdict(sheet)) for sheet in document.sheets],
        word_count=document.word_count,
        ocr_used=bool(document.recognised),
        recognised=[RecognisedPage(**asdict(page)) for page in document.recognised],
        warnings=list(document.warnings),
        markdown=document.markdown,
    )
