"""Repeated texts are kept once."""

from collections.abc import Callable

import pytest

from convert_support.choice import make_selection
from convert_support.effort import assert_linear
from webquarry_convert.page.content.copies import drop_copies

LEAD = "The old pump holds a litre of oil since the frost came early."


def places_left(html: str, nearness: dict[int, float] | None = None) -> list[int]:
    """Return the numbers of the texts that remain if all were kept at first."""
    selection = make_selection(html, nearness=nearness)
    drop_copies(selection)
    return [number for number, keeps in enumerate(selection.kept) if keeps]


@pytest.mark.parametrize(
    ("nearness", "left"),
    [({}, [0, 1]), ({0: 0.9, 2: 1.5}, [1, 2])],
    ids=["the second where they are as likely", "the first where it is less likely"],
)
def test_less_likely_of_two_copies_is_dropped(nearness: dict[int, float], left: list[int]) -> None:
    html = f"<div class=wide><p>{LEAD}</p></div><p>Nobody knows.</p><div class=narrow><span>{LEAD}</span></div>"
    assert places_left(html, nearness) == left


@pytest.mark.parametrize(
    "html",
    [
        f"<div class=c><p>{LEAD}</p></div><div class=c><p>{LEAD}</p></div>",
        f"<p>{LEAD}</p><blockquote><p>{LEAD}</p></blockquote>",
        f"<p>{LEAD}</p><div class=quotecontent><div>{LEAD}</div></div>",
        f"<p>{LEAD}</p><table><tr><td>{LEAD}</table>",
        f"<h2>{LEAD}</h2><h3>{LEAD}</h3>",
        "<p>Ada Birkett, 3 May</p><div>Ada Birkett, 3 May</div>",
    ],
    ids=["in the same place of cards", "a quote", "a quote by its name", "a cell", "headings", "short texts"],
)
def test_legitimate_repetitions_are_kept(html: str) -> None:
    assert len(places_left(html)) == 2


def test_time_grows_linearly_with_the_page() -> None:
    def prepared(size: int) -> Callable[[], object]:
        selection = make_selection(f"<div class=a><p>{LEAD}</div><div class=b><i>{LEAD}</i></div>" * size)
        return lambda: drop_copies(selection)

    assert_linear(prepared, 2_000)
