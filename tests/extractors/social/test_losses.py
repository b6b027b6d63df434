"""Unreadable rows of the social networks: the other rows are kept, and each unreadable row is counted."""

import json
from html import escape
from typing import Any

import pytest

from support.broken_rows import count_losses
from support.world import NOW
from webquarry.core.types import Wire
from webquarry.extractors.social.model.microblog.params import TweetParams, TweetsParams
from webquarry.extractors.social.model.microblog.result import Article, Post, Tweet
from webquarry.extractors.social.model.photonet.handle import PhotonetHandle
from webquarry.extractors.social.model.photonet.result import PhotonetProfile
from webquarry.extractors.social.model.socialnet.result import SocialnetPage, SocialnetPageParams
from webquarry.extractors.social.sources.microblog import fxtwitter
from webquarry.extractors.social.sources.microblog.article import read_article
from webquarry.extractors.social.sources.photonet.user import read_profile
from webquarry.extractors.social.sources.socialnet import page_html
from webquarry.extractors.social.sources.untested import syndication, vxtwitter, x_api
from webquarry.read import counting

TIMELINE = TweetsParams.model_validate({"handle": "example"})
TWEET = TweetParams.model_validate({"id": "1849106200000000001"})
PICTURE = {"type": "photo", "url": "https://images.example.com/1.jpg"}
FILE = {"url": "https://video.example.com/1.mp4", "content_type": "video/mp4", "bitrate": 832000, "bit_rate": 832000}
POST = {
    "type": "status",
    "id": TWEET.post,
    "text": "x",
    "author": {"screen_name": "example"},
    "likes": 1,
    "reposts": 1,
    "replies": 1,
    "quotes": 1,
    "media": {"all": [{**PICTURE, "type": "video", "formats": [FILE]}]},
    "poll": {"choices": [{"label": "Yes", "count": 3}]},
}
TOMBSTONE = {"type": "tombstone", "reason": "deleted"}
X_POST = {"id": TWEET.post, "text": "x", "author_id": "3", "attachments": {"media_keys": ["3_1"]}}
X_TWEET = {
    "data": {**X_POST, "referenced_tweets": [{"type": "quoted", "id": "1849106100000000001"}]},
    "includes": {
        "users": [{"id": "3", "username": "example"}],
        "media": [{"media_key": "3_1", "type": "video", "variants": [FILE]}],
        "tweets": [{"id": "1849106100000000001", "author_id": "3", "text": "Tea?"}],
    },
}
ARTICLE = {
    "content": {
        "blocks": [
            {"type": "unstyled", "text": "Tea", "inlineStyleRanges": [{"offset": 0, "length": 3, "style": "BOLD"}]},
            {"type": "atomic", "text": " ", "entityRanges": [{"key": 0, "offset": 0, "length": 1}]},
        ],
        "entityMap": [{"key": "0", "value": {"type": "MEDIA", "data": {"mediaItems": [{"mediaId": "9"}]}}}],
    },
    "media_entities": [
        {"media_id": "9", "media_info": {"original_img_url": PICTURE["url"]}},
    ],
}


def wire(body: Any) -> Wire:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Wire(content, "https://api.example.com/x", "https://api.example.com/x", 200, {}, NOW)


def read_posts(data: Any) -> list[Post]:
    return fxtwitter.read_timeline(wire({"code": 200, **data}), TIMELINE).tweets


def read_embedded(data: Any) -> Tweet:
    return syndication.read(wire(data), TWEET)


def read_vx(data: Any) -> Tweet:
    return vxtwitter.read_tweet(wire(data), TWEET)


def read_x(data: Any) -> Tweet:
    return x_api.read_tweet(wire(data), TWEET)


def read_text(data: Any) -> Article:
    return read_article(data)


@pytest.mark.parametrize(
    ("place", "row", "path"),
    [
        ("results", None, "results[]"),
        ("results", "text", "results[]"),
        ("results.0.media.all", {"type": "video"}, "media.all[]"),
        ("results.0.media.all", None, "media.all[]"),
        ("results.0.media.all", {**PICTURE, "type": "hologram"}, "media.all[]"),
        ("results.0.media.all.0.formats", {}, "formats[]"),
        ("results.0.poll.choices", {"count": 1}, "choices[]"),
    ],
)
def test_broken_row_of_a_timeline_is_one_loss(place: str, row: Any, path: str) -> None:
    assert count_losses(read_posts, {"results": [POST]}, place, row) == {path: 1}


def test_unavailable_post_is_not_counted() -> None:
    assert count_losses(read_posts, {"results": [POST]}, "results", TOMBSTONE) == {}


def test_post_with_only_text_has_no_losses() -> None:
    plain = {"__typename": "Tweet", "id_str": TWEET.post, "text": "x", "user": {"screen_name": "example"}}
    with counting() as losses:
        read_embedded(plain)
        read_vx({"tweetID": TWEET.post, "text": "x", "user_screen_name": "example"})
        read_x(
            {
                "data": {"id": TWEET.post, "text": "x", "author_id": "3"},
                "includes": {"users": [{"id": "3", "username": "a"}]},
            }
        )
    assert not losses


def test_broken_medium_of_an_embedded_post_is_one_loss() -> None:
    medium = {"type": "photo", "media_url_https": PICTURE["url"]}
    video = {**medium, "type": "video", "video_info": {"variants": [FILE]}}
    post = {"__typename": "Tweet", "id_str": TWEET.post, "text": "x", "user": {"screen_name": "example"}}
    data = {**post, "mediaDetails": [video]}
    assert count_losses(read_embedded, data, "mediaDetails", {}) == {"mediaDetails[]": 1}
    place = "mediaDetails.0.video_info.variants"
    assert count_losses(read_embedded, data, place, {}) == {"video_info.variants[]": 1}


def test_broken_medium_of_vxtwitter_is_one_loss() -> None:
    data = {"tweetID": TWEET.post, "text": "x", "user_screen_name": "example"}
    listed = {**data, "media_extended": [{"type": "image", "url": PICTURE["url"]}]}
    assert count_losses(read_vx, listed, "media_extended", {"type": "image"}) == {"media_extended[]": 1}


@pytest.mark.parametrize(
    ("place", "row", "path"),
    [
        ("data.referenced_tweets", {"type": "quoted"}, "referenced_tweets[]"),
        ("data.attachments.media_keys", "3_2", "attachments.media_keys[]"),
        ("includes.users", {"username": "ann"}, "includes.users[]"),
        ("includes.media", {"type": "photo"}, "includes.media[]"),
        ("includes.tweets", None, "includes.tweets[]"),
        ("includes.media.0.variants", {"bit_rate": 1}, "variants[]"),
    ],
)
def test_broken_row_of_the_x_api_is_one_loss(place: str, row: Any, path: str) -> None:
    assert count_losses(read_x, X_TWEET, place, row) == {path: 1}


@pytest.mark.parametrize(
    ("place", "row", "path"),
    [
        ("content.blocks", {"type": "unstyled"}, "content.blocks[]"),
        ("content.blocks.0.inlineStyleRanges", None, "inlineStyleRanges[]"),
        ("content.blocks.0.inlineStyleRanges", {"offset": 9, "length": 1}, "inlineStyleRanges[]"),
        ("content.blocks.1.entityRanges", {"key": 7}, "entityRanges[]"),
        ("content.entityMap", {"key": "5"}, "content.entityMap[]"),
        ("content.entityMap.0.value.data.mediaItems", {"mediaId": "8"}, "data.mediaItems[]"),
        ("media_entities", {"media_info": {}}, "media_entities[]"),
    ],
)
def test_broken_row_of_an_article_is_one_loss(place: str, row: Any, path: str) -> None:
    assert count_losses(read_text, ARTICLE, place, row) == {path: 1}


def test_empty_paragraph_of_an_article_is_not_counted() -> None:
    assert count_losses(read_text, ARTICLE, "content.blocks", {"type": "unstyled", "text": ""}) == {}


@pytest.mark.parametrize("row", [{"title": "Shop"}, None, {"url": "not an address"}])
def test_broken_link_of_a_photo_profile_is_one_loss(row: Any) -> None:
    user = {"pk": "1", "username": "example", "bio_links": [{"url": "https://www.example.com/"}]}

    def read(data: Any) -> PhotonetProfile:
        return read_profile(data, PhotonetHandle.parse("example"), "page", pk="pk", fbid="id")

    assert count_losses(read, user, "bio_links", row) == {"bio_links[]": 1}


def read_page(data: Any) -> SocialnetPage:
    head = (
        f'<meta property="og:title" content="Example"><meta property="og:url" content="{escape("https://a.example/")}">'
    )
    script = f'<script type="application/json">{json.dumps(data)}</script>'
    page = Wire(f"<!doctype html>{head}{script}".encode(), "https://a.example/", "https://a.example/", 200, {}, NOW)
    return page_html.read(page, SocialnetPageParams.model_validate({"slug": "example"}))


def card(kind: str, text: str) -> dict[str, Any]:
    renderer = {"context_item": {"title": {"text": text}}, "associated_page_id": "110000000000001"}
    return {"timeline_context_item": {"renderer": renderer, "timeline_context_list_item_type": f"INTRO_CARD_{kind}"}}


@pytest.mark.parametrize(
    ("row", "path"),
    [
        (None, "profile_tile_items.nodes[]"),
        ({}, "profile_tile_items.nodes[]"),
        ({"timeline_context_item": "text"}, "timeline_context_item"),
        (card("OTHER_ACCOUNT", "no address"), "OTHER_ACCOUNT"),
    ],
)
def test_broken_card_of_a_page_is_one_loss(row: Any, path: str) -> None:
    data = {"profile_tile_items": {"nodes": [card("OTHER_ACCOUNT", "example.org/a")]}}
    assert count_losses(read_page, data, "profile_tile_items.nodes", row)[path] == 1


def test_tile_of_another_kind_is_not_counted() -> None:
    data = {"profile_tile_items": {"nodes": [card("OTHER_ACCOUNT", "example.org/a")]}}
    assert count_losses(read_page, data, "profile_tile_items.nodes", {"photo": {"id": "1"}}) == {}
