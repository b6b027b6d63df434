from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import shop
from support.damage import damaged_json
from webquarry.core.errors import EmptyResult, ExtractionError, ProviderError
from webquarry.extractors.shortvideo_shop.model.product_result import ProductParams
from webquarry.extractors.shortvideo_shop.videos import MAX_VIDEOS, ProductVideos, read, read_tikhub, render

PARAMS = ProductParams.model_validate({"product_id": shop.PRODUCT})


def video(number: int, **more: Any) -> dict[str, Any]:
    return {
        "item_id": str(7397000000000000000 + number),
        "desc": f"Clip {number}",
        "create_time": 1788307200,
        "author": {"unique_id": "@made.maker", "nickname": "Maker", "avatar": shop.image("maker")},
        "play_count": "1.2M",
        "digg_count": 120,
        "duration": 31,
        "cover": "https://img.example.com/cover.webp",
        **more,
    }


def page(*components: Any) -> bytes:
    return shop.html(shop.router(shop.component("product_info", shop.model_data()), *components))


def read_rows(*rows: Any, name: str = "videos") -> ProductVideos:
    return read(shop.wire(page(shop.component("related_videos", {name: list(rows)}))), PARAMS)


def test_an_entry_is_read_with_the_source_next_to_it() -> None:
    [found] = read_rows(video(1)).videos
    assert found.url == "https://www.tiktok.com/@made.maker/video/7397000000000000001"
    assert (found.creator.handle, found.creator.name) == ("made.maker", "Maker")
    assert (found.play_count, found.play_count_text, found.like_count) == (1_200_000, "1.2M", 120)
    assert (found.duration_seconds, found.cover_url) == (31, "https://img.example.com/cover.webp")
    assert found.raw == video(1)


@pytest.mark.parametrize("name", ["related_videos", "videos", "video_list", "items"])
def test_the_list_may_have_any_of_its_names(name: str) -> None:
    assert read_rows(video(1), name=name).count == 1


@pytest.mark.parametrize(
    "row",
    [
        {"video_id": "7397000000000000001", "creator": {"uniqueId": "a"}, "stats": {"playCount": 5, "diggCount": 2}},
        {"id": 7397000000000000001, "user": {"handle": "a"}, "statistics": {"play_count": 5, "digg_count": 2}},
    ],
)
def test_an_entry_may_have_its_other_names(row: dict[str, Any]) -> None:
    [found] = read_rows(row).videos
    assert (found.video_id, found.play_count, found.like_count) == ("7397000000000000001", 5, 2)
    assert found.url == "https://www.tiktok.com/@a/video/7397000000000000001"


def test_an_invalid_handle_gives_no_address() -> None:
    assert read_rows(video(1, author={"unique_id": "a/../b?"})).videos[0].url is None


def test_videos_are_limited_to_the_stated_count_without_duplicates() -> None:
    found = read_rows(video(1), *(video(n) for n in range(1, 20)))
    assert (found.count, len(found.videos)) == (MAX_VIDEOS, MAX_VIDEOS)
    assert found.videos[1].video_id.endswith("2")


@pytest.mark.parametrize(
    ("component", "error", "reason"),
    [
        (
            shop.component("video_list", fe_config={"data_source": {"need_split_request": True}}),
            ProviderError,
            "unavailable",
        ),
        (shop.component("related_videos", {"videos": []}), ProviderError, "unavailable"),
        (shop.component("related_videos", {"videos": [], "total": 0}), EmptyResult, None),
        (shop.component("related_videos", {"videos": [{"clip": 1}]}), ProviderError, "changed"),
    ],
)
def test_no_videos_are_distinguished_from_videos_that_are_not_loaded(
    component: dict[str, Any], error: type[ExtractionError], reason: str | None
) -> None:
    with pytest.raises(error) as caught:
        read(shop.wire(page(component)), PARAMS)
    assert caught.value.reason == reason


def test_the_error_for_unloaded_videos_names_the_keys_that_help() -> None:
    with pytest.raises(ProviderError, match="WEBQUARRY_TIKHUB_KEY or WEBQUARRY_SCRAPECREATORS_KEY"):
        read(shop.wire(page()), PARAMS)


def test_a_captcha_is_blocked() -> None:
    with pytest.raises(ProviderError) as caught:
        read(shop.wire(b"<html><title>Security Check</title>"), PARAMS)
    assert caught.value.reason == "blocked"


def test_another_product_is_an_error() -> None:
    asked = ProductParams.model_validate({"product_id": "1729000000000000999"})
    with pytest.raises(ProviderError, match="different product"):
        read(shop.wire(page(shop.component("related_videos", {"videos": [video(1)]}))), asked)


def test_tikhub_response_is_read_alike() -> None:
    answer = {"code": 200, "data": {"related_videos": [video(1), video(2)]}}
    assert read_tikhub(shop.wire(answer), PARAMS).count == 2


@given(st.data())
def test_a_damaged_page_is_videos_or_a_clear_error(draw: st.DataObject) -> None:
    body = damaged_json(draw, shop.router(shop.component("related_videos", {"videos": [video(1), video(2)]})))
    try:
        found = read(shop.wire(shop.html(body)), PARAMS)
    except ExtractionError:
        return
    assert render(ProductVideos.model_validate_json(found.model_dump_json()))
