from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import TypeAdapter

from webquarry.core.errors import InvalidParams
from webquarry.core.locale import Country
from webquarry.core.parsed_text import ParsedText
from webquarry.core.types import Known, Provider, Wire, best_grade
from webquarry.endpoints.declare import Params, param
from webquarry.endpoints.params import parse, specs


class ItemId(ParsedText, pattern="[a-p]{4}", called="four letters from a to p", example="abcd"):
    """An item by its id."""


def spell_handle(text: str) -> str:
    name = text.removeprefix("@").lower()
    if name == "home":
        raise ValueError("must be a handle, not a page of the site")
    if not name:
        raise ValueError
    return name


class Handle(ParsedText, spell=spell_handle, called="a handle such as nasa", max_length=15):
    """An account by its handle."""


class Either(ParsedText, pattern="a|bc", called="a or bc"): ...


class Asked(Params):
    item: ItemId = param("Item.")
    handle: Handle | None = param("Handle.", default=None, example="nasa")


def test_text_is_normalized() -> None:
    asked = parse(Asked, [("item", "abcd"), ("handle", "@NASA")])
    assert (asked.item, asked.handle) == ("abcd", "nasa")
    assert isinstance(asked.handle, Handle)
    assert asked.model_dump_json() == '{"item":"abcd","handle":"nasa"}'
    assert parse(Asked, [("item", "abcd"), ("handle", "nasa")]) == asked, "one key in the cache"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("item", "abcq", "Parameter 'item' must be four letters from a to p, for example abcd."),
        ("item", "abcdabcd", "Parameter 'item' must be four letters from a to p, for example abcd."),
        ("handle", "@", "Parameter 'handle' must be a handle such as nasa."),
        ("handle", "x" * 16, "Parameter 'handle' must be a handle such as nasa."),
        ("handle", "Home", "Parameter 'handle' must be a handle, not a page of the site."),
    ],
)
def test_other_text_is_refused_with_the_required_form(name: str, text: str, message: str) -> None:
    given = {"item": "abcd", name: text}
    with pytest.raises(InvalidParams) as caught:
        parse(Asked, list(given.items()))
    assert caught.value.message == message


def test_every_interface_shows_the_form() -> None:
    item, handle = specs(Asked)
    assert (item.type, item.pattern, item.max_length, item.example) == ("string", "^[a-p]{4}$", None, "abcd")
    assert item.rule == "must be four letters from a to p, for example abcd"
    assert (handle.pattern, handle.max_length, handle.example) == (None, 15, "nasa")
    schema: dict[str, Any] = TypeAdapter(ItemId).json_schema()
    assert schema == {"type": "string", "pattern": "^[a-p]{4}$"}


def test_pattern_must_match_the_whole_text() -> None:
    assert TypeAdapter(Either).json_schema()["pattern"] == "^(?:a|bc)$"
    assert Either.parse("bc") == "bc"
    for text in ("ac", "abc", "a\n", " a", ""):
        with pytest.raises(ValueError):
            Either.parse(text)


def test_declarations_do_not_share_state() -> None:
    assert ParsedText.traits == {}
    assert Country.traits == {"pattern": "^[A-Za-z]{2}$"}


@pytest.mark.parametrize(
    ("given", "grade"),
    [
        ({}, "open"),
        ({"walled": True}, "often_walled"),
        ({"needs": ("serper_key",)}, "needs_a_key"),
        ({"needs": ("bing",), "walled": True}, "often_walled"),
        ({"needs": ("serper_key",), "unproven": True}, "unproven"),
    ],
)
def test_grade_shows_the_reliability_of_a_source(given: dict[str, Any], grade: str) -> None:
    assert Provider(name="made", title="Made", **given).grade == grade


def test_an_endpoint_has_the_best_grade_of_its_sources() -> None:
    walled, unproven = Provider("a", "A", walled=True), Provider("b", "B", unproven=True)
    assert best_grade([unproven, walled]) == "often_walled"
    assert best_grade([unproven]) == "unproven"
    assert best_grade([]) == "open"


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ({"etag": 'W/"a-1"', "last-modified": "Fri, 27 Nov 2026 02:00:00 GMT"}, {"etag", "last_modified"}),
        ({"etag": "a-1", "last-modified": "Fri,\x0b27"}, set()),
        ({"etag": f'"{"a" * 201}"', "last-modified": "a" * 61}, set()),
        ({"etag": '"a"\r\nX: b"', "last-modified": "\udce9"}, set()),
        ({}, set()),
    ],
)
def test_only_valid_validators_of_a_response_are_used(headers: dict[str, str], found: set[str]) -> None:
    assert Known.list_validators(make_wire(headers)).keys() == found


def test_rendered_page_has_no_validators() -> None:
    assert Known.list_validators(replace(make_wire({"etag": '"a"'}), rendered=True)) == {}


def make_wire(headers: dict[str, str]) -> Wire:
    url = "https://example.com/"
    return Wire(b"", url, url, 200, headers, datetime(2026, 11, 27, tzinfo=UTC))
