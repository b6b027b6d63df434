import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from webquarry.read.cursors import MAX_CURSOR, PATTERN, RULE, check_cursor, read_cursor, write_cursor

PLACE = {"after": "DAABCgABG-x_8", "page": 2}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=5
)


def written(place: Any = PLACE, *question: str) -> str:
    cursor = write_cursor(place, *(question or ("tweets", "nasa")))
    assert cursor is not None
    return cursor


@given(JSON, st.lists(st.text(), max_size=3))
def test_position_is_returned(place: Any, question: list[str]) -> None:
    cursor = written(place, "tweets", *question)
    assert read_cursor(cursor, "tweets", *question) == place


def test_cursor_has_the_documented_form() -> None:
    assert re.fullmatch(PATTERN, written())
    assert re.fullmatch(PATTERN, written(0))


@pytest.mark.parametrize(
    "question", [(), ("tweets",), ("tweets", "esa"), ("replies", "nasa"), ("tweetsnasa",), ("tweets", "nasa", "")]
)
def test_cursor_of_another_request_is_refused(question: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=RULE):
        read_cursor(written(), *question)


@given(st.data())
def test_damaged_cursor_is_refused(data: st.DataObject) -> None:
    cursor = written()
    begin = data.draw(st.integers(0, len(cursor)))
    end = data.draw(st.integers(begin, len(cursor)))
    damaged = cursor[:begin] + data.draw(st.text("ABab01-_=. é", max_size=4)) + cursor[end:]
    assume(damaged != cursor)
    with pytest.raises(ValueError, match=RULE):
        read_cursor(damaged, "tweets", "nasa")


@given(st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=RULE):
        read_cursor(text, "tweets", "nasa")


def test_each_cursor_has_one_spelling() -> None:
    cursor = written("ab")
    last = cursor[-1]
    for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=":
        if other != last:
            with pytest.raises(ValueError):
                read_cursor(cursor[:-1] + other, "tweets", "nasa")


def test_position_too_long_to_send_has_no_cursor() -> None:
    assert write_cursor("x" * MAX_CURSOR, "tweets") is None


def test_error_names_the_parameter() -> None:
    check_cursor(None, "tweets", "nasa")
    check_cursor(written(), "tweets", "nasa")
    with pytest.raises(ValueError, match=r"^Parameter 'cursor' must be the unchanged cursor of an earlier .*\.$"):
        check_cursor("x" * 20, "tweets", "nasa")
