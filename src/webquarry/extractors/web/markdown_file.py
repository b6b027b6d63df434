"""An uploaded file as markdown: the text, tables and structure of a document, and its metadata.

There is no provider, because the caller sends the file. Its type is detected from its content.

Raises UnsupportedType for an unsupported type, before any hold; ConversionFailed for an encrypted, damaged or too large
file; EmptyResult for a file without text.
"""

from webquarry.core.types import File
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import PAGE_DEADLINE_S, Artifacts, Extractor, Params, Upload
from webquarry.extractors.web.model.document import DocumentData, make_document
from webquarry_convert.file.limits import MAX_FILE


class FileParams(Params):
    """No parameters: the request is only the file."""


async def run(_params: FileParams, ctx: Context) -> Artifacts:
    return await make_document(ctx.file.body, ctx.file.name, ctx, kind=ctx.file.kind)


def render(data: DocumentData) -> str:
    return data.markdown


extractor = Extractor(
    name="markdown_file",
    path="/markdown/file",
    version=4,
    group="web",
    title="File to markdown",
    description=(
        "Converts an uploaded file to markdown: PDF, Word, Excel, PowerPoint, CSV, OpenDocument, Apple Numbers, "
        "EPUB, email and images. Text in images and scanned PDF pages is recognized with OCR. The file type is "
        "detected from the content, not the name, before any credits are held. Only the owner can fetch the result "
        "again."
    ),
    params=FileParams,
    result=DocumentData,
    credits=1,
    fresh=None,
    deadline_s=PAGE_DEADLINE_S,
    run=run,
    render=render,
    upload=Upload(
        description=(
            "A .pdf, .docx, .doc, .xlsx, .xlsm, .xls, .pptx, .csv, .tsv, .odt, .ods, .odp, .numbers, .epub or .eml "
            "file, or a PNG, JPEG, TIFF, WebP, GIF, BMP or HEIC image. The file name doesn't matter."
        ),
        max_bytes=MAX_FILE,
        check="webquarry_convert.file.detect:detect",
        formats="webquarry_convert.formats",
        example=File("scores.csv", b"Name,Score\nAda,12\nGrace,15\n"),
    ),
    ends={
        "empty_result": "The file has no content to convert.",
    },
    example={},
)
