from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry_convert.text.instants import parse


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("1997-09-15T04:00:00Z", "1997-09-15T04:00:00"),
        ("1997-09-15t04:00:00z", "1997-09-15T04:00:00"),
        ("1997-09-15 04:00:00", "1997-09-15T04:00:00"),
        ("1997-09-15T04:00", "1997-09-15T04:00:00"),
        ("1997-09-15T04:00:00 Z", "1997-09-15T04:00:00"),
        ("2024-06-18T22:01:39+03:00", "2024-06-18T19:01:39"),
        ("2024-06-18T22:01:39-0330", "2024-06-19T01:31:39"),
        ("2024-06-18T22:01:39+03", "2024-06-18T19:01:39"),
        ("2021-04-14T02:30:22.000+0000", "2021-04-14T02:30:22"),
        ("2024-06-12T22:09:39.881923Z", "2024-06-12T22:09:39.881923"),
        ("2024-06-12T22:09:39.8Z", "2024-06-12T22:09:39.800000"),
        ("2024-06-12T22:09:39,123456789012Z", "2024-06-12T22:09:39.123456"),
        ("2008-08-18T13:19:55", "2008-08-18T13:19:55"),
        ("2024-05-01 08:30:00 +0200", "2024-05-01T06:30:00"),
        ("2024-05-01 08:30:00 UTC", "2024-05-01T08:30:00"),
        ("2024/05/01 08:30", "2024-05-01T08:30:00"),
        ("20240501T083000Z", "2024-05-01T08:30:00"),
        ("Wed, 01 May 2024 08:30:00 GMT", "2024-05-01T08:30:00"),
        ("Wed, 01 May 2024 08:30:00 -0000", "2024-05-01T08:30:00"),
        ("1 May 2024 08:30:00 +0200", "2024-05-01T06:30:00"),
    ],
)
def test_every_supported_format_is_converted_to_utc(text: str, instant: str) -> None:
    assert parse(text) == datetime.fromisoformat(instant).replace(tzinfo=UTC)


@pytest.mark.parametrize("text", ["2024-05-01", "2024/05/01", "2024/5/1", "2024.05.01", "20240501", " 2024-05-01\n"])
def test_bare_date_stays_a_date(text: str) -> None:
    found = parse(text)
    assert type(found) is date
    assert found == date(2024, 5, 1)


@pytest.mark.parametrize(
    "text",
    [
        *("", "soon", "yesterday", "2008", "2008-W33-1", "1714552200", "2024-13-01", "2008-02-30", "2024-05/01"),
        *("2008-08-18T25:00:00Z", "2008-08-18T13:19:55 CEST", "２００８-08-18", "2008-08-18T13:19:55+99:00"),
        *("0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-10:00", "Mon, 01 Jan 2024 00:00:00 +9999999999999999"),
        "2024-05-01T08:30:00." + "0" * 99 + "Z",
    ],
)
def test_other_texts_are_not_instants(text: str) -> None:
    assert parse(text) is None


@given(st.datetimes(timezones=st.timezones() | st.just(UTC), min_value=datetime(1800, 1, 1)))
def test_iso_format_can_be_parsed_again(instant: datetime) -> None:
    offset = instant.utcoffset()
    if offset is not None and offset.total_seconds() % 60 == 0:  # RFC 3339 does not allow offsets with seconds
        assert parse(instant.isoformat()) == instant.astimezone(UTC)


@given(st.text() | st.text(alphabet="0123456789-/.:+TZ ,MonayJn", max_size=40))
def test_any_text_gives_an_instant_a_date_or_none(text: str) -> None:
    found = parse(text)
    assert not isinstance(found, datetime) or found.tzinfo is UTC
