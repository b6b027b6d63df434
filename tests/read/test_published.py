from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.read.published import published

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
    ],
)
def test_what_is_clear_is_a_day_or_an_instant(message: str, when: date) -> None:
    found = published(message, NOW)
    assert (found, type(found)) == (when, type(when))


@pytest.mark.parametrize(
    "message",
    [
        None,
        "",
        "03/04/2024",
        "3.4.2024",
        "12 März 2024",
        "12 mars 2024",
        "Mar 5",
        "March 2024",
        "2024",
        "29 Feb 2023",
        "31 June 2024",
        "2 weeks ago",
        "3 months ago",
        "2 years ago",
        "vor 3 Tagen",
        "in 3 days",
        "3 days",
        "days ago",
        "Dec 1, 2026",
        "2026-06-25T25:61:00Z",
        "0000-00-00",
        "9" * 70,
    ],
)
def test_what_is_not_clear_is_nothing(message: str | None) -> None:
    assert published(message, NOW) is None


@given(st.one_of(st.text(max_size=70), st.from_regex(r"[0-9a-zA-Z ,./:-]{0,40}( ago)?", fullmatch=True)))
def test_any_text_is_read_or_left(message: str) -> None:
    found = published(message, NOW)
    assert found is None or found.year <= 2026
