"""Test of sources: sends each source its endpoint's example, one source at a time."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from webquarry.accounts import Caller
from webquarry.core.errors import Absent, EmptyResult, ServiceError
from webquarry.core.settings import Settings
from webquarry.endpoints.chain import missing_settings
from webquarry.endpoints.declare import Extractor
from webquarry.pipeline import Freshness, Pipeline

AT_ONCE: Final = 4
State = Literal["answers", "fails", "not set up"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one request. `detail` is the reason of a failure, or the missing settings."""

    endpoint: str
    source: str
    state: State
    detail: str
    ms: int = 0

    def line(self) -> str:
        """Return the finding on one line."""
        took = f" in {self.ms:,} ms" if self.ms else ""
        return f"{self.state:10} {self.endpoint}: {self.source}{took}{f': {self.detail}' if self.detail else ''}"


async def ask_all(
    pipeline: Pipeline, settings: Settings, caller: Caller, endpoints: Sequence[str]
) -> AsyncIterator[Finding]:
    """Send each source of the endpoints (default: all) its example. Yield the results.

    Endpoints run in parallel, the sources of one endpoint in turn. Nothing is charged.
    """
    turns = asyncio.Semaphore(AT_ONCE)

    async def ask(extractor: Extractor) -> list[Finding]:
        async with turns:
            return [await _ask(pipeline, settings, caller, each) for each in _take_apart(extractor)]

    chosen = [each for each in pipeline.registry if each.upload is None and (not endpoints or each.name in endpoints)]
    for asked in asyncio.as_completed([ask(extractor) for extractor in chosen]):
        for finding in await asked:
            yield finding


def _take_apart(extractor: Extractor) -> list[Extractor]:
    """Return a copy of the endpoint for each of its sources, with only that source."""
    return [replace(extractor, sources=(source,)) for source in extractor.sources] or [extractor]


async def _ask(pipeline: Pipeline, settings: Settings, caller: Caller, extractor: Extractor) -> Finding:
    providers = extractor.all_providers
    name = providers[0].name if providers else extractor.name
    if missing := [each for provider in providers[:1] for each in missing_settings(provider, settings)]:
        return Finding(extractor.name, name, "not set up", f"needs {' and '.join(missing)}")
    began = time.monotonic()
    call = pipeline.prepare(extractor, tuple(extractor.example.items()))
    state: State = "answers"
    try:
        await pipeline.answer(caller, call, request_id="doctor", freshness=Freshness(no_cache=True))
        detail = ""
    except (Absent, EmptyResult) as exc:
        detail = exc.code  # a valid response without data
    except ServiceError as exc:
        state, detail = "fails", f"{exc.reason or exc.code}: {exc.message}"
    return Finding(extractor.name, name, state, detail, round(1000 * (time.monotonic() - began)))
