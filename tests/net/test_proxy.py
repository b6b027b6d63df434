"""Requests that the forward proxy allows, and requests that it refuses."""

import asyncio
import ssl
import subprocess
from collections.abc import Sequence
from pathlib import Path

import aiohttp
import pytest

from convert_support.effort import longest_pause
from support.origin import Asked, Origin, answer
from support.proxied import proxy_for, says, visiting
from webquarry.core.settings import Settings, SettingsError
from webquarry.net.proxy import ForwardProxy, Quota


class TestPlain:
    async def test_get_and_post_of_a_real_client_reach_their_target(self, origin: Origin) -> None:
        origin.on("/page", answer(200, b"content", {"X-Kept": "yes"}))
        async with proxy_for(origin.port) as proxy, aiohttp.ClientSession() as client:
            through = f"http://{proxy.username}:{proxy.password}@{proxy.address}"
            url = f"http://site.test:{origin.port}/page?a=%20b"
            async with client.get(url, proxy=through) as got:
                assert (got.status, got.headers["X-Kept"], await got.read()) == (200, "yes", b"content")
            async with client.post(url, proxy=through, data=b"sent") as posted:
                assert await posted.read() == b"content"
        assert [asked.body for asked in origin.requests] == [b"", b"sent"]
        assert origin.requests[0].target == "/page?a=%20b"

    async def test_host_header_is_derived_from_the_url(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            await visitor.ask("GET", f"http://SITE.test:{origin.port}", host="metadata.internal")
        assert origin.requests[0].headers["host"] == f"site.test:{origin.port}"
        assert origin.requests[0].target == "/"

    async def test_proxy_headers_are_not_forwarded(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            named = ("Connection: keep-alive, X-Hop", "X-Hop: 1", "Keep-Alive: 5", "Proxy-Connection: x", "TE: gzip")
            await visitor.ask("GET", f"http://site.test:{origin.port}/", *named, "X-End: 2")
        assert set(origin.requests[0].headers) == {"host", "x-end"}

    async def test_chunked_bodies_pass_both_ways(self, origin: Origin) -> None:
        async def echo(asked: Asked, writer: asyncio.StreamWriter) -> None:
            assert asked.headers["transfer-encoding"] == "chunked"
            writer.write(
                b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=y\r\nfour\r\n0\r\nTrailer: 1\r\n\r\n"
            )
            await origin.left(writer)

        origin.on("/", echo)
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            visitor.tell("POST", f"http://site.test:{origin.port}/", "Transfer-Encoding: chunked")
            visitor.say(b"3\r\nabc\r\n0\r\n\r\n")
            assert (await visitor.hear()).body == b"four"

    async def test_response_without_a_length_ends_the_connection(self, origin: Origin) -> None:
        async def old(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.0 200 OK\r\n\r\nold style")
            writer.close()

        origin.on("/", old)
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            reply = await visitor.ask("GET", f"http://site.test:{origin.port}/")
            assert (reply.body, reply.headers["connection"]) == (b"old style", "close")

    async def test_head_and_no_content_keep_the_connection(self, origin: Origin) -> None:
        origin.on("/empty", b"HTTP/1.1 204 None\r\n\r\n")
        origin.on("/head", b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            base = f"http://site.test:{origin.port}"
            assert (await visitor.ask("HEAD", f"{base}/head")).headers["content-length"] == "500"
            assert "content-length" not in (await visitor.ask("GET", f"{base}/empty")).headers
            assert (await visitor.ask("GET", f"{base}/none")).status == 404
        assert origin.connections == 1

    async def test_redirect_is_left_to_the_browser(self, origin: Origin) -> None:
        origin.on("/", answer(302, b"", {"Location": "http://127.0.0.1/"}))
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            reply = await visitor.ask("GET", f"http://site.test:{origin.port}/")
        assert (reply.status, reply.headers["location"]) == (302, "http://127.0.0.1/")
        assert len(origin.requests) == 1

    @pytest.mark.parametrize(
        "sent",
        [
            b"not http\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
            b"HTTP/1.1 407 Say Who\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
            b"HTTP/1.1 103 Early\r\n\r\n" * 100,
            (b"HTTP/1.1 103 Early\r\nLink: </" + b"x" * 30_000 + b">\r\n\r\n") * 4 + answer(200),
            b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
            b"",
        ],
    )
    async def test_malformed_answer_is_a_bad_gateway(self, origin: Origin, sent: bytes) -> None:
        async def script(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(sent)
            writer.close()

        origin.on("/", script)
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            assert (await visitor.ask("GET", f"http://site.test:{origin.port}/")).status == 502
            assert proxy.counts.failed == 1

    async def test_interim_responses_are_skipped(self, origin: Origin) -> None:
        origin.on("/", b"HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\n" * 16 + answer(200, b"at last"))
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            assert (await visitor.ask("GET", f"http://site.test:{origin.port}/")).body == b"at last"

    @pytest.mark.parametrize("chunk", [b"1\r\nx\r\n", b"1;" + b"x" * 900 + b"\r\nx\r\n"])
    async def test_body_that_is_mostly_framing_is_cut_off(self, origin: Origin, chunk: bytes) -> None:
        async def flood(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while not writer.is_closing():
                writer.write(chunk * (100_000 // len(chunk)))
                await writer.drain()

        origin.on("/", flood)
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor, longest_pause() as pause:
            visitor.tell("GET", f"http://site.test:{origin.port}/")
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await visitor.hear()
        assert pause.longest_s < 0.5

    async def test_truncated_response_is_not_complete(self, origin: Origin) -> None:
        async def cut(_asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(answer(200, b"begun", length=500))
            writer.close()

        origin.on("/", cut)
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await visitor.ask("GET", f"http://site.test:{origin.port}/")

    async def test_early_response_to_a_long_body_is_forwarded(self, origin: Origin) -> None:
        async def hasty(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(answer(413, b"too much"))
            await asyncio.Event().wait()

        server = await asyncio.start_server(hasty, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with proxy_for(port) as proxy, visiting(proxy) as visitor, server:
            visitor.tell("POST", f"http://site.test:{port}/", "Content-Length: 99000000")
            visitor.say(b"x" * 1000)
            assert (await visitor.hear()).status == 413
            assert await visitor.is_cut()


class TestJudgement:
    async def test_second_request_on_a_connection_is_checked(self, origin: Origin) -> None:
        origin.on("/", answer(200, b"public"))
        async with (
            Origin("127.0.0.2") as secret,
            proxy_for(origin.port, secret.port, resolve=says(site="127.0.0.1", secret="127.0.0.2")) as proxy,
            visiting(proxy) as visitor,
        ):
            assert (await visitor.ask("GET", f"http://site.test:{origin.port}/")).body == b"public"
            for target in (f"http://secret.test:{secret.port}/", f"http://127.0.0.2:{secret.port}/"):
                reply = await visitor.ask("GET", target, host=f"site.test:{origin.port}")
                assert (reply.status, reply.body) == (403, b"")
            assert (await visitor.ask("GET", f"http://site.test:{origin.port}/")).body == b"public"
            assert (secret.connections, origin.connections, len(origin.requests)) == (0, 1, 2)
            assert proxy.counts.refused == 2

    async def test_control_with_a_permissive_judge_reaches_the_secret(self) -> None:
        async with (
            Origin("127.0.0.2") as secret,
            proxy_for(secret.port, judge="127.0.0.2", resolve=says(secret="127.0.0.2")) as proxy,
            visiting(proxy) as visitor,
        ):
            assert (await visitor.ask("GET", f"http://secret.test:{secret.port}/")).status == 404
            assert secret.connections == 1

    async def test_pipelined_requests_are_checked_separately(self, origin: Origin) -> None:
        origin.on("/", answer(200, b"public"))
        async with (
            Origin("127.0.0.2") as secret,
            proxy_for(origin.port, secret.port, resolve=says(site="127.0.0.1", secret="127.0.0.2")) as proxy,
            visiting(proxy) as visitor,
        ):
            visitor.tell("GET", f"http://site.test:{origin.port}/")
            visitor.tell("GET", f"http://secret.test:{secret.port}/")
            visitor.tell("GET", f"http://site.test:{origin.port}/")
            assert [(await visitor.hear()).status for _ in range(3)] == [200, 403, 200]
            assert secret.connections == 0

    async def test_rebinding_name_is_dialed_at_its_checked_address(self, origin: Origin) -> None:
        asked = 0

        async def rebinding(_host: str) -> Sequence[str]:
            nonlocal asked
            asked += 1
            return ["127.0.0.1"] if asked == 1 else ["127.0.0.2"]

        origin.on("/", answer(200, b"public", {"Connection": "close"}))
        async with proxy_for(origin.port, resolve=rebinding) as proxy, visiting(proxy) as visitor:
            assert (await visitor.ask("GET", f"http://rebind.test:{origin.port}/")).body == b"public"
            assert (await visitor.ask("GET", f"http://rebind.test:{origin.port}/")).status == 403
        assert asked == 2

    async def test_name_with_one_private_address_is_refused(self, origin: Origin) -> None:
        mixed = says(site="127.0.0.1 10.0.0.1")
        async with proxy_for(origin.port, resolve=mixed) as proxy, visiting(proxy) as visitor:
            assert (await visitor.ask("GET", f"http://site.test:{origin.port}/")).status == 403
        assert origin.connections == 0

    @pytest.mark.parametrize(
        "host",
        [
            "127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "0", "[::1]", "[::ffff:127.0.0.1]", "[::]",
            "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "169.254.169.254", "localhost", "LOCALHOST.", "a.localhost",
            "metadata.google.internal", "10.0.0.1",
        ],
    )  # fmt: skip
    @pytest.mark.parametrize("port", [80, 443])
    async def test_private_literal_is_refused_in_any_spelling(self, host: str, port: int) -> None:
        settings = Settings()
        async with ForwardProxy(settings, resolve=says()) as proxy, visiting(proxy) as visitor:
            for method, target in (("GET", f"http://{host}:{port}/"), ("CONNECT", f"{host}:{port}")):
                reply = await visitor.ask(method, target)
                assert (reply.status, reply.headers["content-length"]) == (403, "0")

    @pytest.mark.parametrize("port", [22, 25, 6379, 8081])
    async def test_other_ports_are_refused(self, port: int) -> None:
        async with proxy_for() as proxy, visiting(proxy) as visitor:
            assert (await visitor.ask("CONNECT", f"site.test:{port}")).status == 403
            assert (await visitor.ask("GET", f"http://site.test:{port}/")).status == 403

    async def test_allowed_target_may_be_private(self, origin: Origin) -> None:
        async with (
            ForwardProxy(Settings(egress_allow=(origin.target,)), resolve=says()) as proxy,
            visiting(proxy) as visitor,
        ):
            assert (await visitor.ask("GET", origin.url("/"))).status == 404
        assert origin.connections == 1

    async def test_unknown_name_and_closed_port_are_bad_gateways(self) -> None:
        async with Origin() as gone:
            pass
        async with proxy_for(gone.port) as proxy, visiting(proxy) as visitor:
            lease = proxy.lease(Quota())
            assert (await visitor.ask("GET", f"http://unknown.test:{gone.port}/")).status == 502
            assert (await visitor.ask("CONNECT", f"site.test:{gone.port}")).status == 502
            async with visiting(proxy, lease) as page:
                await page.ask("GET", f"http://site.test:{gone.port}/")
                await page.ask("GET", "http://127.0.0.1/")
            assert lease.faults == {("site.test", gone.port): "down", ("127.0.0.1", 80): "unsafe"}

    async def test_slow_resolver_is_a_gateway_timeout(self) -> None:
        async def slow(_host: str) -> Sequence[str]:
            await asyncio.Event().wait()
            return []

        async with (
            proxy_for(80, resolve=slow, settings={"connect_timeout_s": 0.05}) as proxy,
            visiting(proxy) as visitor,
        ):
            assert (await visitor.ask("GET", "http://site.test/")).status == 504


class TestTunnels:
    async def test_tls_of_a_real_client_passes_untouched(self, tmp_path: Path) -> None:
        trust, served = _certificate(tmp_path)

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer(200, b"in private"))
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=served)
        port = server.sockets[0].getsockname()[1]
        async with proxy_for(port) as proxy, aiohttp.ClientSession() as client, server:
            through = f"http://{proxy.username}:{proxy.password}@{proxy.address}"
            async with client.get(f"https://site.test:{port}/", proxy=through, ssl=trust) as got:
                assert await got.read() == b"in private"

    async def test_bytes_pass_both_ways_until_one_side_ends(self) -> None:
        async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while piece := await reader.read(1000):
                writer.write(piece)
            writer.write(b"bye")
            writer.close()

        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with proxy_for(port) as proxy, visiting(proxy) as visitor, server:
            assert (await visitor.ask("CONNECT", f"site.test:{port}")).status == 200
            visitor.say(b"\x00\x01" * 200_000)
            assert await visitor.reader.readexactly(400_000) == b"\x00\x01" * 200_000
            visitor.writer.write_eof()
            assert await visitor.reader.read() == b"bye"

    async def test_slow_reader_gets_the_last_bytes_after_the_site_has_gone(self) -> None:
        found = b"z" * 8_000_000  # more than the sockets' buffers hold

        async def tell(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()
            writer.write(found)
            writer.close()

        server = await asyncio.start_server(tell, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with proxy_for(port) as proxy, visiting(proxy) as visitor, server:
            await visitor.ask("CONNECT", f"site.test:{port}")
            visitor.writer.write_eof()
            got = b""
            while piece := await visitor.reader.read(100_000):
                got += piece
                await asyncio.sleep(0)
            assert got == found

    @pytest.mark.parametrize(
        "target",
        ["site.test", "site.test:", "http://site.test:443/", "user@site.test:443", "site.test:0", "/", "[x]:1"],
    )
    async def test_tunnel_to_no_host_and_port_is_malformed(self, target: str) -> None:
        async with proxy_for() as proxy, visiting(proxy) as visitor:
            assert (await visitor.ask("CONNECT", target)).status == 400


class TestCredentials:
    async def test_requests_without_credentials_are_refused(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy, visiting(proxy, known=False) as visitor:
            for _ in range(2):
                reply = await visitor.ask("GET", f"http://site.test:{origin.port}/")
                assert (reply.status, reply.headers["proxy-authenticate"]) == (407, 'Basic realm="webquarry"')
            assert (await visitor.ask("CONNECT", f"site.test:{origin.port}")).status == 407
            assert proxy.counts.unauthorized == 3
        assert origin.connections == 0

    @pytest.mark.parametrize(
        "field", ["Bearer x", "Basic", "Basic !!!", "Basic eDp5", "Basic Og==", "Basic /////w==", ""]
    )
    async def test_wrong_credentials_are_refused(self, field: str) -> None:
        async with proxy_for() as proxy, visiting(proxy, known=False) as visitor:
            reply = await visitor.ask("GET", "http://site.test/", f"Proxy-Authorization: {field}")
            assert reply.status == 407

    async def test_guesses_on_one_connection_are_limited(self) -> None:
        async with proxy_for() as proxy, visiting(proxy, known=False) as visitor:
            statuses = []
            while (reply := await visitor.ask("GET", "http://site.test/")).headers.get("connection") != "close":
                statuses.append(reply.status)
            assert len(statuses) == 4
            assert await visitor.is_cut()

    async def test_credentials_are_new_in_every_run(self) -> None:
        async with proxy_for() as one, proxy_for() as other:
            assert one.password != other.password
            async with visiting(one, other) as visitor:
                assert (await visitor.ask("GET", "http://site.test/")).status == 407

    async def test_connection_stays_with_one_lease(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            await visitor.ask("GET", f"http://site.test:{origin.port}/")
            visitor._credentials = proxy.lease(Quota())
            assert (await visitor.ask("GET", f"http://site.test:{origin.port}/")).status == 407

    async def test_site_never_sees_the_credentials(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            await visitor.ask("GET", f"http://site.test:{origin.port}/")
            assert "proxy-authorization" not in origin.requests[0].headers


class TestMessages:
    @pytest.mark.parametrize(
        ("raw", "status"),
        [
            (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 407),  # well-formed: the control
            (b"GET http://site.test/ HTTP/1.1\r\n\r\n", 400),
            (b"GET http://site.test/ HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
            (b"GET http://site.test/ HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400),
            (b"GET http://site.test/ HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", 400),
            (b"GET http://site.test/ HTTP/1.1\r\nHost: a\rX: y\r\n\r\n", 400),
            (b"GET http://site.test/ HTTP/1.1\r\nHost : a\r\n\r\n", 400),
            (b"GET http://site.test/ HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n", 400),
            (b"GET  http://site.test/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            (b"GET http://site.test/\r\nHost: a\r\n\r\n", 400),
            (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            (b"\r\nGET http://site.test/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            (b"\x16\x03\x01 hello\r\n\r\n", 400),
            (b"POST http://site.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
            (b"POST http://site.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\nx", 400),
            (b"POST http://site.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\nx", 400),
            (b"POST http://site.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\nx", 400),
            (
                b"POST http://site.test/ HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                b"0\r\n\r\n",
                400,
            ),
            (b"POST http://site.test/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", 400),
            (b"POST http://site.test/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n", 400),
            (
                b"POST http://site.test/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n",
                400,
            ),
            (b"POST http://site.test/ HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            (b"GET http://site.test/ HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 10_000 + b"\r\n", 431),
            (b"GET http://site.test/ HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 300 + b"\r\n", 431),
            (b"GET http://site.test/ HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 500_000, 431),
        ],
    )
    async def test_ambiguous_head_is_refused(self, raw: bytes, status: int) -> None:
        async with proxy_for() as proxy, visiting(proxy, known=False) as visitor:
            visitor.say(raw)
            assert (await visitor.hear()).status == status
            if status != 407:
                assert proxy.counts.malformed == 1
                assert await visitor.is_cut()

    @pytest.mark.parametrize(
        "target",
        [
            "/", "*", "site.test", "https://site.test/", "ftp://site.test/", "file:///etc/passwd", "http:///x",
            "http://user@site.test/", "http://site.test@127.0.0.1/", "http://site.test#@127.0.0.1/", "http://a%2eb/",
            "http://site.test\\@127.0.0.1/", "http://site.test:99999/", "http://site.test:8a/", "http://[::1%25lo]/",
            "http://[::1]x/", "//site.test/",
        ],
    )  # fmt: skip
    async def test_target_that_is_not_an_absolute_http_url_is_refused(self, target: str) -> None:
        async with proxy_for(resolve=says(**{"a%2eb": "127.0.0.1"})) as proxy, visiting(proxy) as visitor:
            assert (await visitor.ask("GET", target)).status == 400

    async def test_upgrade_trace_and_expectations_are_refused(self, origin: Origin) -> None:
        url = f"http://site.test:{origin.port}/"
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            assert (await visitor.ask("GET", url, "Connection: Upgrade", "Upgrade: websocket")).status == 501
            assert (await visitor.ask("TRACE", url)).status == 501
            assert (await visitor.ask("POST", url, "Expect: 100-continue", "Content-Length: 3")).status == 417
        assert origin.connections == 0

    @pytest.mark.parametrize(
        "chunks", [b"zz\r\n", b"1\nx\r\n", b"-1\r\n", b"2\r\nabc\r\n", b"1 2\r\nx\r\n", b"f" * 70_000]
    )
    async def test_bad_chunks_do_not_reach_the_site_as_a_complete_body(self, chunks: bytes) -> None:
        ended: list[bytes] = []

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                ended.append(await reader.read())
            except ConnectionError:
                ended.append(b"")
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with proxy_for(port) as proxy, visiting(proxy) as visitor, server:
            visitor.tell("POST", f"http://site.test:{port}/", "Transfer-Encoding: chunked")
            visitor.say(chunks)
            assert (await visitor.hear()).status == 502
            assert await visitor.is_cut()
        assert not any(seen.endswith(b"0\r\n\r\n") for seen in ended)

    async def test_bytes_after_a_refused_body_are_not_a_request(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy, visiting(proxy) as visitor:
            smuggled = f"GET http://site.test:{origin.port}/smuggled HTTP/1.1\r\nHost: a\r\n\r\n".encode()
            assert (await visitor.ask("POST", "http://127.0.0.1/", body=smuggled)).status == 403
            assert await visitor.is_cut()
        assert origin.connections == 0


class TestAddress:
    async def test_proxy_listens_on_loopback_by_default(self) -> None:
        async with proxy_for() as proxy:
            assert proxy.address.startswith("127.0.0.1:")

    @pytest.mark.parametrize("address", ["here", "0.0.0.0:3128", "[::]:3128", "host:0", "host:99999", "a@b:1", ":1"])
    def test_address_no_browser_can_reach_is_refused(self, address: str) -> None:
        with pytest.raises(SettingsError, match="WEBQUARRY_BROWSER_PROXY_ADDRESS"):
            ForwardProxy(Settings(browser_proxy_address=address))

    async def test_close_cuts_open_connections_and_stops_listening(self, origin: Origin) -> None:
        async with proxy_for(origin.port) as proxy:
            async with visiting(proxy) as visitor, visiting(proxy) as idle:
                await visitor.ask("CONNECT", f"site.test:{origin.port}")
                await proxy.close()
                assert await visitor.is_cut()
                assert await idle.is_cut()
            with pytest.raises(OSError):
                async with visiting(proxy):
                    pass


def _certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return the TLS contexts of a client and a server for `site.test`."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=site.test"
    subprocess.run(
        [*command.split(), "-addext", "subjectAltName=DNS:site.test", "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate, key)
    return ssl.create_default_context(cafile=certificate), served
