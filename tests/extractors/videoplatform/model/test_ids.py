"""Anything that a person pastes identifies one video or channel, or is rejected with the correct form."""

import pytest

from webquarry.extractors.videoplatform.model.ids import ChannelId, ChannelUrl, Handle, VideoId, VideoUrl

VIDEO = "https://www.youtube.com/watch?v=Harbour-_01"
CHANNEL = "UC0123456789abcdefghijkl"


@pytest.mark.parametrize(
    "pasted",
    [
        "https://www.youtube.com/watch?v=Harbour-_01",
        "http://youtube.com/watch?app=desktop&v=Harbour-_01&t=12s#comments",
        "youtube.com/watch?v=Harbour-_01",
        "//m.youtube.com/watch?list=PL1&v=Harbour-_01",
        "https://music.youtube.com/watch?v=Harbour-_01",
        "https://youtu.be/Harbour-_01?si=abc&t=3",
        "https://www.youtube.com/shorts/Harbour-_01?feature=share",
        "https://www.youtube.com/live/Harbour-_01",
        "https://www.youtube.com/embed/Harbour-_01?start=3",
        "https://www.youtube-nocookie.com/embed/Harbour-_01",
        "https://www.youtube.com/v/Harbour-_01",
        " https://WWW.YouTube.com/watch?v=Harbour-_01 ",
        "https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3DHarbour-_01%26feature%3Dshare",
    ],
)
def test_every_address_of_a_video_is_normalized(pasted: str) -> None:
    assert VideoUrl.parse(pasted) == VIDEO
    assert VideoUrl.parse(pasted).video_id == VideoId.parse(pasted) == "Harbour-_01"


@pytest.mark.parametrize(
    "pasted",
    [
        "https://example.com/watch?v=Harbour-_01",
        "https://youtube.com.example.com/watch?v=Harbour-_01",
        "https://notyoutube.com/watch?v=Harbour-_01",
        "https://a.b.youtube.com/watch?v=Harbour-_01",
        "https://www.youtube.com/watch?v=short",
        "https://www.youtube.com/@someone",
        "ftp://youtu.be/Harbour-_01",
        "https://[youtu.be/Harbour-_01",
        "!",
        "",
    ],
)
def test_other_addresses_are_not_videos(pasted: str) -> None:
    with pytest.raises(ValueError, match="must be the URL of a video"):
        VideoUrl.parse(pasted)
    with pytest.raises(ValueError, match="must be a video ID"):
        VideoId.parse(pasted)


@pytest.mark.parametrize(
    ("pasted", "spelled"),
    [
        (f"https://www.youtube.com/channel/{CHANNEL}/videos", f"https://www.youtube.com/channel/{CHANNEL}"),
        ("youtube.com/@Example.Harbours/shorts", "https://www.youtube.com/@example.harbours"),
        ("https://m.youtube.com/%40Example", "https://www.youtube.com/@example"),
        ("https://www.youtube.com/c/ExampleHarbours", "https://www.youtube.com/c/ExampleHarbours"),
        ("https://www.youtube.com/user/example/about", "https://www.youtube.com/user/example"),
        ("https://www.youtube.com/example", "https://www.youtube.com/example"),
    ],
)
def test_every_address_of_a_channel_has_one_spelling(pasted: str, spelled: str) -> None:
    assert ChannelUrl.parse(pasted) == spelled


@pytest.mark.parametrize(
    "pasted",
    [
        "https://www.youtube.com/feed/trending",
        "https://www.youtube.com/",
        "https://youtu.be/x",
        "https://example.com/@a",
    ],
)
def test_other_addresses_are_not_channels(pasted: str) -> None:
    with pytest.raises(ValueError, match="must be the URL of a channel"):
        ChannelUrl.parse(pasted)


def test_handles_and_ids_of_channels_are_accepted_in_every_form() -> None:
    assert {Handle.parse(form) for form in ("Example", "@example", "https://www.youtube.com/@EXAMPLE/videos")} == {
        "@example"
    }
    assert Handle.parse("@Çelik-ağ") == "@çelik-ağ"
    assert ChannelId.parse(f"https://www.youtube.com/channel/{CHANNEL}?x=1") == ChannelId.parse(CHANNEL) == CHANNEL
    for refused in ("abc", "UC123", "@example"):
        with pytest.raises(ValueError, match="must be a channel ID"):
            ChannelId.parse(refused)
    for refused in ("", "@", "a b", "@.x", f"https://www.youtube.com/channel/{CHANNEL}"):
        with pytest.raises(ValueError, match="must be"):
            Handle.parse(refused)
