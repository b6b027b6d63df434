"""A run of an endpoint: its provider chain, or its `run`, within the request's deadline.

A run does not handle charges or the cache. It ends with an `Output` or a `ServiceError`; in both cases `attempts` lists
the providers tried, each with its outcome and duration.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, partial
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from webquarry.core.attempt import Attempt
from webquarry.core.clock import Clock
from webquarry.core.errors import (
    Absent,
    ConversionFailed,
    EmptyResult,
    NotModified,
    ProviderError,
    ServiceError,
    UnsafeTarget,
)
from webquarry.core.log import log
from webquarry.core.metrics import Metrics
from webquarry.core.process import loop
from webquarry.core.settings import Settings
from webquarry.core.tracing import span
from webquarry.core.types import PICTURES_PATH, Deadline, File, Known, Picture, Provider, Wire
from webquarry.endpoints.chain import leave_out_spares, make_failed_error, make_no_provider_error, missing_settings
from webquarry.endpoints.context import PartAnswer
from webquarry.endpoints.declare import Artifacts, Extractor, Params, Result, Source
from webquarry.endpoints.footer import with_instant
from webquarry.endpoints.models import faults
from webquarry.endpoints.reading import Readers
from webquarry.net import Door, Net
from webquarry.net.player import NoTape
from webquarry.read import counting
from webquarry.workers.isolated import Isolated
from webquarry.workers.workers import Workers

BROWSER = "browser"
"""Name of the attempt for a rendered page."""
LATE_S = 0.5
"""Seconds after the deadline at which a run is canceled.

Its steps end at the deadline with an error that names the cause: a slow source, the conversion, or the wait for a turn.
"""


@dataclass(frozen=True, slots=True)
class Output:
    """A run's result: `data` as JSON text and the markdown, both in UTF-8, and their origin.

    `fresh` is how long the result is served to others, or None if it is never served to others. `pictures` are the
    images that the result shows. `page_starts` are the offsets in the markdown at which the pages of a document begin,
    in characters.
    """

    data: bytes
    markdown: bytes
    provider: str | None
    wire: Wire | None
    fresh: timedelta | None
    pictures: tuple[Picture, ...] = ()
    page_starts: tuple[int, ...] = ()


@contextmanager
def report_changes(extractor: str, source: str) -> Iterator[None]:
    """Convert an invalid or unserializable result to a ProviderError, which states that the provider's response has
    changed.
    """
    try:
        yield
    except ValidationError as exc:
        log.warning("result.invalid", extractor=extractor, source=source, faults=faults(exc))
        raise ProviderError("The provider's response has changed its format.", reason="changed") from exc
    except PydanticSerializationError as exc:  # raw data of a provider may be nested too deeply for the JSON writer
        log.warning("result.unwritable", extractor=extractor, source=source)
        raise ProviderError("The provider's response can't be represented as JSON.", reason="changed") from exc


@cache
def _has_hidden(model: type[Result]) -> bool:
    """Return whether a result has fields that its JSON omits."""
    return any(field.exclude for field in model.model_fields.values())


def _name_end(exc: BaseException) -> str:
    """Return the name for the outcome of a failed run or attempt."""
    if isinstance(exc, ServiceError):
        return exc.reason or exc.code
    return "stopped" if isinstance(exc, asyncio.CancelledError) else "fault"


class Runner:
    """Resources that all runs share: network access, child processes and counters.

    `known_questions` returns the requests to an endpoint for which there are tapes.
    """

    def __init__(
        self,
        door: Door,
        workers: Workers,
        clock: Clock,
        settings: Settings,
        metrics: Metrics,
        known_questions: Callable[[str], Sequence[str]] = lambda _: (),
    ) -> None:
        self.door = door
        self.workers = workers
        self.clock = clock
        self.settings = settings
        self.metrics = metrics
        self.known_questions = known_questions
        self.readers = Readers(workers)


class Run:
    """A single run. It is also the `Context` of an extractor's `run`."""

    def __init__(
        self,
        runner: Runner,
        extractor: Extractor,
        params: Params,
        deadline: Deadline,
        part: Callable[[str], Coroutine[Any, Any, PartAnswer]],
        file: File | None = None,
        account: str = "",
        further: Callable[[], Coroutine[Any, Any, tuple[str, ...]]] | None = None,
        known: Known | None = None,
    ) -> None:
        """`account` is the account it runs for; "" means the service itself. For `known`, see `Context.known`."""
        self.account = account
        self.known = known
        self.deadline = deadline
        self.clock = runner.clock
        self.isolated: Isolated = partial(runner.workers.run, deadline=deadline, account=account)
        self.attempts: list[Attempt] = []
        self.part = part
        self._further = further
        self._file = file
        self._runner = runner
        self._extractor = extractor
        self._params = params
        self._wire: Wire | None = None
        self._fresh: timedelta | None = extractor.fresh_for(params)
        self._provider: Provider | None = None
        self._opened: list[Net] = []
        self._pictures: list[Picture] = []
        self._nets = ExitStack()

    async def go(self) -> Output:
        """Run to completion. External failures are always raised as `ServiceError`."""
        began, ended = self.clock.monotonic(), "ok"
        try:
            return await self._make()
        except BaseException as exc:
            ended = _name_end(exc)
            raise
        finally:
            ms = round(1000 * (self.clock.monotonic() - began))
            self._runner.metrics.endpoints.note(self._extractor.name, ended, ms, self.clock.now())

    async def _make(self) -> Output:
        with self._runner.metrics.run_seconds.labels(self._extractor.name).time():
            try:
                async with asyncio.timeout(self.deadline.remaining_s + LATE_S):
                    answer = await (self._ask_sources() if self._extractor.sources else self._run_own())
            except NoTape as exc:
                raise NoTape(exc.missing, self._runner.known_questions(self._extractor.name)) from exc
            except TimeoutError as exc:
                raise ProviderError(
                    f"No response within {self._extractor.deadline_s:.0f} seconds. Try again.", reason="timeout"
                ) from exc
        made = answer if isinstance(answer, Artifacts) else await self._write(answer)
        return Output(
            data=made.data,
            markdown=with_instant(made.markdown, self._wire) if self._wire else made.markdown,
            provider=self._provider.name if self._provider else None,
            wire=self._wire,
            fresh=self._fresh,
            pictures=tuple(self._pictures),
            page_starts=made.page_starts,
        )

    async def _write(self, result: Result) -> Artifacts:
        """Return the result as JSON and markdown. The markdown of a large result is written in a child process."""
        render = self._extractor.render
        with report_changes(self._extractor.name, self._provider.name if self._provider else self._extractor.name):
            data = result.model_dump_json().encode()
        if len(data) <= loop.LOOP_BYTES or _has_hidden(type(result)):
            return Artifacts(data, render(result).encode())
        try:
            return Artifacts(
                data, await self._runner.readers.write(render, type(result), data, self.deadline, self.account)
            )
        except ConversionFailed as exc:
            raise ProviderError("The providers' responses are too large.", reason="changed") from exc

    @property
    def file(self) -> File:
        if self._file is None:
            raise LookupError(f"{self._extractor.name} has no upload")
        return self._file

    async def further(self) -> tuple[str, ...]:
        return () if self._further is None else await self._further()

    def net(self, provider: Provider) -> Net:
        if provider not in self._extractor.providers:
            raise LookupError(f"{self._extractor.name} does not declare the provider {provider.name}")
        self._provider = provider
        self._opened.append(self._nets.enter_context(self._runner.door.net(provider, self.deadline, self.account)))
        return self._opened[-1]

    def is_configured(self, provider: Provider) -> bool:
        return not missing_settings(provider, self._runner.settings)

    def shorten_freshness(self, fresh: timedelta) -> None:
        self._fresh = fresh

    def keep_wire(self, wire: Wire, provider: Provider | None = None) -> None:
        self._wire, self._provider = wire, provider or self._provider

    def keep_picture(self, picture: Picture) -> str:
        self._pictures.append(picture)
        return f"{self._runner.settings.base_url}{PICTURES_PATH}{picture.name}"

    async def _run_own(self) -> Result | Artifacts:
        run, providers = self._extractor.run, self._extractor.providers
        if run is None:
            raise TypeError(f"{self._extractor.name} declares neither sources nor run")
        name = providers[0].name if providers else self._extractor.name
        try:
            with self._nets:
                return await self._attempt(name, lambda: run(self._params, self))
        finally:
            self._note_renders()

    async def _ask_sources(self) -> Result | Artifacts:
        ready = [s for s in self._extractor.sources if not missing_settings(s.provider, self._runner.settings)]
        skipped = {s.provider.name: why for s in ready if (why := s.why_skipped(self._params))}
        able = [source for source in ready if source.provider.name not in skipped]
        fit = leave_out_spares(able, self._runner.settings)
        failed: list[tuple[Source, ProviderError]] = []
        for index, source in enumerate(fit):
            share = self.deadline.share(len(fit) - index)
            try:
                return await self._attempt(source.provider.name, partial(self._fetch_and_read, source, share))
            except ProviderError as error:
                failed.append((source, error))
        if not failed:
            raise make_no_provider_error(self._extractor, tuple(skipped.values()), self._runner.settings)
        raise make_failed_error(failed)

    async def _fetch_and_read(self, source: Source, deadline: Deadline) -> Result | Artifacts:
        """Fetch and read as one attempt, so that the reader's errors also reach the breaker."""
        with self._runner.door.net(source.provider, deadline, self.account) as net:
            try:
                async with deadline.bound():
                    result, wire = await source.answer(self._params, net, partial(self._read_answer, deadline))
            except TimeoutError as exc:
                raise ProviderError(f"{source.provider.title} did not respond in time.", reason="timeout") from exc
            except ConversionFailed as exc:  # the response is larger than any known response of this source
                raise ProviderError(exc.message, reason="changed") from exc
            except UnsafeTarget as exc:  # not the caller's address, which was checked with the parameters
                raise ProviderError(
                    f"{source.provider.title} returned an address that can't be fetched.", reason="refused"
                ) from exc
        self._wire, self._provider = wire, source.provider
        return result

    async def _attempt(self, provider: str, ask: Callable[[], Awaitable[Result | Artifacts]]) -> Result | Artifacts:
        """Make one attempt and record its outcome.

        If the result's model rejects the result, the provider's response has changed.
        """
        began, ended = self.clock.monotonic(), "ok"
        try:
            with (
                span("attempt", endpoint=self._extractor.name, provider=provider),
                counting() as losses,
                report_changes(self._extractor.name, provider),
            ):
                return await ask()
        except BaseException as exc:
            ended = _name_end(exc)
            raise
        finally:
            ms = round(1000 * (self.clock.monotonic() - began))
            self.attempts.append(Attempt(provider, None if ended == "ok" else ended, ms))
            self._runner.metrics.attempts.labels(provider, ended).inc()
            self._runner.metrics.sources.note(provider, ended, ms, self.clock.now())
            for path, count in losses.items():
                self._runner.metrics.lost(self._extractor.name, path, count)
            if ended not in ("ok", Absent.code, EmptyResult.code, NotModified.code):
                log.info("source.failed", extractor=self._extractor.name, source=provider, reason=ended, ms=ms)

    async def _read_answer(
        self, deadline: Deadline, reader: Callable[..., Result], wire: Wire, params: Params
    ) -> Result | Artifacts:
        """Read a result from a single wire.

        If the wire is large, the child process that reads it also writes the result.
        """
        if len(wire.body) <= loop.LOOP_BYTES:
            return reader(wire, params)
        return await self._runner.readers.answer(
            reader, self._extractor.render, wire, (params,), deadline, self.account
        )

    def _note_renders(self) -> None:
        """Record each rendered page as an attempt, in addition to the provider's, whose duration includes it."""
        for done in (exchange for net in self._opened for exchange in net.exchanges if exchange.rendered):
            self.attempts.append(Attempt(BROWSER, done.reason, done.ms))
            self._runner.metrics.renders.labels(done.reason or "ok").inc()
