"""Entities that a page's data describes: products, recipes, events and articles, from JSON-LD and microdata.

Values are plain text on one line, as written on the page. Only amounts, counts, instants and durations are parsed.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from webquarry_convert.links import join_address
from webquarry_convert.page.head.dates import parse_day, parse_instant
from webquarry_convert.page.head.fields import clean_text
from webquarry_convert.page.structured import get_types

MAX_ENTITIES = 20
MAX_TEXT = 500
MAX_LISTED = 200
MAX_STEPS = 100
MAX_DEPTH = 4
_PRODUCTS = frozenset(
    {"Product", "ProductGroup", "IndividualProduct", "SomeProducts", "ProductModel", "Vehicle", "Car", "Book"}
)
_ARTICLES = frozenset({"Article", "NewsArticle", "BlogPosting", "ReportageNewsArticle", "AnalysisNewsArticle",
    "OpinionNewsArticle", "ScholarlyArticle", "TechArticle", "LiveBlogPosting", "Report"})  # fmt: skip
_EVENT = re.compile(r"(?:^|[a-z])Event$|^Festival$")
_AMOUNT = re.compile(r"\d[\d.,' \u00a0\u202f]{0,20}")
_DURATION = re.compile(r"P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:\d{1,5}(?:\.\d{1,3})?S)?)?")
_GTINS = ("gtin", "gtin13", "gtin12", "gtin14", "gtin8", "isbn")

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Product:
    """A product from a page's data. price: the amount, with a decimal point. availability: value such as `InStock`."""

    name: str | None
    brand: str | None
    sku: str | None
    gtin: str | None
    mpn: str | None
    price: str | None
    currency: str | None
    availability: str | None
    rating: float | None
    review_count: int | None
    image_url: str | None
    description: str | None


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe from a page's data. Durations are in minutes."""

    name: str | None
    author: str | None
    ingredients: tuple[str, ...]
    steps: tuple[str, ...]
    servings: str | None
    prep_minutes: int | None
    cook_minutes: int | None
    total_minutes: int | None
    image_url: str | None


@dataclass(frozen=True, slots=True)
class Event:
    """An event from a page's data. Instants are written as `…Z`, or as dates without a time."""

    name: str | None
    starts_at: str | None
    ends_at: str | None
    location: str | None
    address: str | None
    organizer: str | None
    status: str | None
    image_url: str | None


@dataclass(frozen=True, slots=True)
class Article:
    """An article from a page's data. Instants are written as `…Z`, or as dates without a time."""

    headline: str | None
    author: str | None
    publisher: str | None
    published_at: str | None
    modified_at: str | None
    section: str | None
    image_url: str | None


Entity = Product | Recipe | Event | Article


def read_entities(nodes: Iterable[JsonObject], base: str | None) -> tuple[Entity, ...]:
    """Return up to `MAX_ENTITIES` distinct entities with a name, in document order.

    nodes: nodes of JSON-LD, or items of microdata. base: base URL for relative URLs.
    """
    found: dict[Entity, None] = {}
    named: set[tuple[type, str]] = set()
    for node in nodes:
        entity = _read_entity(node, base)
        name = None if entity is None else entity.headline if isinstance(entity, Article) else entity.name
        if entity is not None and name is not None and (type(entity), name) not in named:
            named.add((type(entity), name))
            found[entity] = None
            if len(found) == MAX_ENTITIES:
                break
    return tuple(found)


def _read_entity(node: JsonObject, base: str | None) -> Entity | None:
    types = get_types(node)
    if types & _PRODUCTS:
        return _read_product(node, base)
    if "Recipe" in types:
        return _read_recipe(node, base)
    if types & _ARTICLES:
        return _read_article(node, base)
    if any(_EVENT.search(name) for name in types):
        return _read_event(node, base)
    return None


def _read_product(node: JsonObject, base: str | None) -> Product:
    offer = _find_object(node.get("offers"))
    inner, priced = _find_object(offer.get("offers")), _find_object(offer.get("priceSpecification"))
    parts = (offer, inner, priced)
    rating = node.get("aggregateRating")
    rated: JsonObject = rating if isinstance(rating, Mapping) else {}
    count = _read_amount(_read_first([rated], "reviewCount", "ratingCount"))
    value = _read_amount(_read_text(rated.get("ratingValue")))
    return Product(
        name=_read_text(node.get("name")),
        brand=_read_name(node.get("brand")),
        sku=_read_text(node.get("sku")),
        gtin=_read_first([node], *_GTINS),
        mpn=_read_text(node.get("mpn")),
        price=_read_amount(_read_first(parts, "price", "lowPrice")),
        currency=_read_currency(parts),
        availability=_strip_vocabulary(_read_first([offer, inner], "availability")),
        rating=None if value is None else float(value),
        review_count=None if count is None else int(float(count)),
        image_url=_find_image(node.get("image"), base),
        description=_read_text(node.get("description")),
    )


def _find_object(value: Any) -> JsonObject:
    """Return a value that is an object, the first object in a list, or an empty object."""
    return next((item for item in _make_list(value) if isinstance(item, Mapping)), {})


def _read_first(nodes: Iterable[JsonObject], *keys: str) -> str | None:
    """Return the first text found under one of the keys. A node's keys are tried before those of the next node."""
    return next((text for node in nodes for key in keys if (text := _read_text(node.get(key)))), None)


def _read_currency(nodes: Iterable[JsonObject]) -> str | None:
    """Return the first currency given as a three-letter code."""
    codes = (_read_text(node.get("priceCurrency")) for node in nodes)
    return next((code for code in codes if code and len(code) == 3), None)


def _read_recipe(node: JsonObject, base: str | None) -> Recipe:
    listed = node.get("recipeIngredient", node.get("ingredients"))
    texts = [text for item in _make_list(listed)[:MAX_LISTED] if (text := _read_text(item))]
    return Recipe(
        name=_read_text(node.get("name")),
        author=_read_name(node.get("author")),
        ingredients=tuple(texts),
        steps=tuple(_read_steps(node.get("recipeInstructions"))),
        servings=_read_text(node.get("recipeYield")),
        prep_minutes=_read_minutes(node.get("prepTime")),
        cook_minutes=_read_minutes(node.get("cookTime")),
        total_minutes=_read_minutes(node.get("totalTime")),
        image_url=_find_image(node.get("image"), base),
    )


def _read_steps(listed: Any) -> list[str]:
    """Return the text of each step, section by section."""
    steps: list[str] = []
    waiting: list[tuple[Any, int]] = [(listed, 0)]
    while waiting and len(steps) < MAX_STEPS:
        item, depth = waiting.pop()
        if isinstance(item, list) and depth < MAX_DEPTH:
            waiting += [(each, depth + 1) for each in reversed(item[:MAX_LISTED])]
        elif isinstance(item, Mapping) and depth < MAX_DEPTH:
            waiting.append((item.get("itemListElement") or item.get("text") or item.get("name"), depth + 1))
        elif isinstance(item, str) and (text := _read_text(item, 4 * MAX_TEXT)):
            steps.append(text)
    return steps


def _read_event(node: JsonObject, base: str | None) -> Event:
    place = next((item for item in _make_list(node.get("location")) if item), None)
    address = place.get("address") if isinstance(place, Mapping) else None
    parts = (
        [_read_text(address.get(key)) for key in ("streetAddress", "postalCode", "addressLocality", "addressRegion")]
        if isinstance(address, Mapping)
        else [_read_text(address)]
    )
    return Event(
        name=_read_text(node.get("name")),
        starts_at=_read_instant(node.get("startDate")),
        ends_at=_read_instant(node.get("endDate")),
        location=_read_name(place),
        address=", ".join(part for part in parts if part) or None,
        organizer=_read_name(node.get("organizer")),
        status=_strip_vocabulary(_read_text(node.get("eventStatus"))),
        image_url=_find_image(node.get("image"), base),
    )


def _read_article(node: JsonObject, base: str | None) -> Article:
    return Article(
        headline=_read_text(node.get("headline")) or _read_text(node.get("name")),
        author=_read_name(node.get("author")),
        publisher=_read_name(node.get("publisher")),
        published_at=_read_instant(node.get("datePublished")),
        modified_at=_read_instant(node.get("dateModified")),
        section=_read_text(node.get("articleSection")),
        image_url=_find_image(node.get("image"), base),
    )


def _read_text(value: Any, most: int = MAX_TEXT) -> str | None:
    """Return the first text or number in a value."""
    value = value[0] if isinstance(value, list) and value else value
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = clean_text(str(value)[: 4 * most])
    return text[:most].rstrip() if text else None


def _read_name(value: Any) -> str | None:
    """Return the names of persons, organizations or places, separated by commas."""
    names = [
        _read_text(item.get("name") if isinstance(item, Mapping) else item) for item in _make_list(value)[:MAX_ENTITIES]
    ]
    return ", ".join(dict.fromkeys(name for name in names if name))[:MAX_TEXT] or None


def _find_image(value: Any, base: str | None) -> str | None:
    for item in _make_list(value)[:MAX_ENTITIES]:
        if isinstance(item, Mapping):
            item = item.get("url") or item.get("contentUrl")
        if isinstance(item, str) and (address := join_address(base, item)):
            return address
    return None


def _read_instant(value: Any) -> str | None:
    text = _read_text(value)
    return None if text is None else parse_instant(text) or parse_day(text)


def _read_minutes(value: Any) -> int | None:
    found = _DURATION.fullmatch((_read_text(value) or "").upper())
    if found is None or not any(found.groups()):
        return None
    days, hours, minutes = (int(part or 0) for part in found.groups())
    return 1440 * days + 60 * hours + minutes


def _read_amount(text: str | None) -> str | None:
    """Return a number with a decimal point, regardless of its original separators: `1.759,99` → `1759.99`."""
    found = _AMOUNT.search(text or "")
    if found is None:
        return None
    digits = re.sub(r"[' \u00a0\u202f]", "", found[0]).rstrip(".,")
    whole, sign, fraction = digits.rpartition("," if digits.rfind(",") > digits.rfind(".") else ".")
    if not sign or _is_group(whole, sign, fraction):
        return digits.replace(",", "").replace(".", "") or None
    return f"{whole.replace(',', '').replace('.', '') or '0'}.{fraction}"


def _is_group(whole: str, sign: str, digits: str) -> bool:
    """Return whether the three digits after a separator are thousands rather than decimals."""
    return len(digits) == 3 and (sign == "," or "." in whole) and whole != "0"


def _strip_vocabulary(address: str | None) -> str | None:
    """Return a name without the vocabulary's URL: `https://schema.org/InStock` → `InStock`."""
    return address.rstrip("/").rpartition("/")[2] or None if address else None


def _make_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
