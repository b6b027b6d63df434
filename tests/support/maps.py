"""Responses of Google Maps for a simulated network (`support.world`)."""

import json
from typing import Any

from support.world import NOW, Told, redirect
from webquarry.core.types import Wire

NID = "NID=511=made; path=/; domain=.google.com; HttpOnly"
HOME, SEARCH, PLACE = "/maps", "/search", "/maps/preview/place"
CAPTCHA = "/sorry/index"


def array(value: Any) -> Told:
    return Told(200, b")]}'\n" + json.dumps(value).encode(), {"content-type": "application/json; charset=UTF-8"})


def page(text: str = "", *, status: int = 200, cookies: tuple[str, ...] = ()) -> Told:
    body = f"<!DOCTYPE html><html><body>{text}</body></html>".encode()
    return Told(status, body, {"content-type": "text/html; charset=UTF-8"}, cookies)


SESSION = page(cookies=(NID,))
TO_CAPTCHA = redirect("https://www.google.com/sorry/index?continue=x")
TO_CONSENT = redirect("https://consent.google.com/m?continue=x")


def wire(body: Any, url: str = "https://www.google.com/search?tbm=map") -> Wire:
    """Return a response: bytes unchanged, anything else as JSON behind the guard line."""
    content = body if isinstance(body, bytes) else b")]}'\n" + json.dumps(body).encode()
    return Wire(body=content, url=url, requested_url=url, status=200, headers={}, fetched_at=NOW)


def hours(day: str, text: str, weekday: int | None, *spans: tuple[str, str]) -> dict[str, Any]:
    """Return a day of opening hours with known times; closed if there are none."""
    return {
        "day": day,
        "hours": text,
        "weekday": weekday,
        "spans": [{"opens": opens, "closes": closes} for opens, closes in spans],
        "is_closed": not spans,
        "is_24h": ("00:00", "00:00") in spans,
    }
