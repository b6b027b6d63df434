"""A brand report in one request. The requested parts are fetched concurrently.

Upstreams: other endpoints. Each part has a separate price, cache entry and error. A slow part is stopped before the
deadline; the finished parts are kept. If every part fails, the error is EmptyResult when all of them report no data,
and ProviderError otherwise.
"""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from pydantic import Field

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Deadline, Domain
from webquarry.endpoints.context import Context, PartAnswer
from webquarry.endpoints.declare import PAGE_DEADLINE_S, Extractor, Params, Result, field, param
from webquarry.extractors.brand.model.parts import DEFAULT, KINDS, PartNames, list_figures, list_parts
from webquarry.render import Link, Md
from webquarry.render.excerpts import demote, drop_title, shorten

PARTS_SHARE = 0.9
"""Share of the remaining time for the parts. The rest of the time is reserved for assembling the report."""
HOMEPAGE_CHARACTERS = 6000
_BULKY = ("links", "images")
"""Fields of a page's data that the report omits, because the page's endpoint already returns them."""
_FETCHED = "*Fetched "


class BrandParams(Params):
    domain: Domain = param("Domain of the brand: a bare domain or a full URL.", example="example.com")
    parts: PartNames = param(
        f"Parts to include, comma-separated: {', '.join(KINDS)}. Each part costs as much as its endpoint.",
        default=PartNames.parse(DEFAULT),
    )


class PartReport(Result):
    ok: bool = field("Whether this part succeeded. Each part succeeds or fails independently.")
    endpoint: str = field("Endpoint that provides this part.")
    data: dict[str, Any] | None = field("The endpoint's `data`. For the home page, links and images are omitted.")
    error: str | None = field("Error message, if the part failed.")
    code: str | None = field("Error code, if the part failed.")
    credits: int = field("Credits charged for this part; 0 if it failed or was cached.", unit="credits")
    cached: bool = field("Whether the part came from the cache or from an identical concurrent request.")
    asked_at: datetime | None = field("Fetch time, UTC.")
    age_s: int | None = field("Age of the cached data; 0 if it was fetched for this report.", unit="seconds")
    provider: str | None = field("Name of the provider.")
    source_url: str | None = field("URL that was fetched.")


class Brand(Result):
    domain: str = field("Requested host.")
    parts: dict[str, PartReport] = field("The requested parts, by name.")
    texts: dict[str, str] = Field(
        default_factory=dict, exclude=True, repr=False, description="The parts' markdown; the answer's other artifact."
    )


async def run(params: BrandParams, ctx: Context) -> Brand:
    names = params.parts.names
    until = ctx.deadline.within(PARTS_SHARE * ctx.deadline.remaining_s)
    answers = await asyncio.gather(*(_ask(name, until, ctx) for name in names))
    if not any(answer.ok for answer in answers):
        raise _make_nothing_error(params.domain, dict(zip(names, answers, strict=True)))
    return Brand(
        domain=params.domain.host,
        parts={name: report(name, answer) for name, answer in zip(names, answers, strict=True)},
        texts={name: answer.markdown for name, answer in zip(names, answers, strict=True) if answer.markdown},
    )


async def _ask(name: str, until: Deadline, ctx: Context) -> PartAnswer:
    """Return a part's answer. If the part is not finished by `until`, stop it and return an error."""
    began = ctx.deadline.remaining_s
    try:
        async with until.bound():
            return await ctx.part(name)
    except TimeoutError:
        waited = round(PARTS_SHARE * began)
        return PartAnswer(error=f"No response within {waited} seconds. The part was stopped.", code=ProviderError.code)


def _make_nothing_error(domain: Domain, answers: Mapping[str, PartAnswer]) -> EmptyResult | ProviderError:
    """Return the error for a report without any part: EmptyResult if every part reports no data."""
    causes = " ".join(f"{name}: {answer.error}" for name, answer in answers.items())
    if all(answer.code in ("empty_result", "not_found") for answer in answers.values()):
        return EmptyResult(f"None of the parts has data about {domain.host}. {causes}")
    return ProviderError(f"All parts of the report about {domain.host} failed. {causes}", reason="unavailable")


def report(name: str, answer: PartAnswer) -> PartReport:
    data = None if answer.data is None else dict(answer.data)
    if data is not None and name == "homepage":
        data = {key: value for key, value in data.items() if key not in _BULKY}
    return PartReport(
        ok=answer.ok,
        endpoint=KINDS[name].endpoint,
        data=data,
        error=answer.error,
        code=answer.code,
        credits=answer.charged,
        cached=answer.cached,
        asked_at=answer.asked_at,
        age_s=answer.age_s if answer.ok else None,
        provider=answer.provider,
        source_url=answer.source_url,
    )


def render(r: Brand) -> str:
    there = {name: part for name, part in r.parts.items() if part.ok}
    missing = {name: part for name, part in r.parts.items() if not part.ok}
    page = Md(f"{r.domain}: brand report")
    logo = there.get("logo")
    if logo is not None and logo.data is not None:
        page.image(f"{r.domain} logo", str(logo.data.get("url") or ""))
    page.table("Key figures", ("Figure", "Value", "Part", "As of"), _write_figures(there))
    if (authority := there.get("authority")) is not None:
        page.paragraph(_write_attribution(authority.data or {}))
    page.bullets("Contents", [_write_content(name, part) for name, part in r.parts.items()])
    written = [
        page.text().rstrip("\n"),
        *(_write_section(name, part, r.texts.get(name, "")) for name, part in there.items()),
    ]
    if missing:
        failed = Md("").table(
            "Not available",
            ("Part", "Code", "Why"),
            [(KINDS[name].title, part.code, part.error) for name, part in missing.items()],
        )
        written.append(failed.text().strip("\n"))
    return "\n\n".join(written) + "\n"


def _write_figures(there: Mapping[str, PartReport]) -> Iterable[tuple[str, str, str, datetime | None]]:
    for name, part in there.items():
        for label, value in list_figures(name, part.data or {}):
            yield label, value, KINDS[name].title, part.asked_at


def _write_attribution(data: Mapping[str, Any]) -> tuple[Link | str, ...]:
    """Return the attribution that must appear wherever the rating is shown: the index's text and its license."""
    words, license_url = data.get("attribution"), data.get("license")
    credits: list[Link | str] = []
    if isinstance(words, Mapping) and isinstance(words.get("text"), str):
        credits.append(Link(words["text"], words.get("url") if isinstance(words.get("url"), str) else None))
    if isinstance(license_url, str):
        credits.append(Link("License of the domain rating", license_url))
    return tuple(credits)


def _write_content(name: str, part: PartReport) -> str:
    return KINDS[name].title + ("" if part.ok else f": not available ({part.code})")


def _write_section(name: str, part: PartReport, markdown: str) -> str:
    """Return the markdown of one part under a second-level heading, with the part's source and age."""
    body = drop_title(markdown).rstrip("\n")
    head, mark, last = body.rpartition("\n\n")
    if mark and last.startswith(_FETCHED):
        body = head
    is_cut = False
    if name == "homepage":
        body, is_cut = shorten(body, HOMEPAGE_CHARACTERS)
    section = Md("").heading(KINDS[name].title).paragraph(_write_origin(part))
    note = (
        Md("").paragraph("The page is truncated. Use the endpoint markdown_url to get the whole page.")
        if is_cut
        else Md("")
    )
    return "\n\n".join(filter(None, (section.text().strip("\n"), demote(body).strip("\n"), note.text().strip("\n"))))


def _write_origin(part: PartReport) -> str:
    host = urlsplit(part.source_url or "").hostname
    source = " at ".join(filter(None, (part.provider, host))) or part.endpoint
    when = "" if part.asked_at is None else f", fetched {part.asked_at:%Y-%m-%d %H:%M} UTC"
    return f"Source: {source}{when}{f', cached, {_write_age(part.age_s or 0)}' if part.cached else ''}."


def _write_age(seconds: int) -> str:
    for unit, length in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            number = seconds // length
            return f"{number} {unit}{'' if number == 1 else 's'} old"
    return "new"


extractor = Extractor(
    name="brand",
    path="/brand",
    version=2,
    group="brand",
    title="Brand dossier",
    description=(
        "Returns a report about a brand, by its domain: logo, traffic, authority, search ads and home page and, on "
        "request, organic search, backlinks, registration and agent readiness. The parts run in parallel, and each "
        "part succeeds or fails independently. You are charged only for parts that succeed and are not cached."
    ),
    params=BrandParams,
    result=Brand,
    credits=6,
    fresh=None,
    deadline_s=PAGE_DEADLINE_S,
    run=run,
    parts=lambda params: list_parts(params.domain, params.parts),
    render=render,
    tool="brand_dossier",
    ends={
        "empty_result": "None of the requested parts has data.",
    },
    example={"domain": "example.com", "parts": "logo,homepage,registration,agent_ready"},
)
