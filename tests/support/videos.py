"""Recorded responses of the video platform, and synthetic requests to it."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from convert_support.kit import KIT
from webquarry.core.types import Wire

SAMPLES = KIT / "upstreams/samples/video-platform"
NOW = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
RECORDED_ID = "KI7fMGRg0Wk"
needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="recorded bodies are not part of the repository")


def wire(body: bytes | dict[str, Any], url: str = "https://www.youtube.com/youtubei/v1/player") -> Wire:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Wire(body=sent, url=url, requested_url=url, status=200, headers={}, fetched_at=NOW)


def sample(name: str) -> Wire:
    return wire((SAMPLES / name).read_bytes())
