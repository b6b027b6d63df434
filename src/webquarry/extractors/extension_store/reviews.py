"""User reviews of an extension store item, newest first, with the developer's replies.

Upstream: the Chrome Web Store, first through its page's own RPC with 100 reviews per page, then through the page, which
contains the parameters of the RPC. Response format: docs/upstreams/extension-store.md. An unknown item raises Absent.
The store gives the same response for an unknown item and for an item without reviews, so the listing is requested if
there are no reviews.
"""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from webquarry.core.errors import ExtractionError, ProviderError
from webquarry.endpoints.declare import Extractor, Result, Source, field, hours, param
from webquarry.extractors.extension_store.model.params import ItemId, ItemParams
from webquarry.extractors.extension_store.sources.webstore import listing, places, store
from webquarry.extractors.extension_store.sources.webstore.places import holds
from webquarry.net import Net
from webquarry.read import Wire
from webquarry.read.losses import read_rows
from webquarry.read.pages import SPARE_S, Page, Pages, collect
from webquarry.render import Bold, Md

PAGE_SIZE: Final = 100
MAX_PAGES: Final = 10
SHOWN: Final = 100
SHORT: Final = "The store's API did not respond, so only the newest reviews, taken from its page, are returned."

_NEWEST_FIRST: Final = 2
_BELOW: Final = "/reviews"


class ReviewsParams(ItemParams):
    max_pages: int = param(
        f"Maximum number of pages to fetch, {PAGE_SIZE} reviews each.", default=1, min_value=1, max_value=MAX_PAGES
    )


class DeveloperReply(Result):
    author: str | None = field("Name of the author of the reply.", wire="[8][1][0]")
    text: str = field("Text of the reply.", wire="[8][2]")
    date: datetime | None = field("Time, UTC.", wire="[8][3]")


class Review(Result):
    id: str = field("ID from the store. For old reviews, it is binary data rather than text.", wire="[0]")
    author: str | None = field("Name of the author.", wire="[1][0]")
    author_avatar: str | None = field("URL of the author's picture.", wire="[1][1]")
    rating: int = field("Rating, 1 to 5 stars.", wire="[2]")
    text: str | None = field("Review text; null for a rating without text.", wire="[3]")
    date: datetime | None = field("Time of the review, UTC.", wire="[4]")
    version: str | None = field("Reviewed version of the item.", wire="[11]")
    language: str | None = field("Language detected by the store.", wire="[13]")
    helpful: int | None = field("Number of users who found the review helpful; null if unknown.", wire="[6]")
    not_helpful: int | None = field("Number of users who found the review unhelpful; null if unknown.", wire="[7]")
    developer_reply: DeveloperReply | None = field("The developer's reply.", wire="[8]")


class ReviewPage(Result):
    """The contents of one response.

    token: for the next page, or None on the last page. unread: number of rows that can't be parsed. moved: number of
    rows of which only the beginning can be parsed. call: ID of the RPC for the page's further reviews. session:
    parameters of that RPC.
    """

    reviews: list[Review]
    token: str | None
    total: int | None
    unread: int = 0
    moved: int = 0
    call: str = store.REVIEWS
    session: dict[str, str] = field("", default_factory=dict)


class Reviews(Result):
    id: str = field("Item ID, 32 letters from a to p.")
    total: int | None = field("Number of reviews in this language, as counted by the store.", wire="[2]")
    count: int = field("Number of reviews in this response.")
    pages_fetched: int = field(f"Number of pages fetched, {PAGE_SIZE} reviews each.")
    has_more: bool = field("Whether more pages exist than were fetched.", wire="[0][0]")
    language_filter: str = field("Language of the returned and counted reviews. The store shows no others.")
    reviews: list[Review] = field("Reviews, newest first.", wire="[1]")
    warnings: list[str] = field("Omitted data and the reasons.", default_factory=list)


def read_call(wire: Wire, params: ReviewsParams) -> Reviews:
    """Parse the reviews of an RPC response.

    If the list is empty, the item may not exist.
    """
    return _alone(read_call_once(wire, params), params.item)


def read_page(wire: Wire, params: ReviewsParams) -> Reviews:
    """Parse the reviews of a page. Raises the errors of `read_page_once`."""
    return _alone(read_page_once(wire, params), params.item)


def read_call_once(wire: Wire, params: ReviewsParams) -> ReviewPage:
    """Parse one page of reviews from an RPC response. Raises the errors of `store.answer_of`."""
    return read_array(store.answer_of(wire, None, params.item))


def read_page_once(wire: Wire, params: ReviewsParams) -> ReviewPage:
    """Parse one page of reviews from a page of the store.

    Raises Absent if the page shows that the item does not exist. Raises ProviderError: "blocked" for a block page,
    "changed" if the page has no review data, or neither reviews nor the item.
    """
    blocks = store.find_blocks(wire)
    has_item = store.find_listing(blocks, params.item) is not None
    found = store.find_reviews(blocks, params.item)
    read = read_array(found.data) if found is not None and not found.is_error else None
    if not has_item and (read is None or not read.reviews):  # an unknown item has no reviews either
        listing.read_tags(wire, params.item, has_data=bool(blocks))
    if found is None or read is None:
        raise store.not_a_listing(wire, f"{store.SOURCE} sent a page without reviews.")
    return read.model_copy(update={"call": found.call or store.REVIEWS, "session": store.read_session(wire)})


def read_array(content: Any) -> ReviewPage:
    """Parse the store's array of reviews.

    Raises ProviderError "changed" if the format is unknown or no row can be parsed.
    """
    is_known = isinstance(content, list) and holds(content, places.TOKENS, places.REVIEW_LIST, places.TOTAL)
    if not is_known or (content[:1] != [[]] and places.REVIEW_LIST.of(content) is None):
        raise _make_changed_error()
    read = read_rows(places.REVIEW_ROWS.of(content) or [], _read_review, places.REVIEW_ROWS.shown)
    unread = _length(content) - len(read)
    if unread and not read:
        raise _make_changed_error()
    total = places.TOTAL.of(content)
    return ReviewPage(
        reviews=[review for review, _ in read],
        token=places.TOKEN.of(content),
        total=0 if total is None and content == [[]] else total,
        unread=unread,
        moved=sum(is_moved for _, is_moved in read),
    )


def _length(content: list[Any]) -> int:
    """Return the number of rows that are not null. Rows that can't be parsed are included."""
    rows = places.REVIEW_LIST.of(content) or []
    return sum(row is not None for row in rows)


def _is_whole(row: list[Any]) -> bool:
    """Return whether all fields after the text have their known positions."""
    facts = (places.EDITED, places.HELPFUL, places.NOT_HELPFUL, places.REPLY, places.OF_VERSION, places.LANGUAGE)
    return holds(row, *facts, places.OF_ITEM)


def _read_review(row: list[Any]) -> tuple[Review, bool] | None:
    """Parse one review, or return None if a required field is missing or has another type.

    If the fields after the text have moved, they are null, and the second value is True.
    """
    name, stars, date = places.REVIEW_ID.of(row), places.STARS.of(row), places.DATE.of(row)
    if name is None or stars is None or date is None or not holds(row, places.WRITER, places.WORDS):
        return None
    rest = row if _is_whole(row) else None
    review = Review(
        id=name,
        author=places.AUTHOR.of(row),
        author_avatar=places.AVATAR.of(row),
        rating=stars,
        text=places.TEXT.of(row),
        date=date,
        version=places.OF_VERSION.of(rest),
        language=places.LANGUAGE.of(rest),
        helpful=places.HELPFUL.of(rest),
        not_helpful=places.NOT_HELPFUL.of(rest),
        developer_reply=_reply(places.REPLY.of(rest)),
    )
    return review, rest is None


def _reply(row: list[Any] | None) -> DeveloperReply | None:
    text = places.REPLY_TEXT.of(row) if row else None
    if text is None:
        return None
    return DeveloperReply(author=places.REPLY_AUTHOR.of(row), text=text, date=places.REPLY_DATE.of(row))


def _alone(page: ReviewPage, item: ItemId) -> Reviews:
    """Return the result with only this page."""
    pages: Pages[Review, str] = Pages(rows=page.reviews, pages_fetched=1, has_more=page.token is not None)
    return _assemble(item, pages, page, unread=page.unread, moved=page.moved)


def _assemble(item: ItemId, pages: Pages[Review, str], first: ReviewPage, *, unread: int, moved: int) -> Reviews:
    warnings: list[str] = []
    if unread:
        warnings.append(f"{unread} reviews could not be parsed and were omitted.")
    if moved:
        warnings.append(
            f"{moved} of the reviews have an unknown format, so only their text and the fields before it are returned."
        )
    return Reviews(
        id=item,
        total=first.total,
        count=len(pages.rows),
        pages_fetched=pages.pages_fetched,
        has_more=pages.has_more,
        language_filter=store.LANGUAGE,
        reviews=pages.rows,
        warnings=[*warnings, *pages.warnings],
    )


def _make_changed_error() -> ProviderError:
    return ProviderError(f"{store.SOURCE} sent reviews in an unknown format.", reason="changed")


async def ask_calls(params: ReviewsParams, net: Net) -> tuple[Reviews, Wire]:
    """Request the reviews by RPC; if the list is empty, check in the listing whether the item exists."""
    found, wire = await _collect(params, net, store.REVIEWS, {})
    if not found.reviews:
        detail = await store.call(store.DETAIL, [params.item], params.item, net)
        await net.read(listing.read_call, detail, params)
    return found, wire


async def ask_page(params: ReviewsParams, net: Net) -> tuple[Reviews, Wire]:
    """Request the reviews with the RPC that the page names; if it fails, return the reviews in the page."""
    page = await store.page(params.item, net, _BELOW)
    held = await net.read(read_page_once, page, params)
    alone = _alone(held, params.item)
    if held.token is None:
        return alone, page
    try:
        with net:
            async with asyncio.timeout(max(0.0, net.deadline.remaining_s - SPARE_S)):
                found, wire = await _collect(params, net, held.call, held.session)
    except (ExtractionError, TimeoutError):
        return alone.model_copy(update={"warnings": [SHORT, *alone.warnings]}), page
    return (found, wire) if found.reviews else (alone, page)


async def _collect(params: ReviewsParams, net: Net, call: str, session: Mapping[str, str]) -> tuple[Reviews, Wire]:
    """Request all pages of reviews with this RPC; return them with the first response."""
    wires: list[Wire] = []
    read: list[ReviewPage] = []

    async def fetch(token: str | None) -> Page[Review, str]:
        size = [PAGE_SIZE] if token is None else [PAGE_SIZE, token]
        arguments = [params.item, size, _NEWEST_FIRST, None, None, None, 0]
        wire = await store.call(call, arguments, params.item, net, below=_BELOW, session=session)
        page = await net.read(read_call_once, wire, params)
        wires.append(wire)
        read.append(page)
        return Page(page.reviews, page.token)

    pages = await collect(fetch, max_pages=params.max_pages, key=lambda review: review.id, net=net, source=store.SOURCE)
    unread, moved = sum(page.unread for page in read), sum(page.moved for page in read)
    return _assemble(params.item, pages, read[0], unread=unread, moved=moved), wires[0]


def render(r: Reviews) -> str:
    md = Md(f"Reviews of {r.id}")
    md.table(
        "",
        ("Figure", "Value"),
        [
            ("Total reviews", "unknown" if r.total is None else r.total),
            ("Reviews here", r.count),
            ("Further ones", r.has_more),
            ("Language", r.language_filter),
        ],
    )
    for review in r.reviews[:SHOWN]:
        day = review.date.date().isoformat() if review.date else None
        version = f"version {review.version}" if review.version else None
        marks = f"helpful to {review.helpful}" if review.helpful else None
        md.paragraph((Bold(f"{review.rating} of 5"), ", ".join(filter(None, (review.author, day, version, marks)))))
        md.quote(*(review.text or "").split("\n"))
        if reply := review.developer_reply:
            day = reply.date.date().isoformat() if reply.date else None
            md.paragraph(f"Reply by {', '.join(filter(None, (reply.author or 'the developer', day)))}:")
            md.quote(*reply.text.split("\n"))
    if r.count > SHOWN:
        md.paragraph(f"{r.count - SHOWN} more reviews are in `data`.")
    for warning in r.warnings:
        md.paragraph(f"Note: {warning}")
    return md.source(f"Chrome Web Store, {ItemId(r.id).address}{_BELOW}").text()


extractor = Extractor(
    name="extension_store_reviews",
    path="/extension-store/reviews",
    version=2,
    group="extension_store",
    title="Extension store reviews",
    description=(
        "Lists user reviews of an item in the Chrome Web Store, newest first: rating, text, date, version and the "
        "developer's reply. Each page has 100 reviews. The store returns reviews in one language only: English, as "
        "shown in `language_filter`. Set exactly one of `id` and `url`. An unknown item returns `not_found`."
    ),
    params=ReviewsParams,
    identity=lambda params: {"id": params.item, "max_pages": str(params.max_pages)},
    result=Reviews,
    credits=1,
    fresh=hours(12),
    sources=(
        Source(store.STORE_RPC, None, read_call, ask=ask_calls),
        Source(store.STORE_PAGE, None, read_page, ask=ask_page),
    ),
    render=render,
    ends={
        "not_found": "The extension does not exist or was removed.",
    },
    example={"id": "abcdefghijklmnopabcdefghijklmnop"},
)
