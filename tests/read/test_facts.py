from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.read import counting
from webquarry.read.facts import Fact, Rows, Texts, array, guess, number, table, whole
from webquarry.read.fields import to_count, to_instant, to_line

NAME = Fact(to_line, "[1]", required=True)
USERS = Fact(to_count, "[2][0]")
STATE = Fact(to_line, "[3]", guess("[4][0]"))
TAGS = Texts("[5][]")
ROWS = Rows("[6]")
ITEM: list[Any] = [0, "An item", [12], None, ["open"], ["a", " b "], [[1], [2]]]


def losses_of(value: Any) -> dict[str, int]:
    with counting() as losses:
        for fact in (NAME, USERS, STATE, TAGS, ROWS):
            fact.of(value)
    return dict(losses)


def test_facts_are_read_by_name() -> None:
    assert (NAME.of(ITEM), USERS.of(ITEM), STATE.of(ITEM)) == ("An item", 12, "open")
    assert (TAGS.of(ITEM), ROWS.of(ITEM)) == (["a", "b"], [[1], [2]])


def test_omitted_and_null_values_are_not_counted() -> None:
    assert losses_of(ITEM) == {}
    assert losses_of([0, "An item"]) == {}
    assert losses_of([0, "An item", None, None, None, None, None]) == {}
    assert losses_of([0, "An item", [], None, [None], None, []]) == {}


def test_missing_required_fact_is_counted() -> None:
    assert losses_of([]) == {"[1]": 1}
    assert losses_of(None) == {"[1]": 1}


def test_shifted_positions_are_counted_and_give_no_values() -> None:
    shifted = ITEM[1:]
    assert NAME.of(shifted) is None
    assert losses_of(shifted) == {"[1]": 2, "[3]": 1, "[5][]": 2}


def test_rows_omit_values_that_are_not_rows() -> None:
    with counting() as losses:
        assert ROWS.of([0] * 6 + [[[1], None, 7, "x"]]) == [[1]]
    assert losses == {"[6]": 2}
    assert ROWS.of([0] * 6 + [[None]]) is None


def test_table_lists_the_facts_of_a_module() -> None:
    assert {"NAME", "USERS", "STATE", "TAGS", "ROWS"} <= set(table(globals()))
    assert STATE.shown == "[3] or [4][0]"
    assert [way.evidence for way in STATE.ways] == ["recorded", "unproven"]


@pytest.mark.parametrize(
    ("convert", "value"), [(whole, 3), (number, 3.5), (array, [1]), (to_instant, [1_700_000_000, 5])]
)
def test_kinds_of_json_are_converted(convert: Any, value: Any) -> None:
    assert Fact(convert, "[0]").of([value]) is not None
    with counting() as losses:
        assert Fact(convert, "[0]").of([{"a": 1}]) is None
    assert losses == {"[0]": 1}


@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=8), max_leaves=30))
def test_any_value_is_read(value: Any) -> None:
    losses_of(value)
