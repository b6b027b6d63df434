"""A category of the shop: its name, the categories below it, its top products.

Upstream: the category's page, else a provider by the operator's key. Names of categories ship with the package
(`data/categories_us.json`). Wire notes: docs/upstreams/shortvideo-shop.md#categories. An unknown one → Absent.
"""

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from webquarry.declare import Extractor, Params, Result, Source, exactly_one, field, hours, param
from webquarry.errors import ExtractionError
from webquarry.extractors.shortvideo_shop import shop_page, tikhub
from webquarry.extractors.shortvideo_shop.ids import (
    HOME_REGION,
    CategoryId,
    CategoryUrl,
    category_url,
    region_in,
)
from webquarry.extractors.shortvideo_shop.items import Item, items_of, main_list, table_of
from webquarry.extractors.shortvideo_shop.values import shop_id
from webquarry.locale import Country
from webquarry.read import take
from webquarry.read.fields import to_flag, to_line, to_whole
from webquarry.read.html import html_of
from webquarry.read.walls import is_page
from webquarry.render import Link, Md
from webquarry.types import Wire

if TYPE_CHECKING:
    from webquarry.net import Net

MAX_PRODUCTS: Final = 15
MAX_CHILDREN: Final = 2_000
MAX_DEPTH: Final = 6
MAX_LINKS: Final = 5_000
SHOWN_CHILDREN: Final = 60
WWW_CATEGORY: Final = shop_page.page_provider("tiktok_category", "TikTok Shop's category page (www)", unproven=True)
SHOP_CATEGORY: Final = shop_page.page_provider(
    "tiktok_shop_category", "TikTok Shop's category page (region)", unproven=True
)
_CHILDREN: Final = ("children", "sub_categories")
_NAMES: Final = ("category_name", "category_name_en", "name")


class CategoryParams(Params):
    one_of = exactly_one("category_id", "url")

    category_id: CategoryId | None = param(
        "Number of the category, 5 to 8 digits, as a product's categories give it.", default=None, example="601152"
    )
    url: CategoryUrl | None = param("Address of the category's page.", default=None)
    region: Country | None = param(
        "Region whose shop is asked, two letters; without it the one that the address names, else us.", default=None
    )

    @property
    def category(self) -> str:
        if self.category_id is not None:
            return self.category_id
        if self.url is None:
            raise ValueError("a category is named by its number or its address")
        return self.url.category_id

    @property
    def asked_region(self) -> Country:
        return self.region or (region_in(self.url) if self.url is not None else None) or HOME_REGION

    def identity(self) -> dict[str, str]:
        return {"category": self.category, "region": self.asked_region}


class CategoryInfo(Result):
    category_id: str = field("Number of the category, as text.", wire="category_id")
    name: str | None = field("Its name.", wire="category_name")
    level: int | None = field("Depth, from 1.", wire="level")
    parent_id: str | None = field("The category above; null at the top and where it is not told.", wire="parent_id")
    is_leaf: bool | None = field("Whether none lies below.", wire="is_leaf")
    url: str = field("Address of its page.")


class ChildCategory(CategoryInfo):
    children: list["ChildCategory"] = field("The categories below it.", wire="children[]")


class ShopCategory(Result):
    category: CategoryInfo = field("The category.")
    children: list[ChildCategory] = field("The categories below it, each with those below.", wire="children[]")
    children_source: Literal["data", "links"] | None = field(
        "Whether the categories below are told by the page's data, or are those that the page links to; null where the "
        "page tells none."
    )
    region: str | None = field("Region whose prices these are, by the page's own word; null where it does not say.")
    asked_region: str = field("Region that was asked for.")
    count: int | None = field("Products given; null where the page does not tell its products.")
    products: list[Item] = field(f"Top products, {MAX_PRODUCTS} at most.", wire="products[]")
    names_as_of: str | None = field("Month of the shipped list, where a name is taken from it.")
    warnings: list[str] = field("What is missing, and why.")


@cache
def shipped() -> dict[str, Any]:
    """Names of the categories of the United States: `as_of`, `top_level` (ids), `names` (id → name). Which category
    lies below which, the list does not say."""
    file = resources.files("webquarry.extractors.shortvideo_shop").joinpath("data/categories_us.json")
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def shipped_name(category_id: str) -> str | None:
    name: str | None = shipped()["names"].get(category_id)
    return name


def slug_of(category_id: str) -> str:
    """The name in a category's address: the shop's own where its name is known, else the word that it takes for any."""
    name = (shipped_name(category_id) or "").lower().replace("-", " ")
    words = "".join(sign for sign in name if sign == " " or (sign.isascii() and sign.isalnum())).split()
    return "-".join(words) or "category"


def page_of(category_id: str, region: Country) -> str:
    return category_url(category_id, region, slug_of(category_id))


def read(wire: Wire, params: CategoryParams) -> ShopCategory:
    """The category of a page. Absent, EmptyResult and ProviderError by what stands there in its place."""
    root = shop_page.root_of(wire)
    found = category_of(root, params, _links(wire, root, params))
    if found is None:
        raise _error(root) or shop_page.what_else(wire)
    return found


def read_tikhub(wire: Wire, params: CategoryParams) -> ShopCategory:
    """The same, of TikHub's tree of categories, or of its list of a category's products."""
    found = category_of(tikhub.data_of(wire), params, [])
    if found is None:
        raise shop_page.what_else(wire)
    return found


def _error(root: Any) -> ExtractionError | None:
    errors = (shop_page.read_error(shop_page.component_data(row)) for row in shop_page.components(root))
    return next(filter(None, errors), None)


def category_of(root: Any, params: CategoryParams, links: list[ChildCategory]) -> ShopCategory | None:
    """None where nothing is told of the category."""
    asked, region = params.category, params.asked_region
    own = list(shop_page.nodes(root, lambda node: _id_of(node) == asked))
    holder = next((node for node in own if _children_of(node)), None)
    left = [MAX_CHILDREN]
    children = _read_children(holder, region, left, 1) if holder is not None else links
    listed = main_list(root)
    rows = shop_page.component_data(listed).get("products") if listed is not None else _loose_products(root)
    items = items_of(rows[: 2 * MAX_PRODUCTS] if isinstance(rows, list) else rows)
    if not own and not items and not links:
        return None
    info = _info(own, asked, region)
    is_listed = isinstance(rows, list) and (bool(items) or not rows)
    warnings = []
    if not is_listed:
        warnings.append("The page does not tell its products: scripts load them.")
    if not children and info.is_leaf is not True:
        warnings.append("The page does not tell which categories lie below.")
    from_list = info.name is None and shipped_name(asked) is not None
    own_region = shop_page.region_of(root)
    if own_region is not None and own_region.lower() != region:
        warnings.append(f"Prices are those of {own_region}, from where the shop was asked, not of {region.upper()}.")
    return ShopCategory(
        category=info.model_copy(update={"name": shipped_name(asked)}) if from_list else info,
        children=children,
        children_source=None if not children else "data" if holder is not None else "links",
        region=own_region,
        asked_region=region.upper(),
        count=len(items[:MAX_PRODUCTS]) if is_listed else None,
        products=items[:MAX_PRODUCTS],
        names_as_of=shipped()["as_of"] if from_list else None,
        warnings=warnings,
    )


def _read_info(node: dict[str, Any]) -> dict[str, Any]:
    """What a node says of itself: TikHub writes it under `self`."""
    own = node.get("self")
    return own if isinstance(own, dict) else node


def _id_of(node: dict[str, Any]) -> str | None:
    info = _read_info(node)
    return shop_id(info.get("category_id")) if "category_id" in info else None


def _children_of(node: dict[str, Any]) -> list[dict[str, Any]]:
    for name in _CHILDREN:
        rows = node.get(name)
        if isinstance(rows, list) and rows:
            return [row for row in rows if isinstance(row, dict)]
    return []


def _info(own: list[dict[str, Any]], asked: str, region: Country) -> CategoryInfo:
    """Of all that a page says of its category the first of each."""
    infos = [_read_info(node) for node in own]
    return CategoryInfo(
        category_id=asked,
        name=next((name for node in infos if (name := _name(node)) is not None), None),
        level=next((level for node in infos if (level := _level(node)) is not None), None),
        parent_id=next((parent for node in infos if (parent := _parent(node)) is not None), None),
        is_leaf=next((leaf for node in infos if (leaf := take(node, "is_leaf", to_flag)) is not None), None),
        url=page_of(asked, region),
    )


def _name(node: dict[str, Any]) -> str | None:
    return next((text for name in _NAMES if (text := take(node, name, to_line)) is not None), None)


def _level(node: dict[str, Any]) -> int | None:
    found = take(node, "level", to_whole)
    return take(node, "category_level", to_whole) if found is None else found


def _parent(node: dict[str, Any]) -> str | None:
    return take(node, "parent_id", shop_id) or take(node, "parent_category_id", shop_id)


def _read_children(node: dict[str, Any], region: Country, left: list[int], depth: int) -> list[ChildCategory]:
    """left: how many may still be read, of all levels together."""
    found = []
    for row in _children_of(node):
        category_id = _id_of(row)
        if category_id is None or left[0] <= 0:
            continue
        left[0] -= 1
        below = _read_children(row, region, left, depth + 1) if depth < MAX_DEPTH else []
        info = _info([row], category_id, region)
        found.append(ChildCategory(**info.model_dump(), children=below))
    return found


def _loose_products(root: Any) -> Any:
    """The products of a provider's answer, which has no components."""
    if shop_page.components(root):
        return None
    for name in ("products", "product_list"):
        for node in shop_page.nodes(root, lambda each, name=name: isinstance(each.get(name), list)):  # type: ignore[misc]
            return node[name]
    return None


def _links(wire: Wire, root: Any, params: CategoryParams) -> list[ChildCategory]:
    """The categories that a page links to, without itself and those above it, in their order."""
    if root is None or not is_page(wire):
        return []
    page = html_of(wire)
    above = {
        category_id
        for row in shop_page.components(root)
        for node in shop_page.nodes(shop_page.component_data(row).get("bread_crumbs"), lambda node: "link" in node)
        if (category_id := _linked(str(node["link"]))) is not None
    }
    found: dict[str, ChildCategory] = {}
    for node in page.node.css('a[href*="/c/"]')[:MAX_LINKS]:
        category_id = _linked(node.attributes.get("href") or "")
        if category_id is None or category_id == params.category or category_id in above or category_id in found:
            continue
        if len(found) >= MAX_CHILDREN:
            break
        found[category_id] = ChildCategory(
            category_id=category_id,
            name=to_line(node.text()[:500]) or shipped_name(category_id),
            level=None,
            parent_id=None,
            is_leaf=None,
            url=page_of(category_id, params.asked_region),
            children=[],
        )
    return list(found.values())


def _linked(href: str) -> str | None:
    """The number in the address of a category's page, whole or relative."""
    try:
        parts = [part for part in urlsplit(href).path.split("/") if part]
    except ValueError:
        return None
    is_category = len(parts) >= 3 and parts[-3] == "c" and parts[-1].isascii() and parts[-1].isdigit()
    return parts[-1] if is_category and 5 <= len(parts[-1]) <= 8 else None


async def fetch_www(params: CategoryParams, net: "Net") -> Wire:
    return await shop_page.fetch_page(net, page_of(params.category, HOME_REGION))


async def fetch_shop(params: CategoryParams, net: "Net") -> Wire:
    address = f"https://shop.tiktok.com/{params.asked_region}/c/{slug_of(params.category)}/{params.category}"
    return await shop_page.fetch_page(net, address)


async def ask_tikhub(params: CategoryParams, net: "Net") -> tuple[ShopCategory, Wire]:
    """The tree, and the category's products."""
    region = params.asked_region.upper()
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
            md.paragraph(f"The first {SHOWN_CHILDREN} of {len(rows)} categories; the data has all.")
        if c.children_source == "links":
            md.paragraph("These are the categories that the page links to; some may lie beside this one.")
    table_of(md, "Top products", c.products)
    return md.bullets("Notes", c.warnings).source(c.category.url).text()


def _flat(children: list[ChildCategory], depth: int = 0) -> list[tuple[int, ChildCategory]]:
    return [row for child in children for row in ((depth, child), *_flat(child.children, depth + 1))]


extractor = Extractor(
    name="shortvideo_shop_category",
    path="/shortvideo/shop/category",
    version=1,
    group="shortvideo_shop",
    title="Shop category",
    description=(
        f"A category of TikTok Shop: its name, the categories below it (recursive), and its top products, "
        f"{MAX_PRODUCTS} at most. For all products of a seller use the store endpoint."
    ),
    params=CategoryParams,
    result=ShopCategory,
    credits=1,
    fresh=hours(24),
    sources=(
        Source(WWW_CATEGORY, fetch_www, read, skips=lambda params: shop_page.why_not_www(params.asked_region)),
        Source(SHOP_CATEGORY, fetch_shop, read),
        Source(tikhub.TIKHUB, None, read_tikhub, ask=ask_tikhub),
    ),
    render=render,
    identity=CategoryParams.identity,
    ends={
        "not_found": "There is no such category.",
    },
    example={"category_id": "601152"},
)
