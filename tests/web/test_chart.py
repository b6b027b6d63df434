"""Charts: bars in proportion to their values, for any data."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.api.statements import DayStatement
from webquarry.web.account.chart import BOTTOM, HEIGHT, LEFT, OTHERS, RIGHT, SERIES, TOP, WIDTH, Chart, draw, find_top
from webquarry.web.account.export import disarm

FIRST = date(2026, 1, 1)


def used(day: int, endpoint: str, credits: int) -> DayStatement:
    return DayStatement(day=FIRST + timedelta(days=day), endpoint=endpoint, credits=credits, calls=1, refunded=0)


def draw_days(*usage: DayStatement, days: int = 30) -> Chart:
    return draw(usage, FIRST, FIRST + timedelta(days=days - 1))


def test_bars_of_a_day_are_stacked_to_their_credits() -> None:
    chart = draw_days(used(0, "search", 5), used(0, "maps", 3), used(1, "search", 2))
    floor, unit = HEIGHT - BOTTOM, (HEIGHT - BOTTOM - TOP) / 8
    first, second, third = chart.bars
    assert (first.y + first.height, first.height) == (floor, 5 * unit)
    assert (second.y + second.height, second.height) == (first.y, 3 * unit)
    assert (third.series, third.height, third.x > first.x) == (0, 2 * unit, True)
    assert chart.series == ((0, "search"), (1, "maps"))
    assert [line.text for line in chart.lines] == ["0", "4", "8"]
    assert "10 credits spent from 2026-01-01 to 2026-01-30. The busiest day was 2026-01-01 (8)." in chart.summary


def test_endpoints_beyond_the_colors_share_the_last_one() -> None:
    chart = draw_days(*(used(n, f"e{n}", 20 - n) for n in range(SERIES + 3)))
    assert chart.series[-1] == (SERIES, OTHERS)
    assert sum(bar.series == SERIES for bar in chart.bars) == 3


def test_nothing_is_drawn_without_data() -> None:
    chart = draw_days(used(0, "search", 0))
    assert (chart.bars, chart.series) == ((), ())
    assert chart.summary == "No credits were charged from 2026-01-01 to 2026-01-30."


@pytest.mark.parametrize(("most", "top"), [(0, 2), (3, 4), (9, 10), (11, 20), (61, 80), (101, 200), (10**9, 10**9)])
def test_scale_ends_at_a_round_even_number(most: int, top: int) -> None:
    assert find_top(most) == top


@given(
    st.lists(st.tuples(st.integers(0, 365), st.integers(0, 8), st.integers(0, 10**12)), max_size=60),
    st.integers(1, 366),
)
def test_every_bar_lies_within_the_drawing(usage: list[tuple[int, int, int]], days: int) -> None:
    chart = draw_days(*(used(day % days, f"e{name}", credits) for day, name, credits in usage), days=days)
    for bar in chart.bars:
        assert LEFT <= bar.x <= bar.x + bar.width <= WIDTH - RIGHT + 0.1
        assert TOP - 0.1 <= bar.y <= bar.y + bar.height <= HEIGHT - BOTTOM + 0.1
    assert all(day.at <= WIDTH for day in chart.days)
    assert len(chart.days) <= 6


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx"])
def test_cell_that_begins_like_a_formula_is_text(text: str) -> None:
    assert disarm(text) == f"'{text}"


def test_other_cells_are_unchanged() -> None:
    assert [disarm(text) for text in ("", "search", "a=b", "1")] == ["", "search", "a=b", "1"]
