"""An advertiser of the search engine: its names, its country and whether its identity was verified.

Upstream: the Ads Transparency Center. Response format: docs/upstreams/ads-searchengine.md. An unknown ID raises Absent.
"""

from typing import Any, Final, Literal

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Params, Result, Source, field, hours, param
from webquarry.extractors.ads.sources.transparency.center import (
    ADS_TRANSPARENCY,
    NAME,
    AdvertiserId,
    answer_of,
    ask,
    make_advertiser_url,
)
from webquarry.extractors.ads.sources.transparency.regions import BY_CODE
from webquarry.net import Net
from webquarry.read import JsonObject, must, take
from webquarry.read.fields import to_line
from webquarry.render import Line, Link, Md

INFERRED: Final = "inferred from the legal name: the source does not state it"
UNKNOWN: Final = "not known: the source does not state it"


class AdvertiserParams(Params):
    advertiser_id: AdvertiserId = param("Advertiser ID.", example="AR00000000000000000001")


class Advertiser(Result):
    advertiser_id: str = field("Advertiser ID.", wire="1.1")
    name: str | None = field("The advertiser's display name.", wire="1.2")
    legal_name: str | None = field("Legal name.", wire="1.9.1")
    country: str | None = field("Two-letter country code.", wire="1.3")
    hq_country: str | None = field("Two-letter country code of the headquarters.", wire="1.11")
    verification_status: Literal["verified"] | None = field(
        "Whether the provider has verified the advertiser; null if unknown."
    )
    verification_basis: str = field("How the status was determined.")
    raw: JsonObject = field("Raw record from the provider.", wire="1")


async def lookup(params: AdvertiserParams, net: Net) -> Wire:
    return await fetch(params.advertiser_id, net)


async def fetch(advertiser_id: str, net: Net) -> Wire:
    return await ask(net, "LookupService/GetAdvertiserById", {"1": advertiser_id, "3": {"1": 1}})


def read(wire: Wire, params: AdvertiserParams) -> Advertiser:
    """Parse the requested advertiser.

    Raises Absent if the advertiser does not exist, and ProviderError "changed" if the response describes another
    advertiser or has no name.
    """
    found = read_any(wire)
    if found.advertiser_id != params.advertiser_id:
        raise ProviderError(f"{NAME} returned a different advertiser than {params.advertiser_id}.", reason="changed")
    return found


def read_any(wire: Wire) -> Advertiser:
    """Parse the advertiser of a response without checking its ID."""
    answer = answer_of(wire)
    if not answer:
        raise Absent(f"{NAME} has no advertiser with this ID.")
    record = must(answer, "1", dict)
    name, legal_name = (take(record, path, to_line) for path in ("2", "9.1"))
    if name is None and legal_name is None:
        raise ProviderError(f"{NAME} sent an advertiser without a name.", reason="changed")
    return Advertiser(
        advertiser_id=must(record, "1", str),
        name=name,
        legal_name=legal_name,
        country=take(record, "3", _to_country),
        hq_country=take(record, "11", _to_country),
        verification_status="verified" if legal_name else None,
        verification_basis=INFERRED if legal_name else UNKNOWN,
        raw=record,
    )


def write_facts(advertiser: Advertiser) -> list[tuple[str, Line]]:
    """Return an advertiser's name, country and verification as lines of markdown."""
    status = advertiser.verification_status
    return [
        (
            "Advertiser",
            Link(advertiser.name or advertiser.legal_name or "", make_advertiser_url(advertiser.advertiser_id)),
        ),
        ("Advertiser id", advertiser.advertiser_id),
        ("Legal name", advertiser.legal_name),
        ("Country", find_country_name(advertiser.country)),
        ("Headquarters", find_country_name(advertiser.hq_country)),
        ("Verification", f"{status} ({INFERRED})" if status else UNKNOWN),
    ]


def find_country_name(code: str | None) -> str | None:
    """Return a country's name and code as readable text."""
    known = BY_CODE.get(code or "")
    return f"{known[1].name} ({code})" if known else code


def render(r: Advertiser) -> str:
    page = Md(f"{r.name or r.legal_name}: advertiser on the search engine").facts(write_facts(r))
    return page.source("Google Ads Transparency Center").text()


def _to_country(value: Any) -> str | None:
    code = value.strip().upper() if isinstance(value, str) else ""
    return code if code in BY_CODE else None


extractor = Extractor(
    name="ads_searchengine_advertiser",
    path="/ads/searchengine/advertiser",
    version=1,
    group="ads",
    title="Search engine advertiser",
    description=(
        "Returns the display name, legal name, country and verification status of an advertiser from Google's Ads "
        "Transparency Center. Get the advertiser ID from a domain's ads. The verification status is inferred from "
        "the legal name and labeled as inferred."
    ),
    params=AdvertiserParams,
    result=Advertiser,
    credits=1,
    fresh=hours(24),
    sources=(Source(ADS_TRANSPARENCY, lookup, read),),
    render=render,
    ends={
        "not_found": "No advertiser has this ID.",
    },
    example={"advertiser_id": "AR00000000000000000001"},
)
