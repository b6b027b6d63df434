"""Similarweb's estimates with a key, from its API or from a reseller. `estimates` parses the object.

Response format: docs/upstreams/similarweb.md.
"""

from typing import Any, Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.extractors.domain_intel.model.traffic_result import Traffic
from webquarry.extractors.domain_intel.sources.estimates import (
    HasDomain,
    find_site,
    is_site,
    make_unknown_error,
    read_site,
)
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key, read_message
from webquarry.read import json_of
from webquarry.read.fields import to_line

SIMILARWEB_API: Final = Provider(
    name="similarweb_api", title="Similarweb's API", needs=("similarweb_key",), unproven=True
)
RESELLER: Final = Provider(
    name="similarweb_reseller",
    title="the Similarweb reseller",
    needs=("traffic_reseller_url", "traffic_reseller_key"),
    uses=("traffic_reseller_header", "traffic_reseller_pointer"),
    unproven=True,
)
_API_URL: Final = "https://api.similarweb.com/v1/website/{domain}/general-data/all?format=json"
_PLACE: Final = "{domain}"
_WRAPPERS: Final = ("data", "result", "response")


async def lookup_by_key(params: HasDomain, net: Net) -> Wire:
    """Request the estimates from Similarweb's API.

    Raises EmptyResult if the API reports that it does not know the site, and ProviderError as `answer_by_key` does.
    """
    wire = await net.get(
        _API_URL.format(domain=find_site(params.domain)),
        accept="application/json",
        secrets={"api_key": net.setting("similarweb_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    if wire.status == 404 and await net.read(says_not_found, wire):
        raise make_unknown_error(params)
    return await answer_by_key(wire, SIMILARWEB_API, net)


async def ask_reseller(params: HasDomain, net: Net) -> tuple[Traffic, Wire]:
    """Request the estimates from a reseller. The settings give its URL, its header and the path to the object.

    Raises ProviderError as `answer_by_key` does.
    """
    url = net.setting("traffic_reseller_url")
    wire = await net.get(
        url.replace(_PLACE, find_site(params.domain)),
        accept="application/json",
        headers={net.setting("traffic_reseller_header"): net.setting("traffic_reseller_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=MAX_ANSWER_BYTES,
    )
    wire = await answer_by_key(wire, RESELLER, net)
    return await net.read(read_reseller, wire, params, net.setting("traffic_reseller_pointer")), wire


def read_reseller(wire: Wire, params: HasDomain, pointer: str = "") -> Traffic:
    """Parse the reseller's object.

    pointer: JSON pointer to the object (RFC 6901); without it, the top level and the usual wrappers are searched.
    """
    answer = json_of(wire)
    found = _find_pointed(answer, pointer) if pointer else _unwrap(answer)
    if not isinstance(found, dict):
        where = f" at {pointer}" if pointer else ""
        raise ProviderError(f"The reseller's response has no object{where}.", reason="changed")
    return read_site(found, params)


def _find_pointed(value: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(name)] if name.isascii() and name.isdigit() and int(name[:9]) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value


def _unwrap(answer: Any) -> Any:
    """Return the object itself or the object in a usual wrapper. For a list, use the first item."""
    if isinstance(answer, list):
        answer = answer[0] if answer else None
    if not isinstance(answer, dict) or is_site(answer):
        return answer
    inner = (answer.get(name) for name in _WRAPPERS)
    wrapped = [item[0] if isinstance(item, list) and item else item for item in inner]
    return next((item for item in wrapped if isinstance(item, dict) and is_site(item)), answer)


def says_not_found(wire: Wire) -> bool:
    """Return whether the API reports that it does not know the site."""
    try:
        answer = json_of(wire)
    except ProviderError:
        return False
    meta = answer.get("meta") if isinstance(answer, dict) else None
    message = to_line(meta.get("error_message")) if isinstance(meta, dict) else read_message(answer)
    return "not found" in (message or "").lower()
