"""A child process forked from the fork server: reads jobs from one pipe and writes results to the other.

A job is the name of a function (`package.module:function`), bytes and options. The function is called as
`function(body, **options)` and returns something that orjson can write, or a `Parcel`. Nothing is ever unpickled.
"""

import ctypes
import gc
import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NoReturn

import orjson

from webquarry.core.errors import ServiceError
from webquarry.workers import confine
from webquarry.workers.faults import describe_error
from webquarry.workers.frames import HELLO, MAX_ANSWER, MAX_HEAD, PREFIX, pack_frame
from webquarry.workers.limits import MEGABYTE, Limits
from webquarry.workers.parcel import Parcel, dump_facts
from webquarry_convert.errors import ConversionError

_LIBC = ctypes.CDLL(None)
_LARGE = 1024 * 1024
"""Size in bytes above which a request or a response counts as large."""
_USUAL = 64 * 1024
"""Size in bytes of a read that holds a typical complete request."""
_LEFT_BEHIND = 5_000
"""Number of container objects above which garbage is collected."""


@dataclass(frozen=True, slots=True)
class Confinement:
    """Parameters with which a forked child confines itself.

    `service` and `server` are the process ids of the service and its fork server, as the service sees them. `secrets`
    are paths that no child may read. `has_left` is True if the fork server left the network.
    """

    limits: Limits
    service: int
    server: int
    secrets: tuple[str, ...]
    has_left: bool


def run(source: int, sink: int, parent: int, confinement: Confinement) -> NoReturn:
    """Run jobs until the pipe is closed, then exit.

    `source` and `sink` are the pipes for requests and responses. `parent` is the process id of the parent, as the
    parent sees it.
    """
    code = 1
    try:
        os.setpgid(0, 0)
        _run(source, sink, parent, confinement)
        code = 0
    finally:
        os._exit(code)  # skips the fork server's exit handlers and buffers


def _run(source: int, sink: int, parent: int, confinement: Confinement) -> None:
    limits = confinement.limits
    try:
        confine.become_nobody(confinement.server)
        confine.follow(parent)
        isolation = confine.shut(limits, has_left=confinement.has_left)
        openings = confine.find_openings(confinement.service, confinement.secrets)
    except Exception as exc:  # noqa: BLE001  # the parent logs any error
        _write(sink, HELLO, {"failed": describe_error(exc)})
        return
    _write(sink, HELLO, {"isolation": isolation, "openings": openings})
    while (question := _read(source)) is not None:
        number, head, body = question
        confine.allow_cpu(limits.cpu_s)
        answer, pieces = do_job(head, body, limits.answer_mb * MEGABYTE)
        given_bytes = sum(map(len, pieces))
        _write_bytes(sink, PREFIX.pack(number, len(answer), given_bytes) + answer, *pieces)
        is_large = len(body) + given_bytes > _LARGE
        del question, head, body, answer, pieces
        _tidy(is_large=is_large)


def do_job(head: bytes, body: bytes, max_bytes: int) -> tuple[bytes, tuple[bytes, ...]]:
    """Run one job. Return the response as JSON, and its pieces.

    The JSON is `{"ok": value}`; for a parcel `{"ok": facts, "pieces": [lengths]}`; `{"error": name, "message": text,
    "reason": text or null}` for an error that callers may see; `{"limits": name}` if a limit was exceeded; or
    `{"failed": place}` for a bug.
    """
    pieces: tuple[bytes, ...] = ()
    try:
        job = orjson.loads(head)
        given = import_function(job["run"])(body, **job["options"])
        if isinstance(given, Parcel):
            pieces = given.pieces
            told = {"ok": given.facts, "pieces": [len(piece) for piece in pieces]}
            answer = orjson.dumps(told, default=dump_facts)
        else:
            answer = orjson.dumps({"ok": given})
        if len(answer) > MAX_ANSWER or sum(map(len, pieces)) > max_bytes:
            return b'{"limits":"answer"}', ()
        return answer, pieces
    except (ServiceError, ConversionError) as exc:
        answer = orjson.dumps({"error": type(exc).__name__, "message": exc.message, "reason": exc.reason})
    except MemoryError:
        answer = b'{"limits":"memory"}'
    except RecursionError:
        answer = b'{"limits":"depth"}'
    except Exception as exc:  # noqa: BLE001  # the parent reports any error
        answer = orjson.dumps({"failed": describe_error(exc)})
    return answer, ()


def import_function(name: str) -> Callable[..., Any]:
    """Import and return the function named `package.module:function`."""
    module, _, attribute = name.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), attribute)
    return found


def _read(source: int) -> tuple[int, bytes, bytes] | None:
    """Return the number, head and body of the next frame, or None if the parent has closed the pipe.

    A small frame takes one system call, because no data follows a frame until it is answered.
    """
    begun = _at_least(source, b"", PREFIX.size, _USUAL)
    if begun is None:
        return None
    number, head_length, body_length = PREFIX.unpack_from(begun)
    if head_length > MAX_HEAD:
        return None
    body_at = PREFIX.size + head_length
    if (begun := _at_least(source, begun, body_at, _USUAL)) is None:
        return None
    body = _at_least(source, begun[body_at:], body_length, _LARGE)
    return None if body is None else (number, begun[PREFIX.size : body_at], body)


def _at_least(source: int, begun: bytes, length: int, most: int) -> bytes | None:
    """Read until `begun` has at least `length` bytes and return it; None at the end of the stream.

    `most` is the number of bytes per read.
    """
    parts, missing = [begun], length - len(begun)
    while missing > 0:
        part = os.read(source, most)
        if not part:
            return None
        parts.append(part)
        missing -= len(part)
    return b"".join(parts) if len(parts) > 1 else begun


def _write(sink: int, number: int, head: dict[str, Any]) -> None:
    _write_bytes(sink, *pack_frame(number, orjson.dumps(head)))


def _write_bytes(sink: int, *parts: bytes) -> None:
    for part in (b"".join(parts),) if sum(map(len, parts)) <= _LARGE else parts:  # avoid copying large parts
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(sink, rest) :]


def _tidy(*, is_large: bool) -> None:
    """Free memory after a job that left much garbage, so that the child is not ended for its memory use.

    `is_large` is True if the job's data was large. Objects that survive a collection are modules and caches, so later
    collections skip them.
    """
    if gc.get_count()[0] > _LEFT_BEHIND or is_large:
        gc.collect()
        gc.freeze()
        if (trim := getattr(_LIBC, "malloc_trim", None)) is not None:
            trim(0)
