import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.core.errors import InvalidParams
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import load
from webquarry.extractors.trends.interest import InterestParams
from webquarry.extractors.trends.model import windows
from webquarry.extractors.trends.model.windows import check_window, words

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def asked(time: str) -> InterestParams:
    return parse(InterestParams, [("q", "coffee"), ("time", time)])


@pytest.mark.parametrize(
    "time",
    [
        *windows.RELATIVE,
        "2004-01-01 2004-01-01",
        "2024-02-29 2024-03-01",
        "2024-01-01T00 2024-01-01T01",
        "2024-01-01T05 2024-01-08T05",
    ],
)
def test_every_form_is_accepted_unchanged(time: str) -> None:
    assert asked(time).time == time


@pytest.mark.parametrize(
    ("time", "message"),
    [
        ("yesterday", "must be one of now 1-H"),
        ("now 2-H", "must be one of"),
        ("now 1-h", "must be one of"),
        ("today 12-m ", None),
        ("today  12-m", "must be one of"),
        ("2024-01-01", "must be one of"),
        ("2024-01-01 2024-01-02T00", "must be one of"),
        ("٢٠٢٤-01-01 2024-01-02", "must be one of"),
        ("2024-02-01 2024-01-01", "must start before it ends"),
        ("2024-01-01T05 2024-01-01T05", "must start before it ends"),
        ("2003-12-31 2024-01-01", "2004-01-01"),
        ("2024-01-01 2999-01-01", "future"),
        ("2023-02-29 2023-03-01", "2023-02-29 does not exist"),
        ("2024-01-01T24 2024-01-02T00", "2024-01-01T24 does not exist"),
        ("2024-01-01T00 2024-01-08T01", "at most 7 days"),
    ],
)
def test_other_windows_are_refused_with_the_rule(time: str, message: str | None) -> None:
    if message is None:  # callers' texts are trimmed before they are checked
        assert asked(time).time == time.strip()
        return
    with pytest.raises(InvalidParams, match=re.escape(message)) as caught:
        asked(time)
    assert caught.value.message.startswith("Parameter 'time'")


@pytest.mark.parametrize(
    ("time", "is_future"),
    [
        ("2026-11-19 2026-11-20", False),
        ("2026-11-19 2026-11-21", True),
        ("2026-11-19T00 2026-11-20T12", False),
        ("2026-11-19T00 2026-11-20T13", True),
    ],
)
def test_future_begins_now_in_utc(time: str, is_future: bool) -> None:
    if is_future:
        with pytest.raises(ValueError, match="future"):
            check_window(time, NOW)
    else:
        assert check_window(time, NOW) == time


def test_window_is_described_in_words() -> None:
    assert [words(window) for window in ("now 4-H", "all", "2024-01-01 2024-02-01")] == [
        "the last 4 hours",
        "since 2004",
        "2024-01-01 to 2024-02-01",
    ]


@given(st.from_regex(windows.PATTERN, fullmatch=True))
def test_any_text_of_the_form_is_accepted_or_refused(time: str) -> None:
    try:
        assert check_window(time, NOW) == time
    except ValueError as exc:
        assert str(exc).startswith("must ")  # noqa: PT017  # both ways out are right


@pytest.mark.parametrize(
    ("window", "age"),
    [("now 1-H", timedelta(minutes=5)), ("now 7-d", timedelta(hours=6)), ("today 12-m", timedelta(hours=12))],
)
def test_result_for_a_short_window_is_cached_briefly(window: str, age: timedelta) -> None:
    extractor = load().by_name["trends_interest"]  # the same as the other two
    assert extractor.fresh_for(parse(extractor.params, [("q", "coffee"), ("time", window)])) == age
