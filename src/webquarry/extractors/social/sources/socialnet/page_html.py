"""The social network's page without a login: meta tags and preloaded cards.

See docs/upstreams/socialnet-page.md. Personal profiles and groups are not pages and are never returned.
"""

from collections import defaultdict
from typing import Any, Final

from webquarry.core.errors import Absent, ExtractionError, ProviderError, UnsafeTarget
from webquarry.core.types import Politeness, Provider
from webquarry.extractors.social.model.socialnet.result import SocialnetPage, SocialnetPageParams
from webquarry.extractors.social.model.socialnet.slug import PageSlug
from webquarry.extractors.social.sources.preloaded import find_scripts, values_at
from webquarry.extractors.social.sources.socialnet import ads_library
from webquarry.extractors.social.sources.socialnet.cards import Cards
from webquarry.extractors.social.sources.socialnet.figures import Figure, Kind, find_figures
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.browser import plain_headers
from webquarry.providers.socialnet import library_url
from webquarry.read import Wire, at, take
from webquarry.read.block_pages import WALL_WAIT_S, find_block_page_in, unreadable
from webquarry.read.embedded import Metas
from webquarry.read.fields import to_address, to_flag, to_id, to_line, to_text
from webquarry.read.html import Element, html_of
from webquarry.read.losses import read_rows
from webquarry.read.values import reach_list

TITLE: Final = "Facebook"
SOCIALNET_PAGE_HTML: Final = Provider(
    name="socialnet_page_html",
    walled=True,
    title=f"{TITLE}'s page",
    politeness=Politeness(spacing_s=1.0, concurrency=2),
    browser_headers=plain_headers(language="en-US,en;q=0.9"),
)
MAX_BYTES: Final = 6 * 1024 * 1024
ADS_WITHIN_S: Final = 5.0
NO_ADS_TOLD: Final = "It is unknown whether the page currently runs ads because the ad library did not respond."
UNAVAILABLE: Final = "this content isn't available"
_TILES: Final = ("profile_tile_sections", "profile_tile_views", "profile_tile_items")
"""Connections that contain the cards: sections, their views, and the views' items."""
_KEYS: Final = (
    "timeline_context_item",
    "profile_status_text",
    "best_description",
    "delegate_page",
    "cover_photo",
    "profile_type_name_for_content",
    "profile_social_context",
    "show_verified_badge_on_profile",
    "user",
    "userID",
    "props",
    "__dr",
    *_TILES,
)
_WORDS: Final = (*(f'"{key}"' for key in _KEYS if key not in ("user", "__dr")), "CometErrorRoot")
"""Words that identify the scripts to parse. Every script contains `user`; the relevant script also contains its type.
"""
_NOT_SERVED: Final = frozenset({"", "facebook", "log in or sign up to view", "log into facebook", "error"})
_HEAD_KINDS: Final[tuple[Kind, ...]] = ("followers", "likes")
Preloaded = dict[str, list[Any]]


async def ask(params: SocialnetPageParams, net: Net) -> tuple[SocialnetPage, Wire]:
    """Return the page and the provider's response.

    The ads library is queried with a limit of a few seconds; without a result, the field is null.
    """
    wire = await net.get(params.page.url, ok_on=ANY_STATUS, absent_on=(), max_bytes=MAX_BYTES)
    found = await net.read(read, wire, params)
    runs_ads = None if found.page_id is None else await _runs_ads(found.page_id, net)
    return with_ads(found, runs_ads), wire


async def _runs_ads(page_id: str, net: Net) -> bool | None:
    try:
        async with net.deadline.within(ADS_WITHIN_S).bound():
            wire = await ads_library.fetch(page_id, net)
            return await net.read(ads_library.read, wire)
    except (ExtractionError, UnsafeTarget, TimeoutError):  # the page is complete without the ads library
        return None


def with_ads(page: SocialnetPage, runs_ads: bool | None) -> SocialnetPage:
    warnings = page.warnings if runs_ads is None else [text for text in page.warnings if text != NO_ADS_TOLD]
    return page.model_copy(update={"runs_ads": runs_ads, "warnings": warnings})


def read(wire: Wire, params: SocialnetPageParams) -> SocialnetPage:
    """Parse the page, except whether it runs ads.

    Raises Absent for an item that does not exist, is not shown here, or is not a page. Raises ProviderError "blocked"
    for a login, a browser check or a temporary block, "refused" for an error status, and "changed" for a page without
    cards and id.
    """
    _refuse(wire)
    page = html_of(wire)
    metas, preloaded = Metas.of(page), _read_preloaded(page)
    title = metas.first("og:title") or ""
    if _is_login(title):
        raise _not_served(page, preloaded, params.page)
    _check_kind(wire, preloaded, params.page)
    _count_broken_tiles(preloaded)
    cards = Cards(preloaded["timeline_context_item"])
    name = _name(title, metas.first("og:description") or "")
    page_id = _page_id(preloaded, cards, name)
    if not cards and page_id is None:
        raise _make_empty_error(wire, page, preloaded, params.page)
    counts, is_rounded = _read_counts(metas, preloaded, name)
    categories = cards.categories or _categories(preloaded)
    return SocialnetPage(
        slug=params.page,
        url=to_address(metas.first("og:url")) or params.page.url,
        page_id=page_id,
        profile_id=_profile_id(preloaded),
        name=name,
        category=next(iter(categories), None),
        categories=categories,
        followers=counts.get("followers"),
        likes=counts.get("likes"),
        talking_about=counts.get("talking_about"),
        were_here=counts.get("were_here"),
        counts_rounded=is_rounded,
        bio=_bio(preloaded),
        website=cards.website,
        phone=cards.text("PROFILE_PHONE"),
        email=cards.email,
        address=cards.text("ADDRESS"),
        address_map_url=cards.map_url,
        hours_status=cards.text("BUSINESS_HOURS"),
        price_range=cards.price_range,
        services=cards.text("BUSINESS_SERVICES"),
        rating_percent=cards.rating_percent,
        review_count=cards.review_count,
        social_links=cards.social_links,
        picture_url=to_address(metas.first("og:image"))
        or _read_picture(preloaded["delegate_page"], "profile_picture_uri"),
        cover_url=_read_picture(preloaded["cover_photo"], "photo.image.uri"),
        verified=_read_verified(preloaded),
        runs_ads=None,
        ad_library_url=None if page_id is None else library_url(page_id),
        source="page_html",
        warnings=[NO_ADS_TOLD],
    )


def _refuse(wire: Wire) -> None:
    path = "/" + wire.url.partition("://")[2].partition("/")[2]
    if path.startswith(("/login", "/checkpoint")):
        raise _make_login_error()
    if wire.status == 200:
        return
    if wire.status in (404, 410):
        raise Absent(f"{TITLE} reports that the page does not exist (status  {wire.status}).")
    if b"__rd_verify_" in wire.body:
        raise ProviderError(f"{TITLE} returned a browser check.", reason="blocked", retry_after_s=WALL_WAIT_S)
    raise find_block_page_in(wire, TITLE) or ProviderError(
        f"{TITLE} rejected the request (status {wire.status}).", reason="refused"
    )


def _is_login(title: str) -> bool:
    return title.casefold() in _NOT_SERVED or title.casefold().startswith("log in")


def _read_preloaded(page: Element) -> Preloaded:
    found: Preloaded = defaultdict(list)
    for name, value in values_at(find_scripts(page, *_WORDS), *_KEYS):
        found[name].append(value)
    return found


def _not_served(page: Element, preloaded: Preloaded, slug: PageSlug) -> ExtractionError:
    """Return the error for a response without the page.

    It is "blocked" by a login, unless the response names another reason.
    """
    named = page.node.css_first("title")
    title = " ".join(named.text().split()).casefold() if named is not None else ""
    if _is_unavailable(preloaded) or title.startswith("page not found"):
        return _make_absent_error(slug)
    if any(isinstance(value, str) and value.startswith("CometErrorRoot") for value in preloaded["__dr"]):
        return ProviderError(f"{TITLE} is blocking this address.", reason="blocked", retry_after_s=WALL_WAIT_S)
    return _make_login_error()


def _make_empty_error(wire: Wire, page: Element, preloaded: Preloaded, slug: PageSlug) -> ExtractionError:
    """Return the error for a response without cards and id."""
    if _is_unavailable(preloaded):
        return _make_absent_error(slug)
    return unreadable(wire, TITLE, f"{TITLE} sent a page without its data and its ID.", page)


def _is_unavailable(preloaded: Preloaded) -> bool:
    titles = (take(props, "title", to_line) or "" for props in preloaded["props"])
    return any(title.replace("\u2019", "'").casefold().startswith(UNAVAILABLE) for title in titles)


def _make_absent_error(slug: PageSlug) -> Absent:
    return Absent(f"{TITLE} shows no page named {slug}. It may not exist, have been removed, or not be public.")


def _make_login_error() -> ProviderError:
    return ProviderError(
        f"{TITLE} shows this page only to logged-in users.", reason="blocked", retry_after_s=WALL_WAIT_S
    )


def _check_kind(wire: Wire, preloaded: Preloaded, slug: PageSlug) -> None:
    """Raise Absent for a group, an event or a personal profile, which are not pages."""
    what = _name_other_kind(wire.url.partition("://")[2].partition("/")[2], preloaded)
    if what is not None:
        raise Absent(f"{slug} is {what}, not a page, and is not supported.")


def _name_other_kind(path: str, preloaded: Preloaded) -> str | None:
    """Return the kind of an item other than a page, from its address and its type, or None for a page."""
    if path.startswith("groups/"):
        return "a group"
    if path.startswith("events/"):
        return "an event"
    types = preloaded["profile_type_name_for_content"]
    kind = next((kind.upper() for kind in types if isinstance(kind, str) and kind.strip()), "PAGE")
    return {"PAGE": None, "GROUP": "a group"}.get(kind, "a person's profile")


def _count_broken_tiles(preloaded: Preloaded) -> None:
    """Count as dropped the entries that should contain cards but are empty or not objects."""
    for name in _TILES:
        for connection in preloaded[name]:
            for member in ("edges", "nodes"):
                read_rows(reach_list(connection, member), _check_tile, f"{name}.{member}[]")


def _check_tile(row: Any) -> dict[str, Any] | None:
    return row if isinstance(row, dict) and row else None


def _name(title: str, description: str) -> str:
    """Return the title without the location at its end.

    If the description begins with the title, the title has no location, and its vertical bars are part of the name.
    """
    return title if description.startswith(title) else title.rpartition(" | ")[0].strip() or title


def _page_id(preloaded: Preloaded, cards: Cards, name: str) -> str | None:
    """Return the page's id in the ads library. Nodes with another name belong to other pages and are skipped."""
    delegates = [node for node in preloaded["delegate_page"] if isinstance(node, dict)]
    own = [node for node in delegates if (take(node, "name", to_line) or name) == name]
    return next(
        (found for value in [*(node.get("id") for node in own), *cards.page_ids] if (found := _read_digits(value))),
        None,
    )


def _profile_id(preloaded: Preloaded) -> str | None:
    users = [
        user.get("id")
        for user in preloaded["user"]
        if isinstance(user, dict) and "profile_type_name_for_content" in user
    ]
    return next(
        (found for value in [*users, *preloaded["userID"]] if (found := _read_digits(value)) and found != "0"), None
    )


def _read_digits(value: Any) -> str | None:
    found = to_id(value)
    return found if found is not None and found.isascii() and found.isdigit() and len(found) <= 20 else None


def _categories(preloaded: Preloaded) -> list[str]:
    names = (take(node, "category_name", to_line) for node in preloaded["delegate_page"] if isinstance(node, dict))
    return [name for name in names if name][:1]


def _read_picture(nodes: list[Any], path: str) -> str | None:
    """Return the first URL at `path` in any of `nodes`, or None."""
    return next((found for node in nodes if (found := take(node, path, to_address))), None)


def _bio(preloaded: Preloaded) -> str | None:
    for node in (*preloaded["profile_status_text"], *preloaded["best_description"]):
        if (found := take(node, "text", to_text)) is not None:
            return found
    return None


def _read_verified(preloaded: Preloaded) -> bool | None:
    flags = map(to_flag, preloaded["show_verified_badge_on_profile"])
    return next((flag for flag in flags if flag is not None), None)


def _read_counts(metas: Metas, preloaded: Preloaded, name: str) -> tuple[dict[Kind, int], bool]:
    """Return the counts in the description, with followers or likes taken from the page's head if the description lacks
    them.

    The flag is true if the head's counts are rounded.
    """
    found = find_figures(metas.first("og:description", "description") or "", name)
    if found.keys().isdisjoint(_HEAD_KINDS):
        found = {**_read_head_figures(preloaded), **found}
    is_rounded = any(found[kind].rounded for kind in found.keys() & _HEAD_KINDS)
    return {kind: figure.count for kind, figure in found.items()}, is_rounded


def _read_head_figures(preloaded: Preloaded) -> dict[Kind, Figure]:
    """Return the followers and likes in the page's head, each from the first line that contains it."""
    found: dict[Kind, Figure] = {}
    for context in preloaded["profile_social_context"]:
        for item in at(context, "content", list) or []:
            line = find_figures(take(item, "text.text", to_line) or "", "")
            found = {**{kind: line[kind] for kind in _HEAD_KINDS if kind in line}, **found}
    return found
