"""Ahrefs' Domain Rating, with a free key. Untested: no response is recorded.

Response format: docs/upstreams/domain-ratings.md.
"""

from typing import Any, Final

from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Domain, Politeness, Provider, Wire
from webquarry.extractors.domain_intel.model.names import HasDomain, find_site
from webquarry.extractors.domain_intel.model.rating import Attribution, Authority
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key
from webquarry.read import each, json_of, must, take
from webquarry.read.fields import to_address, to_decimal, to_line, within

AHREFS: Final = Provider(
    name="ahrefs",
    title="Ahrefs' Domain Rating",
    politeness=Politeness(spacing_s=1.0, concurrency=1),
    needs=("ahrefs_key",),
    unproven=True,
)
LICENSE: Final = "https://ahrefs.com/legal/domain-rating-license"
ATTRIBUTION: Final = Attribution(text="Domain Rating by Ahrefs", url="https://ahrefs.com/")
_URL: Final = "https://api.ahrefs.com/v3/public/domain-rating-free?target={site}"


async def lookup(params: HasDomain, net: Net) -> Wire:
    """Request one site's rating. Raises ProviderError as `answer_by_key` does."""
    wire = await net.get(
        _URL.format(site=find_site(params.domain)),
        accept="application/json",
        headers={"Authorization": f"Bearer {net.setting('ahrefs_key')}"},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    return await answer_by_key(wire, AHREFS, net)


def read(wire: Wire, params: HasDomain) -> Authority:
    """Parse the rating; zero is a rating.

    Raises EmptyResult for a null rating, and ProviderError "changed" for a response without a rating.
    """
    answer: dict[str, Any] = must(json_of(wire), "", dict)
    node = answer.get("domain_rating")
    if "domain_rating" not in answer or (isinstance(node, dict) and not {"domain_rating", "targets"} & node.keys()):
        raise ProviderError("Ahrefs sent a response without a domain rating.", reason="changed")
    around: dict[str, Any] = node if isinstance(node, dict) else {}
    given = _read_targets(around, params.domain) if "targets" in around else around.get("domain_rating", node)
    if given is None or given == {}:
        raise EmptyResult(f"Ahrefs has no rating for {find_site(params.domain)}.")
    rating = within(to_decimal(given), 0, 100)
    if rating is None:
        raise ProviderError("Ahrefs sent a domain rating that is not a number from 0 to 100.", reason="changed")
    return Authority(
        domain=find_site(params.domain),
        domain_rating=rating,
        scale="0-100",
        index="Ahrefs Domain Rating",
        source="ahrefs",
        license=take(around, "license", to_address) or take(answer, "license", to_address) or LICENSE,
        attribution=ATTRIBUTION,
        details=None,
        warnings=[text for part in (around, answer) if (text := take(part, "warning", to_line)) is not None],
    )


def _read_targets(around: dict[str, Any], requested: Domain) -> Any:
    """Return the requested site's rating from a response about several sites.

    Raises ProviderError "changed" if the site is missing.
    """
    for row in each(around, "targets[]"):
        try:
            named = Domain.parse((take(row, "target", to_line) or "").rstrip("/"))
        except ValueError:
            continue
        if find_site(named) == find_site(requested):
            return row.get("domain_rating")
    raise ProviderError(f"Ahrefs sent no data for {find_site(requested)}.", reason="changed")
