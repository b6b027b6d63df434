"""A client of the API that sends any bytes and checks each response against the OpenAPI document."""

import http.client
import json
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs

from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.snippets import example_path

_TRANSPORT_HEADERS = {"content-type", "content-length", "date", "connection"}
_PATIENCE_S = 20.0


@dataclass(frozen=True, slots=True)
class Reply:
    """A response. headers: lower-case names, each of which occurs once."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def code(self) -> str:
        """Return the code of an error, asserting that the error has exactly the API's fields."""
        assert self.headers["content-type"] == "application/json"
        error = self.json
        assert set(error) == {"error", "code"}
        assert isinstance(error["error"], str)
        return str(error["code"])


class Line:
    """A connection.

    Bytes are sent unchanged; `reply` reads one response, or returns None if the server closed the connection.
    """

    def __init__(self, link: socket.socket) -> None:
        self._socket = link
        self._file = link.makefile("rb")

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def reply(self, *, to: str = "GET") -> Reply | None:
        try:
            first = self._file.readline()
        except ConnectionResetError:
            return None
        if not first:
            return None
        version, status, *_ = first.decode("ascii").split(" ", 2)
        assert version == "HTTP/1.1"
        fields = http.client.parse_headers(self._file)
        headers = {name.lower(): value for name, value in fields.items()}
        assert len(headers) == len(fields.items()), "a header is repeated"
        body = b"" if to == "HEAD" else self._file.read(int(headers["content-length"]))
        return Reply(int(status), headers, body)

    def replies(self) -> list[Reply]:
        """Return all responses until the server closes the connection."""
        found = []
        while (reply := self.reply()) is not None:
            found.append(reply)
        return found


@contextmanager
def line_to(url: str) -> Iterator[Line]:
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=_PATIENCE_S) as link:
        yield Line(link)


class Contract:
    """Checks responses against an OpenAPI document."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self._validators: dict[str, jsonschema_rs.Draft202012Validator] = {}
        self._operations = {
            re.compile(re.sub(r"\{[^}]*\}", "[^/]+", path)): item for path, item in document["paths"].items()
        }

    def judge(self, method: str, path: str, reply: Reply) -> None:
        """Assert that the response is documented: status, type, body, and every header.

        Markdown alone is documented in words, so that its body is not checked.
        """
        text = self._response(method, path, reply.status)
        media_type = reply.headers["content-type"].partition(";")[0]
        if method != "HEAD" and media_type != "text/markdown" and "content-encoding" not in reply.headers:
            self._valid(text["content"][media_type]["schema"], reply.json)
        known = {name.lower(): self._follow(header) for name, header in text["headers"].items()}
        for name, value in reply.headers.items():
            if name not in _TRANSPORT_HEADERS:
                assert name in known, f"{method} {path} {reply.status}: header {name} is not documented"
                rule = known[name]["schema"]
                self._valid(rule, int(value) if rule.get("type") == "integer" else value)
        missing = {name for name, header in known.items() if header.get("required")} - set(reply.headers)
        assert not missing

    def _response(self, method: str, path: str, status: int) -> Any:
        """Return the documented response. An undocumented path or method must be refused."""
        responses = self.document["components"]["responses"]
        for pattern, operations in self._operations.items():
            if pattern.fullmatch(path) and method.lower() in operations:
                text = operations[method.lower()]["responses"].get(str(status))
                assert text is not None, f"{method} {path}: status {status} is not documented"
                return self._follow(text)
        assert status >= 400
        return responses[str(status)]

    def _follow(self, part: Any) -> Any:
        """Return the component that a reference names, or the part itself."""
        if "$ref" not in part:
            return part
        *_, kind, name = part["$ref"].split("/")
        return self.document["components"][kind][name]

    def _valid(self, schema: Any, value: Any) -> None:
        text = json.dumps(schema)
        if text not in self._validators:
            whole = {**schema, "components": self.document["components"]} if "$ref" in text else schema
            self._validators[text] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        self._validators[text].validate(value)


class Client:
    """Sends requests to one server. Every response below /api/v1 is checked against the contract."""

    def __init__(self, url: str, key: str, contract: Contract) -> None:
        self.url = url
        self.key = key
        self.contract = contract

    def ask(
        self,
        target: str,
        *fields: str,
        method: str = "GET",
        key: str | None = "",
        body: bytes | None = None,
        host: str = "somewhere.example",
    ) -> Reply:
        """Send a request. fields: header lines; key: another key than the client's, or None for no key."""
        lines = [f"{method} {target} HTTP/1.1", f"Host: {host}", "Connection: close", *fields]
        if key is not None:
            lines.append(f"Authorization: Bearer {key or self.key}")
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        with line_to(self.url) as line:
            line.send("\r\n".join([*lines, "", ""]).encode("latin-1") + (body or b""))
            reply = line.reply(to=method)
        assert reply is not None
        assert reply.status != 500
        path = target.partition("?")[0]
        if path.startswith("/api/v1/"):
            self.contract.judge(method, path, reply)
        return reply

    def example(self, extractor: Extractor, *fields: str) -> Reply:
        """Send the request of the declared example."""
        if extractor.upload is None:
            return self.ask(example_path(extractor), *fields)
        return self.upload(extractor.upload.example.body, extractor.upload.example.name)

    def upload(self, content: bytes, name: str = "a", query: str = "", key: str | None = "") -> Reply:
        """Upload a file for conversion."""
        head = f'Content-Disposition: form-data; name="file"; filename="{name}"'
        body = b"--mark\r\n" + head.encode() + b"\r\n\r\n" + content + b"\r\n--mark--\r\n"
        field = "Content-Type: multipart/form-data; boundary=mark"
        return self.ask(f"/api/v1/markdown/file{query}", field, method="POST", key=key, body=body)
