"""What a caller would rather have: markdown alone in place of the JSON envelope, and a body that is compressed."""

import asyncio
import gzip
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

import zstandard

Coding = Literal["zstd", "gzip"]
CODINGS: tuple[Coding, ...] = ("zstd", "gzip")
"""Those that can be made, best first."""
COMPRESSED_FROM = 4096
"""Bytes from which a body is worth it."""
_OFF_LOOP_FROM = 64 * 1024
"""Bytes from which a thread does it, which costs less than what it would hold up."""
_ZSTD_LEVEL, _GZIP_LEVEL = 3, 4
_FIELDS_KEPT = 64
"""Header fields whose meaning is remembered: a client sends the same ones with every call."""
MARKDOWN = "text/markdown"
JSON = "application/json"


@lru_cache(_FIELDS_KEPT)
def prefers_markdown(accept: str, *, over: str = JSON) -> bool:
    """Whether an Accept names markdown, and the other type not before it. A wildcard names neither."""
    weights = _read_weights(accept)
    return weights.get(MARKDOWN, 0.0) > 0 and weights[MARKDOWN] >= weights.get(over, 0.0)


@lru_cache(_FIELDS_KEPT)
def choose_coding(accept_encoding: str) -> Coding | None:
    """The best of our codings that an Accept-Encoding allows by name; None when it names none of them."""
    weights = _read_weights(accept_encoding)
    return max((coding for coding in CODINGS if weights.get(coding)), key=lambda coding: weights[coding], default=None)


async def compress(body: bytes, coding: Coding) -> bytes:
    """The body in this coding; a large one is compressed beside the event loop."""
    if len(body) < _OFF_LOOP_FROM:
        return _compress(body, coding)
    return await asyncio.to_thread(_compress, body, coding)


def _compress(body: bytes, coding: Coding) -> bytes:
    if coding == "zstd":
        return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compress(body)
    return gzip.compress(body, _GZIP_LEVEL, mtime=0)


def _read_weights(field: str) -> Mapping[str, float]:
    """Names and weights of a field of preferences (RFC 9110 section 12.4.2), lower case; what is malformed weighs 0."""
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
