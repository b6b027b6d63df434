"""Memory after an attack has ended, and shutdown of a server during an attack."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial

from attacks.attack import ANSWERED, CHILD_MB, Attack, Played, Scene, Stage
from attacks.calling import PAGE_PATH, CallResult, get, send_file
from attacks.held import measure_held
from attacks.making import pdf
from attacks.markup import fill_page
from webquarry.doctor.responses import Drips, Response, Sends, answer, write_head

_HTML = "Content-Type: text/html; charset=utf-8"
ENDS_WITHIN_S = 10.0
LEFT_MB = 60.0
"""Maximum growth in MB of an idle server after an attack, including its children."""
QUIET_S = 90.0
_CALL_S = 64.0
_GREAT = partial(fill_page, "<table><tr><td>")
Ask = Callable[[Stage], "asyncio.Task[CallResult]"]


def page(makes: Callable[[], bytes]) -> Ask:
    def ask(stage: Stage) -> "asyncio.Task[CallResult]":
        return _ask_page(stage, Sends(answer(makes(), _HTML), then="keep"))

    return ask


def file(makes: Callable[[], bytes]) -> Ask:
    def ask(stage: Stage) -> "asyncio.Task[CallResult]":
        return asyncio.create_task(send_file(stage.server.place, stage.attacker, makes(), most_s=_CALL_S))

    return ask


def endless(stage: Stage) -> "asyncio.Task[CallResult]":
    """Request a page that never ends."""
    return _ask_page(stage, Drips(write_head(_HTML), b"<p>word", 0.05))


def _ask_page(stage: Stage, response: Response) -> "asyncio.Task[CallResult]":
    address = stage.site.serve({"/": response})
    place = stage.server.place
    return asyncio.create_task(get(place, stage.attacker, PAGE_PATH, {"url": f"{address}/"}, most_s=_CALL_S))


async def stop_amid(asks: tuple[Ask, ...], stage: Stage) -> CallResult:
    """Send these requests and end the server while it handles them. Held credits must be refunded."""
    before = await stage.server.balance(stage.attacker)
    tasks = [ask(stage) for ask in asks]
    await asyncio.sleep(1.5)
    took_s = await stage.server.stop(ENDS_WITHIN_S)
    if took_s is None:
        await stage.server.kill()
    answers = await asyncio.gather(*tasks)
    if took_s is None:
        return CallResult("broken", note=f"it was still running {ENDS_WITHIN_S:.0f} s after it was stopped")
    charged = sum(answer.charged for answer in answers)
    if faults := await stage.server.faults():
        return CallResult("broken", note=f"the ledger is inconsistent: {faults[0]}")
    if (balance := await stage.server.balance(stage.attacker)) != before - charged:
        return CallResult("broken", note=f"{balance - before + charged:+d} credits that no response reported")
    return CallResult("answer", seconds=took_s, note=f"it ended after {took_s:.1f} s")


async def memory_comes_back(asks: tuple[Ask, ...], stage: Stage) -> CallResult:
    """Send these requests, wait for their end, and compare the memory with the memory before."""
    before = measure_held(stage.server.pid)
    await asyncio.gather(*(ask(stage) for ask in asks))
    loop = asyncio.get_running_loop()
    until_s = loop.time() + QUIET_S
    left_mb = measure_held(stage.server.pid).all_mb - before.all_mb
    while left_mb > LEFT_MB and loop.time() < until_s:
        await asyncio.sleep(1)
        left_mb = measure_held(stage.server.pid).all_mb - before.all_mb
    if left_mb > LEFT_MB:
        return CallResult("broken", note=f"it still holds {left_mb:.0f} MB more after {QUIET_S:.0f} s")
    return CallResult("answer", note=f"it holds {left_mb:.0f} MB more than before")


def attacks() -> Iterator[Attack]:
    great, cells = page(_GREAT), page(partial(fill_page, "<td>a", before="<table><tr>"))
    words = file(lambda: pdf(b"BT /F1 1 Tf " + b"(AAAAAAAAAAAAAAAAAAAA) Tj " * 1_500_000 + b"ET"))
    stops: dict[str, tuple[str, tuple[Ask, ...]]] = {
        "stop amid a page": ("The server is stopped while it converts 9.9 MB.", (great,)),
        "stop amid many": (
            "The server is stopped while it converts pages and files.",
            (great, cells, cells, words, words),
        ),
        "stop amid what never ends": ("The server is stopped while pages come drop by drop.", (endless,) * 8),
    }
    returns: dict[str, tuple[str, tuple[Ask, ...]]] = {
        "memory after cells": ("A page of 9.9 MB of cells is converted: the memory comes back.", (cells,)),
        "memory after four": ("Four large pages are converted at the same time.", (cells, great, cells, great)),
        "memory after files": ("Two large files are converted.", (words, words)),
    }
    for what, (tries, asks) in stops.items():
        yield Attack(f"end: {what}", tries, Played(partial(stop_amid, asks), alone=True), "end", ANSWERED)
    for what, (tries, asks) in returns.items():
        scene: Scene = partial(memory_comes_back, asks)
        yield Attack(f"end: {what}", tries, Played(scene, alone=True), "memory", ANSWERED, CHILD_MB, QUIET_S + _CALL_S)
