"""One child process, as the service sees it."""

import asyncio
import contextlib
import os
import secrets
import signal
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Self

import orjson

from webquarry.log import log
from webquarry.workers.channel import Channel
from webquarry.workers.confine import Isolation
from webquarry.workers.faults import ChildLost, StartedLate
from webquarry.workers.frames import HELLO, MAX_ANSWER, MAX_PROGRESS, PREFIX, pack_frame
from webquarry.workers.limits import MEGABYTE, Limits
from webquarry.workers.program import Program

START_S = 20.0
"""Seconds for a child to start and to import what it is told to; a busy machine is slow."""
_MAX_TOLD = 200
"""Times that a job may say how far it is: more than once in any second of the longest one."""
_MAX_FAILED = 1000
_MAX_PIECES = 8
_GOING_S = 1.0
_ONE_THREAD = {"OMP_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1", "TOKIO_WORKER_THREADS": "1"}
"""Libraries otherwise start a thread for each processor, whose stacks count as memory; jobs run side by side anyway."""
_SMALL_ARENAS = {"MIMALLOC_ARENA_RESERVE": "32768"}
"""Kilobytes that the allocator of pdfium reserves at once. It would ask for a gigabyte, which is beyond the limit of
addresses, and then take each large piece of memory from the system and give it back: 700 page faults for a PDF, not 70.
"""
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


class Child:
    """A child that has said hello. It does one job after the other; who asks sees to that."""

    def __init__(self, process: Program, channel: Channel, limits: Limits) -> None:
        self._process = process
        self._channel = channel
        self._max_answer = limits.answer_mb * MEGABYTE
        self._held_pages = _open_held_pages(process.pid)
        self.isolation: Isolation = "none"
        self.sees_files = True
        self.jobs = 0
        self.idle_since_s = 0.0
        self._is_killed = False

    @classmethod
    async def start(cls, limits: Limits, preload: tuple[str, ...]) -> Self:
        """Raises ChildLost when it does not come up, StartedLate when not in time."""
        settings = orjson.dumps({"parent": os.getpid(), "limits": asdict(limits), "preload": preload}).decode()
        channel = Channel()
        try:
            process = Program(
                (sys.executable, "-P", "-s", "-m", "webquarry.workers.child", settings),
                source=channel.child_source,
                sink=channel.child_sink,
                environment=_environment(),
            )
        except BaseException:
            channel.close()
            raise
        finally:
            channel.hand_over()
        child = cls(process, channel, limits)
        try:
            async with asyncio.timeout(START_S):
                child.isolation, child.sees_files = _read_hello((await child._answer(HELLO, 0))[0])
        except TimeoutError as exc:
            await child.end()
            raise StartedLate("it did not start in time") from exc
        except BaseException:
            await child.end()
            raise
        return child

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Asks the kernel: that a child has ended reaches the event loop some time after."""
        if self._process.returncode is not None:
            return False
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    @property
    def memory_mb(self) -> float:
        """Megabytes that it holds; 0 when it has ended, or where the system does not tell."""
        if self._held_pages is None:
            return 0.0
        try:
            return int(os.pread(self._held_pages, 128, 0).split()[1]) * _PAGE_BYTES / MEGABYTE
        except OSError:
            return 0.0

    async def ask(
        self, function: str, body: bytes, options: Mapping[str, Any]
    ) -> tuple[dict[str, Any], tuple[bytes, ...]]:
        """The answer to a job and its pieces, as `child.do_job` gives them. Raises ChildLost; then, and when it is
        cancelled, the child is of no further use: `kill` it."""
        self.jobs += 1
        number = secrets.randbits(63) + 1
        self._channel.send(pack_frame(number, orjson.dumps({"run": function, "options": dict(options)}), body))
        answer = await self._answer(number, self._max_answer)
        if self._channel.has_unsent:
            raise ChildLost("it answered before it had the question")
        return answer

    def kill(self) -> None:
        """End it at once, and what it has started, also when that has outlived it."""
        if not self._is_killed:
            self._is_killed = True
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    async def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self.kill()
        await self._process.wait()
        self._channel.close()
        if self._held_pages is not None:
            os.close(self._held_pages)
            self._held_pages = None

    async def _answer(self, number: int, max_bytes: int) -> tuple[dict[str, Any], tuple[bytes, ...]]:
        source = self._channel
        try:
            for _ in range(_MAX_TOLD):
                found, length, body_length = PREFIX.unpack(await source.exactly(PREFIX.size))
                if found != number or length or not 0 < body_length <= MAX_PROGRESS:
                    break
                _log_progress(await source.exactly(body_length))
            if found != number or not length:
                raise ChildLost("it wrote what is no answer to the question")
            if length > MAX_ANSWER or body_length > max_bytes:
                raise ChildLost("its answer is too long")
            head = _read_head(await source.exactly(length))
            return head, tuple([await source.exactly(size) for size in _sizes(head, body_length)])
        except asyncio.IncompleteReadError as exc:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_GOING_S):  # a child that closed its output, and stays
                    await self._process.wait()
            raise ChildLost("it ended without an answer", self._process.returncode) from exc


def _open_held_pages(pid: int) -> int | None:
    """What the kernel tells of a process's memory, kept open: to open it costs more than the look itself."""
    try:
        return os.open(f"/proc/{pid}/statm", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None


def _read_head(head: bytes) -> dict[str, Any]:
    try:
        read = orjson.loads(head)
    except orjson.JSONDecodeError as exc:
        raise ChildLost("it wrote what is no answer") from exc
    if not isinstance(read, dict):
        raise ChildLost("it wrote what is no answer")
    return read


def _sizes(head: Mapping[str, Any], body_bytes: int) -> list[int]:
    """Lengths of the pieces that follow."""
    sizes = head.get("pieces", [])
    is_list = isinstance(sizes, list) and len(sizes) <= _MAX_PIECES and all(type(size) is int for size in sizes)
    if not is_list or sum(sizes) != body_bytes or any(size < 0 for size in sizes):
        raise ChildLost("it wrote pieces that do not fit")
    return list(sizes)


def _log_progress(line: bytes) -> None:
    """What a child says is data: anything but a word and two numbers ends it."""
    try:
        what, done, of = orjson.loads(line)
    except (ValueError, TypeError):
        what = None
    if not (isinstance(what, str) and what.isalpha() and isinstance(done, int) and isinstance(of, int | None)):
        raise ChildLost("it told of its progress what is none")
    log.info("worker.progress", what=what, done=done, of=of)


def _environment() -> dict[str, str]:
    """This process's folders of modules, and nothing else of its environment: that holds keys and addresses."""
    folders = os.pathsep.join(os.path.abspath(folder) for folder in sys.path if folder)
    return {"PYTHONPATH": folders, "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "2", **_SMALL_ARENAS, **_ONE_THREAD}


def _read_hello(hello: Mapping[str, Any]) -> tuple[Isolation, bool]:
    """Return how the child is kept from the network, and whether it sees files. ChildLost when it says neither."""
    match hello:
        case {"isolation": ("namespace" | "seccomp" | "none") as isolation, "sees_files": bool(sees_files)}:
            return isolation, sees_files
        case {"failed": str(failed)}:
            raise ChildLost(f"it could not start: {failed[:_MAX_FAILED]}")
    raise ChildLost("it said hello in words that are unknown")
