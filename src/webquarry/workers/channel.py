"""The service's end of the two pipes to a child, for use in the event loop.

There is no intermediate buffer: requests go from the caller's bytes into the pipe, and responses are read only when a
caller waits for them. A small request and its response therefore take one system call each. Megabytes move one pipe
buffer at a time, with other callers' work in between.
"""

import asyncio
import contextlib
import fcntl
import os
from collections.abc import Sequence

_PIPE_BYTES = 1024 * 1024
"""Requested size of the pipe buffer. A larger buffer wakes both sides less often for a large page."""
_READ_BYTES = 64 * 1024
"""Number of bytes to read if the size is unknown: enough for a typical response."""
_JOINED_APART = 2 * 1024 * 1024
"""Size in bytes above which parts are joined in a thread, so that the event loop is not blocked."""


class Channel:
    """Pipes to a child, used for one exchange at a time. Call `close` when the child has ended.

    The child's ends are `child_source` and `child_sink` until `hand_over`.
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
        """Close the child's ends after the child has inherited them. The pipes are then closed when the child ends."""
        os.close(self.child_source)
        os.close(self.child_sink)

    @property
    def is_open(self) -> bool:
        return self._is_open

    @property
    def has_unsent(self) -> bool:
        """Whether the child has yet to read some of the data sent."""
        return bool(self._unsent)

    def send(self, parts: Sequence[bytes]) -> None:
        """Send the parts: as much as the pipe accepts immediately, and the rest in the background."""
        if not self._is_open:
            return  # the caller that waits for the response gets the error
        self._is_asked = True
        was_idle = not self._unsent
        self._unsent += [memoryview(part) for part in parts if part]
        if was_idle:
            self._push()
            if self._unsent:
                self._loop.add_writer(self._sink, self._push_on)

    async def exactly(self, size: int) -> bytes:
        """Return the next `size` bytes. Raises IncompleteReadError if the child ends first."""
        parts, missing = [], size
        if self._held:
            parts.append(self._held[:size])
            self._held = self._held[size:]
            missing -= len(parts[0])
        while missing > 0:
            # If more data is certain to come, read only the missing bytes; otherwise read all available data and keep
            # the rest.
            part = await self._some(min(missing, _PIPE_BYTES) if missing > _READ_BYTES else _READ_BYTES)
            if not part:
                raise asyncio.IncompleteReadError(b"", size)
            parts.append(part[:missing])
            self._held = part[missing:]
            missing -= len(parts[-1])
            if missing > 0:
                await asyncio.sleep(0)  # let other tasks run, because the pipe may already be full again
        if len(parts) == 1:
            return parts[0]
        return b"".join(parts) if size < _JOINED_APART else await asyncio.to_thread(b"".join, parts)

    def close(self) -> None:
        """Close the pipes. A pending read gets an end of file."""
        if not self._is_open:
            return
        self._is_open = False
        self._stop_sending()
        self._unwatch()
        os.close(self._sink)
        os.close(self._source)
        self._wake()

    async def _some(self, most: int) -> bytes:
        """Return at least one byte, or b"" at the end of the stream."""
        if self._is_asked and self._is_open:  # a response is never available immediately after the request
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
            self._unwatch()  # unrequested data stays in the pipe
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
        except OSError:  # the child has ended, which the pending read will report
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
    """Return a pipe's read and write ends."""
    source, sink = os.pipe()
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with contextlib.suppress(OSError):  # the user's quota for pipe buffers is used up
            fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    return source, sink
