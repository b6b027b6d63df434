"""Memory cache of finished results, above storage. It serves cache hits.

An entry is a stored conversion with its artifacts as JSON text. The bodies of cache hits are built once per format.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final, Self

import orjson

from webquarry.core.clock import Clock
from webquarry.endpoints.declare import Format
from webquarry.storage.conversions import Conversion
from webquarry_convert.text.instants import rfc3339

BELIEVED_S = 5.0
"""Seconds for which an entry is used before storage is queried again."""
_OVERHEAD_BYTES = 2048
OFF_LOOP_BYTES: Final = 256 * 1024
"""Size in bytes above which strings are encoded as JSON, and responses assembled, in a thread."""
_STEP_BYTES: Final = 64 * 1024
"""Bytes that a thread encodes as JSON in one step, because it holds the interpreter's lock during a step."""


class Ready:
    """A stored conversion, ready to be sent."""

    __slots__ = ("_bodies", "asked_at", "conversion", "markdown_json", "size_bytes")

    def __init__(self, conversion: Conversion, markdown_json: bytes) -> None:
        self.conversion = conversion
        self.markdown_json = markdown_json
        self._bodies: dict[Format, bytes] = {}
        self.asked_at = rfc3339(conversion.asked_at).encode()
        """The time of the provider's response, in the encoding used in responses."""
        # each text is stored once on its own and twice in bodies
        texts = 3 * (len(conversion.data) + len(self.markdown_json))
        self.size_bytes = texts + len(conversion.markdown) + _OVERHEAD_BYTES
        """Maximum size of the entry in bytes, when the bodies of all formats are built."""

    @classmethod
    async def of(cls, conversion: Conversion) -> Self:
        """Return the entry of a conversion. Long strings are encoded as JSON in a thread."""
        if len(conversion.markdown) <= OFF_LOOP_BYTES:
            return cls(conversion, json_text(conversion.markdown))
        return cls(conversion, await asyncio.to_thread(json_text, conversion.markdown))

    def age_s(self, now: datetime) -> int:
        """Return the conversion's age in whole seconds."""
        return max(0, int((now - self.conversion.created_at).total_seconds()))

    @property
    def is_large(self) -> bool:
        """Whether assembling the entry's response would block the event loop."""
        return len(self.conversion.data) + len(self.markdown_json) > OFF_LOOP_BYTES

    def hit(self, form: Format) -> bytes:
        """Return the envelope of SPEC 2.1 for a cache hit: `cached` true, no credits."""
        body = self._bodies.get(form)
        if body is None:
            body = self._bodies[form] = self._envelope(form, charged=0, cached=True)
        return body

    def fresh(self, form: Format, charged: int) -> bytes:
        """Return the envelope for the caller whose request created the conversion."""
        return self._envelope(form, charged=charged, cached=False)

    def _envelope(self, form: Format, *, charged: int, cached: bool) -> bytes:
        c = self.conversion
        parts = [orjson.dumps(make_head(c, charged=charged, cached=cached))[:-1]]
        if form != "markdown":
            parts += [b',"data":', c.data]
        if form != "json":
            parts += [b',"markdown":', self.markdown_json]
        return b"".join([*parts, b"}"])


def make_head(conversion: Conversion, *, charged: int, cached: bool) -> dict[str, Any]:
    """Return the first fields of every envelope (SPEC 2.1)."""
    return {"extractor": conversion.endpoint, "id": conversion.id, "creditsCharged": charged, "cached": cached}


def json_text(text: bytes) -> bytes:
    """Encode UTF-8 text as a JSON string."""
    if len(text) <= _STEP_BYTES:
        return orjson.dumps(text.decode())
    return b"".join((b'"', *(orjson.dumps(step)[1:-1] for step in _steps(text)), b'"'))


def _steps(text: bytes) -> Iterator[str]:
    """Yield the text in parts without splitting a character."""
    at = 0
    while at < len(text):
        end = at + _STEP_BYTES
        while end < len(text) and text[end] & 0xC0 == 0x80:
            end -= 1
        yield text[at:end].decode()
        at = end


class ReadyCache:
    """Entries by cache key, each valid for a few seconds.

    Beyond `limit_bytes`, the least recently used entries are dropped. An entry that another process replaced in storage
    is therefore served for at most another `BELIEVED_S` seconds.
    """

    def __init__(self, limit_bytes: int, clock: Clock) -> None:
        self._limit_bytes = limit_bytes
        self._clock = clock
        self._entries: OrderedDict[str, tuple[Ready, float]] = OrderedDict()
        self._held_bytes = 0

    def get(self, key: str) -> Ready | None:
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry[1] <= self._clock.monotonic():
            self.drop(key)
            return None
        self._entries.move_to_end(key)
        return entry[0]

    def put(self, key: str, ready: Ready) -> None:
        self.drop(key)
        if ready.size_bytes > self._limit_bytes // 4:
            return
        self._entries[key] = (ready, self._clock.monotonic() + BELIEVED_S)
        self._held_bytes += ready.size_bytes
        while self._held_bytes > self._limit_bytes:
            self.drop(next(iter(self._entries)))

    def drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._held_bytes -= entry[0].size_bytes

    @property
    def held_bytes(self) -> int:
        return self._held_bytes
