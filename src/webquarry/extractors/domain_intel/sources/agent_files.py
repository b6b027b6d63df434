"""The files that a site publishes for agents: `/llms.txt`, `/agents.md` and `/.well-known/ucp`.

Only the requested host is contacted. Response format: docs/upstreams/agent-files.md.
"""

import asyncio
import codecs
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from webquarry.core.errors import ConversionFailed, ProviderError, UnsafeTarget
from webquarry.core.types import Deadline, Domain, Provider, Wire
from webquarry.net import ANY_STATUS, Net
from webquarry.read.block_pages import vendor_mark

PROVIDER = Provider(name="agent_files", title="The site itself", callers_choose=True)

MAX_BYTES = 512 * 1024
PROBE_S = 10.0
CONTROL_S = 5.0
ACCEPT_TEXT = "text/markdown, text/plain, */*"
ACCEPT_JSON = "application/json"
PRESENT = "Whether the file exists; null if the site rejected the request or did not respond."
REASON = (
    "Why the file is absent: `http_status`, `empty`, `html_page` (a soft 404), `not_text`, `catch_all` (the "
    "site sends the same response for every path), `not_json` or `not_profile`. Why it is unknown: `blocked`, "
    "`refused`, `truncated`, or the code and message of the failure. If the file exists: `truncated` if only "
    "its first 512 KB were read."
)

_PRESENT_STATUS = (200, 206)
_WALL_STATUS = (401, 403, 429)
_WALL_HEADERS = ("cf-mitigated", "x-amzn-waf-action")  # servers only send these headers with a challenge page
_CHALLENGE_WORDS = ("challenge", "captcha", "just a moment", "checking your browser")
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_HTML_STARTS = ("<!doctype html", "<html", "<head", "<body", "<script")
_HEAD_BYTES = 4096
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_GRAVITY = ("blocked", "refused", "changed", "down", "timeout", "unavailable")

Failure = ProviderError | UnsafeTarget | ConversionFailed


@dataclass(frozen=True, slots=True)
class Probe:
    """The result of one request.

    wire: the response, of any status. failure: the reason why the response does not show whether the file exists. After
    a block page or a server error, both are set. If there was no response, only the failure is set.
    """

    url: str
    wire: Wire | None = None
    failure: Failure | None = None

    @property
    def telling(self) -> Wire | None:
        """The response, if it shows whether the file exists, otherwise None."""
        return None if self.failure else self.wire

    @property
    def silence(self) -> str | None:
        """The reason why the request was inconclusive, or None if it was conclusive.

        If there was a response, the reason is one word, because the status explains the rest. Otherwise, the reason is
        a word and a message.
        """
        if self.failure is None:
            return None
        word = self.failure.reason or self.failure.code
        return word if self.wire else f"{word}: {self.failure.message}"


@dataclass(frozen=True, slots=True)
class Probes:
    """The results of one host's three requests.

    catch_all: the body that the host serves at a URL that does not exist, or None if that URL was not requested.
    """

    llms_txt: Probe
    agents_md: Probe
    ucp: Probe
    catch_all: bytes | None = None

    def __iter__(self) -> Iterator[Probe]:
        return iter((self.llms_txt, self.agents_md, self.ucp))

    @property
    def failure(self) -> Failure | None:
        """The most serious failure if all three requests were inconclusive, otherwise None."""
        failures = [probe.failure for probe in self if probe.failure]
        if len(failures) < 3:
            return None
        return min(failures, key=lambda f: _GRAVITY.index(f.reason) if f.reason in _GRAVITY else len(_GRAVITY))


async def probe(domain: Domain, net: Net, deadline: Deadline) -> Probes:
    """Request the files from the host. If the host is down, request them from the host's other name, with or without
    `www.`.

    Failures are returned in the probes, not raised. This takes at most 25 seconds: two rounds and the control request.
    """
    found = await _probe_host(domain.host, net, deadline)
    if all(_is_down(one) for one in found):
        twin = await _probe_host(find_twin(domain), net, deadline)
        found = found if all(one.wire is None for one in twin) else twin
    if not needs_control(found):
        return found
    control = await _ask(_make_control_url(found.llms_txt.url), ACCEPT_TEXT, net, deadline.within(CONTROL_S))
    answer = control.telling
    catch_all = answer.body if answer and answer.status in _PRESENT_STATUS else None
    return Probes(found.llms_txt, found.agents_md, found.ucp, catch_all)


def find_twin(domain: Domain) -> str:
    """Return the other name of a site: with `www.`, or without it."""
    if domain.host.startswith("www.") and domain.host != domain.registrable:
        return domain.host.removeprefix("www.")
    return f"www.{domain.host}"


def needs_control(probes: Probes) -> bool:
    """Return whether a file may be a page that the host serves at every URL.

    The two text files are controls for each other. A third URL is requested only if one file exists and the other
    request had the same response or was inconclusive.
    """
    answers = [wire for one in (probes.llms_txt, probes.agents_md) if (wire := one.telling)]
    return (
        any(find_text_fault(wire) is None for wire in answers)
        and len({(wire.status, wire.body) for wire in answers}) == 1
    )


def find_text_fault(wire: Wire, catch_all: bytes | None = None) -> str | None:
    """Return the reason why a response is not a text file, or None if it is a text file."""
    if fault := find_page_fault(wire):
        return fault
    if not _is_printable(read_head(wire.body)):
        return "not_text"
    return "catch_all" if wire.body == catch_all else None


def find_page_fault(wire: Wire) -> str | None:
    """Return the reason why a response is not a file, or None if it may be a file.

    The reason is `http_status`, `empty` or `html_page` (a soft 404).
    """
    if wire.status not in _PRESENT_STATUS:
        return "http_status"
    head = read_head(wire.body)
    if not head.strip():
        return "empty"
    opening = head[:512].lower()
    if opening.startswith(_HTML_STARTS) or "<html" in opening:
        return "html_page"
    # many hosts send markdown as text/html, so the type only matters if the text does not begin like markdown
    is_markdown = opening[0] in "#>" and "<" not in opening
    return "html_page" if wire.content_type in _HTML_TYPES and not is_markdown else None


def read_head(body: bytes) -> str:
    """Return the first 4 KB of text without leading white space. Text that is not UTF-8 is decoded as Windows-1252."""
    encoding = next((name for bom, name in _BOMS if body.startswith(bom)), None)
    if encoding is not None:
        start = body[: 4 * _HEAD_BYTES].decode(encoding, errors="replace").removeprefix("\ufeff")
        return start.lstrip()[:_HEAD_BYTES]
    start_bytes = body.lstrip()[:_HEAD_BYTES]
    try:
        # an incremental decoder accepts a character that is cut off at the end
        return codecs.getincrementaldecoder("utf-8")().decode(start_bytes)
    except UnicodeDecodeError:
        return start_bytes.decode("cp1252", errors="replace")


def read_block_page(wire: Wire) -> ProviderError | None:
    """Return the error for a page that blocks robots (`blocked`) or a failing server (`refused`)."""
    host_says = f"{wire.url} responded with status {wire.status}"
    is_challenge = any(name in wire.headers for name in _WALL_HEADERS)
    if wire.status == 503:
        opening = read_head(wire.body).lower()
        is_challenge = is_challenge or any(word in opening for word in _CHALLENGE_WORDS)
    if is_challenge or wire.status in _WALL_STATUS or vendor_mark(wire) is not None:
        return ProviderError(f"{host_says}, a block page for bots.", reason="blocked")
    if wire.status >= 500:
        return ProviderError(f"{host_says}.", reason="refused")
    return None


def refuse_block_pages(wire: Wire) -> None:
    """Raise the error for a block page, if `read_block_page` returns one."""
    if (failure := read_block_page(wire)) is not None:
        raise failure


async def _probe_host(host: str, net: Net, deadline: Deadline) -> Probes:
    until = deadline.within(PROBE_S)
    async with asyncio.TaskGroup() as group:
        llms_txt = group.create_task(_ask(f"https://{host}/llms.txt", ACCEPT_TEXT, net, until))
        agents_md = group.create_task(_ask(f"https://{host}/agents.md", ACCEPT_TEXT, net, until))
        ucp = group.create_task(_ask(f"https://{host}/.well-known/ucp", ACCEPT_JSON, net, until))
    return Probes(llms_txt.result(), agents_md.result(), ucp.result())


async def _ask(url: str, accept: str, net: Net, until: Deadline) -> Probe:
    wire = None
    try:
        async with until.bound():
            wire = await net.get(url, accept=accept, absent_on=(), ok_on=ANY_STATUS, max_bytes=MAX_BYTES, truncate=True)
            await net.read(refuse_block_pages, wire)
    except TimeoutError:
        return Probe(url, wire, ProviderError(f"{url} did not respond in time.", reason="timeout"))
    except (ProviderError, UnsafeTarget, ConversionFailed) as exc:
        return Probe(url, wire, exc)
    return Probe(url, wire)


def _make_control_url(sibling: str) -> str:
    """Return a URL of the same host that does not exist.

    The URL is always the same for a host, so that a tape can contain it.
    """
    origin = sibling.removesuffix("/llms.txt")
    return f"{origin}/no-such-file-{sha256(origin.encode()).hexdigest()[:16]}.txt"


def _is_down(one: Probe) -> bool:
    return one.failure is not None and one.failure.reason == "down"


def _is_printable(head: str) -> bool:
    """Return whether this is text, which has no NUL and at most 1 unprintable character in 20."""
    odd = sum(1 for char in head if char == "\ufffd" or (unicodedata.category(char) == "Cc" and char not in "\t\n\f\r"))
    return "\0" not in head and odd * 20 <= len(head)
