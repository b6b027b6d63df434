import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import JUNK, damaged_json
from support.trends import DATA
from support.widgets import bodies, needs_samples, sample, wire
from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.endpoints.params import parse
from webquarry.extractors.trends.interest import (
    MAX_ROWS,
    TOO_FEW,
    UNFINISHED,
    Interest,
    InterestParams,
    read,
    read_serpapi,
    render,
)
from webquarry.read import counting

START = datetime(2026, 1, 1, tzinfo=UTC)
BODIES = list(bodies("trends_interest", DATA))


def params(q: str = "coffee", **more: str) -> InterestParams:
    return parse(InterestParams, [("q", q), *more.items()])


def point(number: int, *values: Any, step: timedelta = timedelta(days=1), **more: Any) -> dict[str, Any]:
    return {
        "time": str(int((START + number * step).timestamp())),
        "formattedTime": f"No.\u2009{number}",
        "value": list(values),
        "hasData": [True] * len(values),
        "formattedValue": [str(value) for value in values],
        **more,
    }


def answer(points: list[Any], averages: Any = ()) -> dict[str, Any]:
    return {"default": {"timelineData": points, "averages": list(averages)}}


def read_points(points: list[Any], q: str = "coffee", averages: Any = ()) -> Interest:
    return read(wire(answer(points, averages)), params(q))


class TestSamples:
    @needs_samples
    @pytest.mark.parametrize(
        ("file", "points", "averages", "resolution"),
        [
            ("multiline-2kw-day.txt", 5, [72, 2], "DAY"),
            ("multiline-2kw-day-gprop-youtube.txt", 5, [95, 1], "DAY"),
            ("multiline-2kw-5y-week-partial.txt", 260, [77, 2], "WEEK"),
        ],
    )
    def test_sample_has_the_values_in_its_notes(
        self, file: str, points: int, averages: list[int], resolution: str
    ) -> None:
        with counting() as losses:
            result = read(sample(file), params("pizza,bagel"))
        assert not losses
        assert len(result.timeline) == points
        assert [average.value for average in result.averages] == averages
        assert result.resolution == resolution

    @needs_samples
    def test_partial_last_point_causes_a_warning(self) -> None:
        result = read(sample("multiline-2kw-5y-week-partial.txt"), params("pizza,bagel", time="today 5-y"))
        assert [point.is_partial for point in result.timeline].index(True) == 259
        assert [value.value for value in result.timeline[-1].values] == [58, 2]
        assert result.timeline[-1].date == datetime(2023, 3, 19, tzinfo=UTC)
        assert result.timeline[-1].formatted_time == "Mar 19 – 25, 2023"
        assert result.warnings == [UNFINISHED]

    @needs_samples
    def test_calculated_averages_match_the_source(self) -> None:
        body = json.loads(sample("multiline-2kw-5y-week-partial.txt").body.partition(b"\n")[2])
        found = body["default"].pop("averages")
        result = read(wire(body), params("pizza,bagel"))
        assert [average.value for average in result.averages] == found == [77, 2]

    @needs_samples
    def test_empty_sample_is_a_lack_of_data(self) -> None:
        with pytest.raises(EmptyResult):
            read(sample("multiline-empty-51-bytes.txt"), params())

    @needs_samples
    def test_error_page_is_not_data(self) -> None:
        with pytest.raises(ProviderError) as caught:
            read(sample("error-404-page.html"), params())
        assert caught.value.reason == "refused"


class TestReading:
    def test_average_of_one_keyword_is_calculated(self) -> None:
        result = read_points([point(0, 100), point(1, 51), point(2, 0)])
        assert [(a.keyword, a.value) for a in result.averages] == [("coffee", 50)]

    def test_halves_are_rounded_up(self) -> None:
        assert read_points([point(0, 2), point(1, 3)]).averages[0].value == 3

    @pytest.mark.parametrize(
        ("step", "resolution"),
        [
            (timedelta(minutes=1), "MINUTE"),
            (timedelta(minutes=8), "EIGHT_MINUTE"),
            (timedelta(minutes=16), "SIXTEEN_MINUTE"),
            (timedelta(hours=1), "HOUR"),
            (timedelta(days=1), "DAY"),
            (timedelta(days=7), "WEEK"),
            (timedelta(days=31), "MONTH"),
            (timedelta(days=3), None),
        ],
    )
    def test_resolution_is_read_from_the_points(self, step: timedelta, resolution: str | None) -> None:
        assert read_points([point(n, 1, step=step) for n in (0, 1, 2, 5)]).resolution == resolution

    def test_resolution_of_one_point_is_unknown(self) -> None:
        assert read_points([point(0, 1)]).resolution is None

    def test_zero_with_data_is_less_than_one(self) -> None:
        [value] = read_points([point(0, 0, formattedValue=["<1"])]).timeline[0].values
        assert (value.value, value.has_data, value.formatted_value) == (0, True, "<1")

    def test_all_zeros_are_a_result_with_a_warning(self) -> None:
        nothing = read_points([point(0, 0), point(1, 0)])
        assert (nothing.is_empty, nothing.warnings) == (True, [TOO_FEW])
        assert not read_points([point(0, 0), point(1, 1)]).is_empty

    def test_points_marked_as_without_data_are_a_lack_of_data(self) -> None:
        with pytest.raises(EmptyResult):
            read_points([point(n, 0, hasData=[False]) for n in range(3)])

    def test_one_keyword_with_data_is_enough(self) -> None:
        result = read_points([point(0, 0, 5, hasData=[False, True])], "a,b", [0, 5])
        assert [value.has_data for value in result.timeline[0].values] == [False, True]

    @pytest.mark.parametrize("q", ["coffee", "a,b,c"])
    def test_response_about_other_keywords_is_never_returned(self, q: str) -> None:
        with pytest.raises(ProviderError, match="returned data for 2 keywords") as caught:
            read_points([point(0, 1, 2)], q)
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize("value", [-1, 101, "7", None, 1.5, True])
    def test_unreadable_point_is_left_out_with_a_warning(self, value: Any) -> None:
        result = read_points([point(0, 1), point(1, value), point(2, 3)])
        assert [p.values[0].value for p in result.timeline] == [1, 3]
        assert result.warnings == ["1 of 3 points could not be parsed and were omitted."]

    @pytest.mark.parametrize("time", ["", "-5", "9" * 13, "1e9", None, 5, "٣"])
    def test_point_without_a_time_is_left_out(self, time: Any) -> None:
        assert len(read_points([point(0, 1), point(1, 2, time=time)]).timeline) == 1

    def test_mostly_unreadable_points_are_a_changed_response(self) -> None:
        with pytest.raises(ProviderError, match="1 of 3") as caught:
            read_points([point(0, 1), {}, {"value": [5]}])
        assert caught.value.reason == "changed"

    def test_oldest_point_comes_first(self) -> None:
        result = read_points([point(2, 3, isPartial=True), point(0, 1), point(1, 2)])
        assert [p.values[0].value for p in result.timeline] == [1, 2, 3]
        assert result.warnings == [UNFINISHED]

    def test_averages_of_another_form_are_recalculated(self) -> None:
        result = read_points([point(0, 1, 5), point(1, 3, 5)], "a,b", ["x", 5])
        assert [average.value for average in result.averages] == [2, 5]


class TestSerpApi:
    @staticmethod
    def body(*rows: Any, **more: Any) -> Any:
        content = json.dumps({"interest_over_time": {"timeline_data": list(rows), **more}}).encode()
        return wire(content)

    @staticmethod
    def row(day: int, *values: int, **more: Any) -> dict[str, Any]:
        stamp = str(int((START + timedelta(days=day)).timestamp()))
        found = [{"query": "x", "value": str(value), "extracted_value": value} for value in values]
        return {"date": f"Jan {day + 1}, 2026", "timestamp": stamp, "values": found, **more}

    def test_series_is_read_from_serpapi(self) -> None:
        averages = [{"query": "a", "value": 12}, {"query": "b", "value": 34}]
        rows = [self.row(0, 10, 30), self.row(1, 20, 40, partial_data=True)]
        with counting() as losses:
            result = read_serpapi(self.body(*rows, averages=averages), params("a,b"))
        assert not losses
        assert (result.source, result.resolution) == ("serpapi", "DAY")
        assert [[value.value for value in p.values] for p in result.timeline] == [[10, 30], [20, 40]]
        assert [average.value for average in result.averages] == [12, 34]
        assert result.warnings == [UNFINISHED]

    def test_less_than_one_is_data(self) -> None:
        values = [{"query": "a", "value": "<1", "extracted_value": 0}]
        [value] = read_serpapi(self.body(self.row(0, 5) | {"values": values}), params()).timeline[0].values
        assert (value.has_data, value.formatted_value) == (True, "<1")

    @pytest.mark.parametrize("body", [{}, {"interest_over_time": []}, {"interest_over_time": {"timeline_data": {}}}])
    def test_response_without_the_series_is_a_changed_response(self, body: Any) -> None:
        with pytest.raises(ProviderError) as caught:
            read_serpapi(wire(json.dumps(body).encode()), params())
        assert caught.value.reason == "changed"


class TestMarkdown:
    @pytest.mark.parametrize("points", [1, 59, 60, 61, 120, 121, 260, 1999])
    def test_long_timeline_is_shortened_and_keeps_its_end(self, points: int) -> None:
        result = read_points([point(n, n % 101) for n in range(points)])
        text = render(result)
        rows = text.partition("## Timeline")[2].count("\n| ") - 2
        assert rows <= MAX_ROWS
        assert rows > MAX_ROWS / 2 or rows == points
        assert f"| {result.timeline[-1].date:%Y-%m-%d} | " in text
        assert (f"{rows} of {points};" in text) is (rows < points)

    def test_hourly_points_show_their_time(self) -> None:
        assert "| 2026-01-01 01:00 | 7 |" in render(
            read_points([point(n, 7, step=timedelta(hours=1)) for n in range(3)])
        )

    def test_keywords_cannot_break_the_table(self) -> None:
        text = render(read_points([point(0, 1, 2)], "a|b,[x](http://evil.example)", [1, 2]))
        assert "| a\\|b | \\[x\\](http://evil.example) |" in text or "| a\\|b | [x\\](http://evil.example) |" in text


@given(st.data())
def test_damaged_answers_are_read_or_are_errors(drawn: st.DataObject) -> None:
    body = damaged_json(drawn, drawn.draw(st.sampled_from(BODIES)))
    try:
        result = read(wire(body), params(drawn.draw(st.sampled_from(["a", "a,b"]))))
    except (ProviderError, EmptyResult):
        return
    assert all(0 <= value.value <= 100 for p in result.timeline for value in p.values)
    assert json.loads(result.model_dump_json())["timeline"]
    assert render(result).startswith("# ")


@given(JUNK)
def test_any_json_is_not_accepted_as_a_response(body: Any) -> None:
    with pytest.raises(ProviderError):
        read(wire(body), params())
    with pytest.raises(ProviderError):
        read_serpapi(wire(json.dumps(body).encode()), params())
