"""Builds ZIP archives in the form that office programs write."""

import io
import zipfile
from collections.abc import Mapping


def packed(parts: Mapping[str, str | bytes], *, stored: tuple[str, ...] = ("mimetype",)) -> bytes:
    """Build a ZIP archive of these parts in order. stored: the names of parts that are not compressed."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            archive.writestr(entry, part)
    return body.getvalue()
