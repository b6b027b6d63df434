"""Artifacts of a result as files to download."""

from collections.abc import Mapping
from typing import Final

from starlette.responses import Response

from webquarry.core.errors import NotFound
from webquarry.pipeline import Answer

_MEDIA_TYPES: Final = {"data.json": "application/json", "answer.md": "text/markdown; charset=utf-8"}


def send_artifact(answer: Answer, artifact: str, name: str) -> Response:
    """Return an artifact as a download, so that no browser shows it as a page of this site.

    Raises NotFound for any other name.
    """
    if artifact not in _MEDIA_TYPES:
        raise NotFound("Only data.json and answer.md are available.")
    body = answer.conversion.data if artifact == "data.json" else answer.conversion.markdown
    headers: Mapping[str, str] = {
        "content-disposition": f'attachment; filename="{name}-{artifact}"',
        "cache-control": "private, no-store",
        "content-security-policy": "default-src 'none'; sandbox",
    }
    return Response(body, headers=headers, media_type=_MEDIA_TYPES[artifact])
