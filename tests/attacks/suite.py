"""The suite: play attacks one after the other, on servers with the settings they need, and judge each result."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from attacks.attack import LATE_S, Answers, Attack, Page, Played, Scene, Upload, Wire
from attacks.calling import PAGE_PATH, CallResult, Payer, get, send_file
from attacks.pulse import Feeling, Pulse
from attacks.server import SERVE, Server
from attacks.site import Site
from attacks.tapes import HONEST_PAGE, Tapes, question
from attacks.watch import BYSTANDER_S, Seen, Watch
from webquarry.doctor.responses import Response, Sends, answer

Verdict = Literal["held", "broke", "skipped"]
"""held: the server worked as usual; broke: something failed; skipped: the attack cannot be played here."""

MOST_WAIT_MS = 100.0
"""Maximum wait of `/healthz` beyond the machine's own."""
OTHERS_WITHIN_S = 5.0
SERVER_MB = 256.0
"""Maximum growth of the server itself in MB."""
BROWSER_MB = 2000.0
_DOUBT_MS = 1000.0
"""A wait below this may be caused by the machine: the attack is played again."""
_BOOKED_S = 5.0


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of an attack.

    why: in a few words; outcome: of its request; memory_mb: growth of server and children; pulse: measurements of the
    server.
    """

    attack: Attack
    verdict: Verdict
    why: str
    outcome: str = ""
    seconds: float = 0.0
    memory_mb: float | None = None
    pulse: Pulse = field(default_factory=Pulse)


async def play(
    attacks: Sequence[Attack], folder: Path, *, browser: bool = True, command: Sequence[str] = SERVE
) -> AsyncIterator[Finding]:
    """Yield the findings in the order of play: one server's findings together.

    folder: for the stores; browser: whether attacks that need a browser are played; command: starts a server.
    """
    async with Site(hosts=2 * len(attacks) + 50) as site:
        hall = _Hall(folder, site, command, browser=browser)
        try:
            for attack in sorted(attacks, key=hall.key):
                if attack.renders and not browser:
                    yield Finding(attack, "skipped", "the browser was left out")
                    continue
                finding, is_sure = await hall.play(attack)
                if not is_sure:
                    finding, _ = await hall.play(attack)
                yield finding
        finally:
            await hall.close()


@dataclass(frozen=True, slots=True)
class _Stage:
    server: Server
    site: Site
    attacker: Payer
    bystander: Payer
    feeling: Feeling


class _Hall:
    """The servers of the attacks, one at a time."""

    def __init__(self, folder: Path, site: Site, command: Sequence[str], *, browser: bool) -> None:
        self._folder = folder
        self._site = site
        self._command = command
        self._browser = browser
        self._made = 0
        self._key: tuple[str, ...] = ()
        self._stage: _Stage | None = None

    def key(self, attack: Attack) -> tuple[str, ...]:
        """Return a sort key. Attacks with the same key share a server; attacks that need a separate server come
        last.
        """
        if isinstance(attack.way, Played) and attack.way.alone:
            return "3", attack.name
        settings = tuple(f"{name}={text}" for name, text in sorted(attack.settings.items()))
        if isinstance(attack.way, Wire):
            return "2", attack.way.pump, *settings
        return "1", *settings

    async def play(self, attack: Attack) -> tuple[Finding, bool]:
        """Play an attack. Return the finding, and whether it is certain."""
        stage = await self._stage_attack(attack)
        before = await stage.server.balance(stage.attacker), await stage.server.balance(stage.bystander)
        seen, answer = await self._watch_attack(attack, stage)
        faults = list(_find_broken(attack, seen, answer))
        if seen.silent:
            await self._revive(stage)
        if not isinstance(attack.way, Played):  # such an attack sends several requests, some of which are abandoned
            faults += [fault async for fault in _find_misbooked(stage, before, answer, seen)]
        faults += [(f"the ledger is inconsistent: {fault}", True) for fault in await stage.server.faults()]
        if not stage.server.is_running:
            await self.close()
        grown_mb = seen.most.all_mb - seen.quiet.all_mb
        finding = Finding(attack, "held", answer.note, answer.outcome, answer.seconds, max(0.0, grown_mb), seen.pulse)
        if faults:
            finding = replace(finding, verdict="broke", why="; ".join(text for text, _ in faults))
        return finding, not faults or any(is_sure for _, is_sure in faults)

    async def close(self) -> None:
        """End the server."""
        if self._stage is not None:
            stage, self._stage = self._stage, None
            await stage.feeling.end()
            await stage.server.kill()

    async def _stage_attack(self, attack: Attack) -> _Stage:
        """Return the server for an attack, after ending another server if needed."""
        key = self.key(attack)
        is_alone = isinstance(attack.way, Played) and attack.way.alone
        if self._stage is not None and (is_alone or key != self._key):
            await self.close()
        if self._stage is None:
            self._made += 1
            folder = self._folder / f"server-{self._made}"
            folder.mkdir(parents=True)
            settings = {"EGRESS_ALLOW": self._site.allowed, **attack.settings}
            if not self._browser:
                settings["CHROMIUM_PATH"] = str(folder / "no-browser")
            command = self._command
            if isinstance(attack.way, Wire):
                tapes = await asyncio.to_thread(Tapes.written, folder / "tapes", attack.way.pump)
                settings |= tapes.settings
                command = (*command, "--tapes", str(tapes.folder))
            server = Server(folder, settings, command)
            attacker, bystander = await server.open_account("attacker"), await server.open_account("bystander")
            await server.start()
            feeling = await Feeling.of(*server.place, server.pid)
            self._stage = _Stage(server, self._site, attacker, bystander, feeling)
            self._key = key
            await _warm(self._stage, HONEST_PAGE if isinstance(attack.way, Wire) else self._site.small_page)
        return self._stage

    async def _watch_attack(self, attack: Attack, stage: _Stage) -> tuple[Seen, CallResult]:
        """Play an attack and watch it. The request is given up if the server is silent."""
        page: tuple[Payer, str] | None = (stage.bystander, self._site.small_page)
        if isinstance(attack.way, Wire):
            page = (stage.bystander, HONEST_PAGE)
        elif isinstance(attack.way, Played):
            page = None  # scenes send other accounts' requests themselves
        async with _prepare_call(attack, stage) as call:
            watch = Watch(stage.server, stage.feeling, page)
            async with watch:
                answer = await _unless(watch.is_silent, call)
        return watch.seen(), answer

    async def _revive(self, stage: _Stage) -> None:
        """Kill and restart a silent server. Its held credits are refunded."""
        await stage.server.kill()
        await stage.feeling.end()
        await stage.server.start()
        feeling = await Feeling.of(*stage.server.place, stage.server.pid)
        self._stage = replace(stage, feeling=feeling)


Call = Callable[[], Coroutine[Any, Any, CallResult]]


@asynccontextmanager
async def _prepare_call(attack: Attack, stage: _Stage) -> AsyncIterator[Call]:
    """Yield the request of an attack with its body made in advance, so that this time is not counted."""
    way, place, payer = attack.way, stage.server.place, stage.attacker
    most_s = attack.deadline_s + LATE_S
    if isinstance(way, Upload):
        body = await asyncio.to_thread(way.makes)
        yield partial(send_file, place, payer, body, most_s=most_s)
    elif isinstance(way, Wire):
        path, query = question(way.case)
        yield partial(get, place, payer, path, query, most_s=most_s)
    elif isinstance(way, Played):
        yield partial(_scene, way.scene, stage)
    else:
        responses = await asyncio.to_thread(_responses, way)
        address = stage.site.serve(responses)
        try:
            yield partial(get, place, payer, PAGE_PATH, {"url": f"{address}/"}, most_s=most_s)
        finally:
            stage.site.drop(address)


async def _scene(scene: Scene, stage: _Stage) -> CallResult:
    return await scene(stage)


def _responses(way: Page | Answers) -> Mapping[str, Response]:
    if isinstance(way, Answers):
        return way.responses()
    return {"/": Sends(answer(way.makes(), f"Content-Type: {way.kind}", *way.fields), then="keep")}


async def _unless(given_up: asyncio.Event, call: Call) -> CallResult:
    """Return the result of a request, or `late` if it is given up first."""
    calling = asyncio.create_task(call())
    giving_up = asyncio.create_task(given_up.wait())
    await asyncio.wait({calling, giving_up}, return_when=asyncio.FIRST_COMPLETED)
    giving_up.cancel()
    if not calling.done():
        calling.cancel()
        with suppress(asyncio.CancelledError):
            await calling
        return CallResult("late", note="it was given up")
    return calling.result()


async def _warm(stage: _Stage, page: str) -> None:
    """Request a page and convert a file before all attacks, so that the costs of first requests are not counted."""
    for _ in range(2):
        await get(stage.server.place, stage.bystander, PAGE_PATH, {"url": page}, most_s=BYSTANDER_S)
        await send_file(stage.server.place, stage.bystander, b"Name,Score\nAda,12\nGrace,15\n", most_s=BYSTANDER_S)
    await asyncio.sleep(1.5)  # children started in advance


def _find_broken(attack: Attack, seen: Seen, answer: CallResult) -> Iterator[tuple[str, bool]]:
    """Yield each fault in a few words, and whether the machine certainly did not cause it."""
    if seen.silent:
        yield f"/healthz was not answered for {seen.pulse.longest_ms / 1000:.0f} s", True
    elif seen.pulse.own_ms > MOST_WAIT_MS:
        yield (
            f"/healthz waited {seen.pulse.longest_ms:.0f} ms (beside it {seen.pulse.twin_ms:.0f} ms)",
            seen.pulse.own_ms > _DOUBT_MS,
        )
    if answer.outcome == "late" and not seen.silent:
        yield f"the call had not ended {LATE_S:.0f} s after its deadline", True
    elif answer.outcome not in attack.holds and not seen.silent:
        yield f"it ends with {_describe_result(answer)}", isinstance(attack.way, Played) is False
    if answer.outcome != "answer" and answer.charged:
        yield f"{answer.charged} credits are charged for {answer.outcome}", True
    if seen.others is not None and not seen.silent:
        if seen.others.outcome != "answer":
            yield f"another account's small page ends with {_describe_result(seen.others)}", True
        elif seen.others.seconds > OTHERS_WITHIN_S:
            yield f"another account's small page waited {seen.others.seconds:.1f} s", False
    if (grown_mb := seen.most.server_mb - seen.quiet.server_mb) > SERVER_MB:
        yield f"the server grew by {grown_mb:.0f} MB", True
    if seen.most.largest_mb > attack.child_mb:
        yield f"a child grew to {seen.most.largest_mb:.0f} MB", True
    if seen.most.browser_mb > BROWSER_MB:
        yield f"the browser grew to {seen.most.browser_mb:.0f} MB", True


async def _find_misbooked(
    stage: _Stage, before: tuple[int, int], answer: CallResult, seen: Seen
) -> AsyncIterator[tuple[str, bool]]:
    """Yield charges in the ledger that no response reported.

    A run may still be charged after its client has disconnected.
    """
    others_lost = seen.others is not None and seen.others.outcome in ("late", "lost")
    expected = (
        (stage.attacker, "the account", before[0] - answer.charged, answer.outcome in ("late", "lost")),
        (stage.bystander, "another account", before[1] - seen.charged, others_lost),
    )
    for payer, who, right, is_open in expected:
        balance = await _wait_for_balance(stage.server, payer, right)
        if balance != right and not (is_open and balance < right):
            yield f"{who} has {balance - right:+d} credits that no response reported", True


async def _wait_for_balance(server: Server, payer: Payer, right: int) -> int:
    """Return the balance as soon as it has the expected value or some seconds have passed."""
    until_s = time.monotonic() + _BOOKED_S
    while (balance := await server.balance(payer)) != right and time.monotonic() < until_s:  # noqa: ASYNC110  # a store
        await asyncio.sleep(0.1)
    return balance


def _describe_result(result: CallResult) -> str:
    status = f" ({result.status})" if result.status else ""
    return f"{result.outcome}{status}{f': {result.note}' if result.note else ''}"[:200]
