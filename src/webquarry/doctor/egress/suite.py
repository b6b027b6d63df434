"""Execution of the attacks, one after the other, and evaluation of their results."""

import asyncio
import ctypes
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Protocol

from webquarry.core.settings import PREFIX
from webquarry.doctor.egress.adversary import Adversary
from webquarry.doctor.egress.attack import ANSWERED, Aim, Attack, AttemptResult, Way
from webquarry.doctor.egress.network import Place
from webquarry.doctor.egress.opened import Opened
from webquarry.doctor.responses import FLOOD_MB, MARK, MEGABYTE

Verdict = Literal["held", "reached", "opened", "skipped"]
"""Verdict on an attack.

held: the attack failed; reached: it succeeded; opened: it succeeded because a setting allows it; skipped: it could not
run here.
"""

MOST_MEMORY_MB = 32.0
"""Memory growth in MB from which a bomb counts as successful.

Handling a bomb takes less than 20 MB, but the adversary and the network share the process.
"""
MOST_ASKED = 30
LATE_S = 3.0
"""Seconds after its deadline by which a client must have finished.

The machine may be busy and also runs the adversary.
"""
_BUFFERS_MB = 16  # system buffers hold this much of a flood that nobody reads
_GRACE_S = {"fetch": 0.0, "proxy": 0.05, "page": 0.25}
"""Seconds after an attack during which connections to the private target are still attributed to it."""


class Client(Protocol):
    async def attempt(self, attack: Attack, asks: tuple[str, ...]) -> AttemptResult:
        """Request these URLs one after another, like a caller."""
        ...


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one attack.

    `why` is a short reason. `outcome` is as in `Attack.holds`, or "" if the attack was not run.
    """

    attack: Attack
    verdict: Verdict
    why: str
    outcome: str = ""
    seconds: float = 0.0
    memory_mb: float | None = None


async def play(
    attacks: Iterable[Attack],
    adversary: Adversary,
    clients: Mapping[Way, Client | str],
    opened: Opened,
    *,
    page_wire_mb: int,
    late_s: float = LATE_S,
) -> AsyncIterator[Finding]:
    """Yield findings in the order of the attacks.

    `clients` are the clients to attack, or for each missing client the reason why it is missing; `opened` are the
    targets that settings allow; `page_wire_mb` is the number of MB of a response that the client reads; `late_s` is the
    time after its deadline by which a client must have finished.
    """
    for attack in attacks:
        client = clients[attack.way]
        if isinstance(client, str):
            yield Finding(attack, "skipped", client)
        elif attack.aim == "flood" and page_wire_mb + _BUFFERS_MB >= FLOOD_MB:
            yield Finding(attack, "skipped", f"{PREFIX}PAGE_WIRE_MB allows {page_wire_mb} MB per response")
        else:
            seen = await _watch(attack, adversary, client, late_s)
            finding = _judge(attack, seen, opened, page_wire_mb)
            if finding.verdict == "skipped":  # the client could not run, so retry once
                seen = await _watch(attack, adversary, client, late_s)
                finding = _judge(attack, seen, opened, page_wire_mb)
            if finding.verdict == "held" and attack.aim == "private" and not await adversary.is_alive():
                finding = replace(finding, verdict="skipped", why="the private target does not respond")
            for single in _singles(finding, seen):
                yield single


@dataclass(frozen=True, slots=True)
class _Seen:
    """Observations of an attack.

    `strayed` lists connections to addresses other than the site; `reached` lists the data that arrived at the private
    target; `request_count` is the number of requests to the site; `sent_mb` is the number of MB that the site sent.
    """

    result: AttemptResult
    seconds: float
    is_late: bool
    memory_mb: float | None
    strayed: tuple[Place, ...]
    reached: tuple[str, ...]
    request_count: int
    sent_mb: float


async def _watch(attack: Attack, adversary: Adversary, client: Client, late_s: float) -> _Seen:
    adversary.begin(attack)
    asks = tuple(ask.replace("{port}", str(adversary.port)) for ask in attack.asks)
    bound_s = attack.deadline_s * max(1, len(asks)) + late_s
    before_mb = _restart_peak()
    began_s = time.perf_counter()
    try:
        async with asyncio.timeout(bound_s):
            result = await client.attempt(attack, asks)
    except TimeoutError:
        result = AttemptResult("late")
    seconds = time.perf_counter() - began_s
    memory_mb = _grown_mb(before_mb)
    await asyncio.sleep(_GRACE_S[attack.way])
    return _Seen(
        result=result,
        seconds=seconds,
        is_late=result.outcome == "late" or seconds > bound_s,
        memory_mb=memory_mb,
        strayed=tuple(place for place in adversary.network.dialled if not adversary.is_site(place)),
        reached=tuple(adversary.reached),
        request_count=len(adversary.requested_paths),
        sent_mb=adversary.sent_bytes / MEGABYTE,
    )


def _judge(attack: Attack, seen: _Seen, opened: Opened, page_wire_mb: int) -> Finding:
    result = seen.result
    finding = Finding(attack, "held", result.note or result.outcome, result.outcome, seen.seconds, seen.memory_mb)
    if why := _success(attack, seen, page_wire_mb):
        # data that reached the target without a connection of the client bypassed the rules, whatever they allow
        is_opened = 0 < len(seen.strayed) >= len(seen.reached)
        if is_opened and all(opened.lets(attack, place) for place in seen.strayed):
            return replace(finding, verdict="opened", why=f"{why}: {opened.reason}")
        return replace(finding, verdict="reached", why=why)
    return replace(finding, verdict="skipped") if result.outcome == "unavailable" else finding


def _success(attack: Attack, seen: _Seen, page_wire_mb: int) -> str | None:
    """Return a few words on what an attack achieved, or None if it was blocked."""
    result = seen.result
    if result.fault:
        return f"the client failed with {result.fault}"
    if seen.strayed:
        return f"a connection was made to {seen.strayed[0][0]} port {seen.strayed[0][1]}"
    if seen.reached:
        return f"the private target was reached: {seen.reached[0]}"
    if seen.is_late:
        return f"it was still busy after {seen.seconds:.1f} s"
    return _reach_aim(attack.aim, seen, page_wire_mb)


def _reach_aim(aim: Aim, seen: _Seen, page_wire_mb: int) -> str | None:
    """Return a few words on how the attack achieved its aim, or None if it did not."""
    match aim:
        case "answer" if seen.result.outcome in ANSWERED:
            return "it was accepted as a response"
        case "poison" if any(MARK in body for body in seen.result.bodies):
            return "the smuggled response was used for another request"
        case "memory" if seen.memory_mb is not None and seen.memory_mb > MOST_MEMORY_MB:
            return f"memory grew by {seen.memory_mb:.0f} MB"
        case "flood" if seen.sent_mb > page_wire_mb + _BUFFERS_MB:
            return f"{seen.sent_mb:.0f} MB were read"
        case "endless" if seen.request_count > MOST_ASKED:
            return f"{seen.request_count} requests were sent"
    return None


def _singles(finding: Finding, seen: _Seen) -> Iterator[Finding]:
    """Split the finding of an attack with several marks into one finding per mark."""
    attack = finding.attack
    claimed = False
    for what, mark in attack.marks.items():
        came = next((line for line in seen.reached if mark in line), None)
        claimed = claimed or came is not None
        single = replace(finding, attack=replace(attack, name=f"{attack.name}: {what}", marks={}))
        if came is not None:
            yield replace(single, why=f"the private target was reached: {came}")
        elif finding.verdict in ("reached", "opened"):
            yield replace(single, verdict="held", why="")
        else:
            yield single
    if not attack.marks or (finding.verdict in ("reached", "opened") and not claimed):
        yield finding


def _restart_peak() -> float | None:
    """Return the resident memory and restart the measurement of its peak; None if the system does not support it."""
    with suppress(OSError, StopIteration, AttributeError):
        # memory that the allocator keeps from earlier attacks would hide the memory used by this one
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
        return _status_mb("VmRSS:")
    return None


def _grown_mb(before_mb: float | None) -> float | None:
    with suppress(OSError, StopIteration):
        return None if before_mb is None else _status_mb("VmHWM:") - before_mb
    return None


def _status_mb(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
