"""Edits of a text, and the offsets that they move."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry_convert.text.edits import Edit, apply_edits, find_edits, move_places


@pytest.mark.parametrize(
    ("edits", "moved"),
    [
        ([], (0, 3, 6)),
        ([Edit(0, 2, "")], (0, 1, 4)),
        ([Edit(3, 4, "")], (0, 3, 5)),
        ([Edit(2, 5, "x")], (0, 3, 4)),
        ([Edit(0, 0, "ab"), Edit(6, 6, "c")], (0, 5, 8)),
    ],
)
def test_offsets_move_with_the_text(edits: list[Edit], moved: tuple[int, ...]) -> None:
    assert move_places((0, 3, 6), edits) == moved


@given(st.text("ab\n", max_size=60), st.lists(st.integers(0, 60), max_size=8))
def test_offset_still_precedes_the_same_text(text: str, places: list[int]) -> None:
    places = sorted(min(place, len(text)) for place in places)
    edits = find_edits(re.compile("a+"), "", text)
    edited = apply_edits(text, edits)
    assert edited == re.sub("a+", "", text)
    for place, moved in zip(places, move_places(places, edits), strict=True):
        assert edited[moved:] == text[place:].replace("a", "")
