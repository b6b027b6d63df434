"""Categories of the shop: their names, and parsers for pages, providers' data and links.

The names ship with the package (`data/categories_us.json`). See docs/upstreams/shortvideo-shop.md#categories.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import takewhile
from typing import Any, Final
from urllib.parse import urlsplit

from webquarry.core.locale import Country
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Result, field
from webquarry.extractors.shortvideo_shop.model.ids import make_category_url
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import ShopData, list_nodes
from webquarry.extractors.shortvideo_shop.sources.shop.values import read_shop_id
from webquarry.read import take
from webquarry.read.block_pages import is_page
from webquarry.read.fields import to_flag, to_line, to_whole
from webquarry.read.html import html_of
from webquarry.read.losses import read_rows

MAX_CHILDREN: Final = 2_000
MAX_DEPTH: Final = 6
MAX_LINKS: Final = 5_000
_CHILDREN: Final = ("children", "sub_categories")
_NAMES: Final = ("category_name", "category_name_en", "name")


class CategoryInfo(Result):
    category_id: str = field("Category ID as a string.", wire="category_id")
    name: str | None = field("Name of the category.", wire="category_name")
    level: int | None = field("Depth, starting at 1.", wire="level")
    parent_id: str | None = field("ID of the parent category; null at the top level or if unknown.", wire="parent_id")
    is_leaf: bool | None = field("Whether the category has no children.", wire="is_leaf")
    url: str = field("URL of its page.")


class ChildCategory(CategoryInfo):
    children: list["ChildCategory"] = field("Child categories.", wire="children[]")


@dataclass(frozen=True, slots=True)
class ShippedCategories:
    """The categories of one region, without their hierarchy.

    as_of: a month. names: by id. top_level: ids.
    """

    as_of: str
    region: str
    names: Mapping[str, str]
    top_level: Sequence[str]


@cache
def load_shipped() -> ShippedCategories:
    """Return the categories of the United States."""
    file = resources.files("webquarry.extractors.shortvideo_shop").joinpath("data/categories_us.json")
    found = json.loads(file.read_text("utf-8"))
    return ShippedCategories(found["as_of"], found["region"], found["names"], found["top_level"])


def find_shipped_name(category_id: str) -> str | None:
    return load_shipped().names.get(category_id)


def find_slug(category_id: str) -> str:
    """Return the slug for a category's address.

    The slug is derived from the shop's name for the category. If the name is unknown, the slug is a word that the shop
    accepts for any category.
    """
    name = (find_shipped_name(category_id) or "").lower().replace("-", " ")
    words = "".join(sign for sign in name if sign == " " or (sign.isascii() and sign.isalnum())).split()
    return "-".join(words) or "category"


def find_page(category_id: str, region: Country) -> str:
    return make_category_url(category_id, region, find_slug(category_id))


def _own_node(node: dict[str, Any]) -> dict[str, Any]:
    """Return the object with a category's own fields, which TikHub nests under `self`."""
    own = node.get("self")
    return own if isinstance(own, dict) else node


def read_id(node: Any) -> str | None:
    return read_shop_id(_own_node(node).get("category_id")) if isinstance(node, dict) else None


def has_children(node: dict[str, Any]) -> bool:
    return bool(_list_children(node))


def _list_children(node: dict[str, Any]) -> list[Any]:
    return next((rows for name in _CHILDREN if isinstance(rows := node.get(name), list) and rows), [])


def read_info(own: list[dict[str, Any]], requested: str, region: Country) -> CategoryInfo:
    """Merge all data that a page contains about its category. The first value of each field is used."""
    infos = [_own_node(node) for node in own]
    return CategoryInfo(
        category_id=requested,
        name=next((name for node in infos if (name := _name(node)) is not None), None),
        level=next((level for node in infos if (level := _read_level(node)) is not None), None),
        parent_id=next((parent for node in infos if (parent := _read_parent(node)) is not None), None),
        is_leaf=next((leaf for node in infos if (leaf := take(node, "is_leaf", to_flag)) is not None), None),
        url=find_page(requested, region),
    )


def _name(node: dict[str, Any]) -> str | None:
    return next((text for name in _NAMES if (text := take(node, name, to_line)) is not None), None)


def _read_level(node: dict[str, Any]) -> int | None:
    found = take(node, "level", to_whole)
    return take(node, "category_level", to_whole) if found is None else found


def _read_parent(node: dict[str, Any]) -> str | None:
    return take(node, "parent_id", read_shop_id) or take(node, "parent_category_id", read_shop_id)


def read_children(node: dict[str, Any], region: Country) -> list[ChildCategory]:
    """Return the subcategories of a node, recursively. `MAX_CHILDREN` limits the total of all levels."""
    return _read_below(node, region, [MAX_CHILDREN], 1)


def _read_below(node: dict[str, Any], region: Country, left: list[int], depth: int) -> list[ChildCategory]:
    """Return the subcategories of a node. left: the number of subcategories that may still be read."""

    def read(row: Any) -> ChildCategory | None:
        category_id = read_id(row)
        if category_id is None:
            return None
        left[0] -= 1
        below = _read_below(row, region, left, depth + 1) if depth < MAX_DEPTH else []
        return ChildCategory(**read_info([row], category_id, region).model_dump(), children=below)

    return read_rows(takewhile(lambda _: left[0] > 0, _list_children(node)), read, "children[]")


def read_links(wire: Wire, data: ShopData, requested: str, region: Country) -> list[ChildCategory]:
    """Return the categories that a page links to, in order, without the category itself and its ancestors."""
    if data.root is None or not is_page(wire):
        return []
    page = html_of(wire)
    above = {
        category_id
        for component in data.components
        for node in list_nodes(component.data.get("bread_crumbs"), lambda node: "link" in node)
        if (category_id := _linked(str(node["link"]))) is not None
    }
    found: dict[str, ChildCategory] = {}
    for node in page.node.css('a[href*="/c/"]')[:MAX_LINKS]:
        category_id = _linked(node.attributes.get("href") or "")
        if category_id is None or category_id == requested or category_id in above or category_id in found:
            continue
        if len(found) >= MAX_CHILDREN:
            break
        found[category_id] = ChildCategory(
            category_id=category_id,
            name=to_line(node.text()[:500]) or find_shipped_name(category_id),
            level=None,
            parent_id=None,
            is_leaf=None,
            url=find_page(category_id, region),
            children=[],
        )
    return list(found.values())


def _linked(href: str) -> str | None:
    """Return the id in the address of a category's page, absolute or relative."""
    try:
        parts = [part for part in urlsplit(href).path.split("/") if part]
    except ValueError:
        return None
    is_category = len(parts) >= 3 and parts[-3] == "c" and parts[-1].isascii() and parts[-1].isdigit()
    return parts[-1] if is_category and 5 <= len(parts[-1]) <= 8 else None
