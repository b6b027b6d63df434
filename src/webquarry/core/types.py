"""Shared words: the small values that cross borders between the parts."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeVar
from urllib.parse import urlsplit

from publicsuffixlist import PublicSuffixList
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from webquarry.core.clock import Clock
from webquarry.core.parsed_text import build_text_schema
from webquarry.core.urls import host_of, is_address

if TYPE_CHECKING:
    from webquarry.workers.job import Job
    from webquarry.workers.parcel import Parcel

F = TypeVar("F")
MAX_DEADLINE_S = 120.0
"""No call takes longer; what outlives this by half a minute is given up for dead."""
GIVEN_UP_AFTER_S = MAX_DEADLINE_S + 30.0


@dataclass(frozen=True, slots=True)
class Domain:
    """A public domain name, lower case, A-label form.

    host: as asked for (`shop.example.co.uk`); registrable: what one can register (`example.co.uk`, by the
    ICANN part of the public suffix list); suffix: what is registered under (`co.uk`); tld: the last label.
    """

    host: str
    registrable: str
    suffix: str

    @property
    def tld(self) -> str:
        return self.host.rpartition(".")[2]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Domain of a bare name or a full address. ValueError with a sentence when it has none."""
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
            raise ValueError(f"must be a name below a public suffix such as example.com; {host} is a suffix itself")
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
    """The one instant by which a call has to be over, on the clock's monotonic scale."""

    at_s: float
    clock: Clock = field(repr=False, compare=False)

    @classmethod
    def after(cls, seconds: float, clock: Clock) -> Self:
        return cls(clock.monotonic() + seconds, clock)

    @property
    def remaining_s(self) -> float:
        """Seconds left, never below zero."""
        return max(0.0, self.at_s - self.clock.monotonic())

    @property
    def passed(self) -> bool:
        return self.remaining_s <= 0.0

    def within(self, seconds: float) -> "Deadline":
        """The earlier of this deadline and `seconds` from now."""
        return Deadline(min(self.at_s, self.clock.monotonic() + seconds), self.clock)

    def share(self, parts: int) -> "Deadline":
        """An equal share of what is left, when `parts` attempts may still follow (this one included)."""
        return self.within(self.remaining_s / max(1, parts))

    def bound(self) -> asyncio.Timeout:
        """A context that raises TimeoutError when the deadline passes."""
        return asyncio.timeout(self.remaining_s)


MAX_FILE_NAME = 255


@dataclass(frozen=True, slots=True)
class File:
    """An uploaded file. name: as the caller gives it, without folders; "" when it gives none. It proves nothing."""

    name: str
    body: bytes = field(repr=False)

    @classmethod
    def of(cls, given: str, body: bytes) -> Self:
        """The file of a name as it came: without folders, and with U+FFFD for what does not print, such as what turns
        a line, or the U+0000 that no store takes."""
        name = given.replace("\\", "/").rpartition("/")[2][-MAX_FILE_NAME:]
        return cls("".join(each if each.isprintable() else "\ufffd" for each in name), body)


PICTURES_PATH = "/logos/"
"""Below which pictures of answers are shown, to everybody."""
PICTURE_ENDINGS: Mapping[str, str] = {"image/png": ".png", "image/svg+xml": ".svg"}
"""What a picture may be that the service shows, and how its name ends."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the service shows to everybody, under a name made of its content. media_type: of
    `PICTURE_ENDINGS`. An SVG in it is one without scripts and without anything from elsewhere."""

    media_type: str
    body: bytes = field(repr=False)

    @property
    def name(self) -> str:
        """32 hexadecimal digits and an ending: other content has another name."""
        return f"{sha256(self.body).hexdigest()[:32]}{PICTURE_ENDINGS[self.media_type]}"


Subject = Literal["file", "page", "answer"]
"""What a child works on, for the sentence that says why it could not."""


class Isolated(Protocol):
    """Runs a job on foreign bytes in a child process without network, bounded in memory and time.

    job: the function that is called with the bytes and the options, which are JSON values, and what it may answer.
    origin: the host that the bytes are from, or a name for one file, whose child may be used again; ""
    has a child to itself. subject: the kind
    of bytes. heavy: in a child that may take much memory and start programs. deadline: by when, where that is not the
    call's own. ConversionFailed when they take too much, or the answer is not as declared.
    """

    async def __call__(
        self,
        job: "Job[F]",
        body: bytes,
        options: Mapping[str, Any],
        *,
        origin: str = "",
        subject: Subject = "file",
        heavy: bool = False,
        deadline: Deadline = ...,
    ) -> "Parcel[F]": ...


@dataclass(frozen=True, slots=True)
class Wire:
    """What an upstream answered: bytes as received (transfer and content encodings undone), and their origin.

    url: the address that answered, after redirects; requested_url: the one asked for first.
    headers: lower-case names; of repeated fields the last one counts.
    fetched_at: the instant of the answer, UTC; a reader's "now".
    rendered: the body is what a browser made of the answer, as HTML in UTF-8.
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
        """Scheme, host and port of the address that answered."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    def about(self) -> dict[str, Any]:
        """All but the body, as JSON values: for who reads it in another process."""
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
        """The wire again, of what `about` gave."""
        return cls(**{**about, "body": body, "fetched_at": datetime.fromisoformat(about["fetched_at"])})

    @property
    def content_type(self) -> str:
        """Media type without parameters, lower case; empty when none was sent."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


def _whole(text: str) -> str:
    """Without halves of surrogate pairs, which stand for bytes of a header that are no UTF-8."""
    return text.encode("utf-8", "replace").decode()


BROWSER_HEADERS = frozenset({"User-Agent", "Accept", "Accept-Language", "Referer", "Origin"})
"""What of a browser's headers a provider may send."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How politely one host is visited.

    spacing_s: least seconds between the starts of two requests to one host; concurrency: requests
    to one host at once (None: the setting `host_concurrency`).
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
"""How reliable a provider is, best first, and what that means."""
GRADE_NOTES: Mapping[Grade, str] = {"often_walled": "often blocked", "unproven": "untested"}
"""Short notes for the grades that users should know about."""
_KEYS = ("_key", "_token", "_login", "_id")


@dataclass(frozen=True, slots=True)
class Provider:
    """One upstream as the machinery sees it: its name, what it needs, how it is treated.

    needs: names of settings that must be present, else the provider is not configured; uses: of those it may ask for.
    headers: sent with each call. browser_headers: a plain browser's, in place of the honest User-Agent, for a source
    that serves browsers only; left out by the setting of that name (`providers.browser` makes them).
    keeps_cookies: what the source sets is sent to it again, by all calls of this process.
    unproven: no whole-body sample of its wire exists.
    walled: it needs no key, and refuses many addresses of data centres.
    callers_choose: its addresses are callers', not ours: what one caller's was refused for closes nothing for another.
    """

    name: str
    title: str
    manners: Manners = Manners()
    needs: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    browser_headers: Mapping[str, str] = field(default_factory=dict)
    unproven: bool = False
    walled: bool = False
    uses: tuple[str, ...] = ()
    keeps_cookies: bool = False
    callers_choose: bool = False

    @property
    def grade(self) -> Grade:
        """How far it can be relied on. A source that both needs a key and is unproven is unproven."""
        if self.unproven:
            return "unproven"
        if any(name.endswith(_KEYS) for name in self.needs):
            return "needs_a_key"
        return "often_walled" if self.walled else "open"

    def __post_init__(self) -> None:
        if beyond := set(self.browser_headers) - BROWSER_HEADERS:
            raise ValueError(f"{self.name}: of a browser's headers only the plain ones may be sent, not {min(beyond)}")


def best_grade(providers: Iterable[Provider]) -> Grade:
    """Return the best grade of several sources; "open" for no source, where the service itself answers."""
    grades = {provider.grade for provider in providers}
    return next((grade for grade in GRADES if grade in grades), "open")
