"""The dialler alone: without the rule on ports, with names and addresses that the tests choose."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import brotli  # type: ignore[import-untyped]  # ships no types
import pytest

from convert_support.effort import longest_pause
from support.origin import Asked, Origin, Script, answer
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ConversionFailed, ProviderError, ServiceError, UnsafeTarget
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.net.dial import Dialler
from webquarry.net.guard import Judge
from webquarry.net.names import Resolve
from webquarry.net.transport import Limits, Request, Response

Connected = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
LIMITS = Limits(1 << 20, 1 << 20, False, lambda status: True)


def _says(*addresses: str) -> Resolve:
    async def resolve(_host: str) -> Sequence[str]:
        return addresses

    return resolve


def _only(*addresses: str) -> Judge:
    return lambda address: address in addresses


@asynccontextmanager
async def _dialler(*allow: str, resolve: Resolve | None = None, judge: Judge | None = None) -> AsyncIterator[Dialler]:
    settings = Settings(egress_allow=allow, connect_timeout_s=2)
    given = {} if judge is None else {"judge": judge}
    async with Dialler(settings, SystemClock(), resolve=resolve, **given) as dialler:
        yield dialler


async def _send(
    dialler: Dialler, url: str, *, limits: Limits = LIMITS, seconds: float = 5.0, post: bytes | None = None
) -> Response:
    request = Request("GET", url) if post is None else Request("POST", url, {}, post)
    return await dialler.send(request, Deadline.after(seconds, SystemClock()), limits)


async def _failure(dialler: Dialler, url: str, *, limits: Limits = LIMITS, seconds: float = 5.0) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        await _send(dialler, url, limits=limits, seconds=seconds)
    return caught.value


class TestAddresses:
    async def test_literal_private_address_is_refused_at_socket_creation(self, origin: Origin) -> None:
        url = origin.on("/", answer(200, b"secret"))
        async with _dialler() as guarded, _dialler(origin.target) as opened:
            assert isinstance(await _failure(guarded, url), UnsafeTarget)
            assert origin.connections == 0
            assert (await _send(opened, url)).body == b"secret"
            assert origin.connections == 1

    async def test_ipv6_loopback_is_refused_and_can_be_opened(self) -> None:
        async with Origin("::1") as origin:
            url = origin.on("/", answer(200, b"six"))
            async with _dialler() as guarded, _dialler(origin.target) as opened:
                assert isinstance(await _failure(guarded, url), UnsafeTarget)
                assert origin.connections == 0
                assert (await _send(opened, url)).body == b"six"

    @pytest.mark.parametrize("spelling", ["2130706433", "0x7f.1", "127.1", "[::ffff:127.0.0.1]", "0"])
    async def test_odd_spelling_of_a_literal_is_refused(self, origin: Origin, spelling: str) -> None:
        async with _dialler() as dialler:
            await _failure(dialler, f"http://{spelling}:{origin.port}/")
        assert origin.connections == 0

    async def test_name_with_one_private_address_is_refused(self, origin: Origin) -> None:
        url = f"http://mixed.test:{origin.port}/"
        for addresses in (("127.0.0.1", "10.0.0.1"), ("10.0.0.1", "127.0.0.1")):
            async with _dialler(resolve=_says(*addresses), judge=_only("127.0.0.1")) as dialler:
                assert isinstance(await _failure(dialler, url), UnsafeTarget)
        assert origin.connections == 0
        async with _dialler(resolve=_says("127.0.0.1"), judge=_only("127.0.0.1")) as dialler:
            assert (await _send(dialler, url)).status == 404

    async def test_rebinding_name_is_dialed_at_its_checked_address(self, origin: Origin) -> None:
        asked = 0

        async def rebinding(_host: str) -> Sequence[str]:
            nonlocal asked
            asked += 1
            return ["127.0.0.1"] if asked == 1 else ["127.0.0.2"]

        origin.on("/", answer(200, b"public", {"Connection": "close"}))
        async with (
            _SamePort("127.0.0.2", origin.port) as secret,
            _dialler(resolve=rebinding, judge=_only("127.0.0.1")) as dialler,
            _dialler(resolve=_says("127.0.0.2"), judge=_only("127.0.0.2")) as control,
        ):
            for _ in range(3):
                assert (await _send(dialler, f"http://rebind.test:{origin.port}/")).body == b"public"
            assert isinstance(await _failure(dialler, f"http://again.test:{origin.port}/"), UnsafeTarget)
            assert secret.connections == 0
            await _send(control, f"http://rebind.test:{origin.port}/")
            assert secret.connections == 1

    async def test_allowed_name_may_resolve_to_a_private_address(self, origin: Origin) -> None:
        origin.on("/", answer(200, b"intranet"))
        async with _dialler(f"intranet.test:{origin.port}", resolve=_says("127.0.0.1")) as dialler:
            assert (await _send(dialler, f"http://intranet.test:{origin.port}/")).body == b"intranet"
            other = f"http://other.test:{origin.port}/"
            assert isinstance(await _failure(dialler, other), UnsafeTarget)
        assert origin.connections == 1

    async def test_unknown_name_is_down(self) -> None:
        async def unknown(_host: str) -> Sequence[str]:
            raise OSError("no such name")

        for resolve in (unknown, _says()):
            async with _dialler(resolve=resolve) as dialler:
                assert (await _failure(dialler, "http://nowhere.test/")).reason == "down"

    async def test_slow_resolver_ends_at_the_deadline(self) -> None:
        async def slow(_host: str) -> Sequence[str]:
            await asyncio.Event().wait()
            return []

        async with _dialler(resolve=slow) as dialler:
            assert (await _failure(dialler, "http://slow.test/", seconds=0.05)).reason == "timeout"


class _SamePort(Origin):
    """An origin on a given port."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(host)
        self._wanted = port

    async def __aenter__(self) -> "_SamePort":
        self._server = await asyncio.start_server(self._serve, self.host, self._wanted)
        self.port = self._wanted
        return self


class TestFaults:
    async def test_refused_connection_is_down(self) -> None:
        async with Origin() as gone:
            pass
        async with _dialler(gone.target) as dialler:
            assert (await _failure(dialler, gone.url())).reason == "down"

    async def test_tls_against_plain_http_is_down(self) -> None:
        async def plain(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(answer(400))
            writer.close()

        error = await _tls_failure(plain, None)
        assert (error.reason, "TLS" in error.message) == ("down", True)

    @pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
    async def test_untrusted_certificate_is_down(self, tmp_path: Path) -> None:
        async def never(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
            raise AssertionError("the handshake must fail")

        error = await _tls_failure(never, _self_signed(tmp_path))
        assert (error.reason, "TLS" in error.message) == ("down", True)

    @pytest.mark.parametrize(
        "sent",
        [
            b"not http at all\r\n\r\n",
            b"HTTP/1.1 abc Nope\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nbroken header\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n123456",
            b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
            b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 2000 + b"\r\n",
            b"HTTP/1.1 200 " + b"x" * 100_000 + b"\r\n\r\n",
            b"\x16\x03\x01\x00\x05hello",
            b"\x00" * 500,
            b"HTTP/1.1 100 Continue\r\n\r\n" * 50,
        ],
    )
    async def test_malformed_answer_is_down(self, origin: Origin, sent: bytes) -> None:
        url = origin.on("/", _and_close(sent))
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url)).reason == "down"

    @pytest.mark.parametrize(
        "sent",
        [
            answer(200, b"short", length=500),
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhello\r\n0\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n",
        ],
    )
    async def test_broken_body_is_down_and_never_a_partial_response(self, origin: Origin, sent: bytes) -> None:
        url = origin.on("/", _and_close(sent))
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url)).reason == "down"

    async def test_response_longer_than_announced_is_down(self, origin: Origin) -> None:
        url = origin.on("/", _and_close(answer(200, b"0123456789", length=4)))
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url)).reason == "down"

    async def test_body_that_ends_with_the_connection_is_read(self, origin: Origin) -> None:
        url = origin.on("/", _and_close(b"HTTP/1.0 200 OK\r\n\r\nold style"))
        async with _dialler(origin.target) as dialler:
            assert (await _send(dialler, url)).body == b"old style"

    async def test_dropped_get_is_sent_again(self, origin: Origin) -> None:
        async def first_drops(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            if len(origin.requests) == 1:
                writer.close()
            else:
                writer.write(answer(200, b"second"))

        url = origin.on("/", first_drops)
        async with _dialler(origin.target) as dialler:
            assert (await _send(dialler, url)).body == b"second"

    async def test_get_that_is_always_dropped_is_sent_only_twice(self, origin: Origin) -> None:
        url = origin.on("/", _and_close(b""))
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url)).reason == "down"
        assert len(origin.requests) == 2

    async def test_request_on_reset_connections_is_sent_only_twice(self, origin: Origin) -> None:
        async def reset(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.transport.abort()

        url = origin.on("/", reset)
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url)).reason == "down"
        assert len(origin.requests) == 2

    async def test_dropped_post_is_not_sent_again(self, origin: Origin) -> None:
        url = origin.on("/", _and_close(b""))
        async with _dialler(origin.target) as dialler:
            with pytest.raises(ProviderError, match="without a response"):
                await _send(dialler, url, post=b"q=1")
        assert len(origin.requests) == 1

    async def test_host_that_never_answers_ends_at_the_deadline(self, origin: Origin) -> None:
        url = origin.on("/", _and_wait(b""))
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url, seconds=0.05)).reason == "timeout"

    async def test_slow_body_ends_at_the_deadline(self, origin: Origin) -> None:
        async def drip(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(answer(200, b"", length=100_000))
            while not writer.is_closing():
                writer.write(b".")
                await asyncio.sleep(0.005)

        url = origin.on("/", drip)
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url, seconds=0.1)).reason == "timeout"

    async def test_cancelled_request_releases_its_connection(self, origin: Origin) -> None:
        begun, gone = asyncio.Event(), asyncio.Event()

        async def hang(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(answer(200, b"begun", length=100))
            begun.set()
            await origin.left(writer)
            gone.set()

        url = origin.on("/", hang)
        async with _dialler(origin.target) as dialler:
            call = asyncio.create_task(_send(dialler, url))
            await begun.wait()
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            async with asyncio.timeout(2):
                await gone.wait()


async def _tls_failure(serve: Connected, context: ssl.SSLContext | None) -> ServiceError:
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        target = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        async with _dialler(target) as dialler:
            return await _failure(dialler, f"https://{target}/")


def _self_signed(folder: Path) -> ssl.SSLContext:
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    )
    subprocess.run([*command.split(), "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context


def _and_close(sent: bytes) -> Script:
    async def script(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        writer.close()

    return script


def _and_wait(sent: bytes) -> Script:
    async def script(_asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(sent)
        await writer.wait_closed()

    return script


class TestLimits:
    async def test_declared_length_beyond_the_limit_is_refused_unread(self, origin: Origin) -> None:
        url = origin.on("/", _and_wait(answer(200, b"begun", length=5000)))
        async with _dialler(origin.target) as dialler:
            error = await _failure(dialler, url, limits=Limits(1000, 9999, False, lambda status: True))
        assert isinstance(error, ConversionFailed)
        assert error.reason == "limits"

    async def test_undeclared_length_is_counted(self, origin: Origin) -> None:
        url = origin.on("/", _and_close(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 5000))
        async with _dialler(origin.target) as dialler:
            assert (
                await _failure(dialler, url, limits=Limits(4999, 9999, False, lambda status: True))
            ).reason == "limits"
            assert len((await _send(dialler, url, limits=Limits(5000, 9999, False, lambda status: True))).body) == 5000

    async def test_truncated_body_is_marked(self, origin: Origin) -> None:
        url = origin.on("/", answer(200, b"x" * 5000))
        async with _dialler(origin.target) as dialler:
            for limits in (Limits(100, 9999, True, lambda status: True), Limits(9999, 100, True, lambda status: True)):
                response = await _send(dialler, url, limits=limits)
                assert response.truncated
                assert response.body == b"x" * 100

    async def test_bomb_is_refused_at_the_size_limit(self, origin: Origin) -> None:
        bomb = brotli.compress(bytes(30 << 20), quality=1)
        url = origin.on("/", answer(200, bomb, {"Content-Encoding": "br"}))
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url)).reason == "limits"

    async def test_inflated_body_has_both_sizes(self, origin: Origin) -> None:
        packed = brotli.compress(b"y" * 50_000)
        url = origin.on("/", answer(200, packed, {"Content-Encoding": "br", "X-Kept": "yes"}))
        async with _dialler(origin.target) as dialler:
            response = await _send(dialler, url)
        assert response.body == b"y" * 50_000
        assert response.wire_bytes == len(packed)
        assert response.headers == {"x-kept": "yes"}

    async def test_content_coding_that_was_not_requested_is_refused(self, origin: Origin) -> None:
        url = origin.on("/", answer(200, b"?", {"Content-Encoding": "sdch"}))
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url)).reason == "refused"

    async def test_corrupt_coding_is_down(self, origin: Origin) -> None:
        url = origin.on("/", answer(200, b"plain", {"Content-Encoding": "gzip"}))
        async with _dialler(origin.target) as dialler:
            assert (await _failure(dialler, url)).reason == "down"

    async def test_unwanted_body_is_not_waited_for(self, origin: Origin) -> None:
        url = origin.on("/", _and_wait(answer(403, b"begun", length=1 << 40)))
        async with _dialler(origin.target) as dialler:
            response = await _send(dialler, url, limits=Limits(9, 9, False, lambda status: status == 200))
        assert (response.status, response.body) == (403, b"")

    @pytest.mark.parametrize("sent", [answer(403, b"begun", length=5000), answer(200, b"x" * 5000, length=6000)])
    async def test_connection_with_unread_data_is_not_reused(self, origin: Origin, sent: bytes) -> None:
        origin.on("/cut", sent)
        origin.on("/next", answer(200, b"next"))
        async with _dialler(origin.target) as dialler:
            await _send(dialler, origin.url("/cut"), limits=Limits(100, 100, True, lambda status: status == 200))
            assert (await _send(dialler, origin.url("/next"))).body == b"next"
        assert origin.connections == 2


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


class TestFloods:
    """Endless data from a host costs the other requests of this process little, whatever the data is."""

    @pytest.mark.parametrize(
        ("first", "piece"),
        [
            (b"", b"HTTP/1.1 100 C\r\n\r\n"),
            (b"", b"HTTP/1.1 103 Early\r\nLink: </" + b"x" * 3000 + b">\r\n\r\n"),
            (CHUNKED, b"1\r\nx\r\n"),
            (CHUNKED, b"1;" + b"x" * 2000 + b"\r\nx\r\n"),
        ],
        ids=["interim", "large interim", "chunks", "chunk extensions"],
    )
    async def test_flood_is_down_long_before_the_deadline(self, origin: Origin, first: bytes, piece: bytes) -> None:
        sent, gone = 0, asyncio.Event()

        async def flood(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            nonlocal sent
            writer.write(first)
            many = piece * (200_000 // len(piece))
            try:
                while not writer.is_closing():
                    writer.write(many)
                    sent += len(many)
                    await writer.drain()
            finally:
                gone.set()

        url = origin.on("/", flood)
        async with _dialler(origin.target) as dialler, longest_pause() as pause:
            assert (await _failure(dialler, url, seconds=20)).reason == "down"
            async with asyncio.timeout(5):
                await gone.wait()
        assert len(origin.requests) == 1
        assert sent < 30_000_000  # the amount that fits into the buffers between client and server
        assert pause.longest_s < 0.5

    async def test_unrequested_responses_end_the_connection(self, origin: Origin) -> None:
        gone = asyncio.Event()

        async def flood(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(answer(200, b"first"))
            with suppress(ConnectionError):
                while not writer.is_closing():
                    writer.write(answer(200) * 100)
                    await writer.drain()
            gone.set()

        url = origin.on("/", flood)
        async with _dialler(origin.target) as dialler:
            with suppress(ProviderError):
                await _send(dialler, url)
            async with asyncio.timeout(5):
                await gone.wait()

    async def test_a_few_interim_responses_are_skipped(self, origin: Origin) -> None:
        url = origin.on("/", b"HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\n" * 16 + answer(200, b"at last"))
        async with _dialler(origin.target) as dialler:
            for _ in range(3):  # anew for each response, on one connection
                assert (await _send(dialler, url)).body == b"at last"
        assert origin.connections == 1

    @pytest.mark.parametrize(("size", "total"), [(1, 10_000), (20, 600_000), (100, 4_000_000), (70_000, 4_000_000)])
    async def test_body_in_small_chunks_is_read_whole(self, origin: Origin, size: int, total: int) -> None:
        body = bytes(index % 251 for index in range(total))
        pieces = (body[start : start + size] for start in range(0, total, size))
        found = CHUNKED + b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"
        url = origin.on("/", found)
        limits = Limits(1 << 23, 1 << 23, False, lambda status: True)
        async with _dialler(origin.target) as dialler:
            for _ in range(2):
                assert (await _send(dialler, url, limits=limits)).body == body
        assert origin.connections == 1


class TestRequests:
    async def test_only_supported_codings_are_requested(self, origin: Origin) -> None:
        async with _dialler(origin.target) as dialler:
            await _send(dialler, origin.url())
        assert origin.requests[0].headers["accept-encoding"] == "gzip, deflate, br, zstd"

    async def test_no_cookie_is_kept(self, origin: Origin) -> None:
        url = origin.on("/", answer(200, b"", {"Set-Cookie": "a=b; Path=/"}))
        async with _dialler(origin.target) as dialler:
            await _send(dialler, url)
            await _send(dialler, url)
        assert all("cookie" not in asked.headers for asked in origin.requests)

    async def test_connection_is_reused_for_the_next_request(self, origin: Origin) -> None:
        url = origin.on("/", answer(200, b"x"))
        async with _dialler(origin.target) as dialler:
            for _ in range(5):
                await _send(dialler, url)
        assert origin.connections == 1

    async def test_proxy_of_the_environment_is_not_used(self, origin: Origin, monkeypatch: pytest.MonkeyPatch) -> None:
        async with Origin() as proxy:
            monkeypatch.setenv("http_proxy", proxy.url())
            async with _dialler(origin.target) as dialler:
                await _send(dialler, origin.url())
            assert proxy.connections == 0

    async def test_url_is_sent_in_its_original_spelling(self, origin: Origin) -> None:
        async with _dialler(origin.target) as dialler:
            await _send(dialler, origin.url("/a%2Fb/%7Ec?q=%20+&x=[1]"))
        assert origin.requests[0].target == "/a%2Fb/%7Ec?q=%20+&x=[1]"
