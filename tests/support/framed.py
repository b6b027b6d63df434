"""Framed responses, for tests of stored wires."""

from datetime import UTC, datetime

from webquarry.core.types import Wire


def wire(body: bytes | str, url: str = "https://api.example.com/v1/thing", status: int = 200, **headers: str) -> Wire:
    return Wire(
        body=body.encode() if isinstance(body, str) else body,
        url=url,
        requested_url=url,
        status=status,
        headers=headers,
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
