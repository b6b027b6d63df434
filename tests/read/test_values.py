import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.core.errors import ProviderError
from webquarry.read import Wire, at, counting, each, each_given, instant, json_of, must, read_each, texts
from webquarry.read.values import reach_list

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc") | st.text(), inner, max_size=4),
    max_leaves=20,
)
PATHS = ["", "a", "a.b", "a[0]", "a[-1].b", "[0]", "a[].b", "a[].b[]", "[]", "a.b.c"]


def wire(body: bytes) -> Wire:
    return Wire(
        body=body,
        url="https://api.example.com/v1/thing",
        requested_url="https://api.example.com/v1/thing",
        status=200,
        headers={},
        fetched_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


class TestJsonOf:
    def test_body_is_parsed(self) -> None:
        assert json_of(wire(b'{"a": [1, 2.5, null, true, "\xc3\xa9"]}')) == {"a": [1, 2.5, None, True, "é"]}

    def test_byte_order_mark_is_skipped(self) -> None:
        assert json_of(wire(b"\xef\xbb\xbf[1]")) == [1]

    def test_invalid_utf_8_is_replaced(self) -> None:
        assert json_of(wire(b'["caf\xe9"]')) == ["caf\ufffd"]

    def test_lone_surrogates_are_replaced_in_names_and_values(self) -> None:
        assert json_of(wire(rb'{"\ud800a": ["\udfff", "\ud83d\ude00"]}')) == {"\ufffda": ["\ufffd", "😀"]}

    def test_invalid_numbers_are_null(self) -> None:
        assert json_of(wire(b'{"a": NaN, "b": -Infinity, "c": 1e999}')) == {"a": None, "b": None, "c": None}

    @pytest.mark.parametrize(
        "body", [b"", b" ", b"<html></html>", b"{", b"[1,]", b"[" * 100_000, b"[" * 2000 + b"]" * 2000, b"9" * 10_000]
    )
    def test_any_other_body_is_a_changed_response_that_names_the_host(self, body: bytes) -> None:
        with pytest.raises(ProviderError, match=r"^api\.example\.com sent a response that is not JSON") as caught:
            json_of(wire(body))
        assert caught.value.reason == "changed"

    @given(st.binary(max_size=50))
    def test_any_bytes_are_read_or_are_a_changed_response(self, body: bytes) -> None:
        with suppress(ProviderError):
            json.dumps(json_of(wire(body)), allow_nan=False).encode()


class TestAt:
    def test_path_walks_members_and_indexes(self) -> None:
        value = {"path": {"to": [{"field": 1}, {"field": 2}]}}
        assert at(value, "path.to[0].field", int) == 1
        assert at(value, "path.to[-1].field", int) == 2

    def test_empty_path_is_the_value_itself(self) -> None:
        assert at("text", "", str) == "text"

    def test_a_wire_can_replace_its_value(self) -> None:
        assert at(wire(b'{"a": "b"}'), "a", str) == "b"

    @pytest.mark.parametrize("path", ["missing", "a.b", "a[0]", "list[3]", "list[-4]", "null", "list.a"])
    def test_absent_is_none(self, path: str) -> None:
        assert at({"a": "text", "list": [1, 2, 3], "null": None}, path, str) is None

    @pytest.mark.parametrize(
        ("value", "kind", "read"),
        [
            (12, int, 12),
            (12.0, int, 12),
            (12.5, int, None),
            (2.0**60, int, None),
            (float("nan"), int, None),
            ("12", int, None),
            (True, int, None),
            (True, float, None),
            (True, bool, True),
            (1, bool, None),
            (1, float, 1.0),
            (10**400, float, None),
            (1, str, None),
            ([1], list, [1]),
            ({"a": 1}, dict, {"a": 1}),
            ([], dict, None),
        ],
    )
    def test_types_are_the_types_of_json(self, value: Any, kind: type[Any], read: Any) -> None:
        found = at(value, "", kind)
        assert (found, type(found)) == (read, type(read))

    def test_path_to_every_item_is_refused_for_a_single_value(self) -> None:
        with pytest.raises(ValueError, match="use each or texts"):
            at({}, "a[].b", str)

    @pytest.mark.parametrize("path", [".a", "a.", "a..b", "a[", "a[x]", "a]b", "a[0]b"])
    def test_an_invalid_path_is_refused(self, path: str) -> None:
        with pytest.raises(ValueError, match="is not a path"):
            at({}, path, str)


class TestMust:
    def test_required_value_is_returned(self) -> None:
        assert must({"user": {"id": "7"}}, "user.id", str) == "7"

    @pytest.mark.parametrize(
        ("value", "found"), [({}, "missing"), ({"id": 7}, "a whole number"), ({"id": True}, "true or false")]
    )
    def test_absent_and_wrong_type_are_changes_that_name_the_path(self, value: Any, found: str) -> None:
        with pytest.raises(ProviderError, match=f"unexpected response: id is {found}, not text") as caught:
            must(value, "id", str)
        assert caught.value.reason == "changed"


class TestLists:
    def test_each_returns_the_objects_in_order(self) -> None:
        assert each({"a": [{"n": 1}, 5, {"n": 2}]}, "a[]") == [{"n": 1}, {"n": 2}]

    @pytest.mark.parametrize(("told", "lost"), [({}, 0), ({"rows": None}, 0), ({"rows": []}, 0), ({"rows": 5}, 1)])
    def test_an_optional_list_is_counted_only_if_it_is_another_value(self, told: dict[str, Any], lost: int) -> None:
        with counting() as losses:
            assert each_given(told, "rows[]") == []
        assert losses.total() == lost

    def test_an_optional_list_is_read_like_any_other(self) -> None:
        with counting() as losses:
            assert each_given({"rows": [{"a": 1}, 2]}, "rows[]") == [{"a": 1}]
        assert losses.total() == 1

    def test_each_descends_through_lists_of_lists(self) -> None:
        assert each({"a": [{"b": [{"n": 1}]}, {}, {"b": [{"n": 2}]}]}, "a[].b[]") == [{"n": 1}, {"n": 2}]

    def test_texts_omits_blank_and_other_values(self) -> None:
        assert texts({"a": [{"n": "x"}, {"n": " "}, {"n": 3}, {}, {"n": "y"}]}, "a[].n") == ["x", "y"]

    @pytest.mark.parametrize("value", [None, {}, {"a": None}, {"a": {}}, {"a": "text"}, []])
    def test_value_that_is_not_a_list_has_no_items(self, value: Any) -> None:
        assert each(value, "a[]") == []
        assert texts(value, "a[]") == []


class TestInstant:
    def test_instant_is_in_utc(self) -> None:
        found = instant({"at": "2026-11-20T15:00:00+03:00"}, "at")
        assert found == datetime(2026, 11, 20, 12, tzinfo=UTC)
        assert found.tzinfo is UTC

    def test_bare_date_is_its_first_instant(self) -> None:
        assert instant({"at": "2008-08-18"}, "at") == datetime(2008, 8, 18, tzinfo=UTC)

    def test_no_date_is_none(self) -> None:
        assert instant({"at": "yesterday"}, "at") is None


class TestCounting:
    def test_absent_and_wrong_type_are_counted_by_path(self) -> None:
        with counting() as losses:
            at({}, "a", int)
            at({"a": "1"}, "a", int)
            instant({"when": "soon"}, "when")
            each({"list": [{}, 1, 2]}, "list[]")
            texts({}, "names[]")
        assert losses == {"a": 2, "when": 1, "list[]": 2, "names[]": 1}

    def test_dropped_items_are_counted(self) -> None:
        with counting() as losses:
            assert texts({"names": ["a", " ", 1]}, "names[]") == ["a"]
            assert read_each({"list": [{"n": 1}, {}, 2]}, "list[]", lambda item: item.get("n")) == [1]
        assert losses == {"names[]": 2, "list[]": 2}

    def test_present_values_are_not_counted(self) -> None:
        with counting() as losses:
            at({"a": 1}, "a", int)
            each({"list": []}, "list[]")
            texts({"names": []}, "names[]")
        assert not losses

    def test_an_inner_count_keeps_its_losses(self) -> None:
        with counting() as outer:
            with counting() as inner:
                at({}, "inner", int)
            at({}, "outer", int)
        assert (inner, outer) == ({"inner": 1}, {"outer": 1})


@given(ANYTHING, st.sampled_from(PATHS))
def test_reading_accepts_any_value(value: Any, path: str) -> None:
    assert all(isinstance(item, dict) for item in each(value, path))
    assert all(isinstance(item, str) for item in texts(value, path))
    if "[]" in path:
        return
    instant(value, path)
    for kind in (bool, int, float, str, list, dict):
        found: Any = at(value, path, kind)
        assert found is None or isinstance(found, kind)
        if found is not None:
            assert must(value, path, kind) == found
            continue
        with pytest.raises(ProviderError):
            must(value, path, kind)


@pytest.mark.parametrize(
    "text",
    [
        "0001-01-01T00:00:00Z", "1753-01-01", "1899-12-30T00:00:00Z", "1900-01-01", "1970-01-01T00:00:00Z",
        "1969-12-31T19:00:00-05:00", "2038-01-19T03:14:07Z", "9999-12-31T23:59:59Z", "9999-12-31",
    ],
)  # fmt: skip
def test_placeholder_dates_are_none_and_counted(text: str) -> None:
    with counting() as losses:
        assert instant({"when": text}, "when") is None
    assert losses == {"when": 1}


@pytest.mark.parametrize("text", ["1912-04-15T00:00:00Z", "1971-01-01T00:00:00Z", "2038-01-19T03:14:08Z", "2099-12-31"])
def test_old_and_late_dates_are_kept(text: str) -> None:
    assert instant({"when": text}, "when") is not None


def test_lists_are_reached_without_a_loss() -> None:
    value = {"a": [1, None, 3], "b": {"c": "text"}}
    with counting() as losses:
        assert (reach_list(value, "a"), reach_list(value, "a", 2)) == ([1, None, 3], [1, None])
        assert [reach_list(value, path) for path in ("b", "b.c", "b.d", "a[0]")] == [[], [], [], []]
    assert not losses
