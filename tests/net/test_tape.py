from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from support.clock import ManualClock
from webquarry.core.errors import Absent, ConversionFailed, ProviderError, UnsafeTarget
from webquarry.core.settings import Settings
from webquarry.core.toml import write_values
from webquarry.core.types import Deadline, Politeness, Provider
from webquarry.net import Door, Net
from webquarry.net.player import NoTape, Player
from webquarry.net.tape import Exchange, read_exchanges, write_exchange
from webquarry.net.transport import Request, Response

PROVIDER = Provider(name="page", title="Any page")
FETCHED_AT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def _tape(folder: Path, *exchanges: dict[str, Any]) -> Path:
    whole = [{"method": "GET", "status": 200, "fetched_at": FETCHED_AT, **found} for found in exchanges]
    text = "".join(f"[[exchange]]\n{_lines(found)}" for found in whole)
    (folder / "tape.toml").write_text(text, "utf-8")
    return folder


def _lines(given: dict[str, Any]) -> str:
    tables = ("headers", "request_headers")
    lines = write_values({name: value for name, value in given.items() if name not in tables and value is not None})
    return lines + "".join(write_values(given.get(name, {}), name) for name in tables)


def _playing(folder: Path) -> Net:
    clock = ManualClock()
    return Door(Settings(), clock, Player(read_exchanges(folder))).net(PROVIDER, Deadline.after(30, clock))


async def test_tape_is_replayed_with_its_recorded_time(tmp_path: Path) -> None:
    fields = {"url": "https://example.com", "headers": {"Content-Type": "text/html"}, "text": "grüß"}
    wire = await _playing(_tape(tmp_path, fields)).get("https://EXAMPLE.com/#top")
    assert wire.body == "grüß".encode()
    assert wire.headers == {"content-type": "text/html"}
    assert wire.fetched_at == FETCHED_AT


@pytest.mark.parametrize(
    ("given", "body"),
    [
        ({"text": "text"}, b"text"),
        ({"json": "laid_out.json"}, b'{"a": [1, "\\ud800"]}'),
        ({"body": "page.html"}, b"<p>\xff"),
        ({}, b""),
    ],
)
async def test_body_may_be_given_in_each_of_its_forms(tmp_path: Path, given: dict[str, Any], body: bytes) -> None:
    (tmp_path / "page.html").write_bytes(b"<p>\xff")
    (tmp_path / "laid_out.json").write_text('{\n  "a": [\n    1,\n    "\\ud800"\n  ]\n}\n')
    wire = await _playing(_tape(tmp_path, {"url": "https://example.com/", **given})).get("https://example.com/")
    assert wire.body == body


async def test_posts_are_distinguished_by_their_bodies(tmp_path: Path) -> None:
    url = "https://example.com/api"
    posts = [{"method": "POST", "url": url, "request_body": f"q={n}", "text": str(n)} for n in range(3)]
    net = _playing(_tape(tmp_path, *posts))
    assert (await net.post(url, body=b"q=2", content_type="text/plain")).body == b"2"
    with pytest.raises(NoTape):
        await net.post(url, body=b"q=9", content_type="text/plain")


async def test_redirects_and_statuses_are_played(tmp_path: Path) -> None:
    net = _playing(
        _tape(
            tmp_path,
            {"url": "http://example.com/", "status": 301, "headers": {"Location": "https://example.com/gone"}},
            {"url": "https://example.com/gone", "status": 410},
        )
    )
    with pytest.raises(Absent):
        await net.get("http://example.com/")
    assert [done.status for done in net.exchanges] == [301, 410]


async def test_missing_tape_error_lists_similar_tapes(tmp_path: Path) -> None:
    urls = [f"https://example.com/{n}" for n in range(20)] + ["https://example.org/"]
    net = _playing(_tape(tmp_path, *({"url": url, "text": "x"} for url in urls)))
    with pytest.raises(NoTape) as caught:
        await net.get("https://example.com/99")
    assert (caught.value.reason, caught.value.message) == (
        "unavailable",
        "The sandbox has no sample data for this request.",
    )
    assert caught.value.missing.startswith("No response is recorded for GET https://example.com/99. Recorded: ")
    assert caught.value.missing.endswith("and 12 more.")
    with pytest.raises(NoTape) as caught:
        await net.get("https://elsewhere.example/")
    assert caught.value.missing.endswith("Recorded: example.com, example.org.")


def test_requests_with_tapes_are_listed() -> None:
    assert (
        NoTape("x", ["q=tea", "q=coffee"]).message
        == "The sandbox has no sample data for this request: try q=tea, or q=coffee."
    )


async def test_tape_of_a_failure_does_not_close_the_others(tmp_path: Path) -> None:
    full = {"url": "https://example.com/full", "status": 429, "headers": {"Retry-After": "60"}}
    down = {"url": "https://example.com/down", "fault": "down", "status": None, "fetched_at": None}
    tape = _tape(
        tmp_path,
        full,
        down,
        {"url": "https://example.com/fine", "text": "fine"},
    )
    clock = ManualClock()
    door = Door(Settings(), clock, Player(read_exchanges(tape)))
    provider = Provider(name="slow", title="Slow", politeness=Politeness(spacing_s=60))
    for path, reason in [("full", "refused"), ("down", "down")] * 6:
        with pytest.raises(ProviderError) as caught, door.net(provider, Deadline.after(30, clock)) as net:
            await net.get(f"https://example.com/{path}")
        assert caught.value.reason == reason
    assert (await door.net(provider, Deadline.after(30, clock)).get("https://example.com/fine")).body == b"fine"


@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "http://2130706433/", "http://localhost/", "http://example.com:22/"]
)
async def test_address_rules_apply_before_the_player(tmp_path: Path, url: str) -> None:
    with pytest.raises(UnsafeTarget):
        await _playing(_tape(tmp_path, {"url": url, "text": "never"})).get(url)


async def test_limits_apply_to_tapes(tmp_path: Path) -> None:
    net = _playing(_tape(tmp_path, {"url": "https://example.com/", "text": "0123456789"}))
    with pytest.raises(ConversionFailed):
        await net.get("https://example.com/", max_bytes=9)
    cut = await net.get("https://example.com/", max_bytes=9, truncate=True)
    assert (cut.body, cut.truncated) == (b"012345678", True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"text": "x", "body": "y"}, "its body is set more than once, by body and text"),
        ({"fetched_at": "yesterday"}, "its fetched_at must be a time"),
        ({"status": "200"}, "its status must be a number"),
        ({"body": "none.html"}, r"its body none\.html can't be read"),
        ({"body": "../secret"}, "its body secret can't be read"),
        ({"json": "page.html"}, "is invalid"),
        ({"fault": "tired", "status": None, "fetched_at": None}, "its fault must be one of down, timeout"),
        ({"fault": "down"}, "has the unknown key status"),
        ({"bdy": "x"}, "has the unknown key bdy"),
        ({"method": "PUT"}, "its method must be one of GET"),
        ({"url": None}, r"has no url"),
        ({"url": "nowhere"}, "is invalid"),
    ],
)
def test_incomplete_exchange_is_reported_in_one_sentence_with_its_file(
    tmp_path: Path, given: dict[str, Any], message: str
) -> None:
    (tmp_path / "secret").write_text("secret")
    inner = tmp_path / "case"
    inner.mkdir()
    (inner / "page.html").write_text("<p>")
    fine = {"url": "https://example.com/1", "text": "x"}
    with pytest.raises(ValueError, match=f"exchange 2.* {message}") as caught:
        read_exchanges(_tape(inner, fine, {"url": "https://example.com/", **given}))
    assert str(caught.value).startswith(f"{inner / 'tape.toml'}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "can't be read: No such file"),
        ("[[exchange]\n", "invalid TOML"),
        ("exchanges = []\n", "the tape has the unknown key exchanges; valid keys are exchange"),
        ("exchange = 1\n", r"each exchange must be a table named \[\[exchange\]\]"),
    ],
)
def test_folder_without_a_tape_is_reported_in_one_sentence(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        (tmp_path / "tape.toml").write_text(text)
    with pytest.raises(ValueError, match=f"{message}") as caught:
        read_exchanges(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'tape.toml'}")


async def test_rendered_page_is_replayed(tmp_path: Path) -> None:
    headers = {"Content-Type": "text/html", "Content-Location": "https://example.com/there"}
    page = {"method": "RENDER", "url": "https://example.com/", "headers": headers, "text": "<p>п"}
    net = _playing(_tape(tmp_path, {"url": "https://example.com/", "text": "static"}, page))
    wire = await net.render("https://example.com/")
    assert (wire.body, wire.url, wire.rendered) == ("<p>п".encode(), "https://example.com/there", True)
    assert wire.headers["content-type"] == "text/html; charset=utf-8"
    assert (await net.get("https://example.com/")).body == b"static"
    with pytest.raises(NoTape):
        await net.render("https://example.com/other")


@pytest.mark.parametrize(
    "body", [b"text \xe2\x82\xac", b"\xff\x00 bytes", b"x" * 300_000, b"", b"\x1b\x7f", b"a\r\nb\n", b"'''\n"]
)
def test_written_exchange_is_read_back_unchanged(tmp_path: Path, body: bytes) -> None:
    headers = {"content-type": "text/plain", "x-a": "1"}
    exchanges = [
        Exchange(Request("GET", url, {"accept": "*/*"}), Response(200, headers, content, FETCHED_AT, len(content)))
        for url, content in (("https://example.com/", b"the first"), ("https://example.com/b", body))
    ]
    for number, exchange in enumerate(exchanges, 1):
        write_exchange(tmp_path, number, exchange)
    assert read_exchanges(tmp_path) == exchanges
