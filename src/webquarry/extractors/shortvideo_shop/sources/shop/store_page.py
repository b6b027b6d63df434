"""A page of a seller's store: the seller, about 30 products, and the data for requesting the next page.

Providers: the store's page at www and in a region's shop, and two services. See
docs/upstreams/shortvideo-shop.md#stores.
"""

import json
from typing import TYPE_CHECKING, Any, Final, Protocol

from webquarry.core.errors import Absent, ExtractionError, ProviderError
from webquarry.core.locale import Country
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result, field
from webquarry.extractors.shortvideo_shop.model.ids import HOME_REGION, SHOP, store_url
from webquarry.extractors.shortvideo_shop.sources import scrapecreators
from webquarry.extractors.shortvideo_shop.sources.shop import shop_page
from webquarry.extractors.shortvideo_shop.sources.shop.items import Item, find_main_list, read_items
from webquarry.extractors.shortvideo_shop.sources.shop.seller_facts import SellerFacts, find_shop
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import ShopData
from webquarry.extractors.shortvideo_shop.sources.untested import tikhub
from webquarry.read import json_of, take
from webquarry.read.fields import to_flag, to_line, to_whole
from webquarry.read.losses import lose

if TYPE_CHECKING:
    from webquarry.net import Net

MAX_FOLLOWING: Final = 64 * 1024
"""Maximum number of characters in the request for the next page, about fifty times the usual size."""
_MORE_URL: Final = f"{SHOP}/api/shop/brandy_desktop/store/product_list"


class StorePage(Result):
    seller: SellerFacts | None = field("The seller, if available.")
    region: str | None = field("Region of the request according to the page.")
    items: list[Item] = field("Products on the page.")
    has_more: bool | None = field("Whether there are more results, according to the provider.")
    next: str | None = field("Cursor for the next page.")


class HasSeller(Protocol):
    """Parameters that name a seller."""

    @property
    def seller(self) -> str: ...

    @property
    def requested_region(self) -> Country: ...


async def fetch_www(params: HasSeller, net: "Net") -> Wire:
    return await shop_page.fetch_page(net, store_url(params.seller, HOME_REGION))


async def fetch_shop(params: HasSeller, net: "Net") -> Wire:
    return await shop_page.fetch_page(net, f"{SHOP}/{params.requested_region}/store/shop/{params.seller}")


async def fetch_more(following: str, net: "Net") -> Wire:
    """Request more products in the way the page does. The request is not signed, so the shop may refuse it."""
    return await net.post(
        _MORE_URL,
        body=following.encode(),
        content_type="application/json",
        accept="application/json",
        ok_on=(200,),
        absent_on=(),
        max_bytes=shop_page.MAX_PAGE_BYTES,
    )


async def fetch_scrapecreators(params: HasSeller, net: "Net", cursor: str | None = None) -> Wire:
    return await scrapecreators.ask(
        net,
        scrapecreators.SCRAPECREATORS,
        "shop/products",
        url=store_url(params.seller, HOME_REGION),
        region=params.requested_region.upper(),
        cursor=cursor or "",
    )


async def fetch_tikhub(params: HasSeller, net: "Net") -> Wire:
    region = params.requested_region.upper()
    return await tikhub.ask(net, "fetch_seller_products_list", seller_id=params.seller, region=region)


def find_seller(data: ShopData, seller_id: str) -> SellerFacts | None:
    """Return the seller in a response. Raises ProviderError "changed" if the response is about another seller."""
    seller = find_shop(data)
    if seller is not None and seller.seller_id != seller_id:
        raise ProviderError("The shop returned a different seller than requested.", reason="changed")
    return seller


def read_page(wire: Wire, seller_id: str) -> StorePage:
    """Parse a store's page. An empty list is valid only if the shop reports that the seller has no products."""
    data = shop_page.read_data(wire)
    listed = find_main_list(data)
    seller = find_seller(data, seller_id)
    if listed is None:
        raise _without(wire, data, seller)
    items = read_items(listed.data["products"])
    if not items and listed.data["products"]:
        raise ProviderError("The shop sent products without their IDs.", reason="changed")
    if not items and (seller is None or seller.product_count != 0):
        raise _without(wire, data, seller)
    return StorePage(
        seller=seller,
        region=data.region,
        items=items,
        has_more=take(listed.data, "has_more", to_flag),
        next=_read_following(listed.node, listed.data, seller_id),
    )


def _without(wire: Wire, data: ShopData, seller: SellerFacts | None) -> ExtractionError:
    if seller is not None or data.components:
        return shop_page.read_block_page(wire) or ProviderError(
            f"The store page loads its products with scripts. Set {shop_page.KEYS}.", reason="unavailable"
        )
    return shop_page.make_page_error(wire)


def _read_following(component: dict[str, Any], data: dict[str, Any], seller_id: str) -> str | None:
    """Return the body of the request for the next page, or None on the last page."""
    more = data.get("load_more_params")
    if not isinstance(more, dict) or not more or take(data, "has_more", to_flag) is not True:
        return None
    about = {name: value for name, value in component.items() if name != "component_data"}
    parameters = {**more, "seller_id": seller_id}
    following = json.dumps({"component_info": json.dumps(about), "load_more_params": json.dumps(parameters)})
    if len(following) <= MAX_FOLLOWING:
        return following
    lose("load_more_params")
    return None


def read_more(wire: Wire, following: str, seller_id: str) -> StorePage:
    """Parse the response with more products: `{code: 0, data: {products, has_more, load_more_params}}`."""
    answer = json_of(wire)
    data = answer.get("data") if isinstance(answer, dict) else None
    code = take(answer, "code", to_whole)
    if code != 0 or not isinstance(data, dict) or not isinstance(data.get("products"), list):
        suffix = f" (code {code})" if code else ""
        raise ProviderError(f"The shop requires a signature for further pages{suffix}.", reason="refused")
    component = json.loads(json.loads(following)["component_info"])
    return StorePage(
        seller=None,
        region=None,
        items=read_items(data["products"]),
        has_more=take(data, "has_more", to_flag),
        next=_read_following(component, data, seller_id),
    )


def read_scrapecreators(wire: Wire, seller_id: str) -> StorePage:
    """Parse ScrapeCreators' page of a store. For an unknown seller, the service reports a success without products."""
    answer = scrapecreators.answer_of(wire)
    rows = answer.get("products")
    if not isinstance(rows, list):
        raise ProviderError(f"{scrapecreators.TITLE} sent a store without its products.", reason="changed")
    seller = find_seller(ShopData(answer), seller_id)
    items = read_items(rows)
    if not items and rows:
        raise ProviderError(f"{scrapecreators.TITLE} sent products without their IDs.", reason="changed")
    if not items and (seller is None or seller.product_count != 0):
        raise Absent("The seller does not exist or has no products.")
    return StorePage(
        seller=seller,
        region=None,
        items=items,
        has_more=take(answer, "has_more", to_flag),
        next=take(answer, "cursor", to_line),
    )


def read_tikhub(wire: Wire, seller_id: str) -> StorePage:
    """Parse TikHub's first page of a store. The products are the first list of products at any depth."""
    data = tikhub.read_data(wire)
    seller = find_seller(data, seller_id)
    holders = data.nodes(lambda node: isinstance(node.get("products"), list))
    holder, items = next(((node, items) for node in holders if (items := read_items(node["products"]))), ({}, []))
    if not items:
        raise ProviderError(f"{tikhub.TITLE} sent a store without products.", reason="changed")
    return StorePage(
        seller=seller,
        region=None,
        items=items,
        has_more=take(holder, "has_more", to_flag),
        next=None,
    )
