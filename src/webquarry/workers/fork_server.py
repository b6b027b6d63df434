"""Client for the fork server, which is started once and forks children on request."""

import asyncio
import contextlib
import os
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

import orjson

from webquarry.workers.channel import Channel
from webquarry.workers.faults import ChildLost
from webquarry.workers.limits import Limits
from webquarry.workers.places import Places, find_places
from webquarry.workers.program import Program
from webquarry.workers.server import MAX_MESSAGE

_MAX_FAILED: Final = 1000
_ONE_THREAD: Final = {"OMP_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1", "TOKIO_WORKER_THREADS": "1"}
"""Limits libraries to one thread. Otherwise, they would start a thread per processor, whose stacks count as memory.
Jobs run in parallel anyway.
"""
_SMALL_ARENAS: Final = {"MIMALLOC_ARENA_RESERVE": "32768"}
"""Kilobytes that pdfium's allocator reserves at a time. By default it requests a gigabyte, which exceeds the address
limit, and then requests and frees each large block separately: 700 page faults for a PDF instead of 70."""


@dataclass(frozen=True, slots=True)
class Forked:
    """A newly forked child.

    `pid` is the child's process id as this process sees it; `number` is the id as the fork server sees it. `descriptor`
    is a pidfd that reports the child's end, or None on other systems.
    """

    pid: int
    number: int
    descriptor: int | None


class ForkServer:
    """A running fork server. Its children end with the fork server, which ends with this process."""

    def __init__(self, process: Program, control: socket.socket) -> None:
        self._process = process
        self._control = control
        self._loop = asyncio.get_running_loop()
        self._asking = asyncio.Lock()
        self._readable: asyncio.Future[None] | None = None
        self._is_closed = False
        self._is_lost = False

    @classmethod
    async def start(cls, limits: Limits, preload: Sequence[str], secrets: Sequence[str]) -> Self:
        """Start a server and wait until it is ready.

        Raises ChildLost if it does not become ready, OSError if it cannot be started.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                ours.setblocking(False)
                places = find_places(may_start_programs=limits.may_start_programs)
                order = {
                    "parent": os.getpid(),
                    "control": theirs.fileno(),
                    "limits": asdict(limits),
                    "preload": list(preload),
                    "places": asdict(places),
                    "secrets": list(secrets),
                }
                process = Program(
                    (sys.executable, "-P", "-s", "-m", "webquarry.workers.server", orjson.dumps(order).decode()),
                    inherited=(theirs.fileno(),),
                    environment=_make_environment(places),
                )
            except BaseException:
                ours.close()
                raise
        server = cls(process, ours)
        try:
            await server._receive()
        except BaseException as exc:
            await server.close()
            if isinstance(exc, OSError):
                raise ChildLost("the fork server has ended") from exc
            raise
        return server

    @property
    def is_alive(self) -> bool:
        return not (self._is_closed or self._is_lost) and self._process.is_alive

    async def fork(self, channel: Channel) -> Forked:
        """Fork a child that reads and writes the channel's other ends. Raises ChildLost if that fails."""
        ends = (channel.child_source, channel.child_sink)
        answer, descriptors = await self._ask({"fork": True}, ends)
        number, descriptor = answer["pid"], descriptors[0] if descriptors else None
        pid = number if descriptor is None else _find_pid(descriptor)
        return Forked(pid, number, descriptor)

    async def reap(self, number: int) -> int | None:
        """Wait for a child that has ended or is ending, and return its exit code.

        The code is minus the signal if a signal ended it, or None if the server has ended too.
        """
        try:
            answer, _ = await self._ask({"reap": number})
        except ChildLost:
            return None
        status: int = answer["status"]
        return status

    async def close(self) -> None:
        """End the server, and all its children with it."""
        if not self._is_closed:
            self._is_closed = True
            self._process.kill()
            self._loop.remove_reader(self._control)
            if self._readable is not None and not self._readable.done():  # nothing else would wake the request
                self._readable.set_exception(ChildLost("the fork server was closed"))
        await self._process.wait()
        self._control.close()

    async def _ask(self, question: Mapping[str, Any], ends: Sequence[int] = ()) -> tuple[dict[str, Any], list[int]]:
        """Send a request and return the response.

        A canceled caller does not cancel the exchange, so that its response cannot be mistaken for the response to
        another caller.
        """
        return await asyncio.shield(asyncio.ensure_future(self._exchange(question, ends)))

    async def _exchange(self, question: Mapping[str, Any], ends: Sequence[int]) -> tuple[dict[str, Any], list[int]]:
        async with self._asking:
            if not self.is_alive:
                raise ChildLost("the fork server has ended")
            try:
                socket.send_fds(self._control, [orjson.dumps(question)], list(ends))
                return await self._receive()
            except OSError as exc:
                self._is_lost = True
                raise ChildLost("the fork server has ended") from exc

    async def _receive(self) -> tuple[dict[str, Any], list[int]]:
        """Return the server's next message with its descriptors. Raises ChildLost if the server ends or is closed."""
        readable = self._readable = self._loop.create_future()
        self._loop.add_reader(self._control, _wake, readable)
        try:
            await readable
            message, descriptors, _, _ = socket.recv_fds(self._control, MAX_MESSAGE, 1)
        finally:
            if not self._is_closed:
                self._loop.remove_reader(self._control)
        if not message:
            self._is_lost = True
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self._process.wait()
            raise ChildLost("the fork server has ended", self._process.returncode)
        answer: dict[str, Any] = orjson.loads(message)
        if "failed" in answer:
            raise ChildLost(f"the fork server failed: {str(answer['failed'])[:_MAX_FAILED]}")
        return answer, descriptors


def _find_pid(descriptor: int) -> int:
    """Return the process id of a pidfd, as this process sees it. Raises ChildLost if the process has ended."""
    text = Path(f"/proc/self/fdinfo/{descriptor}").read_text()
    pid = next((int(line.split()[1]) for line in text.splitlines() if line.startswith("Pid:")), 0)
    if pid <= 0:
        os.close(descriptor)
        raise ChildLost("it ended as soon as it was forked")
    return pid


def _wake(readable: asyncio.Future[None]) -> None:
    if not readable.done():
        readable.set_result(None)


def _make_environment(places: Places) -> dict[str, str]:
    """Return an environment with only the module search path.

    This process's environment contains keys and addresses, which children must not see.
    """
    path = os.pathsep.join(places.modules)
    return {"PYTHONPATH": path, "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "2", **_SMALL_ARENAS, **_ONE_THREAD}
