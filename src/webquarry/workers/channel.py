"""The two pipes to a child, as the service's event loop sees them.

There is no buffer between: what is asked goes from the caller's own bytes into the pipe, and what comes is read as far
as somebody waits for it. So a small question and its answer take one call of the kernel each, and megabytes are moved a
pipe's length at a time, other callers' work in between.
"""

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Sequence

_PIPE_BYTES = 1024 * 1024
"""What the kernel is asked to hold in a pipe: the fewer times both sides wake for a large page the better."""
_READ_BYTES = 64 * 1024
"""Read at once where it is not known how much comes: a usual answer as a whole."""
_JOINED_APART = 2 * 1024 * 1024
"""Bytes above which parts are put together in a thread, which holds up nobody."""


class Channel:
    """Used for one exchange at a time. `close` it when its child is gone.

    The child's own ends are `child_source` and `child_sink` until `hand_over`.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.child_source, self._sink = _pipe()
        self._source, self.child_sink = _pipe()
        os.set_blocking(self._sink, False)
        os.set_blocking(self._source, False)
        self._unsent: list[memoryview] = []
        self._held = b""
        self._waiter: asyncio.Future[None] | None = None
        self._is_watched = False
        self._is_asked = False
        self._is_open = True

    def hand_over(self) -> None:
        """Let go of the child's ends, once it has them: its end is seen by their closing."""
        os.close(self.child_source)
        os.close(self.child_sink)

    @property
    def is_open(self) -> bool:
        return self._is_open

    @property
    def has_unsent(self) -> bool:
        """Whether the child has not yet taken all that was sent."""
        return bool(self._unsent)

    def send(self, parts: Sequence[bytes]) -> None:
        """Send the parts, at once as far as the pipe takes them, and the rest meanwhile."""
        if not self._is_open:
            return  # who waits for an answer is told
        self._is_asked = True
        was_idle = not self._unsent
        self._unsent += [memoryview(part) for part in parts if part]
        if was_idle:
            self._push()
            if self._unsent:
                self._loop.add_writer(self._sink, self._push_on)

    async def exactly(self, size: int) -> bytes:
        """The next `size` bytes. IncompleteReadError when the child ends before."""
        parts, missing = [], size
        if self._held:
            parts.append(self._held[:size])
            self._held = self._held[size:]
            missing -= len(parts[0])
        while missing > 0:
            # what is known to come is read into its own bytes; else all that is there, for who reads next
            part = await self._some(min(missing, _PIPE_BYTES) if missing > _READ_BYTES else _READ_BYTES)
            if not part:
                raise asyncio.IncompleteReadError(b"", size)
            parts.append(part[:missing])
            self._held = part[missing:]
            missing -= len(parts[-1])
            if missing > 0:
                await asyncio.sleep(0)  # as much may be there again at once
        if len(parts) == 1:
            return parts[0]
        return b"".join(parts) if size < _JOINED_APART else await asyncio.to_thread(b"".join, parts)

    def close(self) -> None:
        """Who still waits is told that there is no more."""
        if not self._is_open:
            return
        self._is_open = False
        self._stop_sending()
        self._unwatch()
        os.close(self._sink)
        os.close(self._source)
        self._wake()

    async def _some(self, most: int) -> bytes:
        """At least one byte, none at the end."""
        if self._is_asked and self._is_open:  # no answer is there as soon as its question
            await self._readable()
        self._is_asked = False
        while self._is_open:
            try:
                return os.read(self._source, most)
            except BlockingIOError:
                await self._readable()
        return b""

    async def _readable(self) -> None:
        self._waiter = self._loop.create_future()
        if not self._is_watched:
            self._is_watched = True
            self._loop.add_reader(self._source, self._wake)
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is None:
            self._unwatch()  # what nobody asked for stays where it is
        elif not self._waiter.done():
            self._waiter.set_result(None)

    def _unwatch(self) -> None:
        if self._is_watched:
            self._is_watched = False
            self._loop.remove_reader(self._source)

    def _push(self) -> None:
        try:
            sent = os.writev(self._sink, self._unsent)
        except BlockingIOError:
            return
        except OSError:  # it has ended, as who waits for its answer will see
            self._unsent.clear()
            return
        while self._unsent and sent >= len(self._unsent[0]):
            sent -= len(self._unsent.pop(0))
        if self._unsent and sent:
            self._unsent[0] = self._unsent[0][sent:]

    def _push_on(self) -> None:
        self._push()
        if not self._unsent:
            self._stop_sending()

    def _stop_sending(self) -> None:
        self._unsent.clear()
        self._loop.remove_writer(self._sink)


def _pipe() -> tuple[int, int]:
    """Where it is read and where it is written."""
    source, sink = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):  # all that this user may have is taken
            fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return source, sink
