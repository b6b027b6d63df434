"""The pulse of a server, measured by a separate process: `/healthz` every few milliseconds over a kept connection.

    python -m attacks.pulse HOST PORT PID

The same request is sent to a twin, an otherwise idle process: if both wait, the machine is busy, not the server. If the
kernel reports it (Linux), each wait is accompanied by the time for which the server's own thread was ready to run and
had no processor. A line on standard input prints the measurements since the previous line as JSON (`Pulse`) and resets
them; the end of the input ends the process.
"""

import asyncio
import json
import selectors
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

EVERY_S = 0.005
TWIN_EVERY_S = 0.02
_REQUEST = b"GET /healthz HTTP/1.1\r\nHost: pulse\r\n\r\n"
_AGAIN_S = 0.2
NOTED_MS = 2.0


@dataclass(frozen=True, slots=True)
class Pulse:
    """Measurements of a server over some time.

    waits_ms: waits of at least 2 ms, in order; unserved_ms: for each, the time without a processor of the server's
    thread, 0 if unknown; asked: number of all requests; longest_ms: the longest wait, including an unfinished one;
    silent_ms: duration of the unfinished wait; lost: number of lost connections; twin_ms: the twin's longest wait.
    """

    waits_ms: Sequence[float] = ()
    unserved_ms: Sequence[float] = ()
    asked: int = 0
    longest_ms: float = 0.0
    silent_ms: float = 0.0
    lost: int = 0
    twin_ms: float = 0.0

    @property
    def own_ms(self) -> float:
        """Return the longest wait minus the twin's longest wait."""
        return max(0.0, self.longest_ms - self.twin_ms)


class Feeling:
    """The measuring process, as seen by the process that started it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def of(cls, host: str, port: int, pid: int) -> Self:
        """Start a measuring process. pid: the server's process id."""
        line = (sys.executable, __file__, host, str(port), str(pid))
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*line, stdin=pipe, stdout=pipe, limit=1 << 24)
        feeling = cls(process)
        await feeling.take()
        return feeling

    async def take(self) -> Pulse:
        """Return the measurements since the previous call."""
        source, sink = self._process.stdout, self._process.stdin
        if source is None or sink is None:
            raise RuntimeError("the process has no pipes")
        sink.write(b"\n")
        return Pulse(**json.loads(await source.readline()))

    async def end(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._process.wait()


@dataclass(slots=True)
class _Line:
    """A connection with at most one request in progress."""

    place: tuple[str, int]
    picker: selectors.BaseSelector
    every_s: float = EVERY_S
    pid: int | None = None
    sock: socket.socket | None = None
    heard: bytes = b""
    asked_s: float | None = None
    next_s: float = 0.0
    unserved_before_ms: float = 0.0
    waits_ms: list[float] = field(default_factory=list)
    unserved_ms: list[float] = field(default_factory=list)
    asked: int = 0
    longest_ms: float = 0.0
    lost: int = 0

    def tick(self, now_s: float) -> None:
        """Send the next request if it is due and none is in progress."""
        if self.asked_s is not None or now_s < self.next_s:
            return
        self.asked_s, self.unserved_before_ms = now_s, self._unserved_ms()
        try:
            if self.sock is None:
                self.sock = socket.create_connection(self.place, timeout=_AGAIN_S)
                self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.sock.setblocking(False)
                self.picker.register(self.sock, selectors.EVENT_READ, self)
            self.sock.send(_REQUEST)
        except OSError:
            self._lose()

    def hear(self) -> None:
        try:
            piece = b"" if self.sock is None else self.sock.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self._lose()
            return
        self.heard += piece
        if self.asked_s is not None and _is_whole(self.heard):
            self.heard = b""
            self._note(time.perf_counter() - self.asked_s)
            self.next_s = self.asked_s + self.every_s
            self.asked_s = None

    def restart(self) -> None:
        self.waits_ms, self.unserved_ms = [], []
        self.asked, self.longest_ms, self.lost = 0, 0.0, 0

    def silent_ms(self, now_s: float) -> float:
        return 0.0 if self.asked_s is None else 1000 * (now_s - self.asked_s)

    def _note(self, wait_s: float) -> None:
        self.asked += 1
        self.longest_ms = max(self.longest_ms, 1000 * wait_s)
        if 1000 * wait_s >= NOTED_MS:
            self.waits_ms.append(round(1000 * wait_s, 2))
            self.unserved_ms.append(round(self._unserved_ms() - self.unserved_before_ms, 2))

    def _unserved_ms(self) -> float:
        """Return the total time for which the server's first thread, with its loop, was ready without a processor."""
        if self.pid is None:
            return 0.0
        try:
            told = Path(f"/proc/{self.pid}/task/{self.pid}/schedstat").read_text()
        except OSError:
            return 0.0
        return int(told.split()[1]) / 1_000_000

    def _lose(self) -> None:
        """Handle the end of the connection. The request in progress waits for the next connection's response."""
        self.lost += 1
        if self.sock is not None:
            with suppress(KeyError, ValueError):
                self.picker.unregister(self.sock)
            self.sock.close()
        self.sock, self.heard = None, b""
        if self.asked_s is not None:
            self._note(time.perf_counter() - self.asked_s)
        self.asked_s = None
        self.next_s = time.perf_counter() + _AGAIN_S


def _is_whole(heard: bytes) -> bool:
    head, separator, body = heard.partition(b"\r\n\r\n")
    for name in head.lower().split(b"\r\n"):
        if name.startswith(b"content-length:"):
            return bool(separator) and len(body) >= int(name.partition(b":")[2])
    return False


async def _feel(host: str, port: int, pid: int) -> None:
    pipe = asyncio.subprocess.PIPE
    twin = await asyncio.create_subprocess_exec(sys.executable, __file__, stdin=pipe, stdout=pipe)
    if twin.stdout is None or twin.stdin is None:
        raise RuntimeError("the twin has no pipes")
    twin_port = int(await twin.stdout.readline())
    with selectors.DefaultSelector() as picker:
        picker.register(sys.stdin, selectors.EVENT_READ)
        lines = (_Line((host, port), picker, pid=pid), _Line(("127.0.0.1", twin_port), picker, TWIN_EVERY_S))
        # loop in a process without other work, so that the measurements share no event loop
        while _turn(picker, lines):
            pass
    twin.stdin.close()
    await twin.wait()


def _turn(picker: selectors.BaseSelector, lines: tuple[_Line, _Line]) -> bool:
    """Do one round of measurements. Return False if the input has ended."""
    now_s = time.perf_counter()
    for line in lines:
        line.tick(now_s)
    waits_s = [line.next_s - now_s for line in lines if line.asked_s is None]
    for key, _ in picker.select(max(0.0005, min(waits_s, default=_AGAIN_S))):
        if isinstance(key.data, _Line):
            key.data.hear()
        elif not sys.stdin.buffer.readline():
            return False
        else:
            _tell(*lines)
    return True


def _tell(line: _Line, twin: _Line) -> None:
    silent_ms = line.silent_ms(time.perf_counter())
    figures = {
        "waits_ms": line.waits_ms,
        "unserved_ms": line.unserved_ms,
        "asked": line.asked,
        "longest_ms": max(line.longest_ms, silent_ms),
        "silent_ms": silent_ms,
        "lost": line.lost,
        "twin_ms": twin.longest_ms,
    }
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()
    line.restart()
    twin.restart()


class _Twin(asyncio.Protocol):
    """A server that responds and has no other work."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if isinstance(self._transport, asyncio.Transport) and data.endswith(b"\r\n\r\n"):
            self._transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n")


async def _be_a_twin() -> None:
    """Serve until standard input ends."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(_Twin, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    ended = asyncio.Event()
    loop.add_reader(sys.stdin, ended.set)
    await ended.wait()
    server.close()


if __name__ == "__main__":
    if sys.argv[1:]:
        asyncio.run(_feel(sys.argv[1], *map(int, sys.argv[2:])))
    else:
        asyncio.run(_be_a_twin())
