"""The attacked clients: the installed code with this installation's settings."""

import asyncio
import re
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from webquarry.core.clock import SystemClock
from webquarry.core.errors import ServiceError
from webquarry.core.settings import Settings, SettingsError
from webquarry.core.types import Deadline, Provider
from webquarry.core.urls import normalise_url
from webquarry.doctor.egress.adversary import Adversary
from webquarry.doctor.egress.attack import Attack, AttemptResult, Way
from webquarry.doctor.egress.suite import Client
from webquarry.net import Door, Net
from webquarry.net.browser import Browser
from webquarry.net.dial import Dialler
from webquarry.net.proxy import ForwardProxy
from webquarry_convert.text.charset import decode

_PROVIDER = Provider(name="doctor", title="Attacks on this installation")
_STATUS = re.compile(rb"HTTP/1\.1 ([0-9]{3}) ")
_QUIET_S = 0.25


@asynccontextmanager
async def defence(
    settings: Settings, adversary: Adversary, *, browser: bool = True
) -> AsyncIterator[dict[Way, Client | str]]:
    """Build the network layer as the service does, with the adversary's name server and without the operator's proxy.

    `browser` includes a browser; a local one uses a separate folder.
    """
    with TemporaryDirectory(prefix="webquarry-doctor-") as folder:
        update: dict[str, object] = {"proxy_url": None, "data_dir": Path(folder)}
        if settings.browser_cdp_url is None:
            update["browser_proxy_address"] = None  # the configured address is in use by the running server
        settings = settings.model_copy(update=update)
        clock = SystemClock()
        proxy = ForwardProxy(settings, resolve=adversary.resolve)
        rendering = Browser(settings, clock, proxy)
        clients: dict[Way, Client | str] = {"fetch": _Fetcher(settings, adversary)}
        try:
            try:
                await proxy.listen()
            except SettingsError as exc:
                clients["proxy"] = clients["page"] = str(exc)
            else:
                host, _, port = proxy.address.rpartition(":")
                adversary.network.own.add((host.strip("[]"), int(port)))
                clients["proxy"] = _Visitor(proxy)
                if not browser:
                    clients["page"] = "the browser was skipped"
                elif rendering.remedy:
                    clients["page"] = f"no browser is available: {rendering.remedy}"
                else:
                    clients["page"] = _Fetcher(settings, adversary, rendering)
            yield clients
        finally:
            await rendering.close()
            await proxy.close()


class _Fetcher:
    """Fetches a URL, or renders it with a browser, like an endpoint.

    Each attack gets a new `Door`, so that one attack's breakers and connections do not help against the next attack.
    """

    def __init__(self, settings: Settings, adversary: Adversary, browser: Browser | None = None) -> None:
        self._settings = settings
        self._adversary = adversary
        self._browser = browser

    async def attempt(self, attack: Attack, asks: tuple[str, ...]) -> AttemptResult:
        clock = SystemClock()
        dialler = Dialler(self._settings, clock, resolve=self._adversary.resolve)
        door = Door(self._settings, clock, dialler, self._browser)
        result = AttemptResult("")
        bodies: list[bytes] = []
        try:
            for ask in asks:
                result = await self._ask(door.net(_PROVIDER, Deadline.after(attack.deadline_s, clock)), ask)
                bodies += result.bodies
        finally:
            await door.close()
        return AttemptResult(result.outcome, tuple(bodies), result.note, result.fault)

    async def _ask(self, net: Net, address: str) -> AttemptResult:
        try:
            url = normalise_url(address)
        except ValueError as exc:
            return AttemptResult("invalid_params", note=f"an address {exc}")
        try:
            with net:
                wire = await (net.render(url) if self._browser else net.get(url))
                decode(wire.body, wire.headers.get("content-type", ""))
        except ServiceError as error:
            return AttemptResult(error.reason or error.code, note=error.message)
        except Exception as exc:  # noqa: BLE001  # any such exception would be a bug in the service
            return AttemptResult("fault", fault=f"{type(exc).__name__}: {exc}"[:200])
        return AttemptResult("answer", (wire.body,))


class _Visitor:
    """Sends requests to the proxy that a page could make a browser send.

    The outcome is the status of the last response.
    """

    def __init__(self, proxy: ForwardProxy) -> None:
        self._proxy = proxy

    async def attempt(self, attack: Attack, asks: tuple[str, ...]) -> AttemptResult:
        host, _, port = self._proxy.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
        try:
            who = b64encode(f"{self._proxy.username}:{self._proxy.password}".encode()).decode()
            request = attack.raw.replace("{auth}", f"Proxy-Authorization: Basic {who}")
            writer.write(request.encode("latin-1"))
            heard = await _heard(reader, attack.deadline_s)
        finally:
            writer.transport.abort()
        statuses = _STATUS.findall(heard)
        outcome = statuses[-1].decode() if statuses else "closed"
        return AttemptResult(outcome, (heard,), note=f"the proxy returned {outcome}")


async def _heard(reader: asyncio.StreamReader, most_s: float) -> bytes:
    """Return all data received until the other side closes the connection or stops sending."""
    heard = b""
    try:
        async with asyncio.timeout(most_s):
            while piece := await asyncio.wait_for(reader.read(65536), _QUIET_S if heard else None):
                heard += piece
    except (TimeoutError, ConnectionError):
        pass  # return what was received so far
    return heard
