"""Tables that consist of other elements and are recognized by ARIA roles."""

from collections.abc import Callable

import pytest

from convert_support.effort import assert_linear
from webquarry_convert.page import to_markdown
from webquarry_convert.page.content.grids import name_tables
from webquarry_convert.tree import build_tree

HEAD = "<div role=row><div role=columnheader>Plan</div><div role=columnheader>Seats</div></div>"
ROW = "<div role=row><div role=rowheader>Small</div><div role=cell><span>5</span></div></div>"
TEXT = "<p>The old pump holds a litre of oil since the frost came early, and nobody in the village has replaced it.</p>"


@pytest.mark.parametrize(
    "inside",
    [HEAD + ROW, f"<div role=rowgroup>{HEAD}</div><div role=rowgroup>{ROW}</div>", f"<div>{HEAD}{ROW}</div>"],
    ids=["rows", "groups of rows", "a frame around rows"],
)
@pytest.mark.parametrize("role", ["table", "grid"])
def test_elements_with_table_roles_become_a_table(role: str, inside: str) -> None:
    written = to_markdown(f"<main><h1>Plans</h1>{TEXT}<div role={role}>{inside}</div>{TEXT}</main>")
    assert "| Plan | Seats |\n| --- | --- |\n| Small | 5 |" in written


@pytest.mark.parametrize(
    "inside",
    [
        f"{HEAD}{ROW}more",
        f"{HEAD}<div><p>more</p>{ROW}</div>",
        f"{HEAD}<div role=row>more</div>",
        f"{HEAD}<div><div>{ROW}",
    ],
    ids=["a text beside rows", "another element beside rows", "a text in a row", "rows too far below"],
)
def test_other_content_of_the_elements_is_kept(inside: str) -> None:
    tree = build_tree(f"<div role=table>{inside}</div>")
    name_tables(tree)
    assert {node.tag for node in tree}.isdisjoint({"table", "tr", "td", "th"})


def test_time_grows_linearly_with_the_page() -> None:
    def prepared(size: int) -> Callable[[], object]:
        tree = build_tree(f"<div role=table>{HEAD}{ROW * 20}<div>" * size)
        return lambda: name_tables(tree)

    assert_linear(prepared, 1_000)
