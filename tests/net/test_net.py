import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from support.clock import ManualClock
from support.origin import Asked, Origin, answer
from support.processes import no_more_files
from webquarry.core.clock import SystemClock
from webquarry.core.errors import Absent, ConversionFailed, Overloaded, ProviderError, UnsafeTarget
from webquarry.core.metrics import Metrics
from webquarry.core.parsed_text import Url
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Politeness, Provider
from webquarry.core.urls import normalise_url
from webquarry.engine import show_politeness
from webquarry.net import ANY_STATUS, Door, Net
from webquarry.net import net as net_module
from webquarry.net.breaker import LONGEST_WAIT_S, Place
from webquarry.net.cookies import MAX_COOKIES
from webquarry.net.rendering import Rendered

PROVIDER = Provider(name="page", title="Any page")
OpenDoor = Callable[..., Door]


CALLERS = Provider("chosen", "Any address", callers_choose=True)


def _soon() -> Deadline:
    return Deadline.after(10, SystemClock())


def _net(door: Door, provider: Provider = PROVIDER, seconds: float = 10) -> Net:
    return door.net(provider, Deadline.after(seconds, SystemClock()))


def _to(location: str, status: int = 302) -> bytes:
    return answer(status, b"moved", {"Location": location})


class TestAnswers:
    async def test_wire_describes_the_response(self, origin: Origin, net: Net) -> None:
        url = origin.on("/a", answer(200, b"hello", {"Content-Type": "Text/Plain; charset=x", "X-A": "1"}))
        before = datetime.now(UTC)
        wire = await net.get(url + "?q=1#part")
        assert (wire.body, wire.status, wire.truncated) == (b"hello", 200, False)
        assert (wire.url, wire.requested_url) == (url + "?q=1", url + "?q=1")
        assert wire.headers == {"content-type": "Text/Plain; charset=x", "x-a": "1"}
        assert wire.content_type == "text/plain"
        assert before <= wire.fetched_at <= datetime.now(UTC)

    async def test_checked_url_is_not_normalized_again(
        self, origin: Origin, net: Net, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        normalised = Mock(wraps=normalise_url)
        monkeypatch.setattr(net_module, "normalise_url", normalised)
        checked = Url.parse(origin.on("/a", answer(200, b"hello")) + "#part")
        wire = await net.get(checked)
        assert (wire.url, normalised.call_count) == (checked, 0)
        await net.get(f"{checked}#part")
        assert normalised.call_count == 1

    @pytest.mark.parametrize("status", [404, 410])
    async def test_absent_status_is_absent(self, origin: Origin, net: Net, status: int) -> None:
        with pytest.raises(Absent, match=str(status)):
            await net.get(origin.on("/", answer(status)))

    @pytest.mark.parametrize("status", [204, 304, 400, 401, 403, 429, 500, 503, 599])
    async def test_other_status_is_refused(self, origin: Origin, net: Net, status: int) -> None:
        with pytest.raises(ProviderError, match=str(status)) as caught:
            await net.get(origin.on("/", answer(status)))
        assert caught.value.reason == "refused"

    async def test_accepted_statuses_are_chosen_by_the_caller(self, origin: Origin, net: Net) -> None:
        origin.on("/", answer(404, b"body of it"))
        assert (await net.get(origin.url(), ok_on=ANY_STATUS)).body == b"body of it"
        assert (await net.get(origin.url(), ok_on=(404,))).status == 404
        with pytest.raises(Absent):
            await net.get(origin.on("/gone", answer(451)), absent_on=(451,))

    @pytest.mark.parametrize("form", ["seconds", "date"])
    async def test_retry_after_is_passed_on(self, origin: Origin, net: Net, form: str) -> None:
        value = "30" if form == "seconds" else format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
        with pytest.raises(ProviderError) as caught:
            await net.get(origin.on("/", answer(429, b"", {"Retry-After": value})))
        assert caught.value.retry_after_s == pytest.approx(30, abs=3)

    @pytest.mark.parametrize(("wait_s", "given"), [(0.0, "1"), (2.1, "3"), (30.0, "30")])
    def test_wait_is_given_in_whole_seconds_rounded_up(self, wait_s: float, given: str) -> None:
        error = ProviderError("It is busy.", reason="refused", retry_after_s=wait_s)
        assert error.headers()["Retry-After"] == given

    @pytest.mark.parametrize("value", ["601", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
    async def test_retry_after_is_no_longer_than_the_longest_wait(self, origin: Origin, net: Net, value: str) -> None:
        with pytest.raises(ProviderError) as caught:
            await net.get(origin.on("/", answer(429, b"", {"Retry-After": value})))
        assert caught.value.retry_after_s == LONGEST_WAIT_S

    @pytest.mark.parametrize(
        "value",
        [
            *("soon", "", "-1", "Wed, 99 Foo 2020", "1e9", "Wed, 21 Oct 2015 07:28:00"),
            "Mon, 01 Jan 2024 00:00:00 +9999999999999999",
            "Mon, 01 Jan 0001 00:00:00 +2359",
            "Mon, 01 Jan 99999999999999999999 00:00:00 GMT",
        ],
    )
    async def test_invalid_retry_after_is_ignored(self, origin: Origin, net: Net, value: str) -> None:
        with pytest.raises(ProviderError) as caught:
            await net.get(origin.on("/", answer(429, b"", {"Retry-After": value})))
        assert not caught.value.retry_after_s

    async def test_limits_are_the_settings_unless_given(self, origin: Origin, open_door: OpenDoor) -> None:
        url = origin.on("/", answer(200, b"x" * (1 << 20) + b"y"))
        net = _net(open_door(origin, page_wire_mb=1))
        with pytest.raises(ConversionFailed):
            await net.get(url)
        assert (await net.get(url, truncate=True)).truncated
        assert not (await net.get(url, max_wire_bytes=2 << 20)).truncated

    @pytest.mark.parametrize(
        "url", ["ftp://example.com/", "no address", "http://", "http://a b/", "file:///etc/passwd"]
    )
    async def test_invalid_address_is_an_error_of_the_provider(self, net: Net, url: str) -> None:
        with pytest.raises(ProviderError) as caught:
            await net.get(url)
        assert caught.value.reason == "changed"

    async def test_deadline_that_has_passed_is_a_timeout(self, origin: Origin, open_door: OpenDoor) -> None:
        with pytest.raises(ProviderError) as caught:
            await _net(open_door(origin), seconds=0).get(origin.url())
        assert caught.value.reason == "timeout"


class TestRequests:
    async def test_user_agent_is_honest(self, origin: Origin, open_door: OpenDoor) -> None:
        origin.on("/", answer())
        await _net(open_door(origin, user_agent="Quarry/1 (+https://q.example)")).get(origin.url(), accept="text/html")
        assert origin.requests[0].headers["user-agent"] == "Quarry/1 (+https://q.example)"
        assert origin.requests[0].headers["accept"] == "text/html"

    async def test_headers_of_the_request_override_provider_headers(self, origin: Origin, open_door: OpenDoor) -> None:
        origin.on("/", answer())
        provider = Provider("p", "P", headers={"user-agent": "Browser-like", "X-A": "provider", "X-B": "provider"})
        await _net(open_door(origin), provider).get(origin.url(), headers={"x-a": "call"})
        seen = origin.requests[0].headers
        assert (seen["user-agent"], seen["x-a"], seen["x-b"]) == ("Browser-like", "call", "provider")

    async def test_post_sends_its_body(self, origin: Origin, net: Net) -> None:
        origin.on("/", answer(200, b"ok"))
        await net.post(origin.url(), body=b'{"a":1}', content_type="application/json")
        asked = origin.requests[0]
        assert (asked.method, asked.body, asked.headers["content-type"]) == ("POST", b'{"a":1}', "application/json")

    async def test_secrets_are_sent_and_appear_nowhere(self, origin: Origin, open_door: OpenDoor) -> None:
        origin.on("/a", _to("/b"))
        origin.on("/b", answer(200, b"ok"))
        net = _net(open_door(origin))
        with capture_logs() as logs:
            wire = await net.get(origin.url("/a?q=1"), secrets={"key": "s&crt="})
        assert [asked.target for asked in origin.requests] == ["/a?q=1&key=s%26crt%3D", "/b"]
        assert (wire.requested_url, wire.url) == (origin.url("/a?q=1"), origin.url("/b"))
        assert "s&crt" not in repr((wire, logs, net.exchanges))

    @pytest.mark.parametrize("on", [True, False])
    async def test_browser_headers_are_sent_unless_they_are_turned_off(
        self, origin: Origin, open_door: OpenDoor, on: bool
    ) -> None:
        plain = {"User-Agent": "Mozilla/5.0", "Accept": "text/html", "Accept-Language": "en-US"}
        net = _net(
            open_door(browser_headers=on, egress_allow=(origin.target,)), Provider("p", "P", browser_headers=plain)
        )
        await net.get(origin.on("/", answer(200)), headers={"Accept-Language": "de"})
        found = origin.requests[-1].headers
        assert found["user-agent"].startswith("Mozilla/5.0" if on else "Webquarry/")
        assert (found["accept"], found["accept-language"]) == ("text/html" if on else "*/*", "de")

    def test_only_known_browser_headers_may_be_declared(self) -> None:
        with pytest.raises(ValueError, match="browser header Sec-Fetch-Mode must not be sent"):
            Provider("p", "P", browser_headers={"User-Agent": "Mozilla/5.0", "Sec-Fetch-Mode": "navigate"})

    async def test_provider_sees_the_settings_that_it_declares(self, open_door: OpenDoor) -> None:
        provider = Provider("p", "P", needs=("brave_key",), uses=("serper_key",))
        net = _net(open_door(brave_key="b", gemini_key="g"), provider)
        assert (net.setting("brave_key"), net.setting("serper_key")) == ("b", "")
        with pytest.raises(LookupError):
            net.setting("gemini_key")


class TestCookies:
    """Uses `localhost`, because an address has no cookies."""

    PROVIDER = Provider("p", "P", keeps_cookies=True)

    @staticmethod
    def _door(origin: Origin, open_door: OpenDoor) -> tuple[Door, str]:
        port = origin.target.rpartition(":")[2]
        return open_door(egress_allow=(origin.target, f"localhost:{port}")), f"http://localhost:{port}"

    async def test_cookies_are_sent_by_later_requests(self, origin: Origin, open_door: OpenDoor) -> None:
        door, site = self._door(origin, open_door)
        origin.on("/refused", answer(429, b"", {"Set-Cookie": "sid=1; Path=/"}))
        origin.on("/", answer())
        first = _net(door, self.PROVIDER)
        assert first.cookie(site, "sid") is None
        with pytest.raises(ProviderError):
            await first.get(f"{site}/refused")
        second = _net(door, self.PROVIDER)
        assert second.cookie(site, "sid") == "1"
        await second.get(f"{site}/", cookies={"lang": "en"})
        await second.get(f"{site}/", cookies={"sid": "own"})
        await second.get(origin.url())
        assert [asked.headers.get("cookie") for asked in origin.requests] == [None, "lang=en; sid=1", "sid=own", None]

    async def test_every_set_cookie_field_is_read(self, origin: Origin, open_door: OpenDoor) -> None:
        door, site = self._door(origin, open_door)
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n"
        origin.on("/", head)
        net = _net(door, self.PROVIDER)
        await net.get(f"{site}/")
        assert (net.cookie(site, "a"), net.cookie(site, "b")) == ("1", "2")

    async def test_redirect_sends_the_cookies_it_set(self, origin: Origin, open_door: OpenDoor) -> None:
        door, site = self._door(origin, open_door)
        origin.on("/a", answer(302, b"", {"Location": "/b", "Set-Cookie": "a=1"}))
        origin.on("/b", answer())
        await _net(door, self.PROVIDER).get(f"{site}/a")
        assert origin.requests[1].headers["cookie"] == "a=1"

    async def test_other_providers_do_not_get_the_cookies(self, origin: Origin, open_door: OpenDoor) -> None:
        door, site = self._door(origin, open_door)
        origin.on("/", answer(200, b"", {"Set-Cookie": "a=1"}))
        await _net(door, self.PROVIDER).get(f"{site}/")
        for provider in (Provider("q", "Q", keeps_cookies=True), Provider("r", "R")):
            net = _net(door, provider)
            await net.get(f"{site}/")
            assert "cookie" not in origin.requests[-1].headers
        assert net.cookie(site, "a") is None

    async def test_new_session_has_no_cookies(self, origin: Origin, open_door: OpenDoor) -> None:
        door, site = self._door(origin, open_door)
        origin.on("/", answer(200, b"", {"Set-Cookie": "a=1"}))
        net = _net(door, self.PROVIDER)
        await net.get(f"{site}/")
        net.forget_cookies()
        assert net.cookie(site, "a") is None

    async def test_flood_of_cookies_is_not_kept(self, origin: Origin, open_door: OpenDoor) -> None:
        door, site = self._door(origin, open_door)
        for first in range(0, MAX_COOKIES + 50, 50):
            lines = "".join(f"Set-Cookie: c{n}=1\r\n" for n in range(first, first + 50))
            origin.on("/", f"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n{lines}\r\n".encode())
            await _net(door, self.PROVIDER).get(f"{site}/")
        assert _net(door, self.PROVIDER).cookie(site, "c0") is None


class TestRule:
    async def test_private_target_is_refused_and_never_visited(self, origin: Origin, open_door: OpenDoor) -> None:
        origin.on("/", answer(200, b"secret"))
        with pytest.raises(UnsafeTarget):
            await _net(open_door(egress_ports=(origin.port,))).get(origin.url())
        assert origin.connections == 0
        assert (await _net(open_door(origin)).get(origin.url())).body == b"secret"
        assert origin.connections == 1

    async def test_redirect_to_a_private_address_is_refused(self, origin: Origin, open_door: OpenDoor) -> None:
        async with Origin() as secret:
            secret.on("/", answer(200, b"secret"))
            url = origin.on("/", _to(secret.url()))
            with pytest.raises(UnsafeTarget):
                await _net(open_door(origin, egress_ports=(secret.port,))).get(url)
            assert secret.connections == 0
            assert (await _net(open_door(origin, secret)).get(url)).body == b"secret"
            assert secret.connections == 1

    @pytest.mark.parametrize(
        "location",
        [
            "http://169.254.169.254/latest/meta-data/",
            "http://0x7f.1/",
            "//2130706433/",
            "http://[::1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://localhost/",
            "https://example.com:22/",
            "file:///etc/passwd",
            "ftp://example.com/",
            "gopher://127.0.0.1:6379/_x",
            "javascript:alert(1)",
            "data:text/html,x",
        ],
    )
    async def test_redirect_off_the_public_web_is_refused(self, origin: Origin, net: Net, location: str) -> None:
        with pytest.raises(UnsafeTarget):
            await net.get(origin.on("/", _to(location)))


class TestRedirects:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    async def test_redirect_is_followed(self, origin: Origin, net: Net, status: int) -> None:
        url = origin.on("/a", _to("b?x=1#there", status))
        origin.on("/b", answer(200, b"there"))
        wire = await net.get(url)
        assert (wire.body, wire.requested_url, wire.url) == (b"there", url, origin.url("/b?x=1"))

    async def test_redirect_is_returned_if_not_followed(self, origin: Origin, net: Net) -> None:
        wire = await net.get(origin.on("/", _to("/elsewhere")), follow=False, ok_on=(302,))
        assert (wire.status, wire.headers["location"], wire.body) == (302, "/elsewhere", b"moved")

    async def test_at_most_ten_redirects_are_followed(self, origin: Origin, net: Net) -> None:
        for n in range(11):
            origin.on(f"/{n}", _to(f"/{n + 1}"))
        origin.on("/11", answer(200, b"end"))
        assert (await net.get(origin.url("/1"))).body == b"end"
        with pytest.raises(ProviderError, match="endlessly"):
            await net.get(origin.url("/0"))

    async def test_redirect_loop_ends_immediately(self, origin: Origin, net: Net) -> None:
        origin.on("/a", _to("/b"))
        origin.on("/b", _to("/a"))
        with pytest.raises(ProviderError, match="endlessly"):
            await net.get(origin.url("/a"))
        assert len(origin.requests) == 2

    @pytest.mark.parametrize("location", ["", "http://", "http://[::1", "http://a..b:x/", "http://u:p@example.com/"])
    async def test_redirect_without_a_target_is_refused(self, origin: Origin, net: Net, location: str) -> None:
        with pytest.raises(ProviderError) as caught:
            await net.get(origin.on("/", _to(location)))
        assert caught.value.reason == "refused"

    @pytest.mark.parametrize(("location", "target"), [("/a b", "/a%20b"), ("/ü", "/%C3%BC"), ("/\udcfc", "/%FC")])
    async def test_invalid_location_is_read_like_in_browsers(
        self, origin: Origin, net: Net, location: str, target: str
    ) -> None:
        origin.on("/", _to(location))
        origin.on(target, answer(200, b"found"))
        assert (await net.get(origin.url())).body == b"found"

    async def test_credentials_stay_with_their_origin(self, origin: Origin, open_door: OpenDoor) -> None:
        async with Origin() as other:
            origin.on("/a", _to("/b"))
            origin.on("/b", _to(other.url("/c")))
            other.on("/c", answer())
            secrets = {"Authorization": "Bearer x", "Cookie": "a=b", "X-Api-Key": "k", "Accept-Language": "de"}
            await _net(open_door(origin, other)).get(origin.url("/a"), headers=secrets)
            assert origin.requests[1].headers["x-api-key"] == "k"
            assert other.requests[0].headers["accept-language"] == "de"
            assert not {"authorization", "cookie", "x-api-key"} & other.requests[0].headers.keys()

    @pytest.mark.parametrize(
        ("status", "method"), [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")]
    )
    async def test_redirected_post_becomes_get_where_required(
        self, origin: Origin, net: Net, status: int, method: str
    ) -> None:
        origin.on("/a", _to("/b", status))
        origin.on("/b", answer())
        await net.post(origin.url("/a"), body=b"q=1", content_type="text/plain")
        asked = origin.requests[1]
        assert (asked.method, asked.body) == (method, b"q=1" if method == "POST" else b"")
        assert ("content-type" in asked.headers) == (method == "POST")


class TestRobots:
    @pytest.fixture
    def asked_rules(self, origin: Origin) -> list[Asked]:
        origin.on("/robots.txt", answer(200, b"User-agent: *\nDisallow: /private"))
        origin.on("/open", answer(200, b"open"))
        origin.on("/private/x", answer(200, b"private"))
        return origin.requests

    async def test_robots_txt_is_not_requested_by_default(
        self, origin: Origin, net: Net, asked_rules: list[Asked]
    ) -> None:
        assert (await net.get(origin.url("/private/x"), robots=True)).body == b"private"
        assert len(asked_rules) == 1

    async def test_robots_txt_is_respected_if_enabled(
        self, origin: Origin, open_door: OpenDoor, asked_rules: list[Asked]
    ) -> None:
        net = _net(open_door(origin, robots="respect"))
        assert (await net.get(origin.url("/open"), robots=True)).body == b"open"
        with pytest.raises(ProviderError, match=r"robots\.txt"):
            await net.get(origin.url("/private/x"), robots=True)
        assert [asked.target for asked in asked_rules] == ["/robots.txt", "/open"]

    async def test_redirect_to_a_disallowed_path_is_not_followed(
        self, origin: Origin, open_door: OpenDoor, asked_rules: list[Asked]
    ) -> None:
        origin.on("/way", _to("/private/x"))
        with pytest.raises(ProviderError, match=r"robots\.txt"):
            await _net(open_door(origin, robots="respect")).get(origin.url("/way"), robots=True)

    async def test_robots_txt_is_requested_once_per_origin(
        self, origin: Origin, open_door: OpenDoor, asked_rules: list[Asked]
    ) -> None:
        door = open_door(origin, robots="respect")
        for _ in range(3):
            await _net(door).get(origin.url("/open"), robots=True)
        assert [asked.target for asked in asked_rules].count("/robots.txt") == 1

    async def test_rules_can_be_read_whatever_the_setting(
        self, origin: Origin, net: Net, asked_rules: list[Asked]
    ) -> None:
        origin.on("/robots.txt", answer(200, b"Sitemap: /map.xml\nUser-agent: *\nDisallow: /private\nCrawl-delay: 2"))
        for _ in range(2):
            rules = await net.robots_rules(origin.url("/open"))
            assert (rules.sitemaps, rules.crawl_delay_s) == (("/map.xml",), 2.0)
            assert not rules.allows(origin.url("/private/x"))
        assert [asked.target for asked in asked_rules] == ["/robots.txt"]

    async def test_missing_robots_txt_allows_everything(self, origin: Origin, open_door: OpenDoor) -> None:
        origin.on("/x", answer(200, b"x"))
        net = _net(open_door(origin, robots="respect"))
        assert (await net.get(origin.url("/x"), robots=True)).body == b"x"

    async def test_unreadable_robots_txt_allows_nothing(self, origin: Origin, open_door: OpenDoor) -> None:
        origin.on("/robots.txt", answer(503))
        origin.on("/x", answer(200, b"x"))
        with pytest.raises(ProviderError, match="503"):
            await _net(open_door(origin, robots="respect")).get(origin.url("/x"), robots=True)


class TestRecords:
    async def test_every_exchange_is_recorded(self, origin: Origin, net: Net) -> None:
        origin.on("/a", _to("/b"))
        origin.on("/b", answer(200, b"12345"))
        await net.get(origin.url("/a"))
        with pytest.raises(UnsafeTarget):
            await net.get("http://10.0.0.1/")
        assert [(v.host, v.status, v.wire_bytes, v.reason) for v in net.exchanges] == [
            ("127.0.0.1", 302, 0, None),
            ("127.0.0.1", 200, 5, None),
        ]

    async def test_failed_exchange_is_recorded_with_its_reason(self, open_door: OpenDoor) -> None:
        async with Origin() as gone:
            pass
        net = _net(open_door(gone))
        with pytest.raises(ProviderError):
            await net.get(gone.url())
        assert [(v.status, v.reason) for v in net.exchanges] == [(None, "down")]

    async def test_log_has_the_host_and_never_the_url(self, origin: Origin, net: Net) -> None:
        origin.on("/secret-path", answer(200, b"12345"))
        with capture_logs() as logs:
            await net.get(origin.url("/secret-path?token=x"))
        fetches = [entry for entry in logs if entry["event"] == "fetch"]
        assert [(e["host"], e["status"], e["bytes"]) for e in fetches] == [("127.0.0.1", 200, 5)]
        assert "secret" not in str(logs)
        assert "token" not in str(logs)


class Made:
    """A browser that returns a given result for every page and records the requests."""

    def __init__(self, given: Rendered | Exception) -> None:
        self.outcome = given
        self.asked: list[tuple[str, float]] = []
        self.accounts: list[str] = []

    async def render(self, url: str, deadline: Deadline, account: str = "") -> Rendered:
        self.asked.append((url, deadline.remaining_s))
        self.accounts.append(account)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


def _page(text: str = "<p>made", url: str = "https://example.com/there#top", status: int = 200) -> Rendered:
    headers = {"content-type": "text/html; charset=koi8-r", "x-a": "1"}
    return Rendered(text, url, status, headers, datetime(2026, 11, 1, tzinfo=UTC), 3, 4_000, True)


class TestRendering:
    def _door(self, given: Rendered | Exception) -> tuple[Door, Made]:
        browser = Made(given)
        return Door(Settings(), SystemClock(), browser=browser), browser

    async def test_wire_has_the_rendered_page(self) -> None:
        door, browser = self._door(_page("<p>п \ud83d", status=503))
        net = _net(door)
        wire = await net.render("https://EXAMPLE.com/here#part", net.deadline.within(5))
        assert (wire.url, wire.requested_url) == ("https://example.com/there", "https://example.com/here")
        assert (wire.status, wire.rendered, wire.fetched_at) == (503, True, datetime(2026, 11, 1, tzinfo=UTC))
        assert wire.body == "<p>п ?".encode()
        assert wire.headers == {"content-type": "text/html; charset=utf-8", "x-a": "1"}
        assert browser.asked[0][0] == "https://example.com/here"
        assert 4 < browser.asked[0][1] <= 5

    async def test_page_is_rendered_for_the_account_that_made_the_request(self) -> None:
        door, browser = self._door(_page())
        await door.net(PROVIDER, Deadline.after(10, SystemClock()), "ac_1").render("https://example.com/")
        assert browser.accounts == ["ac_1"]

    async def test_rendering_is_recorded_and_logged_without_its_address(self) -> None:
        door, browser = self._door(_page())
        net = _net(door)
        with capture_logs() as logs:
            await net.render("https://example.com/secret?token=x")
            browser.outcome = ProviderError("It was not rendered in time.", reason="timeout")
            with pytest.raises(ProviderError):
                await net.render("https://example.com/secret?token=x")
        assert [(v.rendered, v.status, v.wire_bytes, v.reason) for v in net.exchanges] == [
            (True, 200, 4_000, None),
            (True, None, 0, "timeout"),
        ]
        assert [entry["event"] for entry in logs] == ["render", "render"]
        assert "secret" not in str(logs)

    @pytest.mark.parametrize("url", ["http://10.0.0.1/", "http://localhost/", "http://example.com:22/"])
    async def test_address_is_checked_before_the_browser_is_used(self, url: str) -> None:
        door, browser = self._door(_page())
        with pytest.raises(UnsafeTarget):
            await _net(door).render(url)
        assert browser.asked == []

    async def test_service_without_a_browser_reports_it(self, open_door: OpenDoor) -> None:
        with pytest.raises(ProviderError, match="this service has none") as caught:
            await _net(open_door()).render("https://example.com/")
        assert caught.value.reason == "unavailable"

    async def test_host_whose_pages_crash_browsers_is_paused(self) -> None:
        door, browser = self._door(ProviderError("The page crashed.", reason="down"))
        for _ in range(6):
            with pytest.raises(ProviderError), _net(door) as net:
                await net.render("https://example.com/")
        assert len(browser.asked) == 5

    async def test_host_is_not_blamed_for_the_browser(self) -> None:
        door, browser = self._door(ProviderError("There is no browser.", reason="unavailable"))
        for _ in range(6):
            with pytest.raises(ProviderError), _net(door) as net:
                await net.render("https://example.com/")
        assert len(browser.asked) == 6
        assert door.admission.breakers.states() == []

    async def test_page_that_ends_at_an_invalid_address_is_an_error_of_the_provider(self) -> None:
        door, _ = self._door(_page(url="about:blank"))
        with pytest.raises(ProviderError) as caught:
            await _net(door).render("https://example.com/")
        assert caught.value.reason == "changed"


class TestBreakers:
    async def test_failing_host_is_paused(self, origin: Origin, open_door: OpenDoor) -> None:
        door = open_door(origin)
        url = origin.on("/", answer(500))
        for _ in range(5):
            with pytest.raises(ProviderError), _net(door) as net:
                await net.get(url)
        with pytest.raises(ProviderError, match="is paused") as caught, _net(door) as net:
            await net.get(url)
        assert caught.value.reason == "refused"
        assert len(origin.requests) == 5

    async def test_other_host_is_not_paused(self, origin: Origin, open_door: OpenDoor) -> None:
        async with Origin("127.0.0.2") as other:
            door = open_door(origin, other)
            origin.on("/", answer(429, b"", {"Retry-After": "60"}))
            other.on("/", answer(200, b"fine"))
            with pytest.raises(ProviderError), _net(door) as net:
                await net.get(origin.url())
            assert (await _net(door).get(other.url())).body == b"fine"

    async def test_block_pages_that_a_provider_detects_count(self, origin: Origin, open_door: OpenDoor) -> None:
        door = open_door(origin)
        url = origin.on("/", answer(200, b"captcha"))

        async def attempt() -> None:
            with _net(door) as net:
                await net.get(url)
                raise ProviderError("a wall", reason="blocked")

        for _ in range(5):
            with pytest.raises(ProviderError):
                await attempt()
        assert [(c.state, c.reason) for c in door.admission.breakers.states()] == [("open", "blocked")]

    async def test_success_resets_the_failures(self, origin: Origin, open_door: OpenDoor) -> None:
        door = open_door(origin)
        for _ in range(4):
            with pytest.raises(ProviderError), _net(door) as net:
                await net.get(origin.on("/", answer(500)))
        with pytest.raises(Absent), _net(door) as net:
            await net.get(origin.on("/", answer(404)))
        assert door.admission.breakers.states() == []

    async def test_probe_may_need_several_requests(self, origin: Origin) -> None:
        clock = ManualClock()
        door = Door(Settings(egress_allow=(origin.target,)), clock)
        for _ in range(5):
            door.admission.breakers.failed(Place(PROVIDER.name, origin.url("")), ProviderError("x", reason="down"))
        clock.advance(20)
        origin.on("/a", _to("/b"))
        origin.on("/b", answer(200, b"well again"))
        with door.net(PROVIDER, Deadline.after(10, clock)) as net:
            assert (await net.get(origin.url("/a"))).body == b"well again"
        await door.close()
        assert door.admission.breakers.states() == []

    async def test_invalid_urls_of_one_account_do_not_affect_another(self, origin: Origin, open_door: OpenDoor) -> None:
        async with Origin() as gone:
            pass
        door = open_door(origin, gone)
        origin.on("/fine", answer(200, b"fine"))
        origin.on("/busy", answer(429, b"", {"Retry-After": "600"}))
        for url in [gone.url(), origin.url("/busy")] * 6:
            with pytest.raises(ProviderError), door.net(CALLERS, _soon(), "anna") as net:
                await net.get(url)
        for url in (gone.url(), origin.url("/fine")):
            with pytest.raises(ProviderError, match="is paused"), door.net(CALLERS, _soon(), "anna") as net:
                await net.get(url)
        with door.net(CALLERS, _soon(), "ben") as net:
            assert (await net.get(origin.url("/fine"))).body == b"fine"
        with pytest.raises(ProviderError, match="refused the connection"), door.net(CALLERS, _soon(), "ben") as net:
            await net.get(gone.url())

    async def test_refused_paths_do_not_close_other_paths(self, origin: Origin, open_door: OpenDoor) -> None:
        door = open_door(origin)
        origin.on("/fine", answer(200, b"fine"))
        for status in [403, 500] * 5:
            with pytest.raises(ProviderError), door.net(CALLERS, _soon(), "anna") as net:
                await net.get(origin.on("/odd", answer(status)))
        with door.net(CALLERS, _soon(), "anna") as net:
            assert (await net.get(origin.url("/fine"))).body == b"fine"

    async def test_missing_file_descriptors_are_overloaded_and_blame_no_host(
        self, origin: Origin, open_door: OpenDoor
    ) -> None:
        door = open_door(origin)
        url = origin.on("/fine", answer(200, b"fine"))
        with no_more_files():
            for _ in range(12):
                with pytest.raises(Overloaded), door.net(CALLERS, _soon(), "anna") as net:
                    await net.get(url)
        with door.net(CALLERS, _soon(), "anna") as net:
            assert (await net.get(url)).body == b"fine"

    async def test_refusals_by_the_service_are_not_counted(self, origin: Origin, open_door: OpenDoor) -> None:
        door = open_door(origin, robots="respect")
        origin.on("/robots.txt", answer(200, b"User-agent: *\nDisallow: /"))
        for _ in range(6):
            with pytest.raises(ProviderError, match=r"robots\.txt"), _net(door) as net:
                await net.get(origin.url("/x"), robots=True)
        assert door.admission.breakers.states() == []


class TestManners:
    async def test_slot_beyond_the_deadline_is_skipped_immediately(self, origin: Origin) -> None:
        provider = Provider("slow", "Slow", politeness=Politeness(spacing_s=60))
        clock = ManualClock()
        door = Door(Settings(egress_allow=(origin.target,)), clock)
        origin.on("/", answer())
        await door.net(provider, Deadline.after(30, clock)).get(origin.url())
        with pytest.raises(ProviderError, match="rate-limited") as caught:
            await door.net(provider, Deadline.after(30, clock)).get(origin.url())
        await door.close()
        assert caught.value.retry_after_s == 60
        assert len(origin.requests) == 1

    async def test_concurrent_requests_per_host_are_limited(self, origin: Origin, open_door: OpenDoor) -> None:
        under_way: list[int] = []
        now = 0

        async def busy(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            nonlocal now
            now += 1
            under_way.append(now)
            await asyncio.sleep(0.005)
            now -= 1
            writer.write(answer(200, b"x"))

        url = origin.on("/", busy)
        net = _net(open_door(origin, host_concurrency=3))
        await asyncio.gather(*(net.get(url) for _ in range(12)))
        assert max(under_way) == 3


async def test_politeness_is_in_the_metrics(origin: Origin, open_door: OpenDoor) -> None:
    port = origin.target.rpartition(":")[2]
    door, metrics = open_door(egress_allow=(f"localhost:{port}",)), Metrics()
    show_politeness(door, metrics)
    provider = Provider("polite", "P", Politeness(spacing_s=0.2, concurrency=1), keeps_cookies=True)
    origin.on("/secret", answer(503, b"", {"Set-Cookie": "a=1; Path=/"}))

    async def visit() -> None:
        with pytest.raises(ProviderError):
            await _net(door, provider).get(f"http://localhost:{port}/secret")

    await asyncio.gather(visit(), visit())
    text = metrics.text().decode()
    assert 'webquarry_visits_total{provider="polite"} 2.0' in text
    assert 'webquarry_cookies{provider="polite"} 1.0' in text
    assert 'webquarry_circuits{provider="polite",state="closed"} 1.0' in text
    [waited] = [line for line in text.splitlines() if line.startswith("webquarry_turn_wait_seconds_total{")]
    assert float(waited.split()[-1]) >= 0.15
    assert "localhost" not in text


async def test_waiting_requests_do_not_visit_a_host_that_returned_a_block_page(
    origin: Origin, open_door: OpenDoor
) -> None:
    door = open_door(origin)
    provider = Provider("polite", "P", Politeness(spacing_s=0.2, concurrency=1))
    url = origin.on("/", answer(200, b"captcha"))

    async def visit() -> str | None:
        try:
            with _net(door, provider) as net:
                await net.get(url)
                raise ProviderError("A captcha.", reason="blocked", retry_after_s=600)
        except ProviderError as error:
            return error.message

    shown = await asyncio.gather(visit(), visit(), visit())
    assert len(origin.requests) == 1
    assert shown[0] == "A captcha."
    assert all("is paused" in (text or "") for text in shown[1:])
