"""A simulated browser in this process: it keeps cookies, reads forms, and sends origin headers."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

ORIGIN = "http://127.0.0.1:8080"


@dataclass
class Page:
    """The response to a request. headers: the last header with each name, by lower-case name."""

    status: int
    headers: dict[str, str]
    set_cookies: list[str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def location(self) -> str:
        return self.headers.get("location", "")

    def fields(self, action: str = "") -> dict[str, str]:
        """Return the fields that the first form with this action (or any) would send unchanged."""
        for form in LexborHTMLParser(self.text).css("form"):
            if not action or form.attributes.get("action") == action:
                return dict(filter(None, map(_read_control, form.css("input[name], select[name]"))))
        raise AssertionError(f"no form leads to {action!r}")

    @property
    def words(self) -> str:
        """Return the visible text with its white space collapsed."""
        main = LexborHTMLParser(self.text).css_first("main")
        return " ".join(main.text().split()) if main else ""


def _read_control(control: LexborNode) -> tuple[str, str] | None:
    """Return the name and value that an unchanged control sends, or None if it sends none."""
    name, found = str(control.attributes["name"]), control.attributes
    if control.tag == "select":
        options = control.css("option")
        chosen = next((option for option in options if "selected" in option.attributes), options[0])
        return name, chosen.attributes.get("value") or ""
    if found.get("type") in ("radio", "checkbox") and "checked" not in found:
        return None
    return name, found.get("value") or ""


@dataclass
class Browser:
    """A browser that visits an ASGI application. address: its IP address."""

    app: Any
    origin: str = ORIGIN
    address: str = "192.0.2.1"
    cookies: dict[str, str] = field(default_factory=dict)

    async def get(self, path: str, **headers: str) -> Page:
        return await self.send("GET", path, headers={"accept": "text/html", **headers})

    async def post(self, path: str, fields: Mapping[str, str], **headers: str | None) -> Page:
        """Send a form like a page of this origin. headers: replacements for the usual ones, None to omit one."""
        usual: dict[str, str | None] = {
            "accept": "text/html",
            "content-type": "application/x-www-form-urlencoded",
            "origin": self.origin,
            "sec-fetch-site": "same-origin",
        }
        usual.update({name.replace("_", "-"): value for name, value in headers.items()})
        answer = {name: value for name, value in usual.items() if value is not None}
        return await self.send("POST", path, headers=answer, body=urlencode(fields).encode())

    async def submit(self, page_path: str, action: str = "", **fields: str) -> Page:
        """Open a page, fill in its form and submit it."""
        page = await self.get(page_path)
        assert page.status == 200, page.text
        target = action or urlsplit(page_path).path
        return await self.post(target, {**page.fields(target), **fields})

    async def send(self, method: str, path: str, *, headers: Mapping[str, str], body: bytes = b"") -> Page:
        parts = urlsplit(path)
        fields = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        fields.append((b"host", urlsplit(self.origin).netloc.encode()))
        if self.cookies:
            fields.append((b"cookie", "; ".join(f"{n}={v}" for n, v in self.cookies.items()).encode()))
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": urlsplit(self.origin).scheme,
            "path": parts.path,
            "raw_path": parts.path.encode(),
            "query_string": parts.query.encode(),
            "root_path": "",
            "headers": fields,
            "client": (self.address, 40000),
            "server": ("127.0.0.1", 8080),
        }
        sent: list[dict[str, Any]] = []
        waiting = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if not waiting:  # the browser stays connected for the whole response
                await asyncio.Event().wait()
            return waiting.pop()

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        found = [(name.decode().lower(), value.decode()) for name, value in sent[0]["headers"]]
        page = Page(
            sent[0]["status"],
            dict(found),
            [value for name, value in found if name == "set-cookie"],
            b"".join(message.get("body", b"") for message in sent[1:]),
        )
        self._keep(page.set_cookies)
        return page

    def _keep(self, set_cookies: list[str]) -> None:
        for text in set_cookies:
            for name, morsel in SimpleCookie(text).items():
                if morsel["max-age"] == "0":
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = morsel.value
