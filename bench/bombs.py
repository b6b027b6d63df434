"""Memory used by compression bombs: 300 MB of zeros, a few kilobytes when transferred, fetched by the real dialler.

Each bomb is fetched by a new process that has already fetched a normal page; "extra" is its peak resident memory above
the memory held at that time. For comparison, one body reaches the size limit without an unusual compression ratio: its
memory is the cost of the largest response that is read. Goal: every bomb under 20 MB.

`python -m bench.bombs ADDRESS` runs one such process and prints the outcome and the megabytes.
"""

import asyncio
import os
import sys
from functools import partial
from pathlib import Path

from bench.table import show
from webquarry.core import log
from webquarry.core.clock import SystemClock
from webquarry.core.errors import ServiceError
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Provider
from webquarry.doctor.egress.attacks.bombs import BOMBS, BUSY
from webquarry.doctor.responses import MEGABYTE, Inflates, answer, pack_bomb, write_head
from webquarry.net import Door

MOST_MB = 20.0
ROUNDS = 3
_LARGEST = "gzip, no bomb: 19 MB that shrink by half"


async def measure() -> None:
    half = os.urandom(MEGABYTE // 2) + bytes(MEGABYTE // 2)
    bombs = {**BOMBS, **BUSY, _LARGEST: Inflates("gzip", ("gzip, fastest",), mb=19, of=half)}
    rows: list[tuple[object, ...]] = []
    for name, bomb in bombs.items():
        wire = pack_bomb(bomb)
        server = await asyncio.start_server(partial(_serve, bomb, wire), "127.0.0.1", 0)
        async with server:
            target = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
            seen = [await _victim(target) for _ in range(ROUNDS)]
        extra_mb = max(megabytes for _, megabytes in seen)
        rows.append((name, len(wire) / 1024, seen[0][0], extra_mb))
    worst = max(float(str(row[3])) for row in rows if row[0] != _LARGEST)
    show(
        "Bombs: peak of resident memory above idle, each in a process of its own",
        ("bomb of 300 MB", "KB on the wire", "outcome", f"extra MB, worst of {ROUNDS}"),
        rows,
        f"Worst bomb {worst:.1f} MB; asked: under {MOST_MB:g} MB ({'met' if worst < MOST_MB else 'NOT met'}).",
    )


async def _serve(bomb: Inflates, wire: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while line := await reader.readuntil(b"\r\n\r\n"):
            if line.startswith(b"GET /page"):
                writer.write(answer(b"<p>An honest page.</p>" * 100, "Content-Type: text/html"))
            else:
                writer.write(write_head(f"Content-Encoding: {bomb.named}", f"Content-Length: {len(wire)}") + wire)
            await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        writer.close()


async def _victim(target: str) -> tuple[str, float]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.bombs", target), stdout=asyncio.subprocess.PIPE
    )
    told, _ = await process.communicate()
    outcome, megabytes = told.decode().split()
    return outcome, float(megabytes)


async def _fetch_bomb(target: str) -> None:
    log.set_up("error")
    clock = SystemClock()
    door = Door(Settings(egress_allow=(target,)), clock)
    net = door.net(Provider(name="bench", title="Bench"), Deadline.after(60, clock))
    await net.get(f"http://{target}/page")
    idle_mb = _restart_peak()
    try:
        outcome = f"{len((await net.get(f'http://{target}/bomb')).body)}-bytes"
    except ServiceError as error:
        outcome = error.reason or error.code
    print(outcome, round(_megabytes("VmHWM:") - idle_mb, 1))
    await door.close()


def _restart_peak() -> float:
    """Return the megabytes held now and reset the peak, because imports would hide later growth."""
    Path("/proc/self/clear_refs").write_text("5")
    return _megabytes("VmRSS:")


def _megabytes(name: str) -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


if __name__ == "__main__":
    asyncio.run(_fetch_bomb(sys.argv[1]) if sys.argv[1:] else measure())
