"""Uploaded files: a multipart body with a part `file`, and optionally `format`, parsed as it arrives.

An error is sent immediately. The server then discards the rest of the body while the client reads the response.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from webquarry.api.body import WITHIN_S, Receive, read_chunks
from webquarry.core.clock import Clock
from webquarry.core.errors import FileTooLarge, InvalidParams, UnsupportedType
from webquarry.core.shares import Shares
from webquarry.core.types import Deadline, File
from webquarry.endpoints.params import FORMAT, shown

PART = "file"
TEXTS = frozenset({FORMAT.name})
"""Names of the parts that an API request may contain in addition to the file."""
MAX_AT_ONCE = 32
"""Maximum number of files received concurrently. One account gets at most half of them."""
JOINED_APART = 2 * 1024 * 1024
"""Size in bytes above which a file is joined in a thread, so that the event loop is not blocked."""
MAX_FRAMING = 16 * 1024
"""Maximum bytes of a body without its file: boundaries, part headers and the format."""
_WANTED = f"Send multipart/form-data with one part named '{PART}'"


@dataclass(frozen=True, slots=True)
class Received:
    """A received form: the file, and the values of the other parts by name (`texts`)."""

    file: File
    texts: Mapping[str, str]

    @property
    def format(self) -> str | None:
        """The value of the part `format`, or None."""
        return self.texts.get(FORMAT.name)


class Announced:
    """The head of an upload request, checked before its body is read.

    `max_bytes` limits the file. Raises UnsupportedType if the body is compressed, InvalidParams if it is not multipart,
    and FileTooLarge if its announced length exceeds the limit.
    """

    def __init__(self, headers: Sequence[tuple[bytes, bytes]], max_bytes: int) -> None:
        codings = [value for name, value in headers if name == b"content-encoding"]
        if codings and codings != [b"identity"]:
            raise UnsupportedType("Compressed bodies (Content-Encoding) aren't supported. Send the body uncompressed.")
        self.boundary = _boundary(headers)
        self.max_bytes = max_bytes
        lengths = [value for name, value in headers if name == b"content-length"]
        if lengths and int(lengths[0]) > max_bytes + MAX_FRAMING:  # the server has verified that the length is a number
            raise _too_large(max_bytes)


class Uploads:
    """Receives files. The number of concurrent uploads is limited and shared fairly between accounts."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._slots = Shares(MAX_AT_ONCE, most=MAX_AT_ONCE // 2)

    @property
    def open(self) -> int:
        """Number of files being received."""
        return self._slots.busy

    async def receive(
        self, announced: Announced, receive: Receive, account: str, texts: frozenset[str] = TEXTS
    ) -> Received:
        """Receive a request's file and the values of the parts named in `texts`.

        Raises InvalidParams if the part `file` is missing or repeated, if there is an unknown part, or if the body is
        too slow or incomplete; FileTooLarge beyond the limit; Overloaded if too many files are being received, in total
        or for this account.
        """
        form = _Form(announced.boundary, announced.max_bytes, texts)
        async with self._slots.slot(account, Deadline.after(WITHIN_S, self._clock)):
            async for chunk in read_chunks(receive):
                form.take(chunk)
        return form.finish() if form.size < JOINED_APART else await asyncio.to_thread(form.finish)


class _Form:
    """A multipart body with a file and optional text fields. `size` counts the file's bytes so far."""

    def __init__(self, boundary: bytes, max_bytes: int, texts: frozenset[str]) -> None:
        self._max_bytes = max_bytes
        self._file: list[bytes] = []
        self._texts: dict[str, list[bytes]] = {name: [] for name in texts}
        self._content = self._file
        self.size = self._framing = 0
        self._parts: Counter[str] = Counter()
        self._is_whole = False
        self._field = self._value = b""
        self._filename = b""
        self._disposition: Mapping[bytes, bytes] = {}
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_part_data": self._data,
                "on_header_begin": self._header,
                "on_header_field": self._header_field,
                "on_header_value": self._header_value,
                "on_header_end": self._header_end,
                "on_headers_finished": self._judge,
                "on_end": self._end,
            },
        )

    def take(self, chunk: bytes) -> None:
        before = self.size
        try:
            self._parser.write(chunk)
        except MultipartParseError as exc:
            raise InvalidParams(f"The multipart body is malformed. {_WANTED}.") from exc
        self._framing += len(chunk) - (self.size - before)
        if self._framing > MAX_FRAMING:
            raise InvalidParams(f"The multipart body has data in addition to the file. {_WANTED}.")

    def finish(self) -> Received:
        if not self._is_whole:
            raise InvalidParams(f"The multipart body is incomplete or has no part. {_WANTED}.")
        if not self._parts[PART]:
            raise InvalidParams(f"The multipart body has no part named '{PART}'.")
        file = File.of(self._filename.decode("utf-8", "replace"), b"".join(self._file))
        given = {name: pieces for name, pieces in self._texts.items() if self._parts[name]}
        return Received(file, {name: b"".join(pieces).decode("utf-8", "replace") for name, pieces in given.items()})

    def _begin(self) -> None:
        self._disposition = {}

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._content is self._file:
            self.size += end - start
            if self.size > self._max_bytes:
                raise _too_large(self._max_bytes)
        self._content.append(data[start:end])

    def _header(self) -> None:
        self._field = self._value = b""

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _header_end(self) -> None:
        if self._field.lower() == b"content-disposition":
            kind, self._disposition = parse_options_header(self._value)
            if kind != b"form-data":
                self._disposition = {}

    def _judge(self) -> None:
        """Start the part whose headers are complete. Raises InvalidParams if the part is unknown or repeated."""
        if b"name" not in self._disposition:
            raise InvalidParams(f"The multipart body has a part without a name. {_WANTED}.")
        name = self._disposition[b"name"].decode("utf-8", "replace")
        if name != PART and name not in self._texts:
            raise InvalidParams(f"The multipart body has an unknown part '{shown(name)}'. {_WANTED}.")
        self._parts[name] += 1
        if self._parts[name] > 1:
            raise InvalidParams(f"The multipart body has a second part '{name}'. {_WANTED}.")
        if name == PART:
            self._filename = self._disposition.get(b"filename", b"")
        self._content = self._file if name == PART else self._texts[name]

    def _end(self) -> None:
        self._is_whole = True


def _too_large(max_bytes: int) -> FileTooLarge:
    return FileTooLarge(f"The file is larger than {max_bytes:,} bytes.")


def _boundary(headers: Sequence[tuple[bytes, bytes]]) -> bytes:
    """Return the multipart boundary from the Content-Type field."""
    types = [value for name, value in headers if name == b"content-type"]
    kind, options = parse_options_header(types[0]) if len(types) == 1 else (b"", {})
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= 70:
        raise InvalidParams(f"The request has no multipart body. {_WANTED}.")
    return boundary
