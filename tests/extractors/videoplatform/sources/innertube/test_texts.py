"""Numbers, times and texts as the platform writes them."""

from datetime import date

import pytest

from webquarry.extractors.videoplatform.sources.innertube.player import find_chapters
from webquarry.extractors.videoplatform.sources.innertube.texts import (
    count_in,
    find_day,
    find_duration,
    find_seconds,
    is_verified,
    read_picture,
    read_raw,
)
from webquarry.read.fields import to_only_count


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("1,862 views", 1862),
        ("No views", 0),
        ("Keine Aufrufe", 0),
        ("2.14m subscribers", 2_140_000),
        ("2.14 million subscribers", 2_140_000),
        ("8.84K subscribers", 8_840),
        ("1.862 Aufrufe", 1862),
        ("1,5 Mio. Aufrufe", 1_500_000),
        ("290 k vues", 290_000),
        ("1 862 vues", 1862),
        ("12 тыс. просмотров", 12_000),
        ("조회수 29만회", 290_000),
        ("チャンネル登録者数 214万人", 2_140_000),
        ("1862 回視聴", 1862),
        ("a few views", None),
        ("4:13", None),
        (None, None),
    ],
)
def test_counts_are_read_in_words_and_abbreviations(words: str | None, number: int | None) -> None:
    assert count_in(words) == number


def test_exact_likes_are_the_only_number_of_a_label() -> None:
    assert to_only_count("like this video along with 2,560 other people") == 2560
    assert to_only_count("I like this") is None
    assert to_only_count("2 of 3 people") is None


@pytest.mark.parametrize(
    ("shown", "seconds"),
    [
        ("0:07", 7),
        ("3:03", 183),
        ("1:07:34", 4054),
        ("100:00:00", 360_000),
        ("LIVE", None),
        ("3:99", None),
        (None, None),
    ],
)
def test_clock_times_are_seconds(shown: str | None, seconds: int | None) -> None:
    assert find_seconds(shown) == seconds


@pytest.mark.parametrize(
    ("iso", "seconds"), [("PT15M53S", 953), ("P1DT2H", 93_600), ("PT0S", 0), ("P", None), ("15:53", None), (None, None)]
)
def test_durations_are_seconds(iso: str | None, seconds: int | None) -> None:
    assert find_duration(iso) == seconds


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("17 Mar 2021", date(2021, 3, 17)),
        ("Mar 17, 2021", date(2021, 3, 17)),
        ("Premiered 3 June 2024", date(2024, 6, 3)),
        ("Joined Jul 9, 2013", date(2013, 7, 9)),
        ("31 Feb 2021", None),
        ("5 years ago", None),
    ],
)
def test_days_are_parsed(words: str, day: date | None) -> None:
    assert find_day(words) == day


def test_texts_are_read_in_three_forms() -> None:
    assert (
        read_raw({"simpleText": "a"})
        == read_raw({"content": "a"})
        == read_raw({"runs": [{"text": "a"}, 3]})
        == read_raw("a")
        == "a"
    )
    assert read_raw({"runs": "a"}) is read_raw([]) is read_raw(None) is None


def test_the_largest_picture_is_returned() -> None:
    rows = [
        {"url": "//a.example.com/1", "width": 2, "height": 2},
        {"url": "https://a.example.com/2", "width": 3, "height": 3},
    ]
    assert (
        read_picture({"p": [*rows, {"url": "javascript:x", "width": 9, "height": 9}, 4]}, "p")
        == "https://a.example.com/2"
    )
    assert read_picture({"p": rows[:1]}, "p") == "https://a.example.com/1"


def test_a_badge_marks_a_verified_channel() -> None:
    assert is_verified([{"metadataBadgeRenderer": {"style": "BADGE_STYLE_TYPE_VERIFIED_ARTIST"}}])
    assert not is_verified([{"metadataBadgeRenderer": {"style": "BADGE_STYLE_TYPE_SIMPLE"}}, None])


def test_chapters_in_descriptions_follow_the_rule_of_the_platform() -> None:
    found = find_chapters("Intro text\n0:00 - Start\n(1:05) Middle\n1:00:00 End\nbye")
    assert [(one.title, one.start_seconds) for one in found] == [("Start", 0), ("Middle", 65), ("End", 3600)]
    assert find_chapters("0:00 Start\n1:00 Only two") == []
    assert find_chapters("0:05 Late\n1:00 b\n2:00 c") == []
    assert find_chapters("0:00 a\n2:00 b\n1:00 c") == []
