"""Shared types of small values that packages pass to each other."""

import asyncio
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from webquarry.core.clock import Clock
from webquarry.core.parsed_text import build_text_schema
from webquarry.core.urls import host_of, is_address

MAX_DEADLINE_S = 120.0
"""Maximum duration of a request. A request that exceeds it by half a minute is considered dead."""
GIVEN_UP_AFTER_S = MAX_DEADLINE_S + 30.0


@dataclass(frozen=True, slots=True)
class Domain:
    """A public domain name, lower case, A-label form.

    `host` is the requested name (`shop.example.co.uk`); `registrable` the part that can be registered (`example.co.uk`,
    according to the ICANN part of the public suffix list); `suffix` the part below which names are registered
    (`co.uk`); `tld` the last label.
    """

    host: str
    registrable: str
    suffix: str

    @property
    def tld(self) -> str:
        return self.host.rpartition(".")[2]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the domain of a bare name or a full URL. Raises ValueError with a sentence if there is none."""
        if any(character.isspace() for character in text):
            raise ValueError("must be a domain name such as example.com, without spaces")
        host = host_of(text)
        if is_address(host):
            raise ValueError("must be a domain name such as example.com, not an IP address")
        if "_" in host or "." not in host:
            raise ValueError("must be a domain name such as example.com")
        suffixes = _public_suffixes()
        registrable = suffixes.privatesuffix(host)
        if registrable is None:
            raise ValueError(f"must be a registrable domain such as example.com; {host} is a public suffix")
        return cls(host=host, registrable=registrable, suffix=registrable.partition(".")[2])

    def __str__(self) -> str:
        return self.host

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return build_text_schema(cls.parse)

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string"}


@lru_cache(maxsize=1)
def _public_suffixes() -> PublicSuffixList:
    return PublicSuffixList(only_icann=True)


@dataclass(frozen=True, slots=True)
class Deadline:
    """The time by which a request must be finished, on the clock's monotonic scale."""

    at_s: float
    clock: Clock = field(repr=False, compare=False)

    @classmethod
    def after(cls, seconds: float, clock: Clock) -> Self:
        return cls(clock.monotonic() + seconds, clock)

    @property
    def remaining_s(self) -> float:
        """Seconds left, at least 0."""
        return max(0.0, self.at_s - self.clock.monotonic())

    @property
    def passed(self) -> bool:
        return self.remaining_s <= 0.0

    def within(self, seconds: float) -> "Deadline":
        """Return the earlier of this deadline and `seconds` from now."""
        return Deadline(min(self.at_s, self.clock.monotonic() + seconds), self.clock)

    def share(self, parts: int) -> "Deadline":
        """Return a deadline for one of `parts` attempts, which share the remaining time equally."""
        return self.within(self.remaining_s / max(1, parts))

    def bound(self) -> asyncio.Timeout:
        """Return a context that raises TimeoutError when the deadline passes."""
        return asyncio.timeout(self.remaining_s)


MAX_FILE_NAME = 255


@dataclass(frozen=True, slots=True)
class File:
    """An uploaded file.

    `name` is the caller's file name without folders, or "" if missing. The name need not match the content. `kind` is
    the type that was detected when the upload was checked; it is "" before the check.
    """

    name: str
    body: bytes = field(repr=False)
    kind: str = ""

    @classmethod
    def of(cls, given: str, body: bytes) -> Self:
        """Return the file with a cleaned name.

        Folders are removed, and unprintable characters become U+FFFD. Examples are characters that reverse a line, and
        U+0000, which databases reject.
        """
        name = given.replace("\\", "/").rpartition("/")[2][-MAX_FILE_NAME:]
        return cls("".join(each if each.isprintable() else "\ufffd" for each in name), body)


PICTURES_PATH = "/logos/"
"""Path prefix of public images in results."""
PICTURE_ENDINGS: Mapping[str, str] = {"image/png": ".png", "image/svg+xml": ".svg"}
"""Media types and extensions of images that the service serves."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A public image in a result, named after its content.

    `media_type` is a key of `PICTURE_ENDINGS`. An SVG contains no scripts and no external references.
    """

    media_type: str
    body: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """Name derived from the content: 32 hexadecimal digits and an extension."""
        return f"{sha256(self.body).hexdigest()[:32]}{PICTURE_ENDINGS[self.media_type]}"


Subject = Literal["file", "page", "answer"]
"""Kind of data that a child process works on, for error messages."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A provider's response: the decoded body and its origin.

    `url` is the final URL after redirects, `requested_url` the first one requested. `headers` have lower-case names; of
    repeated fields, only the last one is kept. `fetched_at` is the time of the response in UTC, which readers use as
    "now". `rendered` means that the body is a page rendered by a browser, as HTML in UTF-8.
    """

    body: bytes
    url: str
    requested_url: str
    status: int
    headers: Mapping[str, str]
    fetched_at: datetime
    truncated: bool = False
    rendered: bool = False

    @property
    def origin(self) -> str:
        """Scheme, host and port of the final URL."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    def about(self) -> dict[str, Any]:
        """Return all fields except the body as JSON values, for readers in another process."""
        return {
            "url": self.url,
            "requested_url": self.requested_url,
            "status": self.status,
            "headers": {name: _whole(value) for name, value in self.headers.items()},
            "fetched_at": self.fetched_at.isoformat(),
            "truncated": self.truncated,
            "rendered": self.rendered,
        }

    @classmethod
    def of(cls, about: Mapping[str, Any], body: bytes) -> Self:
        """Return the wire with this body and the values that `about` returned."""
        return cls(**{**about, "body": body, "fetched_at": datetime.fromisoformat(about["fetched_at"])})

    @property
    def content_type(self) -> str:
        """Media type without parameters, in lower case; empty if none was sent."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def _whole(text: str) -> str:
    """Return the text without lone surrogates, which represent header bytes that are not UTF-8."""
    return text.encode("utf-8", "replace").decode()


@dataclass(frozen=True, slots=True)
class Known:
    """A stored result, and how to ask its source whether it has changed since (RFC 9110 section 13).

    `url` is the final URL of its response. `etag` and `last_modified` are the response's validators, or "".
    """

    conversion_id: str
    url: str
    etag: str = ""
    last_modified: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """Headers of a conditional request."""
        named = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in named.items() if value}

    @staticmethod
    def list_validators(wire: Wire) -> dict[str, str]:
        """Return the validators of a response: `etag` and `last_modified`, each only if it is valid.

        A rendered page has none, because the scripts and data that it loads may change without it.
        """
        if wire.rendered or wire.truncated:
            return {}
        found = {"etag": wire.headers.get("etag", ""), "last_modified": wire.headers.get("last-modified", "")}
        return {name: value for name, value in found.items() if _VALIDATORS[name].fullmatch(value)}


_VALIDATORS = {
    "etag": re.compile(r'(?:W/)?"[\x21\x23-\x7e]{0,200}"'),
    "last_modified": re.compile(r"[A-Za-z0-9 ,:+-]{1,60}", re.ASCII),
}


BROWSER_HEADERS = frozenset({"User-Agent", "Accept", "Accept-Language", "Referer", "Origin"})
"""Browser headers that a provider may send."""


@dataclass(frozen=True, slots=True)
class Politeness:
    """Politeness towards one host.

    `spacing_s` is the minimum number of seconds between the starts of two requests. `concurrency` is the number of
    parallel requests (None: the setting `host_concurrency`).
    """

    spacing_s: float = 0.0
    concurrency: int | None = None


Grade = Literal["open", "often_walled", "needs_a_key", "unproven"]
GRADES: Mapping[Grade, str] = {
    "open": "open: needs no key and has no known blocks",
    "often_walled": "often blocked: needs no key but rejects many data center addresses",
    "needs_a_key": "needs a key",
    "unproven": "untested: implemented from documentation, without a recorded response to test against",
}
"""Grades of a provider's reliability, best first, with their meaning."""
GRADE_NOTES: Mapping[Grade, str] = {"often_walled": "often blocked", "unproven": "untested"}
"""Short notes about the grades that users should know."""
_KEYS = ("_key", "_token", "_login", "_id")


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider: its name, the settings it needs, and how requests are sent to it.

    The provider is not configured unless all settings in `needs` are set; `uses` lists optional settings. `headers` are
    sent with each request. `browser_headers` are the headers of a plain browser, sent instead of the honest User-Agent
    to a source that only serves browsers; a setting of that name disables them (`providers.browser` creates them).
    `keeps_cookies` stores the source's cookies and sends them with all requests of this process.

    `unproven` means that there is no complete recorded response. `walled` means that it needs no key but blocks many
    data center addresses. `callers_choose` means that callers choose its URLs, so a refusal for one caller does not
    close it for others.
    """

    name: str
    title: str
    politeness: Politeness = Politeness()
    needs: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    browser_headers: Mapping[str, str] = field(default_factory=dict)
    unproven: bool = False
    walled: bool = False
    uses: tuple[str, ...] = ()
    keeps_cookies: bool = False
    callers_choose: bool = False

    @property
    def is_spare(self) -> bool:
        """Whether the provider is only used if no tested provider is configured, because it is untested and no setting
        enables it.
        """
        return self.unproven and not self.needs

    @property
    def grade(self) -> Grade:
        """Grade of the provider's reliability. A source that needs a key and is untested counts as untested."""
        if self.unproven:
            return "unproven"
        if any(name.endswith(_KEYS) for name in self.needs):
            return "needs_a_key"
        return "often_walled" if self.walled else "open"

    def __post_init__(self) -> None:
        if beyond := set(self.browser_headers) - BROWSER_HEADERS:
            raise ValueError(f"{self.name}: the browser header {min(beyond)} must not be sent")


def best_grade(providers: Iterable[Provider]) -> Grade:
    """Return the best grade of several sources; "open" if there are no sources, because the service itself responds."""
    grades = {provider.grade for provider in providers}
    return next((grade for grade in GRADES if grade in grades), "open")
