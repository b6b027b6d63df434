from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.maps import hours
from webquarry.extractors.maps.model.opening import MAX_LENGTH, Day, Times, read_week
from webquarry.extractors.maps.model.result import DayHours
from webquarry.extractors.maps.model.values import clock


def read(*texts: str) -> list[list[tuple[str, str]] | None]:
    """Return the time spans of days with these texts."""
    days = read_week([Day("day", text) for text in texts]) or []
    return [None if day.spans is None else [(span.opens, span.closes) for span in day.spans] for day in days]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("7 AM–8:30 PM", [("07:00", "20:30")]),
        ("9:00 AM – 5:00 PM", [("09:00", "17:00")]),
        ("9 a.m. to 5 p.m.", [("09:00", "17:00")]),
        ("12:30–10 pm", [("12:30", "22:00")]),
        ("12–1 PM", [("12:00", "13:00")]),
        ("8 AM–12 PM, 2–6 PM", [("08:00", "12:00"), ("14:00", "18:00")]),
        ("6 PM–2 AM", [("18:00", "02:00")]),
        ("9 AM–12 AM", [("09:00", "00:00")]),
        ("12 AM-12 AM", [("00:00", "00:00")]),
        ("09:00–17:00", [("09:00", "17:00")]),
        ("9.00—12.00; 14.00—18.30", [("09:00", "12:00"), ("14:00", "18:30")]),
        ("10:00〜22:00", [("10:00", "22:00")]),
        ("18:00–02:00", [("18:00", "02:00")]),
        ("00:00–24:00", [("00:00", "00:00")]),
        ("9–17", [("09:00", "17:00")]),
        ("Closed", []),
        ("Open 24 hours", [("00:00", "00:00")]),
    ],
)
def test_clear_text_is_parsed_as_times(text: str, spans: list[tuple[str, str]]) -> None:
    assert read(text) == [spans]


@pytest.mark.parametrize(
    "text",
    [
        "9–5",  # it is unclear which half of the day is meant
        "9:00–5:00",
        "9:00–12:00",
        "9 AM–5",
        "11–2 PM",  # the mark does not apply to both times
        "13–5 PM",
        "0 AM–5 AM",
        "9 AM–25",
        "24:30–25:00",
        "9:60 AM–5 PM",
        "9 AM–5 PM, by appointment",
        "9 AM–5 PM (holiday hours)",
        "上午9:00–下午5:00",
        "٩:٠٠–١٧:٠٠",
        "bis 24 Uhr",
        "Geschlossen",
        "open 24 hours, closed",
        "",
        "9 AM–5 PM," * 40,
    ],
)
def test_ambiguous_text_is_not_parsed(text: str) -> None:
    assert read(text) == [None]


def test_times_without_marks_need_an_unambiguous_time_in_the_week() -> None:
    assert read("9:00–12:00", "9:00–17:00") == [[("09:00", "12:00")], [("09:00", "17:00")]]
    assert read("9:00–12:00", "9 AM–5 PM") == [None, [("09:00", "17:00")]]


@pytest.mark.parametrize(
    ("name", "weekday"), [("Monday", 1), ("sun", 7), ("Thursday:", 4), ("Lundi", None), ("", None)]
)
def test_weekday_is_the_given_number_or_from_the_name(name: str, weekday: int | None) -> None:
    [by_name, by_number] = read_week([Day(name, "x"), Day(name, "x", weekday=6)]) or []
    assert (by_name.weekday, by_number.weekday) == (weekday, 6)


def test_numbers_take_precedence_over_text() -> None:
    [day] = read_week([Day("Monday", "9 AM–5 PM", times=[Times(time(8), time(16))], is_open=False)]) or []
    assert day.model_dump() == hours("Monday", "9 AM–5 PM", 1, ("08:00", "16:00"))


@pytest.mark.parametrize(("is_open", "is_closed"), [(True, False), (False, True), (None, None)])
def test_open_flag_is_used_if_times_are_unknown(is_open: bool | None, is_closed: bool | None) -> None:
    [day] = read_week([Day("Lundi", "Fermé", is_open=is_open)]) or []
    assert (day.is_closed, day.spans) == (is_closed, [] if is_closed else None)


def test_opening_hours_without_days_are_none() -> None:
    assert read_week([]) is None


@given(st.lists(st.text(alphabet="0123456789:.apm –-to,;~C ", max_size=MAX_LENGTH + 20), max_size=7))
def test_any_text_is_kept_and_its_times_are_valid(texts: list[str]) -> None:
    days: list[DayHours] = read_week([Day("Monday", text) for text in texts]) or []
    assert [day.hours for day in days] == texts
    for span in (span for day in days for span in day.spans or ()):
        assert all(clock(int(text[:2]), int(text[3:])) is not None for text in (span.opens, span.closes))
