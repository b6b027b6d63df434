"""The way of a file through workers: quick ones read it, patient ones what only OCR can read of it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from webquarry.convert.file.detect import is_picture
from webquarry.convert.file.readers import CONVERT
from webquarry.errors import ConversionFailed
from webquarry.parcel import Parcel
from webquarry.types import Isolated

_NOTHING: Mapping[str, Any] = MappingProxyType({})


async def conversion(
    isolated: Isolated, body: bytes, name: str, job: str = CONVERT, more: Mapping[str, Any] = _NOTHING
) -> Parcel:
    """What the job gives for the file. Called, with `more` options, as `readers.packed` is; tells as that does.

    Raises `UnsupportedType`, `ConversionFailed` and what `isolated` raises beside them. When the pages of a PDF that
    are pictures cannot be read, its other pages are the answer, if they have a text.
    """
    needs_ocr = is_picture(body)
    given: Parcel = await isolated(job, body, {"name": name, **more}, subject="file", patient=needs_ocr)
    if not given.told["has_unread"] or needs_ocr:
        return given
    options = {"name": name, "reads_pictures": True, **more}
    try:
        whole: Parcel = await isolated(job, body, options, subject="file", patient=True)
    except ConversionFailed:
        if not given.pieces[-1]:
            raise
        return given
    return whole
