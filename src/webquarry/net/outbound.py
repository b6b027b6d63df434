"""The operator's outbound proxy, which is used for all outgoing traffic if `WEBQUARRY_PROXY_URL` is set.

Proxies with `http://` and `socks5h://` resolve names themselves. Webquarry can then only check literal addresses, local
names and ports; checking resolved addresses is up to the proxy. Proxies with `socks5://` get addresses that were
resolved and checked here, as for direct connections. Proxy variables in the environment are ignored.
"""

import asyncio
import re
import socket
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self
from urllib.parse import unquote, urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler
from python_socks import ProxyError, ProxyType
from python_socks.async_.asyncio import Proxy
from yarl import URL

from webquarry.core.settings import PREFIX, Settings, SettingsError
from webquarry.core.urls import is_address, normalise_host
from webquarry.net.guard import Guard
from webquarry.net.message import MAX_HEAD_BYTES, Malformed, head_bytes, parse_answer, read_head

_FORM = re.compile(r"(http|socks5h?)://(?:[!-~]+@)?[^@/?#]+:\d{1,5}/?")
_CREDENTIAL = re.compile(r"[\x20-\x7e]{0,255}")


@dataclass(frozen=True, slots=True)
class Outbound:
    """Address of the proxy. `username` and `password` are "" if it needs no credentials."""

    scheme: Literal["http", "socks5", "socks5h"]
    host: str
    port: int
    username: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """Return the proxy from the settings, or None.

        Raises SettingsError, which does not quote the URL, if the URL is invalid.
        """
        if settings.proxy_url is None:
            return None
        try:
            return cls._parse(settings.proxy_url)
        except ValueError:
            # The original error would quote the URL, and the password in it.
            raise SettingsError(
                f"{PREFIX}PROXY_URL: must be http://host:port, socks5://host:port or socks5h://host:port, "
                "with user:password@ before the host if the proxy requires it"
            ) from None

    @classmethod
    def _parse(cls, text: str) -> Self:
        form = _FORM.fullmatch(text)
        parts = urlsplit(text)
        if form is None or not parts.port:
            raise ValueError("not of the form")
        username, password = unquote(parts.username or ""), unquote(parts.password or "")
        if ":" in username or not (_CREDENTIAL.fullmatch(username) and _CREDENTIAL.fullmatch(password)):
            raise ValueError("credentials that cannot be sent")
        scheme: Any = form[1]
        return cls(scheme, normalise_host(parts.hostname or ""), parts.port, username, password)

    @property
    def speaks_http(self) -> bool:
        return self.scheme == "http"

    @property
    def resolves_names(self) -> bool:
        """Whether the proxy resolves names."""
        return self.scheme != "socks5"

    @property
    def url_with_credentials(self) -> URL:
        return URL.build(
            scheme=self.scheme,
            user=self.username or None,
            password=self.password or None,
            host=self.host,
            port=self.port,
        )

    @property
    def authorization(self) -> list[tuple[str, str]]:
        """The header field with credentials for an HTTP proxy; empty without credentials."""
        if not self.username:
            return []
        return [("Proxy-Authorization", f"Basic {b64encode(f'{self.username}:{self.password}'.encode()).decode()}")]

    async def hosts(self, host: str, guard: Guard) -> Sequence[str]:
        """Return the targets to request from the proxy, in order: a name that the proxy resolves, or checked addresses.

        Raises UnsafeTarget if an address is not allowed, OSError if there is no address, ValueError if `host` is not a
        host.
        """
        host = normalise_host(host)  # an address in an unusual spelling must not be treated as a name
        if self.resolves_names and not is_address(host):
            return [host]
        return await guard.addresses(host)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a connection to the proxy. Its address is not checked, because the operator chose it."""
        return await asyncio.open_connection(self.host, self.port, limit=MAX_HEAD_BYTES)

    async def tunnel(self, hosts: Sequence[str], port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a connection through the proxy to the first reachable host in `hosts`.

        Raises OSError if no host is reachable.
        """
        if self.speaks_http:
            return await self._http_tunnel(hosts[0], port)
        return await asyncio.open_connection(sock=await self.socks(hosts, port), limit=MAX_HEAD_BYTES)

    async def socks(self, hosts: Sequence[str], port: int) -> socket.socket:
        """Return a socket connected through a SOCKS proxy to the first reachable host in `hosts`."""
        fault: Exception | None = None
        for host in hosts:
            proxy = Proxy(
                ProxyType.SOCKS5, self.host, self.port, self.username or None, self.password or None, rdns=True
            )
            try:
                return await proxy.connect(host, port)
            except (ProxyError, OSError) as exc:
                fault = exc
        raise ConnectionError("the proxy can't connect") from fault

    async def _http_tunnel(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await self.connect()
        try:
            authority = _authority(host, port)
            writer.write(head_bytes(f"CONNECT {authority} HTTP/1.1", [("Host", authority), *self.authorization]))
            status = parse_answer(await read_head(reader)).status
            if not 200 <= status < 300:
                raise ConnectionError(f"the proxy responded with {status}")
        except (Malformed, EOFError) as exc:
            writer.transport.abort()
            raise ConnectionError("the proxy did not respond with HTTP") from exc
        except BaseException:
            writer.transport.abort()
            raise
        return reader, writer


class SocksConnector(aiohttp.TCPConnector):
    """A connector of aiohttp that uses sockets connected by a SOCKS proxy."""

    def __init__(self, outbound: Outbound, guard: Guard, **options: Any) -> None:
        super().__init__(resolver=_Hosts(outbound, guard), **options)
        self._outbound = outbound
        self._guard = guard

    async def _wrap_create_connection(
        self,
        *args: Any,
        addr_infos: list[aiohttp.AddrInfoType],
        req: aiohttp.ClientRequest,
        timeout: aiohttp.ClientTimeout,
        client_error: type[Exception] = aiohttp.ClientConnectorError,
        **kwargs: Any,
    ) -> tuple[asyncio.Transport, ResponseHandler]:
        hosts = [str(address[0]) for *_, address in addr_infos]
        for host in hosts:
            await self._outbound.hosts(host, self._guard)  # literal addresses were not checked by a resolver before
        try:
            connected = await self._outbound.socks(hosts, int(addr_infos[0][4][1]))
        except OSError as exc:
            raise aiohttp.ClientProxyConnectionError(req.connection_key, exc) from exc
        return await self._wrap_existing_connection(
            *args, req=req, timeout=timeout, client_error=client_error, sock=connected, **kwargs
        )


class _Hosts(AbstractResolver):
    """Resolves names for aiohttp to the targets that are requested from the proxy."""

    def __init__(self, outbound: Outbound, guard: Guard) -> None:
        self._outbound = outbound
        self._guard = guard

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(hostname=host, host=found, port=port, family=family, proto=0, flags=0)
            for found in await self._outbound.hosts(host, self._guard)
        ]

    async def close(self) -> None:
        """Do nothing; no resources are held."""


def _authority(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
