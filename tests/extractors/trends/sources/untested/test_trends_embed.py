import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.damage import damaged_text
from support.trends import (
    DATA,
    EMBED,
    LIMITED,
    SORRY,
    data,
    error_page,
    token,
    widget,
)
from support.world import NOW, House, Told, World, query_of, raw_parameter
from webquarry.core.errors import InvalidParams, ProviderError
from webquarry.core.types import Wire
from webquarry.extractors.trends.sources.untested import trends_embed
from webquarry.extractors.trends.sources.untested.trends_embed import TRENDS_EMBED, read_widget
from webquarry.extractors.trends.sources.widgets import Kind, Question
from webquarry.read.embedded import unescaped

COFFEE = Question(("coffee",), "US", "today 12-m", 0, "")
ANSWER = data({"default": {}})
REQUEST = {"time": "2025-11-20 2026-11-20", "userConfig": {"userType": "USER_TYPE_EMBED"}}


def escaped(text: str) -> str:
    r"""Return text as the page's scripts write it: special characters as \xNN, \uNNNN, or after a backslash."""
    signs = {"\\": "\\\\", "'": "\\'", "\n": "\\n"}
    return "".join(
        signs.get(c) or (c if c.isalnum() or c in " :,-_" else f"\\x{ord(c):02x}" if ord(c) < 256 else in_utf_16(c))
        for c in text
    )


def in_utf_16(character: str) -> str:
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def page(node: Any) -> Told:
    script = f"<script>var x = JSON.parse('{escaped(json.dumps(node, ensure_ascii=False))}'); JSON.parse('[]')</script>"
    return Told(200, f"<!doctype html><title>embed</title>{script}".encode(), {"content-type": "text/html"})


def shown(**request: Any) -> Told:
    return page(widget("TIMESERIES", {**REQUEST, **request}, token()))


async def fetch(house: House, kind: Kind = "TIMESERIES", **more: Any) -> Wire:
    with house.net(TRENDS_EMBED) as net:
        return await trends_embed.fetch(COFFEE, kind, net, **more)


def wire(answer: Told) -> Wire:
    return Wire(answer.body, "", "", answer.status, answer.headers, NOW)


async def test_page_and_data_are_requested_without_a_session() -> None:
    house = House(World({EMBED: [shown(note="it's 100 % “tea” \\:")], DATA: [ANSWER]}))
    assert (await fetch(house)).body == ANSWER.body
    asked, data_asked = (request for _, request in house.world.asked)
    assert house.world.paths == [f"{EMBED}TIMESERIES", f"{DATA}multiline"]
    assert raw_parameter(asked, "req") == COFFEE.request
    assert json.loads(raw_parameter(data_asked, "req")) == {**REQUEST, "note": "it's 100 % “tea” \\:"}
    assert query_of(data_asked)["token"] == token()


async def test_only_the_resolution_of_a_request_is_changed() -> None:
    house = House(World({EMBED: [shown(resolution="COUNTRY", z=1)], DATA: [ANSWER]}))
    await fetch(house, "GEO_MAP", resolution="CITY")
    assert json.loads(raw_parameter(house.world.requests(DATA)[0], "req")) == {**REQUEST, "resolution": "CITY", "z": 1}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (shown(userConfig={"userType": "USER_TYPE_EMBED_OVER_QUOTA"}), "refused"),
        (LIMITED, "refused"),
        (SORRY, "blocked"),
        (error_page(503), "refused"),
        (Told(200, b"<!doctype html><p>Hello", {"content-type": "text/html"}), "changed"),
        (Told(200, b"JSON.parse('{bad')", {"content-type": "text/html"}), "changed"),
        (page([1]), "changed"),
        (page({"request": {}}), "changed"),
        (page({"token": "t"}), "changed"),
    ],
)
async def test_page_without_a_widget_is_an_error(answer: Told, reason: str) -> None:
    house = House(World({EMBED: [answer], DATA: [ANSWER]}))
    with pytest.raises(ProviderError) as caught:
        await fetch(house)
    assert caught.value.reason == reason
    assert house.world.requests(DATA) == []


async def test_error_in_the_parameters_is_an_error_of_the_caller() -> None:
    with pytest.raises(InvalidParams):
        await fetch(House(World({EMBED: [error_page(400)]})))


async def test_keyword_with_an_astral_character_is_sent_back_completely() -> None:
    house = House(World({EMBED: [shown(keyword="\U0001f375")], DATA: [ANSWER]}))
    await fetch(house)
    assert json.loads(raw_parameter(house.world.requests(DATA)[0], "req"))["keyword"] == "\U0001f375"


@pytest.mark.parametrize("half", ["\\\\ud83c", "\\ud83c", "\\udf75"])
async def test_half_of_a_character_is_replaced(half: str) -> None:
    script = f'JSON.parse(\'{{"request": {{"k": "{half}"}}, "token": "t"}}\')'
    house = House(World({EMBED: [Told(200, script.encode(), {"content-type": "text/html"})], DATA: [ANSWER]}))
    await fetch(house)
    assert json.loads(raw_parameter(house.world.requests(DATA)[0], "req")) == {"k": "\ufffd"}


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives_its_escapes(text: str) -> None:
    assert unescaped(escaped(text)) == text


@given(st.data())
def test_damaged_pages_give_a_widget_or_raise_an_error(drawn: st.DataObject) -> None:
    text = damaged_text(drawn, shown().body.decode())
    try:
        found = read_widget(wire(Told(200, text.encode())), "TIMESERIES")
    except ProviderError as exc:
        assert exc.reason in ("changed", "refused")  # noqa: PT017  # both ways out are right
    else:
        assert found.token
