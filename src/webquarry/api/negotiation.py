"""Content negotiation: markdown instead of the JSON envelope, and compressed bodies."""

import asyncio
import gzip
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

import zstandard

Coding = Literal["zstd", "gzip"]
CODINGS: tuple[Coding, ...] = ("zstd", "gzip")
"""Supported content codings, best first."""
COMPRESSED_FROM = 4096
"""Minimum size in bytes of a body to compress."""
_OFF_LOOP_FROM = 64 * 1024
"""Size in bytes from which a body is compressed in a thread, so that the event loop is not blocked."""
_ZSTD_LEVEL, _GZIP_LEVEL = 3, 4
_FIELDS_KEPT = 64
"""Number of header values whose parsed form is cached. Clients send the same values with every request."""
MARKDOWN = "text/markdown"
JSON = "application/json"


@lru_cache(_FIELDS_KEPT)
def prefers_markdown(accept: str, *, over: str = JSON) -> bool:
    """Return whether an Accept field names markdown and does not prefer the type `over`. Wildcards are ignored."""
    weights = _read_weights(accept)
    return weights.get(MARKDOWN, 0.0) > 0 and weights[MARKDOWN] >= weights.get(over, 0.0)


@lru_cache(_FIELDS_KEPT)
def choose_coding(accept_encoding: str) -> Coding | None:
    """Return the best supported coding that an Accept-Encoding field names, or None."""
    weights = _read_weights(accept_encoding)
    return max((coding for coding in CODINGS if weights.get(coding)), key=lambda coding: weights[coding], default=None)


async def compress(body: bytes, coding: Coding) -> bytes:
    """Return the compressed body. A large body is compressed in a thread."""
    if len(body) < _OFF_LOOP_FROM:
        return _compress(body, coding)
    return await asyncio.to_thread(_compress, body, coding)


def _compress(body: bytes, coding: Coding) -> bytes:
    if coding == "zstd":
        return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compress(body)
    return gzip.compress(body, _GZIP_LEVEL, mtime=0)


def _read_weights(field: str) -> Mapping[str, float]:
    """Parse the names and weights of a preference field (RFC 9110 section 12.4.2), in lower case.

    Malformed weights are 0.
    """
    weights = {}
    for member in field.lower().split(","):
        name, _, parameters = member.partition(";")
        weight = 1.0
        for parameter in parameters.split(";"):
            key, _, value = parameter.partition("=")
            if key.strip() == "q":
                weight = _read_weight(value.strip())
        weights[name.strip()] = weight
    return weights


def _read_weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        return 0.0
    return weight if 0.0 <= weight <= 1.0 else 0.0
