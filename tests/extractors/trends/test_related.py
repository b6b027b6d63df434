import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import JUNK, damaged_json
from support.trends import DATA
from support.widgets import bodies, needs_samples, sample, wire
from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.endpoints.params import parse
from webquarry.extractors.trends.model.params import TrendsParams
from webquarry.extractors.trends.related import MEANING, Related, read, read_serpapi, render
from webquarry.read import counting

PARAMS = parse(TrendsParams, [("q", "coffee")])
BODIES = list(bodies("trends_related", DATA))


def lists(top: Any, rising: Any = ()) -> Any:
    return {"default": {"rankedList": [{"rankedKeyword": list(top)}, {"rankedKeyword": list(rising)}]}}


def row(query: Any = "tea", value: Any = 5, formatted: Any = "5", **more: Any) -> dict[str, Any]:
    return {"query": query, "value": value, "formattedValue": formatted, "link": "/trends/explore?q=tea", **more}


def read_lists(top: Any, rising: Any = ()) -> Related:
    return read(wire(lists(top, rising)), PARAMS)


class TestSamples:
    @needs_samples
    def test_queries_have_the_values_in_their_notes(self) -> None:
        with counting() as losses:
            result = read(sample("relatedsearches-queries-pizza.txt"), PARAMS)
        assert not losses
        assert (len(result.top), len(result.rising)) == (25, 11)
        assert (result.top[0].query, result.top[0].value) == ("pizza hut", 100)
        first, second, *_ = result.rising
        assert (first.query, first.value, first.formatted_value, first.is_breakout) == (
            "licorice pizza", 8550, "Breakout", True)  # fmt: skip
        assert (second.value, second.formatted_value, second.is_breakout) == (400, "+400%", False)
        assert first.link == ("https://trends.google.com/trends/explore?q=licorice+pizza&date=2021-01-01+2021-12-31")

    @needs_samples
    def test_topics_are_not_queries(self) -> None:
        with pytest.raises(ProviderError, match="0 of 21") as caught:
            read(sample("relatedsearches-topics-pizza.txt"), PARAMS)
        assert caught.value.reason == "changed"


class TestReading:
    @pytest.mark.parametrize("body", [lists([]), {"default": {"rankedList": []}}])
    def test_nothing_found_marks_are_a_lack_of_data(self, body: Any) -> None:
        with pytest.raises(EmptyResult):
            read(wire(body), PARAMS)

    @pytest.mark.parametrize(
        ("formatted", "shown", "is_breakout"),
        [
            ("Breakout", "Breakout", True),
            ("Aumento puntual", "Breakout", True),
            ("+4,650%", "+4,650%", False),
            ("+٤٠٪", "+٤٠٪", False),
            (None, "Breakout", True),
        ],
    )
    def test_growth_without_a_digit_is_a_breakout(self, formatted: str | None, shown: str, is_breakout: bool) -> None:
        [query] = read_lists([], [row(value=8150, formatted=formatted)]).rising
        assert (query.formatted_value, query.is_breakout, query.value) == (shown, is_breakout, 8150)

    def test_growth_without_text_is_read_from_its_number(self) -> None:
        [most, breakout] = read_lists([], [row(value=5000, formatted=None), row(value=5001, formatted=" ")]).rising
        assert (most.formatted_value, most.is_breakout) == ("+5,000%", False)
        assert (breakout.formatted_value, breakout.is_breakout) == ("Breakout", True)

    def test_one_list_is_enough(self) -> None:
        assert read_lists([row()]).rising == []
        assert read_lists([], [row()]).top == []

    def test_missing_list_is_a_changed_response(self) -> None:
        with pytest.raises(ProviderError) as caught:
            read(wire({"default": {"rankedList": [{"rankedKeyword": [row()]}]}}), PARAMS)
        assert caught.value.reason == "changed"

    @pytest.mark.parametrize("bad", [row(query=""), row(query=None), row(value="x"), row(value=101), "row", None])
    def test_unreadable_row_is_left_out_with_a_warning(self, bad: Any) -> None:
        result = read_lists([row(), bad])
        assert len(result.top) == 1
        assert result.warnings == ["1 of 2 top queries could not be parsed and were omitted."]

    @pytest.mark.parametrize(
        ("link", "shown"),
        [
            ("/trends/explore?q=a", "https://trends.google.com/trends/explore?q=a"),
            ("https://trends.google.com/x", "https://trends.google.com/x"),
            ("//evil.example/x", None),
            ("javascript:alert(1)", None),
            ("https://", None),
            ("http://[bad", None),
            (None, None),
        ],
    )
    def test_link_is_an_absolute_url_or_null(self, link: Any, shown: str | None) -> None:
        assert read_lists([row(link=link)]).top[0].link == shown


class TestSerpApi:
    def test_lists_are_read_from_serpapi(self) -> None:
        found = {
            "top": [{"query": "latte", "value": "100", "extracted_value": 100, "link": "https://trends.google.com/a"}],
            "rising": [
                {
                    "query": "cold foam",
                    "value": "Breakout",
                    "extracted_value": 7200,
                    "link": "https://trends.google.com/b",
                },
                {"query": "moka", "value": "+90%", "extracted_value": 90, "link": "https://trends.google.com/c"},
            ],
        }
        with counting() as losses:
            result = read_serpapi(wire(json.dumps({"related_queries": found}).encode()), PARAMS)
        assert not losses
        assert (result.source, result.top[0].value, result.top[0].formatted_value) == ("serpapi", 100, "100")
        assert [(q.value, q.formatted_value, q.is_breakout) for q in result.rising] == [
            (7200, "Breakout", True),
            (90, "+90%", False),
        ]

    def test_omitted_list_of_serpapi_is_empty(self) -> None:
        found = {"rising": [{"query": "moka", "value": "+90%", "extracted_value": 90}]}
        assert read_serpapi(wire(json.dumps({"related_queries": found}).encode()), PARAMS).top == []


def test_breakout_is_explained_in_the_markdown() -> None:
    assert MEANING in render(read_lists([], [row(formatted="Breakout")]))
    assert "Breakout" not in render(read_lists([], [row(formatted="+5%")]))


@given(st.data())
def test_damaged_answers_are_read_or_are_errors(drawn: st.DataObject) -> None:
    body = damaged_json(drawn, drawn.draw(st.sampled_from(BODIES)))
    try:
        result = read(wire(body), PARAMS)
    except (ProviderError, EmptyResult):
        return
    assert result.top or result.rising
    assert json.loads(result.model_dump_json())["keyword"] == "coffee"
    assert render(result).startswith("# ")


@given(JUNK)
def test_any_json_is_not_accepted_as_a_response(body: Any) -> None:
    with pytest.raises(ProviderError):
        read(wire(body), PARAMS)
    with pytest.raises(ProviderError):
        read_serpapi(wire(json.dumps(body).encode()), PARAMS)
