"""Wires of Google Trends' widgets for readers: samples if available, and those on tape."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest

from convert_support.kit import KIT
from webquarry.core.types import Wire
from webquarry.sandbox.cases import cases

SAMPLES = KIT / "upstreams/samples/trends"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")


def wire(body: Any, mark: str = ")]}',\n") -> Wire:
    """Return a response: bytes unchanged, any other value as JSON behind the mark."""
    content = body if isinstance(body, bytes) else f"{mark}{json.dumps(body)}".encode()
    return Wire(content, "", "", 200, {"content-type": "application/json"}, NOW)


def sample(name: str) -> Wire:
    return wire((SAMPLES / name).read_bytes())


def bodies(endpoint: str, path: str) -> Iterator[Any]:
    """Yield the taped JSON behind the mark, of responses below this path."""
    for case in cases(endpoint):
        for exchange in case.exchanges:
            if case.data is not None and urlsplit(exchange.request.url).path.startswith(path):
                yield json.loads(exchange.answered().body.partition(b"\n")[2])
