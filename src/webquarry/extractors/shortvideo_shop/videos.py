"""Videos that show a product of the shop: author, plays, likes and upload time.

Providers: the product's page, otherwise a service with the operator's key. Most pages load their videos with signed
requests, which are not made. See docs/upstreams/shortvideo-shop.md#videos. Raises EmptyResult if the page counts no
videos.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from webquarry.core.errors import EmptyResult, ExtractionError, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.declare import Extractor, Result, Source, field, hours
from webquarry.extractors.shortvideo_shop import product
from webquarry.extractors.shortvideo_shop.model.product_result import ProductParams, make_page_url
from webquarry.extractors.shortvideo_shop.sources import scrapecreators
from webquarry.extractors.shortvideo_shop.sources.shop import shop_page
from webquarry.extractors.shortvideo_shop.sources.shop.product_page import find_data
from webquarry.extractors.shortvideo_shop.sources.shop.shop_data import ShopData
from webquarry.extractors.shortvideo_shop.sources.shop.values import count, read_picture, read_shop_id
from webquarry.extractors.shortvideo_shop.sources.untested import pages, tikhub
from webquarry.extractors.shortvideo_shop.sources.untested.scrapecreators_product import SCRAPECREATORS_PRODUCT
from webquarry.read import take
from webquarry.read.fields import to_instant, to_line, to_number
from webquarry.read.losses import read_rows
from webquarry.read.values import reach
from webquarry.render import Link, Md

if TYPE_CHECKING:
    from webquarry.net import Net

MAX_VIDEOS: Final = 10
_COMPONENTS: Final = ("related_videos", "video_list")
_LISTS: Final = ("related_videos", "videos", "video_list", "items", "item_list")
_TOTALS: Final = ("total", "total_count", "video_count")


class Creator(Result):
    handle: str | None = field("Handle of the creator, without @.", wire="author.unique_id")
    name: str | None = field("Display name.", wire="author.nickname")
    avatar_url: str | None = field("URL of the creator's profile picture.", wire="author.avatar")


class ProductVideo(Result):
    video_id: str = field("Video ID as a string.", wire="item_id")
    url: str | None = field("URL of the video page; null if the creator's handle is unknown.")
    title: str | None = field("Caption of the video.", wire="desc")
    creator: Creator = field("Creator of the video.", wire="author")
    play_count: int | None = field("Number of plays.", wire="play_count")
    play_count_text: str | None = field("The count as the provider wrote it, if it sent text instead of a number.")
    like_count: int | None = field("Number of likes.", wire="digg_count")
    like_count_text: str | None = field("The count as the provider wrote it, if it sent text instead of a number.")
    uploaded_at: datetime | None = field("Upload time, UTC.", wire="create_time")
    duration_seconds: float | None = field("Length of the video.", unit="seconds", wire="duration")
    cover_url: str | None = field("URL of the cover image.", wire="cover")
    video_url: str | None = field("URL of the file. It expires within hours.", wire="play_addr")
    raw: dict[str, Any] = field("Raw entry from the provider. No recorded response is available.")


class ProductVideos(Result):
    product_id: str = field("Product ID as a string.")
    url: str = field("URL of the video's page.")
    region: str | None = field("Region of the request according to the page.")
    count: int = field("Number of returned videos.")
    videos: list[ProductVideo] = field(f"At most {MAX_VIDEOS} videos; the provider returns no more.")


def read(wire: Wire, params: ProductParams) -> ProductVideos:
    """Parse the videos of a page, or of a response from a provider that republishes the page's data.

    Raises EmptyResult if the provider counts no videos, and ProviderError "unavailable" if scripts would load them.
    """
    return read_videos(wire, shop_page.read_data(wire), params)


def read_tikhub(wire: Wire, params: ProductParams) -> ProductVideos:
    return read_videos(wire, tikhub.read_data(wire), params)


def read_scrapecreators(wire: Wire, params: ProductParams) -> ProductVideos:
    return read_videos(wire, ShopData(scrapecreators.answer_of(wire)), params)


def read_videos(wire: Wire, data: ShopData, params: ProductParams) -> ProductVideos:
    found = find_data(data)
    error = shop_page.read_error(found.data, params.requested_region) if found is not None else None
    if error is not None:
        raise error
    blocks = _list_blocks(data)
    rows = next((rows for block in blocks if (rows := _find_rows(block))), [])
    videos = list({video.video_id: video for video in read_rows(rows, _read_video, "related_videos[]")}.values())
    if not videos:
        raise _without(wire, data, params, blocks, has_rows=bool(rows), has_page=found is not None)
    own = (
        take(found.info, "product_id", read_shop_id) or take(found.info, "product_model.product_id", read_shop_id)
        if found is not None
        else None
    )
    if own is not None and params.known_id not in (None, own):
        raise ProviderError("The shop returned a different product than requested.", reason="changed")
    product_id = params.known_id or own
    if product_id is None:
        raise ProviderError("The shop sent videos without their product ID.", reason="changed")
    return ProductVideos(
        product_id=product_id,
        url=make_page_url(params, product_id),
        region=data.region,
        count=len(videos[:MAX_VIDEOS]),
        videos=videos[:MAX_VIDEOS],
    )


def _without(
    wire: Wire, data: ShopData, params: ProductParams, blocks: list[dict[str, Any]], *, has_rows: bool, has_page: bool
) -> ExtractionError:
    """Return the error for a response without readable videos."""
    if has_rows:
        return ProviderError("The shop sent videos in an unknown format.", reason="changed")
    if any(count(block, name).number == 0 for block in blocks for name in _TOTALS):
        return EmptyResult("The shop has no videos of this product.")
    if has_page or data.components:
        return ProviderError(
            f"The shop's page loads its videos with scripts. Set {shop_page.KEYS}.", reason="unavailable"
        )
    return shop_page.make_page_error(wire, params.requested_region)


def _list_blocks(data: ShopData) -> list[dict[str, Any]]:
    """Return the provider's objects that may contain the videos, most likely first.

    Components whose name refers to videos come before other objects with such a list.
    """
    named = [component.data for name in _COMPONENTS for component in data.components if component.is_named(name)]
    if any(named):
        return [block for block in named if block]
    return list(data.nodes(lambda node: any(isinstance(node.get(name), list | dict) for name in _COMPONENTS)))


def _find_rows(block: dict[str, Any]) -> list[Any]:
    """Return the provider's entries in a block. Their list may be nested one level deeper."""
    for name in _LISTS:
        value = block.get(name)
        if isinstance(value, dict):
            value = next((value[inner] for inner in _LISTS if isinstance(value.get(inner), list)), None)
        if isinstance(value, list) and value:
            return value
    return []


def _read_video(row: Any) -> ProductVideo | None:
    """Parse an entry. A field may have any of its known names. Returns None if it has no id."""
    if not isinstance(row, dict):
        return None
    video_id = next(
        (i for name in ("item_id", "video_id", "aweme_id", "id") if (i := take(row, name, read_shop_id))), None
    )
    if video_id is None:
        return None
    creator = next((value for name in ("author", "creator", "user") if isinstance(value := row.get(name), dict)), {})
    handle = _write_line(creator, "unique_id", "uniqueId", "handle", "username") or _write_line(row, "author_unique_id")
    plays = count(row, "play_count", "statistics.play_count", "stats.playCount", "view_count", "playCount")
    likes = count(row, "like_count", "digg_count", "statistics.digg_count", "stats.diggCount", "diggCount")
    return ProductVideo(
        video_id=video_id,
        url=f"https://www.tiktok.com/@{handle}/video/{video_id}" if handle and _is_handle(handle) else None,
        title=_write_line(row, "title", "desc", "description"),
        creator=Creator(
            handle=handle,
            name=_write_line(creator, "nickname", "nick_name", "name", "display_name"),
            avatar_url=_read_picture(creator, "avatar", "avatar_thumb", "avatarThumb", "avatar_url"),
        ),
        play_count=plays.number,
        play_count_text=plays.text,
        like_count=likes.number,
        like_count_text=likes.text,
        uploaded_at=next(
            (at for name in ("create_time", "createTime", "uploaded_at") if (at := take(row, name, to_instant))), None
        ),
        duration_seconds=_read_seconds(row),
        cover_url=_read_picture(row, "cover", "video.cover", "cover_url", "origin_cover", "post_url"),
        video_url=_read_picture(row, "play_addr", "video.play_addr", "video_url", "play_url", "video.playAddr"),
        raw=row,
    )


def _is_handle(text: str) -> bool:
    return text.isascii() and text.replace("_", "").replace(".", "").isalnum()


def _write_line(row: dict[str, Any], *names: str) -> str | None:
    found = next((text for name in names if (text := take(row, name, to_line)) is not None), None)
    return found.removeprefix("@") if found is not None and names[0] == "unique_id" else found


def _read_picture(row: dict[str, Any], *paths: str) -> str | None:
    return next((url for path in paths if reach(row, path) and (url := read_picture(row, path)) is not None), None)


def _read_seconds(row: dict[str, Any]) -> float | None:
    """Return the duration in seconds.

    Numbers from 1,000 are milliseconds, because no video is that many seconds long.
    """
    found = take(row, "duration", to_number)
    if found is None:
        found = take(row, "video.duration", to_number)
    if found is None or found <= 0:
        return None
    return found / 1000 if found >= 1000 else found


async def fetch_scrapecreators(params: ProductParams, net: "Net") -> Wire:
    return await product.fetch_scrapecreators(params, net, related_videos=True)


def render(v: ProductVideos) -> str:
    rows = [
        (
            Link(video.title or video.video_id, video.url),
            f"@{video.creator.handle}" if video.creator.handle else video.creator.name,
            video.play_count if video.play_count is not None else video.play_count_text,
            video.like_count if video.like_count is not None else video.like_count_text,
            video.uploaded_at.date() if video.uploaded_at is not None else None,
            video.duration_seconds,
        )
        for video in v.videos
    ]
    return (
        Md(f"Videos of product {v.product_id}")
        .table("", ("Video", "Creator", "Plays", "Likes", "Uploaded", "Seconds"), rows)
        .paragraph(f"{v.count} videos. The shop returns at most {MAX_VIDEOS}.")
        .source(v.url)
        .text()
    )


extractor = Extractor(
    name="shortvideo_shop_product_videos",
    path="/shortvideo/shop/product/videos",
    version=2,
    group="shortvideo_shop",
    title="Shop product videos",
    description=(
        f"Lists up to {MAX_VIDEOS} videos that show a TikTok Shop product: creator, plays, likes, upload date "
        "and URLs. The shop's page usually loads them with scripts, so this endpoint needs a provider with an "
        "API key."
    ),
    params=ProductParams,
    result=ProductVideos,
    credits=1,
    fresh=hours(6),
    sources=(
        Source(product.WWW_PAGE, product.fetch_www, read, skips=product.skips_www),
        Source(pages.SHOP_PRODUCT, product.fetch_shop, read),
        Source(tikhub.TIKHUB, product.fetch_tikhub, read_tikhub),
        Source(SCRAPECREATORS_PRODUCT, fetch_scrapecreators, read_scrapecreators),
    ),
    render=render,
    identity=ProductParams.identity,
    ends={
        "not_found": "The product does not exist.",
        "empty_result": "The product has no videos.",
    },
    example={"product_id": "1729000000000000101"},
)
