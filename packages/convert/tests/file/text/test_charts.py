"""Word's and PowerPoint's charts, written as tables."""

from collections.abc import Callable

import pytest

from convert_support.effort import assert_linear
from webquarry_convert.file.text.ooxml.charts import C, read_chart
from webquarry_convert.file.text.output import write_document
from webquarry_convert.file.text.table import Budget
from webquarry_convert.file.xml import parse
from webquarry_convert.tree import Node

A = "http://schemas.openxmlformats.org/drawingml/2006/main"


def cache(*texts: object, code: str = "General") -> str:
    points = "".join(f'<c:pt idx="{at}"><c:v>{text}</c:v></c:pt>' for at, text in enumerate(texts))
    return f"<c:numRef><c:numCache><c:formatCode>{code}</c:formatCode>{points}</c:numCache></c:numRef>"


def series(name: str, parts: str) -> str:
    return f"<c:ser><c:tx><c:v>{name}</c:v></c:tx>{parts}</c:ser>"


def title(*paragraphs: str) -> str:
    return f"<c:title>{''.join(f'<a:p><a:t>{text}</a:t></a:p>' for text in paragraphs)}</c:title>"


def axis(kind: str, content: str) -> str:
    return f"<c:{kind}><c:scaling/>{content}</c:{kind}>"


def markdown(plot: str, head: str = "", before: str = "") -> str:
    space = f'<c:chartSpace xmlns:c="{C[1:-1]}" xmlns:a="{A}">{before}<c:chart>{head}<c:plotArea>{plot}</c:plotArea>'
    page = Node("body", {}, -1)
    page.children = read_chart(parse(f"{space}</c:chart></c:chartSpace>".encode()), Budget())
    return write_document(page)


@pytest.mark.parametrize(
    ("code", "written", "shown"),
    [
        ("0%", "0.30000000000000004", "30%"),
        ("yyyy\\-mm\\-dd", "46023", "2026-01-01"),
        ("General", "4.2999999999999998", "4.3"),
        ('#,##0.0 "units per day"', "1234.56", "1234.56"),
    ],
)
def test_percentages_and_dates_are_formatted_and_numbers_are_unrounded(code: str, written: str, shown: str) -> None:
    made = markdown(series("S", f"<c:cat>{cache('x')}</c:cat><c:val>{cache(written, code=code)}</c:val>"))
    assert made == f"|  | S |\n| --- | --- |\n| x | {shown} |\n"


def test_dates_are_counted_from_the_charts_epoch() -> None:
    plot = series("S", f"<c:cat>{cache(0, code='yyyy')}</c:cat><c:val>{cache(1)}</c:val>")
    assert "| 1904 | 1 |" in markdown(plot, before='<c:date1904 val="1"/>')


def test_categories_in_levels_include_their_outer_labels() -> None:
    years = '<c:lvl><c:pt idx="0"><c:v>2025</c:v></c:pt><c:pt idx="2"><c:v>2026</c:v></c:pt></c:lvl>'
    halves = "".join(f'<c:pt idx="{at}"><c:v>H{at % 2 + 1}</c:v></c:pt>' for at in range(4))
    levels = f"<c:cat><c:multiLvlStrRef><c:lvl>{halves}</c:lvl>{years}</c:multiLvlStrRef></c:cat>"
    made = markdown(series("S", f"{levels}<c:val>{cache(1, 2, 3, 4)}</c:val>"))
    assert made.split("\n")[2:] == ["| 2025 H1 | 1 |", "| 2025 H2 | 2 |", "| 2026 H1 | 3 |", "| 2026 H2 | 4 |", ""]


def test_series_with_different_categories_get_separate_tables() -> None:
    plot = "".join(
        series(name, f"<c:xVal>{cache(x)}</c:xVal><c:yVal>{cache(y)}</c:yVal>")
        for name, x, y in (("A", 1, 5), ("B", 2, 6))
    )
    made = markdown(plot + axis("valAx", title("Speed")) + axis("valAx", title("Noise, dB")), title("Two", "lines"))
    assert made == (
        "Two lines\n\nNoise, dB\n\n| Speed | A |\n| --- | --- |\n| 1 | 5 |\n\n| Speed | B |\n| --- | --- |\n| 2 | 6 |\n"
    )


def test_axis_titles_and_bubble_sizes_are_written() -> None:
    parts = f"<c:xVal>{cache(1)}</c:xVal><c:yVal>{cache(5)}</c:yVal><c:bubbleSize>{cache(9)}</c:bubbleSize>"
    assert markdown(series("A", parts)) == "|  | A | A (size) |\n| --- | --- | --- |\n| 1 | 5 | 9 |\n"
    named = axis("catAx", title("Year")) + axis("valAx", title("USD million"))
    made = markdown(series("A", f"<c:cat>{cache(2026)}</c:cat><c:val>{cache(7)}</c:val>") + named)
    assert made == "USD million\n\n| Year | A |\n| --- | --- |\n| 2026 | 7 |\n"


def test_category_levels_take_linear_time() -> None:
    def prepare(size: int) -> Callable[[], object]:
        level = "".join(f'<c:pt idx="{at}"><c:v>x</c:v></c:pt>' for at in range(size))
        plot = series("S", f"<c:cat>{f'<c:lvl>{level}</c:lvl>' * 3}</c:cat><c:val>{cache(1)}</c:val>")
        return lambda: markdown(plot)

    assert_linear(prepare, 200)
