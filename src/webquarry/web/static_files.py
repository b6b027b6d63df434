"""Styles, scripts and images, served under names derived from their content and cached for a year."""

import hashlib
import mimetypes
from dataclasses import dataclass, field
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from webquarry.api.negotiation import COMPRESSED_FROM, choose_coding, compress

PREFIX = "/static/"
FOLDER = Path(__file__).parent / "static"
_KEPT = "public, max-age=31536000, immutable"
_TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".css": "text/css", ".json": "application/json"}


@dataclass
class StaticFile:
    """A file to send. `packed` holds the compressed bodies by coding, each built on first use."""

    body: bytes
    media_type: str
    packed: dict[str, bytes] = field(default_factory=dict)

    async def answer(self, request: Request, cache_control: str = _KEPT) -> Response:
        headers = {"cache-control": cache_control, "vary": "Accept-Encoding"}
        body = self.body
        coding = choose_coding(request.headers.get("accept-encoding", "")) if len(body) >= COMPRESSED_FROM else None
        if coding is not None:
            headers["content-encoding"] = coding
            if coding not in self.packed:
                self.packed[coding] = await compress(body, coding)
            body = self.packed[coding]
        return Response(body, headers=headers, media_type=self.media_type)


class StaticFiles:
    """The files of a folder, and files created at startup (`add`)."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._addresses: dict[str, str] = {}
        self._files: dict[str, StaticFile] = {}
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                self.add(path.relative_to(folder).as_posix(), path.read_bytes())

    def add(self, name: str, body: bytes) -> str:
        """Serve a file. Return its URL, which includes a digest of its content."""
        stem, _, ending = name.rpartition(".")
        address = f"{PREFIX}{stem}.{hashlib.sha256(body).hexdigest()[:12]}.{ending}"
        kind = _TYPES.get(f".{ending}") or mimetypes.guess_type(name)[0] or "application/octet-stream"
        self._addresses[name] = address
        self._files[address] = StaticFile(body, kind)
        return address

    def address(self, name: str) -> str:
        """Return the URL of a file. Raises KeyError if it is unknown."""
        return self._addresses[name]

    def find(self, address: str) -> StaticFile | None:
        return self._files.get(address)
