"""A subprocess, started without copying the service's memory map.

Forking a process of 100 MB blocks the event loop for 20 to 50 ms; this takes 1 to 10 ms.
"""

import asyncio
import os
import subprocess
from collections.abc import Mapping, Sequence


class Program:
    """A process that starts when this object is created. Raises OSError if it cannot be started.

    `inherited` are file descriptors that the process keeps with the same numbers.
    """

    def __init__(self, command: Sequence[str], *, inherited: Sequence[int], environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603  # our own program
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=inherited,
            env=environment,
            cwd="/",
            start_new_session=True,
        )
        self._loop = asyncio.get_running_loop()
        self._ended = asyncio.Event()
        self._waiting: asyncio.Task[None] | None = None
        try:
            self._end = os.pidfd_open(self.pid)
        except (AttributeError, OSError):  # the system has no pidfd
            self._waiting = asyncio.create_task(self._wait_in_thread())
        else:
            self._loop.add_reader(self._end, self._take_notice)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Exit code, or minus the signal that ended it; None until its end is noticed."""
        return self._process.returncode

    @property
    def is_alive(self) -> bool:
        """Whether the process is running, according to the kernel. The event loop notices the process's end later."""
        if self._process.returncode is not None:
            return False
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def kill(self) -> None:
        self._process.kill()

    async def wait(self) -> None:
        await self._ended.wait()

    def _take_notice(self) -> None:
        self._loop.remove_reader(self._end)
        os.close(self._end)
        self._process.wait()  # returns immediately, because the process has ended
        self._ended.set()

    async def _wait_in_thread(self) -> None:
        await asyncio.to_thread(self._process.wait)
        self._ended.set()
