import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.core.errors import InvalidParams
from webquarry.endpoints.params import parse
from webquarry.extractors.social.model.microblog.names import Handle, PostId, PostUrl, ProfileUrl
from webquarry.extractors.social.model.microblog.params import (
    ProfileParams,
    RepliesParams,
    TweetParams,
    TweetsParams,
    write_cursor,
)
from webquarry.read import cursors


@pytest.mark.parametrize(
    "written",
    [
        "https://x.com/NASA",
        "http://twitter.com/nasa/",
        "https://www.x.com/NASA?lang=en",
        "https://mobile.twitter.com/NASA/with_replies",
        "https://m.twitter.com/@nasa",
        "https://twitter.com/#!/NASA",
        "x.com/NASA#top",
        "//twitter.com/NASA/media",
        "HTTPS://X.COM/NASA/Followers?s=20",
    ],
)
def test_every_form_of_a_profile_is_normalized(written: str) -> None:
    assert parse(ProfileParams, [("url", written)]).account == "nasa"


@pytest.mark.parametrize("written", ["NASA", "@nasa", "nAsA"])
def test_every_form_of_a_handle_is_normalized(written: str) -> None:
    assert parse(ProfileParams, [("handle", written)]).account == "nasa"


@pytest.mark.parametrize(
    "written",
    [
        "https://x.com/NASA/status/20",
        "http://www.twitter.com/nasa/statuses/020/photo/1",
        "https://mobile.twitter.com/NASA/status/20?s=20&t=x",
        "https://x.com/i/status/20",
        "https://x.com/i/web/status/20#m",
        "twitter.com/NASA/status/20/",
        "https://twitter.com/#!/NASA/status/20",
    ],
)
def test_every_form_of_a_post_is_normalized(written: str) -> None:
    assert parse(TweetParams, [("url", written)]).post == "20"
    assert parse(TweetParams, [("id", "0020")]).post == "20"


@pytest.mark.parametrize(
    ("params", "name", "written", "shown"),
    [
        (ProfileParams, "handle", "two words", "nasa"),
        (ProfileParams, "handle", "@", "nasa"),
        (ProfileParams, "handle", "abcdefghijklmnopqrstu", "nasa"),
        (ProfileParams, "handle", "nasä", "nasa"),
        (ProfileParams, "url", "https://x.com/", "https://x.com/nasa"),
        (ProfileParams, "url", "https://x.com/home", "https://x.com/nasa"),
        (ProfileParams, "url", "https://x.com/i/status/20", "https://x.com/nasa"),
        (ProfileParams, "url", "https://x.com/nasa/status/20", "https://x.com/nasa"),
        (ProfileParams, "url", "https://example.com/nasa", "https://x.com/nasa"),
        (ProfileParams, "url", "https://x.com.example.com/nasa", "https://x.com/nasa"),
        (ProfileParams, "url", "ftp://x.com/nasa", "https://x.com/nasa"),
        (TweetParams, "id", "abc", "1849106200000000001"),
        (TweetParams, "id", "7", "1849106200000000001"),
        (TweetParams, "id", "9223372036854775808", "1849106200000000001"),
        (TweetParams, "id", "٢٠٢٠", "1849106200000000001"),
        (TweetParams, "url", "https://x.com/nasa", "https://x.com/nasa/status/20"),
        (TweetParams, "url", "https://x.com/nasa/status/abc", "https://x.com/nasa/status/20"),
        (TweetParams, "url", "https://example.com/nasa/status/20", "https://x.com/nasa/status/20"),
    ],
)
def test_anything_else_is_refused_with_the_right_form(
    params: type[ProfileParams | TweetParams], name: str, written: str, shown: str
) -> None:
    with pytest.raises(InvalidParams) as refused:
        parse(params, [(name, written)])
    assert shown in refused.value.message
    assert name in refused.value.message


@given(st.text(max_size=60) | st.from_regex(r"(https?://)?(x|twitter)\.com/[\x20-\x7f]{0,40}", fullmatch=True))
def test_any_text_is_a_name_or_a_clear_error(text: str) -> None:
    for kind in (Handle, PostId, PostUrl, ProfileUrl):
        try:
            found = kind.parse(text)
        except ValueError as exc:
            answer = str(exc)
        else:
            answer = "must be itself" if kind.parse(found) == found else ""
        assert answer.startswith("must ")


CURSOR = write_cursor("fxtwitter", "DAAHmade+/=", TweetsParams.model_validate({"handle": "nasa"}).question)


def test_cursor_returns_the_cursor_of_the_source() -> None:
    asked = parse(TweetsParams, [("url", "https://twitter.com/NASA"), ("cursor", CURSOR or "")])
    assert asked.place == ("fxtwitter", "DAAHmade+/=")


@pytest.mark.parametrize(
    ("params", "others"),
    [
        (TweetsParams, [("handle", "esa")]),
        (TweetsParams, [("handle", "nasa"), ("with_replies", "true")]),
        (RepliesParams, [("id", "20")]),
    ],
)
def test_cursor_of_another_list_is_refused(params: type[ProfileParams], others: list[tuple[str, str]]) -> None:
    with pytest.raises(InvalidParams, match="cursor"):
        parse(params, [*others, ("cursor", CURSOR or "")])


@pytest.mark.parametrize("held", [None, 7, [], ["fxtwitter"], ["fxtwitter", ""], [1, 2], {"a": 1}, ["a", "b", "c"]])
def test_cursor_with_other_content_is_refused(held: object) -> None:
    forged = cursors.write_cursor(held, *TweetsParams.model_validate({"handle": "nasa"}).question) or ""
    with pytest.raises(InvalidParams, match="cursor"):
        parse(TweetsParams, [("handle", "nasa"), ("cursor", forged)])


@given(st.data())
def test_damaged_cursor_is_refused(data: st.DataObject) -> None:
    whole = CURSOR or ""
    place = data.draw(st.integers(0, len(whole) - 1))
    damaged = whole[:place] + data.draw(st.sampled_from(["", "A", "é", "-", whole])) + whole[place + 1 :]
    if damaged == whole:
        return
    with pytest.raises(InvalidParams, match="cursor"):
        parse(TweetsParams, [("handle", "nasa"), ("cursor", damaged or "x")])
