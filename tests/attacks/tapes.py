"""Enlarged responses of sources in the real shape of each API, made from the shipped tapes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Final

from attacks.pumps import PUMPS
from attacks.site import SMALL_PAGE
from webquarry.endpoints.registry import API_PREFIX, load
from webquarry.net.tape import Exchange, Fault, write_exchange
from webquarry.net.transport import Request, Response
from webquarry.sandbox import cases
from webquarry.sandbox.cases import Case

HONEST_PAGE: Final = "http://honest.example/"
"""An unchanged page among the tapes."""
_NO_SOURCE = frozenset({"markdown_file", "markdown_url"})
"""Endpoints with arbitrary input; other attacks cover them."""
_ANY_HOST = frozenset({"agent_ready", "domain_registration"})
"""Endpoints whose parameters determine the requested host."""


@dataclass(frozen=True, slots=True)
class Tapes:
    """A folder of tapes, and the settings for all their sources."""

    folder: Path
    settings: Mapping[str, str]

    @classmethod
    def written(cls, folder: Path, pump: str) -> "Tapes":
        """Write every case that has a result, with each body pumped, and the honest page."""
        folder.mkdir(parents=True)
        pumped = [_pump_exchange(exchange, PUMPS[pump]) for case in seeds() for exchange in case.exchanges]
        for number, exchange in enumerate([*pumped, _honest()], 1):
            write_exchange(folder, number, exchange)
        settings = {name.upper(): str(value) for case in seeds() for name, value in case.settings.items()}
        return cls(folder, settings)


@lru_cache(maxsize=1)
def seeds() -> tuple[Case, ...]:
    """Return the cases to be pumped: successful ones, the longest for each set of requested hosts."""
    chosen: dict[tuple[str, ...], tuple[int, Case]] = {}
    for case in cases():
        if case.data is None or case.endpoint in _NO_SOURCE or not case.exchanges:
            continue
        hosts = {exchange.request.url.split("/")[2] for exchange in case.exchanges}
        asked = (case.endpoint, *(() if case.endpoint in _ANY_HOST else sorted(hosts)))
        responses = [exchange.response for exchange in case.exchanges]
        size = sum(len(response.body) for response in responses if isinstance(response, Response))
        if asked not in chosen or chosen[asked][0] < size:
            chosen[asked] = (size, case)
    return tuple(case for _, case in chosen.values())


def question(case: str) -> tuple[str, Mapping[str, str]]:
    """Return the path and query of a case's request."""
    endpoint, _, _ = case.partition("/")
    paths = {extractor.name: API_PREFIX + extractor.path for extractor in load()}
    return paths[endpoint], next(known.params for known in seeds() if known.name == case)


def _pump_exchange(exchange: Exchange, pump: Callable[[bytes], bytes]) -> Exchange:
    """Return the exchange with a pumped body if it succeeded; an intermediate refusal is kept."""
    response = exchange.response
    if isinstance(response, Fault) or response.status != HTTPStatus.OK or not response.body:
        return exchange
    return replace(exchange, response=replace(response, body=pump(response.body)))


def _honest() -> Exchange:
    headers = {"content-type": "text/html; charset=utf-8"}
    answer = Response(200, headers, SMALL_PAGE, datetime(2026, 1, 1, tzinfo=UTC), len(SMALL_PAGE))
    return Exchange(Request("GET", HONEST_PAGE), answer)


def wires() -> Iterator[tuple[str, str]]:
    """Yield the names of every case and every pump."""
    for pump in PUMPS:
        for case in seeds():
            yield case.name, pump
