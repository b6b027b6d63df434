"""A category of the shop: its name, its subcategories and its top products.

Providers: the category's page, otherwise a service with the operator's key. See
docs/upstreams/shortvideo-shop.md#categories. Raises Absent if the category is unknown.
"""

from typing import TYPE_CHECKING, Any, Final, Literal

from webquarry.core.errors import ExtractionError
from webquarry.core.locale import Country
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Params, Result, Source, exactly_one, field, hours, param
from webquarry.extractors.shortvideo_shop.model.ids import HOME_REGION, CategoryId, CategoryUrl, find_region
from webquarry.extractors.shortvideo_shop.sources.shop import categories, shop_page
from webquarry.extractors.shortvideo_shop.sources.shop.categories import CategoryInfo, ChildCategory
from webquarry.extractors.shortvideo_shop.sources.shop.items import Item, find_main_list, find_table, read_items
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import ShopData
from webquarry.extractors.shortvideo_shop.sources.untested import pages, tikhub
from webquarry.render import Link, Md

if TYPE_CHECKING:
    from webquarry.net import Net

MAX_PRODUCTS: Final = 15
SHOWN_CHILDREN: Final = 60


class CategoryParams(Params):
    one_of = exactly_one("category_id", "url")

    category_id: CategoryId | None = param(
        "Category ID, 5 to 8 digits, from a product's categories.", default=None, example="601152"
    )
    url: CategoryUrl | None = param("URL of the category page.", default=None)
    region: Country | None = param(
        "Two-letter region code of the shop. Default: the region in the URL, otherwise us.", default=None
    )

    @property
    def category(self) -> str:
        if self.category_id is not None:
            return self.category_id
        if self.url is None:
            raise ValueError("either category_id or url is required")
        return self.url.category_id

    @property
    def requested_region(self) -> Country:
        return self.region or (find_region(self.url) if self.url is not None else None) or HOME_REGION

    def identity(self) -> dict[str, str]:
        return {"category": self.category, "region": self.requested_region}


class ShopCategory(Result):
    category: CategoryInfo = field("The category.")
    children: list[ChildCategory] = field("Child categories, nested.", wire="children[]")
    children_source: Literal["data", "links"] | None = field(
        "Whether the child categories come from the page's data or from its links; null without child categories."
    )
    region: str | None = field("Region of the prices according to the page; null if unknown.")
    asked_region: str = field("Requested region.")
    count: int | None = field("Number of returned products; null if the page lists none.")
    products: list[Item] = field(f"Top products, at most {MAX_PRODUCTS}.", wire="products[]")
    names_as_of: str | None = field("Month of the built-in category list, if the name comes from it.")
    warnings: list[str] = field("Missing data and the reasons.")


def read(wire: Wire, params: CategoryParams) -> ShopCategory:
    """Parse the category of a page.

    For a page without the category, raises Absent, EmptyResult or ProviderError, depending on the page.
    """
    data = shop_page.read_data(wire)
    found = read_category(data, params, categories.read_links(wire, data, params.category, params.requested_region))
    if found is None:
        raise _error(data) or shop_page.make_page_error(wire)
    return found


def read_tikhub(wire: Wire, params: CategoryParams) -> ShopCategory:
    """Parse the category from TikHub's category tree, or from its list of the category's products."""
    found = read_category(tikhub.read_data(wire), params, [])
    if found is None:
        raise shop_page.make_page_error(wire)
    return found


def _error(data: ShopData) -> ExtractionError | None:
    errors = (shop_page.read_error(component.data) for component in data.components)
    return next(filter(None, errors), None)


def read_category(data: ShopData, params: CategoryParams, links: list[ChildCategory]) -> ShopCategory | None:
    """Return the category, or None if the data does not describe it."""
    requested, region = params.category, params.requested_region
    own = list(data.nodes(lambda node: categories.read_id(node) == requested))
    holder = next(filter(categories.has_children, own), None)
    children = categories.read_children(holder, region) if holder is not None else links
    items, is_listed = _read_products(data)
    if not own and not items and not links:
        return None
    info = categories.read_info(own, requested, region)
    category, names_as_of = _add_shipped_name(info, requested)
    return ShopCategory(
        category=category,
        children=children,
        children_source=None if not children else "data" if holder is not None else "links",
        region=data.region,
        asked_region=region.upper(),
        count=len(items) if is_listed else None,
        products=items,
        names_as_of=names_as_of,
        warnings=[
            *([] if is_listed else ["The page has no product data because its scripts load the products."]),
            *_list_warnings(children, info, data.region, region),
        ],
    )


def _read_products(data: ShopData) -> tuple[list[Item], bool]:
    """Return the top products, and whether the data lists them, even if the list is empty."""
    listed = find_main_list(data)
    rows = listed.data["products"] if listed is not None else _find_loose_products(data)
    items = read_items((rows or [])[: 2 * MAX_PRODUCTS])
    return items[:MAX_PRODUCTS], rows is not None and (bool(items) or not rows)


def _add_shipped_name(info: CategoryInfo, asked: str) -> tuple[CategoryInfo, str | None]:
    """Return the category, with the name from the built-in list if it has none, and the list's month if the list was
    used.
    """
    name = categories.find_shipped_name(asked) if info.name is None else None
    if name is None:
        return info, None
    return info.model_copy(update={"name": name}), categories.load_shipped().as_of


def _list_warnings(children: list[ChildCategory], info: CategoryInfo, own: str | None, region: str) -> list[str]:
    """Return the warnings. own: the region of the prices, if the page states it."""
    warnings = []
    if not children and info.is_leaf is not True:
        warnings.append("The page does not list child categories.")
    if own is not None and own.lower() != region:
        warnings.append(f"Prices are for {own}, the region of the request, not for {region.upper()}.")
    return warnings


def _find_loose_products(data: ShopData) -> list[Any] | None:
    """Return the list of products in a service's response, which has no components."""
    if data.components:
        return None
    for name in ("products", "product_list"):
        for node in data.nodes(lambda node, name=name: isinstance(node.get(name), list)):  # type: ignore[misc]
            found: list[Any] = node[name]
            return found
    return None


async def fetch_www(params: CategoryParams, net: "Net") -> Wire:
    return await shop_page.fetch_page(net, categories.find_page(params.category, HOME_REGION))


async def fetch_shop(params: CategoryParams, net: "Net") -> Wire:
    address = (
        f"https://shop.tiktok.com/{params.requested_region}/c/{categories.find_slug(params.category)}/{params.category}"
    )
    return await shop_page.fetch_page(net, address)


async def ask_tikhub(params: CategoryParams, net: "Net") -> tuple[ShopCategory, Wire]:
    """Fetch the category tree and the category's products."""
    region = params.requested_region.upper()
    tree_wire = await tikhub.ask(net, "fetch_products_category_list", region=region)
    tree = await net.read(read_tikhub, tree_wire, params)
    wire = await tikhub.ask(
        net, "fetch_products_by_category_id", category_id=params.category, offset="0", region=region
    )
    listed = await net.read(read_tikhub, wire, params)
    update = {"count": listed.count, "products": listed.products, "warnings": []}
    return tree.model_copy(update=update), tree_wire


def render(c: ShopCategory) -> str:
    md = Md(f"Category: {c.category.name or c.category.category_id}")
    md.facts(
        {
            "Category's id": c.category.category_id,
            "Level": c.category.level,
            "Above it": c.category.parent_id,
            "Region of the prices": c.region,
            "Name as of": c.names_as_of,
        }
    )
    rows = [
        (depth, Link(f"{child.name or child.category_id} ({child.category_id})", child.url))
        for depth, child in _flat(c.children)
    ]
    if rows:
        md.heading("Categories below").nested(rows[:SHOWN_CHILDREN])
        if len(rows) > SHOWN_CHILDREN:
            md.paragraph(
                f"The first {SHOWN_CHILDREN} of {len(rows)} categories are shown here; `data` has all of them."
            )
        if c.children_source == "links":
            md.paragraph("These are the categories that the page links to. Some may not be child categories.")
    find_table(md, "Top products", c.products)
    return md.bullets("Notes", c.warnings).source(c.category.url).text()


def _flat(children: list[ChildCategory], depth: int = 0) -> list[tuple[int, ChildCategory]]:
    return [row for child in children for row in ((depth, child), *_flat(child.children, depth + 1))]


extractor = Extractor(
    name="shortvideo_shop_category",
    path="/shortvideo/shop/category",
    version=2,
    group="shortvideo_shop",
    title="Shop category",
    description=(
        "Returns a TikTok Shop category: its name, its child categories (recursive), and at most "
        f"{MAX_PRODUCTS} top products. To get all products of a seller, use the store endpoint."
    ),
    params=CategoryParams,
    result=ShopCategory,
    credits=1,
    fresh=hours(24),
    sources=(
        Source(
            pages.WWW_CATEGORY, fetch_www, read, skips=lambda params: shop_page.why_not_www(params.requested_region)
        ),
        Source(pages.SHOP_CATEGORY, fetch_shop, read),
        Source(tikhub.TIKHUB, None, read_tikhub, ask=ask_tikhub),
    ),
    render=render,
    identity=CategoryParams.identity,
    ends={
        "not_found": "The category does not exist.",
    },
    example={"category_id": "601152"},
)
