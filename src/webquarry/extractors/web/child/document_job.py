"""The child process's work on a file. The service's own process never parses the file's bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from webquarry.convert.file import Read
from webquarry.convert.file_job import describe_pages
from webquarry.convert.scan_job import unpack_readings
from webquarry.extractors.web.model.document import DocumentData, RecognisedPage, SheetData
from webquarry.workers.parcel import Parcel
from webquarry_convert.file import readers


def convert(
    body: bytes,
    *,
    name: str,
    origin: Mapping[str, Any],
    kind: str,
    scanned: Sequence[Sequence[int]] = (),
) -> Parcel[Read]:
    """Return the data and markdown of a file. `webquarry.convert.file_job.pack` calls this function.

    The markdown is empty if the file has no text. origin: fields of the data that describe the origin of the bytes.
    kind: the file type; "" to detect it.
    """
    body, readings = unpack_readings(body, scanned)
    found, document = readers.convert(body, name, kind=kind, readings=readings)
    data = DocumentData(
        **origin,
        file_size=len(body),
        sha256=sha256(body).hexdigest(),
        type=found,
        title=document.title,
        title_source=document.title_source,
        author=document.author,
        language=document.language,
        pages=document.pages,
        sheets=None if document.sheets is None else [SheetData(**asdict(sheet)) for sheet in document.sheets],
        word_count=document.word_count,
        ocr_used=bool(document.recognised),
        recognised=[RecognisedPage(page=page.page, confidence=page.confidence) for page in document.recognised],
        warnings=list(document.warnings),
    )
    return Parcel(describe_pages(document), (data.model_dump_json().encode(), document.markdown.encode()))
