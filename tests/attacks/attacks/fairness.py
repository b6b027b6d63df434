"""Load caused by one account, and its effect on another account."""

import asyncio
from collections.abc import Callable, Iterator
from functools import partial

from attacks.attack import ANSWERED, Attack, Played, Scene, Stage
from attacks.calling import (
    FILE_PATH,
    PAGE_PATH,
    CallResult,
    Payer,
    as_form,
    get,
    read_answer,
    request_head,
    send_file,
)
from attacks.markup import fill_page, html
from webquarry.doctor.responses import Drips, Response, Sends, answer, write_head

_HTML = "Content-Type: text/html; charset=utf-8"
WITHIN_S = 5.0
"""Maximum duration in seconds of another account's request for a small page."""
_CALL_S = 64.0
_SLOW = 32
_FAILURES = 6
_FILE = b"Name,Score\nAda,12\nGrace,15\n"


async def small_page_meanwhile(stage: Stage, taking: list["asyncio.Task[CallResult]"]) -> CallResult:
    """Request a small page as another account three times during the load, then wait for the load to end."""
    worst = CallResult("answer")
    for _ in range(3):
        await asyncio.sleep(0.5)
        answer = await get(
            stage.server.place, stage.bystander, PAGE_PATH, {"url": stage.site.small_page}, most_s=_CALL_S
        )
        if answer.outcome != "answer":
            worst = CallResult(
                "broken", answer.status, note=f"another account's small page ends with {answer.outcome}: {answer.note}"
            )
            break
        if answer.seconds > WITHIN_S:
            worst = CallResult("broken", note=f"another account's small page waited {answer.seconds:.1f} s")
            break
    for task in taking:
        task.cancel()
    await asyncio.gather(*taking, return_exceptions=True)
    return worst


def pages_at_once(makes: Callable[[], bytes], count: int) -> Scene:
    """Return a scene: one account requests `count` of these pages concurrently."""
    return partial(_pages_at_once, makes, count)


async def _pages_at_once(makes: Callable[[], bytes], count: int, stage: Stage) -> CallResult:
    page = Sends(answer(await asyncio.to_thread(makes), _HTML), then="keep")
    address = stage.site.serve({f"/{at}": page for at in range(count)})
    tasks = [asyncio.create_task(_ask(stage, stage.attacker, f"{address}/{at}")) for at in range(count)]
    return await small_page_meanwhile(stage, tasks)


async def files_at_once(stage: Stage) -> CallResult:
    """Convert twelve large tables concurrently as one account."""
    table = b"a,b,c,d\n" + b"one,two,three,4\n" * 500_000
    place = stage.server.place
    tasks = [asyncio.create_task(send_file(place, stage.attacker, table, most_s=_CALL_S)) for _ in range(12)]
    await asyncio.sleep(1)
    answer = await send_file(place, stage.bystander, _FILE, most_s=_CALL_S)
    if answer.outcome != "answer" or answer.seconds > 2 * WITHIN_S:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return CallResult(
            "broken", answer.status, note=f"another account's file: {answer.outcome} after {answer.seconds:.1f} s"
        )
    return await small_page_meanwhile(stage, tasks)


async def slow_pages(stage: Stage) -> CallResult:
    """Request forty slow pages as one account."""
    address = stage.site.serve({f"/{at}": Drips(write_head(_HTML), b"<p>word", 0.1) for at in range(40)})
    tasks = [asyncio.create_task(_ask(stage, stage.attacker, f"{address}/{at}")) for at in range(40)]
    return await small_page_meanwhile(stage, tasks)


async def slow_uploads(stage: Stage) -> CallResult:
    """Start 32 slow uploads as an account without credits. An upload of another account must succeed."""
    poor = await stage.server.open_account("poor", 0)
    trickles = [asyncio.create_task(_trickle(stage, poor)) for _ in range(_SLOW)]
    try:
        await asyncio.sleep(1)
        answer = await send_file(stage.server.place, stage.bystander, _FILE, most_s=_CALL_S)
    finally:
        for task in trickles:
            task.cancel()
        await asyncio.gather(*trickles, return_exceptions=True)
    if answer.outcome == "answer" and answer.seconds <= 2 * WITHIN_S:
        return CallResult("answer")
    return CallResult(
        "broken", answer.status, note=f"an upload that is paid for: {answer.outcome} after {answer.seconds:.1f} s"
    )


async def _trickle(stage: Stage, payer: Payer) -> CallResult:
    """Upload a file a few bytes at a time until the connection ends."""
    fields, body = as_form(b"a,b\n" * 20_000)
    reader, writer = await asyncio.open_connection(*stage.server.place)
    try:
        writer.write(request_head(f"POST {FILE_PATH}", payer, *fields) + body[:300])
        for at in range(300, len(body), 10):
            await asyncio.sleep(0.2)
            if reader.at_eof() or writer.is_closing():
                break
            writer.write(body[at : at + 10])
        return read_answer(await reader.read(-1), "lost", 0.0)
    except ConnectionError:
        return CallResult("lost")
    finally:
        writer.transport.abort()


async def try_closed_port(stage: Stage) -> CallResult:
    """Request a closed port of a host repeatedly as one account, then request a page at an open port as another
    account.
    """
    address, closed = stage.site.serve_beside_closed({"/": Sends(answer(html(), _HTML), then="keep")})
    for _ in range(_FAILURES):
        await _ask(stage, stage.attacker, f"{closed}/")
    return _let(await _ask(stage, stage.bystander, f"{address}/"), "of which another port is closed")


def refusals(status: str) -> Scene:
    """Return a scene: a site refuses requests of one account; then another account requests another page of it."""
    return partial(_refusals, status)


async def _refusals(status: str, stage: Stage) -> CallResult:
    responses: dict[str, Response] = {
        "/refused": Sends(answer(b"No.", "Content-Type: text/html", status=status), then="keep"),
        "/": Sends(answer(html(), _HTML), then="keep"),
    }
    address = stage.site.serve(responses)
    for _ in range(_FAILURES):
        await _ask(stage, stage.attacker, f"{address}/refused")
    return _let(await _ask(stage, stage.bystander, f"{address}/"), f"that answered {status} to others")


async def _ask(stage: Stage, payer: Payer, url: str) -> CallResult:
    return await get(stage.server.place, payer, PAGE_PATH, {"url": url}, most_s=_CALL_S)


def _let(answer: CallResult, what: str) -> CallResult:
    if answer.outcome == "answer":
        return CallResult("answer")
    return CallResult(
        "broken", answer.status, note=f"another account's page of a site {what}: {answer.outcome}: {answer.note}"
    )


def _page_of(megabytes: float) -> Callable[[], bytes]:
    return partial(fill_page, "<p>Some words, <b>and</b> more of them.</p>", int(megabytes * 1_000_000))


def attacks() -> Iterator[Attack]:
    scenes: dict[str, tuple[str, Scene]] = {
        "eight pages of 3.6 MB": (
            "One account has eight large pages converted at the same time.",
            pages_at_once(_page_of(3.6), 8),
        ),
        "forty pages": (
            "One account asks for forty pages of 200 KB at the same time.",
            pages_at_once(_page_of(0.2), 40),
        ),
        "slow pages": ("One account asks for forty pages that never end.", slow_pages),
        "twelve tables": ("One account uploads twelve tables of 8 MB at the same time.", files_at_once),
        "slow uploads": ("An account without credits lets 32 uploads trickle.", slow_uploads),
        "closed port": ("One account asks six times for a closed port of a host.", try_closed_port),
        "403": ("One account is refused six times by a site.", refusals("403 Forbidden")),
        "401": ("One account is asked six times to log in.", refusals("401 Unauthorized")),
        "404": ("One account asks six times for what a site does not have.", refusals("404 Not Found")),
    }
    for what, (tries, scene) in scenes.items():
        yield Attack(f"fairness: {what}", tries, Played(scene), aim="share", holds=ANSWERED)
