from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.effort import assert_linear
from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.read import json_of
from webquarry.read.block_pages import WALL_WAIT_S, find_block_page_in, unreadable, vendor_mark
from webquarry_convert.marks import SURE

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def wire(
    body: str, url: str = "https://api.example/v1", status: int = 200, headers: Mapping[str, str] | None = None
) -> Wire:
    return Wire(body.encode("utf-8", "replace"), url, url, status, headers or {}, NOW)


@pytest.mark.parametrize(
    ("answer", "vendor"),
    [
        (wire("<html><title>Just a moment...</title><script>window._cf_chl_opt={}</script>"), "Cloudflare"),
        (wire("{}", headers={"cf-mitigated": "challenge"}), "Cloudflare"),
        (wire("<title>Just a moment...</title>"), "Cloudflare"),
        (wire("<p>Our systems have detected unusual traffic from your computer network.</p>"), None),
        (wire("<form id=captcha-form></form>"), None),
        (wire("\n <div class='g-Recaptcha'></div>"), None),
        (wire("<html><body>Please show that you are not a robot</body></html>"), None),
        (wire("<title>Captcha</title><div class=altcha></div>"), None),
        (wire("<h1>Before you continue to Google</h1>"), None),
        (wire("<form action='https://consent.example/save'></form>"), None),
        (wire("", "https://consent.example/ml?continue=x"), None),
        (wire("", "https://a.example/sorry/index?continue=x"), None),
        (wire("", status=302, headers={"location": "/sp/captcha?x=1"}), None),
    ],
)
def test_challenge_in_place_of_data_is_a_block_page(answer: Wire, vendor: str | None) -> None:
    error = find_block_page_in(answer, "The source")
    assert error is not None
    assert (error.reason, error.retry_after_s) == ("blocked", WALL_WAIT_S)
    assert error.message.startswith("The source ")
    assert vendor is None or vendor in error.message


@pytest.mark.parametrize(
    "answer",
    [
        wire(""),
        wire("captcha: unusual traffic"),
        wire('{"message": "unusual traffic", "captcha": true}'),
        wire("<html><body><h1>Service moved</h1><p>Our new address is another one.</p></body></html>"),
        wire("<html><body><script>var captcha = 'unusual traffic';</script>Nothing here.</body></html>"),
        wire(f"<p>{'A long page of results. ' * 200}</p><p>unusual traffic</p>"),
        wire("", status=302, headers={"location": "http://["}),
        wire("", status=200, headers={"location": "/sp/captcha"}),
    ],
)
def test_any_other_response_is_a_changed_response(answer: Wire) -> None:
    error = unreadable(answer, "The source", "It has changed.")
    assert (error.reason, error.message) == ("changed", "It has changed.")


@pytest.mark.parametrize("mark", SURE, ids=lambda mark: mark.sign)
def test_every_mark_of_a_vendor_is_known_to_sources_of_json(mark: object) -> None:
    sign = getattr(mark, "sign", "")
    with pytest.raises(ProviderError) as caught:
        json_of(wire(f"<html><body><!-- {sign} --></body></html>"))
    assert caught.value.reason == "blocked"


def test_response_that_is_neither_json_nor_a_block_page_is_changed() -> None:
    with pytest.raises(ProviderError) as caught:
        json_of(wire("<html><body>Hello</body></html>"))
    assert caught.value.reason == "changed"


def test_words_alone_are_not_a_mark_of_a_vendor() -> None:
    assert vendor_mark(wire("<p>unusual traffic; solve the captcha</p>")) is None


@given(st.text(max_size=200), st.sampled_from(["", "<", "<title>", "<form action=", "<div class='captcha"]))
def test_any_body_is_judged(text: str, before: str) -> None:
    error = find_block_page_in(wire(before + text), "S")
    assert error is None or error.reason == "blocked"


@pytest.mark.parametrize("piece", ["<title>", "<div class=captch>", "<p>captcha ", "<form action=x>", "\u2026"])
def test_judging_takes_linear_time(piece: str) -> None:
    def prepared(size: int) -> Callable[[], object]:
        found = wire("<html>" + piece * size)
        return lambda: find_block_page_in(found, "S")

    assert_linear(prepared, 5_000)
