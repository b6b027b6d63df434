from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.read.published import published, says_when, split_date

NOW = datetime(2026, 11, 20, 12, 34, 56, tzinfo=UTC)


@pytest.mark.parametrize(
    ("message", "when"),
    [
        ("3 days ago", date(2026, 11, 17)),
        ("1 day ago", date(2026, 11, 19)),
        ("Yesterday", date(2026, 11, 19)),
        ("today", date(2026, 11, 20)),
        ("21 days ago", date(2026, 10, 30)),
        ("an hour ago", datetime(2026, 11, 20, 11, 34, tzinfo=UTC)),
        ("5 mins ago", datetime(2026, 11, 20, 12, 29, tzinfo=UTC)),
        ("13h ago", datetime(2026, 11, 19, 23, 34, tzinfo=UTC)),
        ("Aug 31, 2022", date(2022, 8, 31)),
        ("December 13, 2024", date(2024, 12, 13)),
        ("12 Mar 2024", date(2024, 3, 12)),
        ("Tue, 12 March 2024", date(2024, 3, 12)),
        ("1st Sept. 2020", date(2020, 9, 1)),
        ("29 Feb 2024", date(2024, 2, 29)),
        ("2026-06-25", date(2026, 6, 25)),
        ("2024/3/5", date(2024, 3, 5)),
        ("2026-06-25T08:30:00Z", datetime(2026, 6, 25, 8, 30, tzinfo=UTC)),
        ("2026-06-25T08:30:00+02:00", datetime(2026, 6, 25, 6, 30, tzinfo=UTC)),
        ("Nov 21, 2026", date(2026, 11, 21)),
        ("Vor einem Tag", date(2026, 11, 19)),
        ("vor 3 Tagen", date(2026, 11, 17)),
        ("il y a 2 jours", date(2026, 11, 18)),
        ("hace una hora", datetime(2026, 11, 20, 11, 34, tzinfo=UTC)),
        ("há 1 dia", date(2026, 11, 19)),
        ("3 дня назад", date(2026, 11, 17)),
        ("3 日前", date(2026, 11, 17)),
        ("5小时前", datetime(2026, 11, 20, 7, 34, tzinfo=UTC)),
        ("12시간 전", datetime(2026, 11, 20, 0, 34, tzinfo=UTC)),
        ("قبل يومين", date(2026, 11, 18)),
        ("לפני יומיים", date(2026, 11, 18)),
        ("Hier", date(2026, 11, 19)),
        ("12 März 2024", date(2024, 3, 12)),
        ("12 mars 2024", date(2024, 3, 12)),
        ("mar. 27 juin 2026", date(2026, 6, 27)),
        ("27 de junio de 2026", date(2026, 6, 27)),
        ("27 июн. 2026 г.", date(2026, 6, 27)),
        ("24 lipca 2026", date(2026, 7, 24)),
        ("2026年6月27日", date(2026, 6, 27)),
        ("2026년 6월 27일", date(2026, 6, 27)),
        ("2026. jún. 27.", date(2026, 6, 27)),
        ("27 thg 6, 2026", date(2026, 6, 27)),
        ("27 มิ.ย. 2569", date(2026, 6, 27)),
        ("27.06.2026", date(2026, 6, 27)),
        ("06/27/2026", date(2026, 6, 27)),
    ],
)
def test_clear_text_is_a_day_or_an_instant(message: str, when: date) -> None:
    found = published(message, NOW)
    assert (found, type(found)) == (when, type(when))


@pytest.mark.parametrize(
    "message",
    [
        None,
        "",
        "03/04/2024",
        "3.4.2024",
        "Mar 5",
        "March 2024",
        "2024",
        "29 Feb 2023",
        "31 June 2024",
        "2 weeks ago",
        "3 months ago",
        "2 years ago",
        "5 lis 2025",
        "in 3 days",
        "3 days",
        "days ago",
        "Dec 1, 2026",
        "2026-06-25T25:61:00Z",
        "0000-00-00",
        "9" * 70,
    ],
)
def test_unclear_text_is_none(message: str | None) -> None:
    assert published(message, NOW) is None


@given(st.one_of(st.text(max_size=70), st.from_regex(r"[0-9a-zA-Z ,./:-]{0,40}( ago)?", fullmatch=True)))
def test_any_text_is_accepted_without_an_error(message: str) -> None:
    found = published(message, NOW)
    assert found is None or found.year <= 2026


@pytest.mark.parametrize(
    ("snippet", "parted"),
    [
        ("4 days ago - The first body.", ("4 days ago", "The first body.")),
        ("Jul 24, 2026 — Second body.", ("Jul 24, 2026", "Second body.")),
        ("2026年6月27日\u2002·\u2002一段 text", ("2026年6月27日", "一段 text")),
        ("Vor einem Tag · Ein Text", ("Vor einem Tag", "Ein Text")),
        ("2 weeks ago ... A text", ("2 weeks ago", "A text")),
        ("Tea - hot and sweet", (None, "Tea - hot and sweet")),
        ("24 hours - the film", (None, "24 hours - the film")),
        ("May 2026 - a month", (None, "May 2026 - a month")),
        ("", (None, "")),
        (None, (None, None)),
    ],
)
def test_date_before_a_snippet_is_separated(snippet: str | None, parted: tuple[str | None, str | None]) -> None:
    assert split_date(snippet) == parted


@pytest.mark.parametrize("text", ["2 weeks ago", "vor 3 Monaten", "час назад", "il y a 2 ans", "3年前", "Yesterday"])
def test_ages_that_name_no_day_are_still_dates(text: str) -> None:
    assert says_when(text)


@given(st.text(max_size=80))
def test_every_text_is_split_without_an_error(text: str) -> None:
    split_date(text)
    says_when(text)
    published(text, NOW)
