"""Figures: the shapes of JSON that become charts, places and images, and what is drawn."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from convert_support.effort import assert_linear
from support.hostile import HOSTILE
from webquarry.web.playground.allowed import FIGURE_VOIDS, allows_figure
from webquarry.web.playground.figure_markup import (
    HEIGHT,
    MAX_BARS,
    MAX_PLACES,
    WIDTH,
    find_top,
    write_figures,
)
from webquarry.web.playground.figures import MAX_FIGURES, Bars, Lines, Picture, Places, find_distance, find_figures
from webquarry.workers.job import Claim
from webquarry.workers.markup import Markup

PICTURES = "https://w.example/logos/"
LOGO = "0123456789abcdef0123456789abcdef.png"


def find(value: Any) -> list[Any]:
    return find_figures(value, PICTURES)


def draw(value: Any) -> LexborHTMLParser:
    """Return the figures of a value as a page, after the same check that the service makes."""
    html = write_figures(find(value))
    asyncio.run(Markup(allows_figure, most=1_000_000, voids=FIGURE_VOIDS).check(html.encode(), Claim({}, {})))
    return LexborHTMLParser(html)


MONTHS = [{"month": f"2026-{month:02}", "visits": 100 * month} for month in range(1, 13)]
POINTS = [
    {
        "timestamp": 1_700_000_000 + day,
        "date": f"2026-01-{day:02}T00:00:00Z",
        "is_partial": False,
        "values": [{"word": "tea", "value": day}, {"word": "coffee", "value": 2 * day, "has_data": day != 3}],
    }
    for day in range(1, 8)
]


def test_numbers_by_month_are_a_line() -> None:
    (lines,) = find({"visits": {"history": MONTHS}})
    assert isinstance(lines, Lines)
    assert (lines.title, len(lines.times), lines.series[0][1][:2]) == ("Visits, history", 12, (100.0, 200.0))
    page = draw({"visits": {"history": MONTHS}})
    (line,) = page.css("polyline")
    points = [tuple(map(float, point.split(","))) for point in str(line.attributes["points"]).split()]
    assert len(points) == 12
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert [y for _, y in points] == sorted((y for _, y in points), reverse=True)
    labelled = str(page.css("svg.lines")[0].attributes["aria-labelledby"]).split()
    assert page.css(f"#{labelled[0]}")[0].text() == "Visits, history"
    assert "highest on Dec 2026, at 1,200" in page.css("desc")[0].text()
    assert page.css("tbody tr")[0].text() == "Jan 2026100"


def test_several_names_over_time_are_lines_with_a_legend_and_gaps() -> None:
    (lines,) = find({"timeline": POINTS})
    assert [name for name, _ in lines.series] == ["tea", "coffee"]
    assert lines.series[1][1][2] is None
    page = draw({"timeline": POINTS})
    assert [node.text().strip() for node in page.css(".legend span")] == ["tea", "coffee"]
    assert [str(node.attributes["class"]) for node in page.css("polyline")] == ["line-0", "line-1", "line-1"]
    assert "–" in page.css("tbody tr")[2].text()


@pytest.mark.parametrize(
    ("value", "rows", "unit"),
    [
        ({"direct": 0.25, "paid_referrals": 0.5, "mail": None, "search": 0.1}, ("paid referrals", 0.5), "share"),
        ({"1": 4, "2": 0, "3": 1, "4": 2, "5": 9}, ("5 stars", 9.0), ""),
        (
            [{"code": "US", "name": "Utah", "value": 100}, {"code": "X", "name": "Ohio", "value": 3}],
            ("Utah", 100.0),
            "",
        ),
        ([{"country": "Chile", "share": 0.4}, {"country": "Peru", "share": 0.1}], ("Chile", 0.4), "share"),
        ([{"name": "a", "share_percent": 61.5}, {"name": "b", "share_percent": 3}], ("a", 61.5), "percent"),
        ([{"hour": hour, "percent": 10 * hour} for hour in (8, 9, 10)], ("8", 80.0), "percent"),
        ([{"title": "Pot", "price": 9.5, "currency": "EUR"}, {"title": "Cup", "price": 3}], ("Pot", 9.5), "EUR"),
    ],
)
def test_shares_counts_and_prices_are_bars(value: Any, rows: tuple[str, float], unit: str) -> None:
    (bars,) = find({"things": value})
    assert isinstance(bars, Bars)
    assert (bars.rows[0], bars.unit) == (rows, unit)
    page = draw({"things": value})
    assert len(page.css("tr")) == len(bars.rows)
    widths = [float(str(node.attributes["width"])) for node in page.css("td.level rect")]
    assert max(widths) == 100
    assert all(cell.text() for cell in page.css("td.num, th"))


@pytest.mark.parametrize(
    "value",
    [
        {},
        [],
        None,
        "text",
        {"bounce_rate": 0.4, "pages_per_visit": 3.8, "seconds": 140.0},
        {"reviews": [{"date": f"2026-01-0{9 - n}", "rating": n, "helpful": 1} for n in range(1, 6)]},
        {"results": [{"position": n, "title": "a", "url": "https://a.example/"} for n in range(5)]},
        {"growth": [{"name": "a", "value": -3}, {"name": "b", "value": 2}]},
        {"one": [{"name": "a", "value": 3}]},
        {"flags": {"a": True, "b": False, "c": True}},
        {"mixed": [{"name": "a", "value": 3}, 4]},
        {"huge": [{"name": "a", "value": 1e300}, {"name": "b", "value": 1e308}]},
        {"url": f"https://evil.example/logos/{LOGO}"},
        {"url": f"{PICTURES}../account"},
        {"dates": [{"day": "2026-99-99", "n": 1}, {"day": "2026-98-01", "n": 1}, {"day": "x", "n": 1}]},
    ],
)
def test_other_shapes_are_not_drawn(value: Any) -> None:
    assert find(value) == []


def test_places_are_listed_with_their_distance_from_the_middle_of_the_view() -> None:
    places = [
        {"name": "Here", "address": "1 Road", "latitude": 10.0, "longitude": 20.0, "rating": 4.5},
        {"name": "There", "address": None, "latitude": 10.0, "longitude": 20.1, "rating": None},
        {"name": "Nowhere", "latitude": None, "longitude": None},
    ]
    (found,) = find({"ll": "@10.0,20.0,14z", "places": places})
    assert isinstance(found, Places)
    assert [row[:3] for row in found.rows] == [("Here", "1 Road", 4.5), ("There", "", None)]
    assert found.rows[0][3] == 0
    assert found.rows[1][3] == pytest.approx(10.95, abs=0.01)
    page = draw({"ll": "@10.0,20.0,14z", "places": places})
    assert [node.text() for node in page.css(".distance")] == ["0 m", "11.0 km"]
    (without_view,) = find({"places": places})
    assert without_view.rows[0][3] == pytest.approx(without_view.rows[1][3])


def test_distances_cross_the_date_line_and_the_poles() -> None:
    assert find_distance((0, 179.5), (0, -179.5)) == pytest.approx(111.2, abs=0.1)
    assert find_distance((90, 0), (-90, 77)) == pytest.approx(20015, abs=1)


def test_a_picture_of_this_service_is_shown_from_its_own_route() -> None:
    value = {"data": {"url": f"{PICTURES}{LOGO}", "width": 1024, "height": 512}}
    assert find(value) == [Picture("Picture", LOGO, 1024, 512)]
    (picture,) = draw(value).css("img")
    assert picture.attributes["src"] == f"/logos/{LOGO}"
    assert (picture.attributes["width"], picture.attributes["height"]) == ("256", "128")


def test_large_figures_are_limited() -> None:
    rows = [{"name": f"n{n}", "value": n} for n in range(300)]
    assert len(draw({"rows": rows}).css("tr")) == MAX_BARS
    places = [{"name": "a", "latitude": n / 10, "longitude": 1.0} for n in range(300)]
    assert len(draw({"rows": places}).css("li")) == MAX_PLACES
    assert len(find({f"k{n}": rows for n in range(40)})) == MAX_FIGURES


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_are_text(text: str) -> None:
    rows = [{text: text, "value": n, "latitude": n, "longitude": n} for n in range(3)]
    times = [{"date": f"2026-01-0{n}", "all": [{"name": text, "value": n}]} for n in range(1, 5)]
    page = draw(
        {text: rows, "b": {text: 0.5, "x": 0.1, "y": 0.1}, "c": times, "d": [{**row, "value": None} for row in rows]}
    )
    assert not page.css("script, a, form, iframe, [onerror], [style]")


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.floats(allow_nan=False)
    | st.integers()
    | st.sampled_from(["2026-01-01", "x", "<b>"]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(["date", "name", "value", "share", "1", "latitude", "longitude"]), inner)
        | st.lists(st.fixed_dictionaries({"name": st.text(), "value": st.floats(allow_nan=False)}), max_size=5)
    ),
    max_leaves=30,
)


@given(JSON)
def test_every_figure_is_accepted_markup(value: Any) -> None:
    draw(json.loads(json.dumps(value)))


@given(st.floats(min_value=0, max_value=1e15))
def test_the_scale_ends_at_or_above_the_largest_number(most: float) -> None:
    assert most <= find_top(most) <= max(10 * most, 1)


WIDE: dict[str, Any] = {
    "wide rows": lambda size: [{f"k{n}": n for n in range(size)}, *({"a": 1} for _ in range(300))],
    "many lists": lambda size: {f"k{n}": [{"name": "a", "value": n}, {"name": "b", "value": 2}] for n in range(size)},
    "many rows": lambda size: [{"date": "2026-01-01", "name": "a", "x": n} for n in range(size)],
    "groups": lambda size: [{"a": [{"b": [{"c": n} for n in range(size)]}]}],
}


@pytest.mark.parametrize("shape", WIDE)
def test_the_search_takes_linear_time(shape: str) -> None:
    assert_linear(lambda size: (lambda value: lambda: find(value))(WIDE[shape](size)), 2_000)


@pytest.mark.parametrize(
    ("times", "labels", "first"),
    [
        ([f"2026-{month:02}" for month in range(1, 13)], ["Jan 2026", "Apr 2026", "Jul 2026", "Oct 2026"], "Jan 2026"),
        (
            [f"2026-{month:02}-07" for month in range(1, 13)],
            ["Jan 2026", "Apr 2026", "Jul 2026", "Oct 2026"],
            "2026-01-07",
        ),
        ([f"2026-01-{day:02}" for day in range(2, 6)], ["2 Jan", "3 Jan", "4 Jan", "5 Jan"], "2026-01-02"),
        (
            [f"2026-01-02T{hour:02}:00:00Z" for hour in range(3)],
            ["2 Jan 00:00", "2 Jan 01:00", "2 Jan 02:00"],
            "2026-01-02 00:00",
        ),
    ],
)
def test_times_have_the_needed_precision(times: list[str], labels: list[str], first: str) -> None:
    page = draw([{"at": time, "n": 1} for time in times])
    assert [node.text() for node in page.css("text")][3:] == labels
    assert page.css("tbody th")[0].text() == first
