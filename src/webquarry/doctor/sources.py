"""Test of sources: sends an endpoint's example to each of the endpoint's sources, one after another."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from webquarry.core.errors import Absent, EmptyResult, ServiceError
from webquarry.core.types import Deadline
from webquarry.endpoints.chain import missing_settings
from webquarry.endpoints.context import PartAnswer
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import parse
from webquarry.endpoints.registry import Registry
from webquarry.endpoints.run import Run, Runner

AT_ONCE: Final = 4
State = Literal["answers", "fails", "not set up"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one request. `detail` is the reason for a failure, or the missing settings."""

    endpoint: str
    source: str
    state: State
    detail: str
    ms: int = 0

    def line(self) -> str:
        """Return the finding on one line."""
        took = f" in {self.ms:,} ms" if self.ms else ""
        return f"{self.state:10} {self.endpoint}: {self.source}{took}{f': {self.detail}' if self.detail else ''}"


async def ask_all(registry: Registry, runner: Runner, endpoints: Sequence[str]) -> AsyncIterator[Finding]:
    """Send the example of each endpoint (default: all endpoints) to each of its sources. Yield the results.

    Endpoints run in parallel, the sources of one endpoint in turn. Nothing is charged, cached or stored. Dossiers and
    uploads are omitted, because they have no sources.
    """
    turns = asyncio.Semaphore(AT_ONCE)

    async def ask(extractor: Extractor) -> list[Finding]:
        async with turns:
            return [await _ask(runner, each) for each in _take_apart(extractor)]

    named = [each for each in registry if not endpoints or each.name in endpoints]
    chosen = [each for each in named if each.upload is None and each.parts is None]
    for asked in asyncio.as_completed([ask(extractor) for extractor in chosen]):
        for finding in await asked:
            yield finding


def _take_apart(extractor: Extractor) -> list[Extractor]:
    """Return a copy of the endpoint for each of its sources, with only that source."""
    return [replace(extractor, sources=(source,)) for source in extractor.sources] or [extractor]


async def _ask(runner: Runner, extractor: Extractor) -> Finding:
    providers = extractor.all_providers
    name = providers[0].name if providers else extractor.name
    if missing := [each for provider in providers[:1] for each in missing_settings(provider, runner.settings)]:
        return Finding(extractor.name, name, "not set up", f"needs {' and '.join(missing)}")
    began = time.monotonic()
    params = parse(extractor.params, tuple(extractor.example.items()))
    run = Run(runner, extractor, params, Deadline.after(extractor.deadline_s, runner.clock), _refuse_part)
    state: State = "answers"
    try:
        await run.go()
        detail = ""
    except (Absent, EmptyResult) as exc:
        detail = exc.code  # a valid response without data
    except ServiceError as exc:
        state, detail = "fails", f"{exc.reason or exc.code}: {exc.message}"
    return Finding(extractor.name, name, state, detail, round(1000 * (time.monotonic() - began)))


async def _refuse_part(name: str) -> PartAnswer:
    raise LookupError(f"{name} is not a dossier and has no parts")
