"""JSON-LD content that the selected content lacks: bodies, posts, questions, recipes, jobs and product facts."""

from collections.abc import Iterator, Mapping
from typing import Any

from webquarry_convert.page.state import build
from webquarry_convert.page.state.known_text import KnownText
from webquarry_convert.page.state.prose import is_prose
from webquarry_convert.page.structured import Description, get_types, list_ingredients
from webquarry_convert.tree import Node

MIN_BODY_CHARS = 200
MIN_DESCRIPTION_CHARS = 80
MAX_FACT = 200
MAX_FACTS = 60
MAX_ITEMS = 500
_PRODUCTS = frozenset(
    {"Product", "ProductGroup", "IndividualProduct", "SomeProducts", "ProductModel", "Vehicle", "Car"}
)
_POSTS = frozenset({"DiscussionForumPosting", "SocialMediaPosting", "Comment", "Answer", "Question", "QAPage"})
_EVENTS = frozenset(
    {"Event", "MusicEvent", "SportsEvent", "BusinessEvent", "EducationEvent", "Festival", "TheaterEvent"}
)
_FACTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Brand", ("brand",)),
    ("Manufacturer", ("manufacturer",)),
    ("Model", ("model",)),
    ("Color", ("color",)),
    ("Material", ("material",)),
    ("Size", ("size",)),
    ("Weight", ("weight",)),
    ("SKU", ("sku",)),
    ("MPN", ("mpn",)),
    ("GTIN", ("gtin", "gtin13", "gtin12", "gtin14", "gtin8")),
)
_JOB_FACTS = (
    ("Company", ("hiringOrganization",)),
    ("Location", ("jobLocation",)),
    ("Employment", ("employmentType",)),
    ("Salary", ("baseSalary",)),
    ("Posted", ("datePosted",)),
    ("Valid through", ("validThrough",)),
)
_EVENT_FACTS = (
    ("Start", ("startDate",)),
    ("End", ("endDate",)),
    ("Location", ("location",)),
    ("Organizer", ("organizer",)),
    ("Performer", ("performer",)),
)

PRICE = "Price"
_CUT = ("...", "…")
"""Endings of text that was shortened for a preview."""

JsonObject = Mapping[str, Any]


def build_nodes(description: Description, known: KnownText) -> list[Node]:
    """Return nodes for what `known` lacks of the page's main node and questions, and add this content to `known`."""
    questions = [node for question in description.questions for node in _build_question(question, known)]
    return (
        [*_build_main(description.main, known), *questions]
        if description.main is not None and description.is_alone
        else questions
    )


def _build_main(main: JsonObject, known: KnownText) -> list[Node]:
    types = get_types(main)
    if types & _PRODUCTS:
        return [
            *_build_text(main, known, "description"),
            *_build_facts([*_read_offers(main), *_read_facts(main, _FACTS)], known),
        ]
    if "Recipe" in types:
        return _build_recipe(main, known)
    if "JobPosting" in types:
        return [*_build_facts(_read_facts(main, _JOB_FACTS), known), *_build_text(main, known, "description")]
    if types & _EVENTS:
        return [*_build_facts(_read_facts(main, _EVENT_FACTS), known), *_build_text(main, known, "description")]
    if types & _POSTS:
        return _build_posts(main, known)
    return _build_text(main, known, "articleBody", "reviewBody", "text", shortest=MIN_BODY_CHARS)


def build_ingredients(recipe: JsonObject, known: KnownText) -> list[Node]:
    """Return a list of the ingredients that `known` lacks, or [] if it contains most of them."""
    missing = _find_missing_ingredients(recipe, known)
    return [build.make_list(missing)] if missing else []


def _find_missing_ingredients(recipe: JsonObject, known: KnownText) -> list[str]:
    """Return the ingredients that `known` lacks, or [] if it contains most of them."""
    items = list_ingredients(recipe)
    missing = [item for item in items if not known.holds(item)]
    return missing if 2 * len(missing) > len(items) else []


def _build_text(node: JsonObject, known: KnownText, *keys: str, shortest: int = MIN_DESCRIPTION_CHARS) -> list[Node]:
    """Return the first of the node's texts that is long enough, without the paragraphs in `known`."""
    for key in keys:
        value = node.get(key)
        if isinstance(value, str) and len(value) >= shortest and not value.rstrip().endswith(_CUT):
            nodes = build.parse_text(value)
            text = build.get_text(nodes)
            return _keep_new(nodes, known) if is_prose(text) and not known.holds(text) else []
    return []


def _keep_new(nodes: list[Node], known: KnownText) -> list[Node]:
    """Return the nodes whose text `known` lacks, and add their text to it."""
    found = []
    for node in nodes:
        text = build.get_text([node])
        if not known.holds(text):
            found.append(node)
            known.add(text)
    return found


def _build_facts(facts: list[tuple[str, str]], known: KnownText) -> list[Node]:
    new = []
    for label, value in facts[:MAX_FACTS]:
        if not known.holds(value) and not (label == PRICE and known.holds(value.partition(" ")[0])):
            new.append(build.make_element("li", build.make_element("strong", f"{label}:"), f" {value}"))
            known.add(value)
    return [build.make_element("ul", *new)] if new else []


def _read_facts(node: JsonObject, wanted: tuple[tuple[str, tuple[str, ...]], ...]) -> list[tuple[str, str]]:
    facts = []
    for label, keys in wanted:
        if fact := next(filter(None, (_read_value(node.get(key)) for key in keys)), None):
            facts.append((label, fact))
    return [*facts, *filter(None, map(_read_property, _list(node.get("additionalProperty"))))]


def _read_property(item: Any) -> tuple[str, str] | None:
    """Return a `PropertyValue`'s name, and its value with the unit."""
    if not isinstance(item, dict):
        return None
    name, value = _read_value(item.get("name")), _read_value(item.get("value"))
    return (name, " ".join(filter(None, [value, _read_value(item.get("unitText"))]))) if name and value else None


def _read_offers(product: JsonObject) -> list[tuple[str, str]]:
    """Return the rating, and the price and availability from the first offer that has them."""
    offers = (offer for offer in _list(product.get("offers")) if isinstance(offer, dict))
    facts = next(filter(None, map(_read_offer, offers)), [])
    rating = product.get("aggregateRating")
    if isinstance(rating, dict) and (value := _read_value(rating.get("ratingValue"))):
        best = _read_value(rating.get("bestRating"))
        count = _read_value(rating.get("reviewCount")) or _read_value(rating.get("ratingCount"))
        facts.append(("Rating", f"{value}{f' of {best}' if best else ''}{f' ({count})' if count else ''}"))
    return facts


def _read_offer(offer: JsonObject) -> list[tuple[str, str]]:
    facts = []
    if price := _read_price(offer):
        facts.append((PRICE, price))
    if stock := _read_value(offer.get("availability")):
        facts.append(("Availability", stock.rpartition("/")[2]))
    return facts


def _read_price(offer: JsonObject) -> str:
    """Return an offer's price or price range, or "" if the offer has no price."""
    items = [item for item in [offer, *_list(offer.get("priceSpecification"))] if isinstance(item, dict)]
    priced = next((item for item in items if "price" in item), offer)
    currency = _read_value(priced.get("priceCurrency")) or _read_value(offer.get("priceCurrency")) or ""
    price = _read_value(priced.get("price")) or _read_range(offer)
    return f"{price} {currency}".strip() if price else ""


def _read_range(offer: JsonObject) -> str:
    """Return the range of an offer's prices, or "" if it has none."""
    low, high = _read_value(offer.get("lowPrice")), _read_value(offer.get("highPrice"))
    if not low or not high:
        return ""
    return f"{low} – {high}" if low != high else low


def _build_recipe(recipe: JsonObject, known: KnownText) -> list[Node]:
    found = _build_text(recipe, known, "description")
    if missing := _find_missing_ingredients(recipe, known):
        found.append(build.make_list(missing))
        known.add("\n".join(missing))
    steps = list(_read_steps(recipe.get("recipeInstructions")))[:MAX_ITEMS]
    if steps and not known.holds(" ".join(steps)):
        found.append(build.make_list(steps, is_numbered=True))
        known.add("\n".join(steps))
    return found


def _read_steps(item: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(item, str):
        yield from (build.get_text([node]).strip() for node in build.parse_text(item))
    elif isinstance(item, list) and depth < 4:
        for each in item[:MAX_ITEMS]:
            yield from _read_steps(each, depth + 1)
    elif isinstance(item, dict) and depth < 4:
        if "itemListElement" in item:
            yield from _read_steps(item["itemListElement"], depth + 1)
        else:
            yield from _read_steps(item.get("text") or item.get("name"), depth + 1)


def _build_question(node: JsonObject, known: KnownText) -> list[Node]:
    """Return a question that the page answers as a heading, followed by the answer."""
    name, answer = _read_value(node.get("name")), _list(node.get("acceptedAnswer"))
    text = answer[0].get("text") if answer and isinstance(answer[0], dict) else None
    if not name or not isinstance(text, str):
        return []
    body = build.parse_text(text)
    if known.holds(build.get_text(body)):
        return []
    known.add(f"{name}\n{build.get_text(body)}")
    return [build.make_element("h3", name), *body]


def _build_posts(node: JsonObject, known: KnownText) -> list[Node]:
    """Return a post and its replies, each under its author's name."""
    found: list[Node] = []
    waiting: list[Any] = [node]
    for post in waiting:  # the list grows during the loop
        if not isinstance(post, dict) or len(found) > MAX_ITEMS:
            continue
        body = _build_text(post, known, "text", "articleBody", "description", shortest=1)
        author = _read_value(post.get("author"))
        if body and author:
            found.append(build.make_element("p", build.make_element("strong", author)))
        found += body
        for key in ("mainEntity", "acceptedAnswer", "suggestedAnswer", "comment"):
            waiting += _list(post.get(key))[:MAX_ITEMS]
        if len(waiting) > MAX_ITEMS:
            del waiting[MAX_ITEMS:]
    return found


def _read_value(value: Any) -> str | None:
    """Return a value as a short text: the text itself, or the name, value or URL of a node."""
    for _ in range(4):
        if isinstance(value, list):
            value = value[0] if value else None
        elif isinstance(value, dict):
            value = next(
                (value[key] for key in ("name", "value", "address", "addressLocality", "minValue") if key in value),
                None,
            )
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = " ".join(build.get_text(build.parse_text(str(value)[:MAX_FACT])).split())
    return text or None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
