"""Measurements during an attack: the server's pulse, its memory, and other accounts' results."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self

from attacks.calling import PAGE_PATH, CallResult, Payer, get
from attacks.held import Held, measure_held
from attacks.pulse import Feeling, Pulse
from attacks.server import Server

BYSTANDER_S = 8.0
"""Timeout in seconds for another account's small page."""
SILENT_S = 10.0
"""Seconds after which a silent server is given up."""
_EVERY_S = 0.25


@dataclass(frozen=True, slots=True)
class Seen:
    """Measurements of an attack.

    pulse: measurements during the whole attack; quiet, most: memory before the attack and its maximum; others: the
    worst result of another account's small page, None if there was no such request; asked: number of these requests;
    charged: their cost in credits; silent: whether the server was given up.
    """

    pulse: Pulse
    quiet: Held
    most: Held
    others: CallResult | None
    asked: int
    charged: int
    silent: bool


class Watch:
    """Watches from entering to leaving; then `seen` returns the measurements.

    page: another account and its page's URL.
    """

    def __init__(self, server: Server, feeling: Feeling, page: tuple[Payer, str] | None) -> None:
        self.is_silent = asyncio.Event()
        self._server = server
        self._feeling = feeling
        self._page = page
        self._quiet = self._most = measure_held(server.pid)
        self._pulse = Pulse()
        self._worst: CallResult | None = None
        self._asked = self._charged = 0
        self._over = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        await self._feeling.take()
        self._tasks = [asyncio.create_task(self._hold()), asyncio.create_task(self._ask())]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        await asyncio.gather(*self._tasks)
        self._pulse = _join_pulses(self._pulse, await self._feeling.take())

    def seen(self) -> Seen:
        return Seen(
            pulse=self._pulse,
            quiet=self._quiet,
            most=self._most,
            others=self._worst,
            asked=self._asked,
            charged=self._charged,
            silent=self.is_silent.is_set(),
        )

    async def _hold(self) -> None:
        """Measure the memory, and check whether the server still responds."""
        while not self._over.is_set():
            self._most = self._most.at_least(await asyncio.to_thread(measure_held, self._server.pid))
            self._pulse = _join_pulses(self._pulse, await self._feeling.take())
            if self._pulse.silent_ms > 1000 * SILENT_S or self._server.has_fallen:
                self.is_silent.set()
            await self._pause(_EVERY_S)

    async def _ask(self) -> None:
        """Request another account's page repeatedly."""
        while self._page is not None and not self._over.is_set() and not self.is_silent.is_set():
            payer, page = self._page
            answer = await get(self._server.place, payer, PAGE_PATH, {"url": page}, most_s=BYSTANDER_S)
            self._asked += 1
            self._charged += answer.charged
            if self._worst is None or _badness(answer) > _badness(self._worst):
                self._worst = answer
            await self._pause(2 * _EVERY_S)

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), seconds)


def _badness(answer: CallResult) -> tuple[bool, float]:
    return answer.outcome != "answer", answer.seconds


def _join_pulses(before: Pulse, after: Pulse) -> Pulse:
    return replace(
        after,
        waits_ms=[*before.waits_ms, *after.waits_ms],
        unserved_ms=[*before.unserved_ms, *after.unserved_ms],
        asked=before.asked + after.asked,
        longest_ms=max(before.longest_ms, after.longest_ms),
        lost=before.lost + after.lost,
        twin_ms=max(before.twin_ms, after.twin_ms),
    )
