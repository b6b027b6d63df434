"""Google's block pages are detected by their URL and by their text."""

import pytest

from support.world import NOW
from webquarry.core.errors import ProviderError
from webquarry.core.types import Wire
from webquarry.providers.google import find_block_page_of, is_captcha, is_consent, refuse_block_pages

HERE = "https://trends.google.com/trends/api"


def wire(body: str = "", url: str = HERE, status: int = 200, **headers: str) -> Wire:
    return Wire(body.encode(), url, url, status, headers, NOW)


@pytest.mark.parametrize(
    "walled",
    [
        wire(url="https://www.google.com/sorry/index?continue=x", status=429),
        wire(url="https://www.google.de/sorry"),
        wire(url="https://sorry.google.com/x"),
        wire(status=302, location="https://www.google.com/sorry/index"),
        wire(status=302, location="/sorry/index"),
        wire("<html>unusual traffic from your computer network"),
        wire('\n<!doctype html><form id="captcha-form">', status=429),
    ],
)
def test_captcha_pauses_the_source_for_everybody_for_ten_minutes(walled: Wire) -> None:
    with pytest.raises(ProviderError, match=r"^Google Maps returned") as caught:
        refuse_block_pages(walled, "Google Maps")
    assert (caught.value.reason, caught.value.retry_after_s) == ("blocked", 600)
    assert (is_captcha(walled), is_consent(walled)) == (True, False)


@pytest.mark.parametrize(
    "walled",
    [
        wire(url="https://consent.google.com/m"),
        wire(url="https://consent.google.de/save"),
        wire(status=302, location="https://consent.google.com/m?continue=x"),
        wire("<title>Before you continue to Google Maps"),
        wire('<form action="https://consent.google.de/save">'),
    ],
)
def test_consent_page_is_blocked_without_a_retry_time(walled: Wire) -> None:
    error = find_block_page_of(walled, "Google")
    assert error is not None
    assert (error.reason, error.retry_after_s) == ("blocked", None)
    assert (is_captcha(walled), is_consent(walled)) == (False, True)


@pytest.mark.parametrize(
    "passed",
    [
        wire(),
        wire(')]}\'["unusual traffic from your computer network", "Before you continue to Google"]'),
        wire("<p>" + " " * 300_000 + "unusual traffic from your computer network"),
        wire(url="https://www.google.com/sorryful"),
        wire(url="https://www.google.com/search?q=/sorry/"),
        wire(status=200, location="https://www.google.com/sorry/index"),
        wire(status=302, location="https://["),
        wire(status=302),
        wire("<title>Error 429 (Too Many Requests)!!1</title>", status=429),
    ],
)
def test_other_responses_are_accepted(passed: Wire) -> None:
    assert find_block_page_of(passed, "Google") is None
    refuse_block_pages(passed, "Google")
