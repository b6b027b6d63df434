"""The MIME tree of a mail, limited in depth and in number of parts."""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.mail.headers import BLANK_LINE, Headers, unpack_base64
from webquarry_convert.file.wide_text import decode_utf16, find_byte_order
from webquarry_convert.text.charset import decode, find_codec

MAX_PARTS: Final = 1_000
MAX_DEPTH: Final = 10
"""Maximum nesting of parts. Deeper parts are treated as attachments."""
MAX_BOUNDARY: Final = 200
_DOS: Final = re.compile(r"(?:cp|ibm|dos)[-_ ]?(437|850|852|855|857|858|860|861|863|865)", re.IGNORECASE)
"""Matches labels of DOS code pages, which are not allowed in web pages but occur in mails."""
_UTF16: Final = re.compile(r"utf-?16|unicode|(?:iso-10646-)?ucs-?2", re.IGNORECASE)
"""Matches labels of UTF-16 that don't state a byte order."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a mail.

    media: the media type, in lower case. packed: the encoded bytes. depth: number of enclosing parts. is_recoded:
    whether `packed` is now UTF-8 because the whole file was stored in UTF-16.
    """

    headers: Headers
    media: str
    parameters: dict[str, str]
    packed: bytes
    depth: int
    is_recoded: bool = False

    @property
    def is_attachment(self) -> bool:
        return self.headers.read_structured("content-disposition")[0] == "attachment"

    @property
    def file_name(self) -> str:
        """The file name that the sender gave, without a path, or ""."""
        named = self.headers.read_structured("content-disposition")[1].get("filename") or self.parameters.get(
            "name", ""
        )
        return " ".join(named.replace("\\", "/").rpartition("/")[2].split())[:200]

    def unpack(self) -> bytes:
        form = self.headers.get("content-transfer-encoding").lower()
        if form == "base64":
            return unpack_base64(self.packed)
        return binascii.a2b_qp(self.packed) if form == "quoted-printable" else self.packed

    def read_text(self) -> str:
        """Decode a part's text with its declared charset."""
        raw = self.unpack()
        if self.is_recoded and raw is self.packed:
            return raw.decode("utf-8", "replace").replace("\0", "")
        label = self.parameters.get("charset", "").strip()
        if _UTF16.fullmatch(label) and (wide := find_byte_order(raw)) is not None:
            return decode_utf16(raw, wide).replace("\0", "")
        old = _DOS.fullmatch(label) if find_codec(label) is None else None
        if old is not None:
            return raw.decode(f"cp{old[1]}", "replace").replace("\0", "")
        return decode(raw, self.headers.get("content-type")).text


class PartReader:
    """Reads the parts of one file, up to a total number of parts."""

    def __init__(self, *, is_recoded: bool = False) -> None:
        """Create a reader. is_recoded: as in `Part`."""
        self._parts = 0
        self._is_recoded = is_recoded

    def read(self, raw: bytes, usual: str = "text/plain", depth: int = 0) -> Part:
        """Read a part. usual: the media type if the part declares none."""
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise make_limit_error(f"more than {MAX_PARTS:,} parts")
        blank = BLANK_LINE.search(raw)
        if raw[:1] in (b"\r", b"\n"):
            head, packed = b"", raw.lstrip(b"\r\n")
        elif blank is None:
            head, packed = raw, b""
        else:
            head, packed = raw[: blank.start()], raw[blank.end() :]
        headers = Headers(head)
        media, parameters = headers.read_structured("content-type")
        return Part(headers, media if "/" in media else usual, parameters, packed, depth, self._is_recoded)

    def read_children(self, part: Part) -> Iterator[Part]:
        """Yield the children of a multipart part."""
        boundary = part.parameters.get("boundary", "")
        if not boundary or len(boundary) > MAX_BOUNDARY or part.depth >= MAX_DEPTH:
            return
        usual = "message/rfc822" if part.media == "multipart/digest" else "text/plain"
        line = re.compile(rb"(?:\A|\r\n|\n|\r)--" + re.escape(boundary.encode()) + rb"(--)?[ \t]*+(?=[\r\n]|\Z)")
        begin = None
        for mark in line.finditer(part.packed):
            if begin is not None:
                yield self.read(_strip_line_end(part.packed[begin : mark.start()]), usual, part.depth + 1)
            begin = None if mark[1] else mark.end()
            if mark[1]:
                return
        if begin is not None:  # the part has no closing boundary
            yield self.read(_strip_line_end(part.packed[begin:]), usual, part.depth + 1)


def _strip_line_end(raw: bytes) -> bytes:
    """Remove the rest of the boundary line."""
    return raw[2:] if raw.startswith(b"\r\n") else raw[1:]
