"""Wires of the extension store for readers: samples if available, and synthetic ones."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from convert_support.kit import KIT
from webquarry.core.types import Wire
from webquarry.sandbox.cases import Case, cases

SAMPLES = KIT / "upstreams/samples/extension-store"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")
ITEM = "abcdefghijklmnopabcdefghijklmnop"


def wire(body: bytes | str, kind: str = "text/html; charset=utf-8") -> Wire:
    content = body if isinstance(body, bytes) else body.encode()
    url = "https://chromewebstore.google.com/"
    return Wire(content, url, url, 200, {"content-type": kind}, NOW)


def sample(name: str) -> Wire:
    return wire((SAMPLES / name).read_bytes())


def answer(call: str, content: Any, code: int | None = None) -> Wire:
    """Return the response of a call, in the store's framing."""
    found = None if content is None else json.dumps(content)
    entry = ["wrb.fr", call, found, None, None, None if code is None else [code], "generic"]
    return wire(f")]}}'\n\n7\n{json.dumps([entry])}\n", "application/json")


def case_of(endpoint: str, name: str) -> Case:
    return next(case for case in cases(endpoint) if case.folder.name == name)


def content_of(endpoint: str, name: str) -> Any:
    """Return the response data of a case's call."""
    line = case_of(endpoint, name).exchanges[0].answered().body.decode().split("\n")[3]
    return json.loads(json.loads(line)[0][2])
