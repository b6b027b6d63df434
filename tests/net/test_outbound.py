"""Fetches, and the browser's proxy, behind the operator's own proxy."""

import asyncio
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from support.origin import Origin, answer
from support.proxied import proxy_for, says, visiting
from support.rendering import script
from support.socks import Socks
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ProviderError, ServiceError, UnsafeTarget
from webquarry.core.settings import Settings, SettingsError
from webquarry.core.types import Deadline
from webquarry.net.browser import Browser
from webquarry.net.dial import Dialler
from webquarry.net.outbound import Outbound
from webquarry.net.proxy import ForwardProxy
from webquarry.net.transport import Limits, Request, Response

LIMITS = Limits(1 << 20, 1 << 20, False, lambda status: True)
KINDS = ["http", "socks5", "socks5h"]
RESOLVING = ["http", "socks5h"]


@dataclass(frozen=True, slots=True)
class Exit:
    """The operator's proxy.

    asked: its targets, once per connection to a site; came: connections to the proxy itself.
    """

    url: str
    asked: Callable[[], Sequence[tuple[str, int]]]
    came: Callable[[], int]


@asynccontextmanager
async def _exit(kind: str, *ports: int) -> AsyncIterator[Exit]:
    """An exit that resolves `site.test` and, as an exit of a real network might, a private name."""
    known = {"site.test": "127.0.0.1"}
    if kind != "http":
        async with Socks(known, "user:pa:ss@") as socks:
            url = f"{kind}://user:pa%3Ass%40@127.0.0.1:{socks.port}"
            yield Exit(url, lambda: socks.asked, lambda: socks.connections)
        return
    asked: list[tuple[str, int]] = []

    async def resolve(host: str) -> Sequence[str]:
        asked.append((host, ports[0]))
        return [known[host]]

    opened = tuple(f"127.0.0.1:{port}" for port in ports)
    async with proxy_for(*ports, resolve=resolve, settings={"egress_allow": opened}) as proxy:
        url = f"http://{proxy.username}:{proxy.password}@{proxy.address}"
        yield Exit(url, lambda: asked, lambda: proxy.counts.connections)


async def _unasked(host: str) -> Sequence[str]:
    raise AssertionError(f"{host} was looked up here")


@asynccontextmanager
async def _dialler(url: str, **options: Any) -> AsyncIterator[Dialler]:
    judge = options.pop("judge", "127.0.0.1")
    resolve = options.pop("resolve", says(site="127.0.0.1"))
    settings = Settings(proxy_url=url, connect_timeout_s=2, **options)
    async with Dialler(settings, SystemClock(), resolve=resolve, judge=lambda address: address == judge) as dialler:
        yield dialler


async def _send(dialler: Dialler, url: str, body: bytes | None = None) -> Response:
    request = Request("GET", url) if body is None else Request("POST", url, {}, body)
    return await dialler.send(request, Deadline.after(5, SystemClock()), LIMITS)


async def _failure(dialler: Dialler, url: str) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        await _send(dialler, url)
    return caught.value


class TestFetches:
    @pytest.mark.parametrize("kind", KINDS)
    async def test_all_requests_go_through_the_outbound_proxy(self, kind: str, origin: Origin) -> None:
        origin.on("/", answer(200, b"content"))
        url = f"http://site.test:{origin.port}/"
        async with _exit(kind, origin.port) as way, _dialler(way.url) as dialler:
            assert (await _send(dialler, url)).body == b"content"
            assert (await _send(dialler, url, b"sent")).body == b"content"
            assert way.came() >= 1
            host = "127.0.0.1" if kind == "socks5" else "site.test"
            assert set(way.asked()) == {(host, origin.port)}
        assert [asked.headers["host"] for asked in origin.requests] == [f"site.test:{origin.port}"] * 2
        assert all("proxy-authorization" not in asked.headers for asked in origin.requests)

    @pytest.mark.parametrize("kind", RESOLVING)
    async def test_names_are_left_to_a_proxy_that_resolves_them(self, kind: str, origin: Origin) -> None:
        async with _exit(kind, origin.port) as way, _dialler(way.url, resolve=_unasked) as dialler:
            assert (await _send(dialler, f"http://site.test:{origin.port}/")).status == 404

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(
        "host", ["127.0.0.2", "2130706434", "0x7f.2", "[::1]", "[::ffff:127.0.0.2]", "169.254.169.254"]
    )
    async def test_private_literal_is_refused_before_the_proxy(self, kind: str, host: str, origin: Origin) -> None:
        async with _exit(kind, origin.port) as way, _dialler(way.url, resolve=says(), judge="none") as dialler:
            error = await _failure(dialler, f"http://{host}:{origin.port}/")
            # aiohttp itself refuses to resolve a bare number
            assert isinstance(error, UnsafeTarget) or (kind == "socks5" and host.isdecimal())
            assert way.came() == 0

    async def test_resolved_addresses_are_checked_before_a_socks_proxy_is_used(self, origin: Origin) -> None:
        mixed = says(site="127.0.0.1 10.0.0.1")
        async with _exit("socks5") as way, _dialler(way.url, resolve=mixed) as dialler:
            assert isinstance(await _failure(dialler, f"http://site.test:{origin.port}/"), UnsafeTarget)
            assert way.came() == 0

    async def test_next_address_is_tried_when_the_proxy_cannot_reach_one(self, origin: Origin) -> None:
        async with _exit("socks5") as way:
            several = says(site="127.0.0.3 127.0.0.1")
            settings = Settings(proxy_url=way.url)
            async with Dialler(settings, SystemClock(), resolve=several, judge=lambda _: True) as dialler:
                assert (await _send(dialler, f"http://site.test:{origin.port}/")).status == 404
            assert [host for host, _ in way.asked()] == ["127.0.0.3", "127.0.0.1"]

    @pytest.mark.parametrize("kind", KINDS)
    async def test_allowed_target_also_goes_through_the_proxy(self, kind: str, origin: Origin) -> None:
        async with (
            _exit(kind, origin.port) as way,
            _dialler(way.url, judge="none", egress_allow=(origin.target,)) as dialler,
        ):
            assert (await _send(dialler, origin.url("/"))).status == 404
            assert way.came() == 1

    @pytest.mark.parametrize("kind", KINDS)
    async def test_tls_is_with_the_site_by_its_name(self, kind: str, tmp_path: Path) -> None:
        names: list[str | None] = []
        served = _self_signed(tmp_path)
        served.sni_callback = lambda _socket, name, _context: names.append(name)

        async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=served)
        port = server.sockets[0].getsockname()[1]
        async with server, _exit(kind, port) as way, _dialler(way.url) as dialler:
            error = await _failure(dialler, f"https://site.test:{port}/")
            assert "TLS" in error.message  # an untrusted certificate, so it was verified
        assert names == ["site.test"]

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("scheme", ["http", "https"])
    async def test_wrong_credentials_are_down(self, kind: str, scheme: str, origin: Origin) -> None:
        async with _exit(kind, origin.port) as way:
            wrong = f"{kind}://other:one@{way.url.rpartition('@')[2]}"
            for url in (wrong, wrong.replace("other:one@", "")):
                async with _dialler(url) as dialler:
                    error = await _failure(dialler, f"{scheme}://site.test:{origin.port}/")
                    assert isinstance(error, ProviderError)
                    assert error.reason == "down"
                    assert "proxy" in error.message
        assert origin.connections == 0

    @pytest.mark.parametrize("kind", KINDS)
    async def test_unreachable_proxy_is_down(self, kind: str) -> None:
        async with Origin() as gone:
            pass
        async with _dialler(f"{kind}://{gone.target}") as dialler:
            assert (await _failure(dialler, "http://site.test/")).reason == "down"


class TestBrowser:
    @pytest.mark.parametrize("kind", KINDS)
    async def test_requests_and_tunnels_go_through_the_outbound_proxy(self, kind: str, origin: Origin) -> None:
        origin.on("/", answer(200, b"content"))
        async with _exit(kind, origin.port) as way, _behind(way.url, origin.port) as visit:
            async with visit() as visitor:
                assert (await visitor.ask("GET", f"http://site.test:{origin.port}/")).body == b"content"
                assert (await visitor.ask("CONNECT", f"site.test:{origin.port}")).status == 200
                visitor.say(b"GET / HTTP/1.1\r\nHost: site.test\r\n\r\n")
                assert (await visitor.hear()).body == b"content"
            assert way.came() == 2
        assert all("proxy-authorization" not in asked.headers for asked in origin.requests)

    @pytest.mark.parametrize(
        "kind", [*(pytest.param(kind, marks=pytest.mark.long) for kind in KINDS if kind != "socks5h"), "socks5h"]
    )
    async def test_rendered_page_uses_only_the_outbound_proxy(self, kind: str, origin: Origin, tmp_path: Path) -> None:
        inside = f'<script src="http://127.0.0.2:{origin.port}/inside.js"></script>'
        origin.on("/", script("fetch('/words').then(said => said.text()).then(say)", inside))
        origin.on("/words", answer(200, b"fetched"))
        settings = Settings(data_dir=tmp_path)
        url = f"http://site.test:{origin.port}/"
        async with _exit(kind, origin.port) as way, _proxy_behind(way.url, origin.port) as proxy:
            browser = Browser(settings, SystemClock(), proxy)
            rendered = await browser.render(url, Deadline.after(60, SystemClock()))
            await browser.close()
            host = "127.0.0.1" if kind == "socks5" else "site.test"
            assert set(way.asked()) == {(host, origin.port)}
        assert "fetched" in rendered.html
        assert {asked.target for asked in origin.requests} >= {"/", "/words"}
        assert proxy.counts.refused >= 1

    @pytest.mark.parametrize("kind", KINDS)
    async def test_literals_local_names_and_ports_are_checked_locally(self, kind: str, origin: Origin) -> None:
        async with _exit(kind, origin.port) as way, _behind(way.url, origin.port, resolve=_unasked) as visit:
            async with visit() as visitor:
                for host in ("127.0.0.2", "2130706434", "[::1]", "localhost", "169.254.169.254"):
                    assert (await visitor.ask("GET", f"http://{host}:{origin.port}/")).status == 403
                    assert (await visitor.ask("CONNECT", f"{host}:{origin.port}")).status == 403
                assert (await visitor.ask("CONNECT", "site.test:22")).status == 403
            assert way.came() == 0

    async def test_resolved_addresses_are_checked_before_a_socks_proxy_is_used(self, origin: Origin) -> None:
        private = says(site="10.0.0.1")
        async with _exit("socks5") as way, _behind(way.url, origin.port, resolve=private) as visit:
            async with visit() as visitor:
                assert (await visitor.ask("GET", f"http://site.test:{origin.port}/")).status == 403
                assert (await visitor.ask("CONNECT", f"site.test:{origin.port}")).status == 403
            assert way.came() == 0

    @pytest.mark.parametrize("kind", KINDS)
    async def test_wrong_credentials_are_a_bad_gateway(self, kind: str, origin: Origin) -> None:
        async with _exit(kind, origin.port) as way:
            wrong = f"{kind}://other:one@{way.url.rpartition('@')[2]}"
            async with _behind(wrong, origin.port) as visit, visit() as visitor:
                assert (await visitor.ask("GET", f"http://site.test:{origin.port}/")).status == 502
                assert (await visitor.ask("CONNECT", f"site.test:{origin.port}")).status == 502
        assert origin.connections == 0

    @pytest.mark.parametrize("sent", [b"HTTP/1.1 200", b"nonsense\r\n\r\n", b"HTTP/1.1 403 No\r\n\r\n", b""])
    async def test_proxy_with_a_malformed_response_opens_no_tunnel(self, sent: bytes) -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(sent)
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server, _behind(url) as visit, visit() as visitor:
            assert (await visitor.ask("CONNECT", "site.test:443")).status == 502

    async def test_bytes_after_the_response_of_the_proxy_belong_to_the_site(self) -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 200 Established\r\n\r\nfirst words")
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with server, _behind(url) as visit, visit() as visitor:
            assert (await visitor.ask("CONNECT", "site.test:443")).status == 200
            assert await visitor.reader.read() == b"first words"


class TestAddress:
    @pytest.mark.parametrize(
        "url",
        [
            "proxy:3128", "https://proxy:3128", "socks4://proxy:1080", "http://proxy", "http://proxy:0", "http://:3128",
            "http://proxy:99999", "http://proxy:3128/path", "http://hidden:a@b@proxy:1x", "http://p roxy:1",
            "http://hidden%3A:x@proxy:3128", "http://hidden:%00@proxy:3128",
        ],
    )  # fmt: skip
    def test_unusable_proxy_url_is_refused_without_quoting_it(self, url: str) -> None:
        with pytest.raises(SettingsError, match="WEBQUARRY_PROXY_URL") as caught:
            Outbound.of(Settings(proxy_url=url))
        assert "hidden" not in str(caught.value)
        assert caught.value.__suppress_context__

    def test_secret_is_not_shown(self) -> None:
        settings = Settings(proxy_url="http://user:hidden@proxy:3128")
        assert "hidden" not in repr(settings)
        assert "hidden" not in repr(Outbound.of(settings))

    def test_no_proxy_unless_the_setting_names_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1")
        assert Outbound.of(Settings()) is None


Visit = Callable[[], Any]


def _proxy_behind(url: str, *ports: int, **options: Any) -> AbstractAsyncContextManager[ForwardProxy]:
    """A forward proxy behind the proxy at `url`."""
    return proxy_for(*ports, settings={"proxy_url": url}, **options)


@asynccontextmanager
async def _behind(url: str, *ports: int, **options: Any) -> AsyncIterator[Visit]:
    """Opens connections to such a forward proxy."""
    async with _proxy_behind(url, *ports, **options) as proxy:
        yield lambda: visiting(proxy)


def _self_signed(folder: Path) -> ssl.SSLContext:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=site.test"
    subprocess.run([*command.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate, key)
    return served
