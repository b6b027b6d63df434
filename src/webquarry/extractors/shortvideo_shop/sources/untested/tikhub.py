"""TikHub: a service that republishes the shop's data as JSON, with the operator's key.

Untested: no response is recorded.

See docs/upstreams/shortvideo-shop.md#keyed.
"""

from typing import Final
from urllib.parse import urlencode

from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider, Wire
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import ShopData
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.answers import MAX_ANSWER_BYTES, answer_by_key
from webquarry.read import json_of, take
from webquarry.read.fields import to_whole

TITLE: Final = "TikHub"
TIKHUB = Provider(name="tikhub", title=TITLE, needs=("tikhub_key",), unproven=True)
_BASE: Final = "https://api.tikhub.io/api/v1/tiktok/shop/web/"
_BLOCKED: Final = 100000


async def ask(net: Net, call: str, **parameters: str) -> Wire:
    """Send a request such as `fetch_product_detail_v3` and return the response, an object with `data`.

    Raises ProviderError as `answer_by_key` does, and "blocked" if the shop refused TikHub's request.
    """
    wire = await net.get(
        f"{_BASE}{call}?{urlencode(parameters)}",
        accept="application/json",
        headers={"Authorization": f"Bearer {net.setting('tikhub_key')}"},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=4 * MAX_ANSWER_BYTES,
    )
    return await answer_by_key(wire, TIKHUB, net)


def read_data(wire: Wire) -> ShopData:
    """Return the response's data.

    Raises ProviderError "blocked" if the shop refused TikHub, and "changed" if the data is missing.
    """
    answer = json_of(wire)
    data = answer.get("data") if isinstance(answer, dict) else None
    if take(data, "code", to_whole) == _BLOCKED:
        raise ProviderError(f"{TITLE} got no data from the shop (code {_BLOCKED}).", reason="blocked")
    if not isinstance(data, dict | list):
        raise ProviderError(f"{TITLE} sent a response without data.", reason="changed")
    return ShopData(data)
