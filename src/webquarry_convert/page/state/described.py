"""What JSON-LD says and the content lacks: bodies, posts, questions, recipes, jobs, and the facts of products."""

from collections.abc import Iterator, Mapping
from typing import Any

from webquarry_convert.page.state import build
from webquarry_convert.page.state.known import Known
from webquarry_convert.page.state.prose import is_prose
from webquarry_convert.page.structured import Description, types_of
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

_CUT = ("...", "…")
"""How texts end that were cut short for a preview."""

Said = Mapping[str, Any]


def nodes_of(said: Description, known: Known) -> list[Node]:
    """Nodes for what the page's main node and its questions say and `known` does not hold; they are added to it."""
    questions = [node for question in said.questions for node in _question(question, known)]
    return [*_main(said.main, known), *questions] if said.main is not None and said.is_alone else questions


def _main(main: Said, known: Known) -> list[Node]:
    types = types_of(main)
    if types & _PRODUCTS:
        return [*_text(main, known, "description"), *_facts([*_offers(main), *_plain_facts(main, _FACTS)], known)]
    if "Recipe" in types:
        return _recipe(main, known)
    if "JobPosting" in types:
        return [*_facts(_plain_facts(main, _JOB_FACTS), known), *_text(main, known, "description")]
    if types & _EVENTS:
        return [*_facts(_plain_facts(main, _EVENT_FACTS), known), *_text(main, known, "description")]
    if types & _POSTS:
        return _posts(main, known)
    return _text(main, known, "articleBody", "reviewBody", "text", shortest=MIN_BODY_CHARS)


def _text(node: Said, known: Known, *keys: str, shortest: int = MIN_DESCRIPTION_CHARS) -> list[Node]:
    """The first of these texts that is long enough, without the paragraphs that are known."""
    for key in keys:
        value = node.get(key)
        if isinstance(value, str) and len(value) >= shortest and not value.rstrip().endswith(_CUT):
            nodes = build.of_text(value)
            text = build.plain(nodes)
            return _new(nodes, known) if is_prose(text) and not known.holds(text) else []
    return []


def _new(nodes: list[Node], known: Known) -> list[Node]:
    """Those whose text is not known; it is afterwards."""
    found = []
    for node in nodes:
        text = build.plain([node])
        if not known.holds(text):
            found.append(node)
            known.add(text)
    return found


def _facts(facts: list[tuple[str, str]], known: Known) -> list[Node]:
    new = []
    for label, value in facts[:MAX_FACTS]:
        if not known.holds(value):
            new.append(build.element("li", build.element("strong", f"{label}:"), f" {value}"))
            known.add(value)
    return [build.element("ul", *new)] if new else []


def _plain_facts(node: Said, wanted: tuple[tuple[str, tuple[str, ...]], ...]) -> list[tuple[str, str]]:
    facts = []
    for label, keys in wanted:
        if told := next(filter(None, (_said(node.get(key)) for key in keys)), None):
            facts.append((label, told))
    return [*facts, *filter(None, map(_property, _list(node.get("additionalProperty"))))]


def _property(item: Any) -> tuple[str, str] | None:
    """Name and value with its unit of a `PropertyValue`."""
    if not isinstance(item, dict):
        return None
    name, value = _said(item.get("name")), _said(item.get("value"))
    return (name, " ".join(filter(None, [value, _said(item.get("unitText"))]))) if name and value else None


def _offers(product: Said) -> list[tuple[str, str]]:
    """Price and availability of the first offer that has them, and the rating."""
    facts = []
    for offer in _list(product.get("offers")):
        if not isinstance(offer, dict):
            continue
        priced = next(
            (
                item
                for item in [offer, *_list(offer.get("priceSpecification"))]
                if isinstance(item, dict) and "price" in item
            ),
            offer,
        )
        currency = _said(priced.get("priceCurrency")) or _said(offer.get("priceCurrency")) or ""
        if price := _said(priced.get("price")):
            facts.append(("Price", f"{price} {currency}".strip()))
        elif (low := _said(offer.get("lowPrice"))) and (high := _said(offer.get("highPrice"))):
            facts.append(
                ("Price", f"{low} – {high} {currency}".strip() if low != high else f"{low} {currency}".strip())
            )
        if stock := _said(offer.get("availability")):
            facts.append(("Availability", stock.rpartition("/")[2]))
        if facts:
            break
    rating = product.get("aggregateRating")
    if isinstance(rating, dict) and (value := _said(rating.get("ratingValue"))):
        best = _said(rating.get("bestRating"))
        count = _said(rating.get("reviewCount")) or _said(rating.get("ratingCount"))
        facts.append(("Rating", f"{value}{f' of {best}' if best else ''}{f' ({count})' if count else ''}"))
    return facts


def _recipe(recipe: Said, known: Known) -> list[Node]:
    found = _text(recipe, known, "description")
    ingredients = [item for item in _list(recipe.get("recipeIngredient"))[:MAX_ITEMS] if isinstance(item, str)]
    if ingredients and not known.holds(" ".join(ingredients)):
        found.append(build.listed(ingredients))
        known.add("\n".join(ingredients))
    steps = list(_steps(recipe.get("recipeInstructions")))[:MAX_ITEMS]
    if steps and not known.holds(" ".join(steps)):
        found.append(build.listed(steps, is_numbered=True))
        known.add("\n".join(steps))
    return found


def _steps(item: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(item, str):
        yield from (build.plain([node]).strip() for node in build.of_text(item))
    elif isinstance(item, list) and depth < 4:
        for each in item[:MAX_ITEMS]:
            yield from _steps(each, depth + 1)
    elif isinstance(item, dict) and depth < 4:
        if "itemListElement" in item:
            yield from _steps(item["itemListElement"], depth + 1)
        else:
            yield from _steps(item.get("text") or item.get("name"), depth + 1)


def _question(node: Said, known: Known) -> list[Node]:
    """A question that the page answers itself, as a heading and its answer."""
    name, answer = _said(node.get("name")), _list(node.get("acceptedAnswer"))
    text = answer[0].get("text") if answer and isinstance(answer[0], dict) else None
    if not name or not isinstance(text, str):
        return []
    body = build.of_text(text)
    if known.holds(build.plain(body)):
        return []
    known.add(f"{name}\n{build.plain(body)}")
    return [build.element("h3", name), *body]


def _posts(node: Said, known: Known) -> list[Node]:
    """A post and those that answer it, each under its author's name."""
    found: list[Node] = []
    waiting: list[Any] = [node]
    for post in waiting:  # it grows while it is walked
        if not isinstance(post, dict) or len(found) > MAX_ITEMS:
            continue
        body = _text(post, known, "text", "articleBody", "description", shortest=1)
        author = _said(post.get("author"))
        if body and author:
            found.append(build.element("p", build.element("strong", author)))
        found += body
        for key in ("mainEntity", "acceptedAnswer", "suggestedAnswer", "comment"):
            waiting += _list(post.get(key))[:MAX_ITEMS]
        if len(waiting) > MAX_ITEMS:
            del waiting[MAX_ITEMS:]
    return found


def _said(value: Any) -> str | None:
    """A short text of a value: itself, or the name, value or address of a node."""
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
    text = " ".join(build.plain(build.of_text(str(value)[:MAX_FACT])).split())
    return text or None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
