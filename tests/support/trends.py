"""Responses of Google Trends for a simulated network (`support.world`)."""

import base64
import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from support.world import NOW, Told, redirect

NID = "NID=530=made; path=/; domain=.google.com; HttpOnly"
EXPLORE = "/trends/api/explore"
EMBED = "/trends/embed/explore/"
DATA = "/trends/api/widgetdata/"
SESSION = "/trends/explore"
PAGE = "/trending"


def data(value: Any, mark: str = ")]}',\n") -> Told:
    body = f"{mark}{value if isinstance(value, str) else json.dumps(value)}".encode()
    return Told(200, body, {"content-type": "application/json; charset=utf-8"})


def error_page(status: int, **more: Any) -> Told:
    body = f"<html lang=en><meta charset=utf-8><title>Error {status} (Oh no)!!1</title>".encode()
    return Told(status, body, {"content-type": "text/html; charset=UTF-8"}, **more)


SORRY = redirect("https://www.google.com/sorry/index?continue=https://trends.google.com/")
NEW_SESSION = error_page(404, cookies=(NID,))
LIMITED = error_page(429)


def token(seed: int = 0, expires: datetime = NOW + timedelta(days=1)) -> str:
    """Return a token in the real format: 33 bytes, its expiry in bytes 9 to 12."""
    content = bytes(9) + int(expires.timestamp()).to_bytes(4, "big") + seed.to_bytes(20, "big")
    return base64.urlsafe_b64encode(content).decode()


def widget(name: str, request: Mapping[str, Any], signed: str) -> dict[str, Any]:
    return {"request": request, "token": signed, "id": name, "title": name}


def explored(*, seed: int = 0, expires: datetime = NOW + timedelta(days=1), keyword: str = "coffee") -> Told:
    """Return a response of explore about one keyword. seed: distinguishes its tokens."""
    asked = {"keyword": [{"type": "BROAD", "value": keyword}]}
    requests: dict[str, dict[str, Any]] = {
        "TIMESERIES": {"time": "2026-11-19T06\\:00\\:00 2026-11-19T18\\:00\\:00", "resolution": "WEEK", "b": [asked]},
        "GEO_MAP": {"geo": {}, "resolution": "COUNTRY", "locale": "en-US"},
        "RELATED_TOPICS": {"keywordType": "ENTITY", "restriction": asked},
        "RELATED_QUERIES": {"keywordType": "QUERY", "restriction": asked},
    }
    widgets = [widget(name, request, token(seed, expires)) for name, request in requests.items()]
    return data({"widgets": [*widgets, {"id": "TITLE_0", "type": "fe_text"}], "keywords": []}, ")]}'\n")
