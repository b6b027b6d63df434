"""A site's logo: the best of the icons that the site names, chosen by their decoded sizes.

Upstream: the site itself; icon services if all its icons are too small. Response format: docs/upstreams/logo.md. A site
without any image raises EmptyResult. If neither the site nor a service can be reached, ProviderError is raised.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Deadline, Domain, Picture, Wire
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import Extractor, Params, Result, days, field, param
from webquarry.extractors.brand.child.picture_reply import CHOOSE, Fault, NothingChosen, PictureReply, Size
from webquarry.extractors.brand.sources import site_icons
from webquarry.extractors.brand.sources.named_icons import Icon
from webquarry.extractors.brand.sources.site_icons import Found, Site
from webquarry.extractors.brand.sources.untested import icon_services
from webquarry.extractors.brand.sources.untested.icon_services import Service
from webquarry.render import Md
from webquarry.workers.parcel import Parcel

MAX_SHOWN = 20
VISIT_SHARE = 2 / 3
"""Share of the time for fetching a site's icons.

The rest is reserved for icon services and for choosing the best icon.
"""
_SOURCES = (
    "Origin of the image: `apple-touch-icon`, `link-icon`, `manifest`, `json-ld`, `meta-logo`, `og-image`, "
    "`mask-icon` or "
    "`favicon.ico` of the site; `logo.dev`, `google`, `duckduckgo`."
)


class LogoParams(Params):
    domain: Domain = param("Domain of the brand: a bare domain or a full URL.", example="example.com")
    size: int = param("Preferred width and height of the logo.", default=128, min_value=16, max_value=256)


class Candidate(Result):
    url: str = field("URL of the image. For an inline image, only its media type.")
    source: str = field(_SOURCES)
    declared_sizes: str | None = field("Sizes declared by the site.", wire="link[sizes] | icons[].sizes")
    width: int | None = field("Actual width; for vector images, in their own units.", unit="pixels")
    height: int | None = field("Actual height; for vector images, in their own units.", unit="pixels")
    content_type: str | None = field("Media type from the response header.", wire="content-type")
    format: str | None = field("Detected format: `png`, `ico`, `jpeg`, `gif`, `webp`, `bmp`, `avif` or `svg`.")
    note: str | None = field("Why the image can't be used as the logo; null if it can.")


class Logo(Result):
    domain: str = field("Requested host.")
    url: str = field("Public URL of the image on this service. It changes if the content changes.")
    original_url: str | None = field("Original URL of the image; null if it was inline in the page.")
    source: str = field(_SOURCES)
    width: int | None = field("Actual width, never enlarged; null for a vector image without a size.", unit="pixels")
    height: int | None = field("Actual height, never enlarged; null for a vector image without a size.", unit="pixels")
    size: int = field("Requested size.", unit="pixels")
    content_type: str = field("Media type of the served image: `image/png` or `image/svg+xml`.")
    format: str = field("`png`, or `svg` without scripts and external resources.")
    bytes: int = field("Size of the served image.", unit="bytes")
    reason: str = field("Why this image was chosen.")
    candidates: list[Candidate] = field("All candidate images, in the order they were found.")


@dataclass(frozen=True, slots=True)
class Choice:
    """The fetched images and the child process's choice among them."""

    found: list[Found]
    made: Parcel[PictureReply]

    @property
    def chosen(self) -> Found | None:
        index = self.made.facts.chosen
        return None if index is None else [one for one in self.found if one.body][index]


def list_candidates(choice: Choice) -> list[Candidate]:
    measured = iter(choice.made.facts.measured)
    return [_describe(one, next(measured) if one.body else None) for one in choice.found]


def _describe(one: Found, look: Size | Fault | None) -> Candidate:
    """Return a candidate with its measured size, or with the fault that was found.

    None means that the icon was not fetched.
    """
    size = look if isinstance(look, Size) else None
    return Candidate(
        url=one.icon.shown_url,
        source=one.icon.source,
        declared_sizes=one.icon.sizes,
        width=(size and size.width) or None,
        height=(size and size.height) or None,
        content_type=one.content_type,
        format=size and size.format,
        note=one.note or (look.fault if isinstance(look, Fault) else None),
    )


async def run(params: LogoParams, ctx: Context) -> Logo:
    visiting = ctx.deadline.within(ctx.deadline.remaining_s * VISIT_SHARE)
    site = await site_icons.visit(params.domain, params.size, ctx.net(site_icons.PROVIDER), visiting)
    choice = await _choose(site.found, params.size, ctx)
    if not choice.made.facts.fits:
        choice = await _choose_further(choice, icon_services.KEYED, params, ctx)
    if not choice.made.facts.fits and choice.made.facts.needs_services:
        choice = await _choose_further(choice, icon_services.KEYLESS, params, ctx)
    chosen, facts = choice.chosen, choice.made.facts
    if chosen is None or isinstance(facts, NothingChosen):
        raise _make_nothing_error(params.domain, site, choice.found)
    picture = Picture(facts.media_type, choice.made.pieces[0])
    if wire := _find_wire(site, chosen):
        ctx.keep_wire(wire, icon_services.find_provider(chosen.icon.source) or site_icons.PROVIDER)
    return Logo(
        domain=params.domain.host,
        url=ctx.keep_picture(picture),
        original_url=None if chosen.icon.url.startswith("data:") else chosen.icon.url,
        source=chosen.icon.source,
        width=facts.width,
        height=facts.height,
        size=params.size,
        content_type=picture.media_type,
        format="svg" if picture.media_type == "image/svg+xml" else "png",
        bytes=len(picture.body),
        reason=facts.reason,
        candidates=list_candidates(choice),
    )


async def _choose_further(choice: Choice, services: Sequence[Service], params: LogoParams, ctx: Context) -> Choice:
    """Ask icon services, and choose again among the earlier and the new images."""
    asking = ctx.deadline.share(2)
    answers = await asyncio.gather(*(_ask(service, params, ctx, asking) for service in services))
    further = [one for one in answers if one is not None]
    return await _choose([*choice.found, *further], params.size, ctx) if further else choice


async def _choose(found: list[Found], size: int, ctx: Context) -> Choice:
    """Decode all fetched images in a child process and choose the best."""
    bodies = [one for one in found if one.body]
    if not bodies:
        return Choice(found, Parcel(NothingChosen(measured=[], chosen=None, needs_services=True, fits=False)))
    pictures = [{"source": one.icon.source, "length": len(one.body)} for one in bodies]
    made = await ctx.isolated(
        CHOOSE.knowing(pictures=len(bodies), size=size),
        b"".join(one.body for one in bodies),
        {"pictures": pictures, "size": size},
        subject="answer",
    )
    return Choice(found, made)


async def _ask(service: Service, params: LogoParams, ctx: Context, deadline: Deadline) -> Found | None:
    """Return the icon service's image, or None if the service is not configured."""
    if not ctx.is_configured(service.provider):
        return None
    net = ctx.net(service.provider)
    secrets = {name: net.setting(setting) for name, setting in service.secrets.items()}
    icon = Icon(url=service.url(params.domain, params.size), source=service.source)
    return await site_icons.fetch_icon(icon, net, deadline, secrets=secrets)


def _make_nothing_error(domain: Domain, site: Site, found: list[Found]) -> EmptyResult | ProviderError:
    """Return the error for a request without any image.

    If the site returned no page and no other source responded, the error is not EmptyResult, because the site may still
    have an image.
    """
    answered = any(one.wire is not None or (one.note or "").startswith("It is answered") for one in found)
    if site.failure is not None and not answered:
        message = (
            f"No image was found for {domain.host}, neither on the site nor at an icon service. {site.failure.message}"
        )
        if isinstance(site.failure, ProviderError):
            return site.failure.with_message(message)
        return ProviderError(message, reason="refused")
    return EmptyResult(f"No logo was found for {domain.host}, neither on the site nor at an icon service.")


def _find_wire(site: Site, chosen: Found) -> Wire | None:
    """Return the response that shows the origin of the logo.

    For a site's own image this is the site's page, if it was fetched.
    """
    is_sites = icon_services.find_provider(chosen.icon.source) is None
    return site.wire if is_sites and site.wire is not None and site.failure is None else chosen.wire


def render(r: Logo) -> str:
    measure = "any" if r.format == "svg" else f"{r.width} × {r.height} pixels"
    page = Md(f"{r.domain}: logo").image(f"{r.domain} logo", r.url)
    page.facts(
        {
            "Source": r.source,
            "Size": f"{measure}, requested: {r.size}",
            "Type": f"{r.content_type}, {r.bytes:,} bytes",
            "Why this one": r.reason,
        }
    )
    page.table(
        "Candidate images",
        ("Source", "Size", "Type", "Address", "Note"),
        [(c.source, _measure(c), c.format or c.content_type, c.url, c.note) for c in r.candidates[:MAX_SHOWN]],
    )
    return page.source(r.original_url).text()


def _measure(candidate: Candidate) -> str | None:
    if candidate.width and candidate.height:
        return f"{candidate.width} × {candidate.height}"
    return candidate.declared_sizes


extractor = Extractor(
    name="brand_logo",
    path="/brand/logo",
    version=1,
    group="brand",
    title="Brand logo",
    description=(
        "Returns the logo of a site as an image with a stable URL that you can embed in pages. The logo is the best "
        "icon of the site (link tags, manifest, structured data, well-known paths) or of an icon service, chosen by "
        "its actual size and never enlarged. All candidates are listed."
    ),
    params=LogoParams,
    result=Logo,
    credits=1,
    fresh=days(7),
    run=run,
    providers=(site_icons.PROVIDER, *(s.provider for s in (*icon_services.KEYED, *icon_services.KEYLESS))),
    render=render,
    ends={
        "empty_result": "Neither the site nor an icon service has a usable icon.",
    },
    example={"domain": "example.com"},
)
