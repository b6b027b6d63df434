"""The service's handle on one child process."""

import asyncio
import contextlib
import os
import secrets
import select
import signal
import time
from collections.abc import Mapping
from typing import Any, Final, Self, get_args

import orjson

from webquarry.workers.channel import Channel
from webquarry.workers.confine import Isolation
from webquarry.workers.faults import ChildLost
from webquarry.workers.fork_server import Forked, ForkServer
from webquarry.workers.frames import HELLO, MAX_ANSWER, PREFIX, pack_frame
from webquarry.workers.limits import MEGABYTE, Limits

_MAX_FAILED: Final = 1000
_MAX_OPENINGS: Final = 20
_MAX_PIECES: Final = 8
_GOING_S: Final = 1.0
_NANOSECONDS: Final = 1e9
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")


class Child:
    """A child that has reported ready. The pool gives it one job at a time.

    `trust` identifies the account and origin whose jobs the child may run; "" until it has run a job. `openings`
    describes which resources of the service it can still reach; empty if the system confines it fully.
    """

    def __init__(self, server: ForkServer, forked: Forked, channel: Channel, limits: Limits) -> None:
        self.pid = forked.pid
        self._number = forked.number
        self._server = server
        self._end = forked.descriptor
        self._channel = channel
        self._max_answer = limits.answer_mb * MEGABYTE
        self._held_pages = _open_process_file(self.pid, "statm")
        self.isolation: Isolation = "none"
        self.openings: tuple[str, ...] = ()
        self.trust = ""
        self.jobs = 0
        self.idle_since_s = 0.0
        self._is_killed = False
        self._status: int | None = None

    @classmethod
    async def start(cls, server: ForkServer, limits: Limits) -> Self:
        """Fork a child and wait until it is confined. Raises ChildLost if that fails."""
        channel = Channel()
        try:
            forked = await server.fork(channel)
        except BaseException:
            channel.close()
            raise
        finally:
            channel.hand_over()
        child = cls(server, forked, channel, limits)
        try:
            child.isolation, child.openings = _read_hello((await child._answer(HELLO, 0))[0])
        except BaseException:
            await child.end()
            raise
        return child

    @property
    def is_alive(self) -> bool:
        """Whether the child is running, according to the kernel. The event loop notices the child's end later."""
        if self._is_killed or not self._server.is_alive:
            return False
        if self._end is None:
            return True
        poll = select.poll()
        poll.register(self._end, select.POLLIN)
        return not poll.poll(0)

    @property
    def lost_its_server(self) -> bool:
        """Whether the fork server has ended, and this child with it."""
        return not self._server.is_alive

    @property
    def memory_mb(self) -> float:
        """Megabytes that the child uses, including shared memory; 0 if it has ended or this is unknown."""
        if self._held_pages is None:
            return 0.0
        try:
            return int(os.pread(self._held_pages, 128, 0).split()[1]) * _PAGE_BYTES / MEGABYTE
        except OSError:
            return 0.0

    async def ask(
        self, function: str, body: bytes, options: Mapping[str, Any]
    ) -> tuple[dict[str, Any], tuple[bytes, ...]]:
        """Run a job. Return the response and its pieces, in the format of `child.do_job`.

        Raises ChildLost. After this error or a cancellation, the child can no longer be used and must be killed with
        `kill`.
        """
        self.jobs += 1
        number = secrets.randbits(63) + 1
        self._channel.send(pack_frame(number, orjson.dumps({"run": function, "options": dict(options)}), body))
        answer = await self._answer(number, self._max_answer)
        if self._channel.has_unsent:
            raise ChildLost("it sent a reply before it had the request")
        return answer

    @property
    def cpu_s(self) -> float:
        """CPU seconds used on all threads; 0 if the child has ended."""
        try:
            # clock id that Linux defines for the CPU time of another process
            return time.clock_gettime((~self.pid << 3) | 2)
        except OSError:
            return 0.0

    @property
    def waited_s(self) -> float:
        """Seconds that the process was runnable but waited for a processor; 0 if the system does not report them."""
        file = _open_process_file(self.pid, "schedstat")
        if file is None:
            return 0.0
        try:
            return int(os.read(file, 128).split()[1]) / _NANOSECONDS
        except OSError:
            return 0.0
        finally:
            os.close(file)

    def kill(self) -> None:
        """Kill the child and all programs that it started, even if the child has already ended."""
        if not self._is_killed:
            self._is_killed = True
            if self._server.is_alive:  # the server keeps the process id reserved until `end`
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.pid, signal.SIGKILL)

    async def end(self) -> int | None:
        """Kill the child and wait until it has ended.

        Return its exit code, minus the signal if a signal ended it, or None if that is unknown.
        """
        self.kill()
        if self._channel.is_open:
            self._channel.close()
            await self._wait_until_gone()
            self._status = await self._server.reap(self._number)
            for descriptor in filter(None, (self._end, self._held_pages)):
                os.close(descriptor)
            self._end = self._held_pages = None
        return self._status

    async def _answer(self, number: int, max_bytes: int) -> tuple[dict[str, Any], tuple[bytes, ...]]:
        source = self._channel
        try:
            found, length, body_length = PREFIX.unpack(await source.exactly(PREFIX.size))
            if found != number or not length:
                raise ChildLost("it wrote an invalid reply")
            if length > MAX_ANSWER or body_length > max_bytes:
                raise ChildLost("its reply is too long")
            head = _read_head(await source.exactly(length))
            return head, tuple([await source.exactly(size) for size in _sizes(head, body_length)])
        except asyncio.IncompleteReadError as exc:
            await self._wait_for_end()
            code = None if self.is_alive else await self.end()  # a child may close its output and stay alive
            raise ChildLost("it ended without a reply", code) from exc

    async def _wait_until_gone(self) -> None:
        """Wait until the kernel has removed the killed process. Reaping it earlier would block the fork server."""
        if self._end is None:
            return
        loop, gone = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._end, gone.set)
        try:
            await gone.wait()
        finally:
            loop.remove_reader(self._end)

    async def _wait_for_end(self) -> None:
        """Wait for the child to end after it has closed its pipe, so that the exit code is known."""
        deadline_s = time.monotonic() + _GOING_S
        while self.is_alive and time.monotonic() < deadline_s:  # noqa: ASYNC110  # polls, because another process ends
            await asyncio.sleep(0.005)


def _open_process_file(pid: int, name: str) -> int | None:
    """Open a file of /proc about a process. Return None if it does not exist."""
    try:
        return os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def _read_head(head: bytes) -> dict[str, Any]:
    try:
        read = orjson.loads(head)
    except orjson.JSONDecodeError as exc:
        raise ChildLost("it wrote an invalid reply") from exc
    if not isinstance(read, dict):
        raise ChildLost("it wrote an invalid reply")
    return read


def _sizes(head: Mapping[str, Any], body_bytes: int) -> list[int]:
    """Return the lengths of the pieces that follow."""
    sizes = head.get("pieces", [])
    is_list = isinstance(sizes, list) and len(sizes) <= _MAX_PIECES and all(type(size) is int for size in sizes)
    if not is_list or sum(sizes) != body_bytes or any(size < 0 for size in sizes):
        raise ChildLost("it wrote pieces that do not fit")
    return list(sizes)


def _read_hello(hello: Mapping[str, Any]) -> tuple[Isolation, tuple[str, ...]]:
    """Return the way in which the child is cut off from the network, and the resources that it can still reach."""
    openings = hello.get("openings")
    known = [isolation for isolation in get_args(Isolation) if isolation == hello.get("isolation")]
    if not known or not isinstance(openings, list):
        raise ChildLost(f"it could not start: {str(hello.get('failed'))[:_MAX_FAILED]}")
    return known[0], tuple(str(opening)[:_MAX_FAILED] for opening in openings[:_MAX_OPENINGS])
