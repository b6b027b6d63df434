"""Jobs for child processes in tests, harmless and hostile."""

import ctypes
import fcntl
import os
import resource
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from webquarry.core.errors import ConversionFailed, EmptyResult, InvalidParams, UnsupportedType
from webquarry.workers.parcel import Parcel

HELD: list[bytes] = []
PREFIX = struct.Struct("<QII")


def echo(body: bytes, **options: Any) -> list[Any]:
    return [len(body), body[-3:].decode(), options, os.getpid()]


def surroundings(_body: bytes) -> dict[str, Any]:
    """Return the parts of the parent process that a child can see."""
    opened = [number for number in range(256) if _is_open(number)]
    return {"environment": dict(os.environ), "folder": os.getcwd(), "opened": len(opened)}


def imported(_body: bytes, *, name: str) -> bool:
    return name in sys.modules


def limits(_body: bytes) -> dict[str, list[int]]:
    names = ("DATA", "AS", "FSIZE", "CORE", "CPU")
    return {name: list(resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))) for name in names}


def sockets(_body: bytes) -> dict[str, str]:
    """Return the error's name for a socket of each family, or "open"."""
    fields = {}
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK):
        try:
            socket.socket(family, socket.SOCK_STREAM if family != socket.AF_NETLINK else socket.SOCK_RAW).close()
            fields[family.name] = "open"
        except OSError as exc:
            fields[family.name] = type(exc).__name__
    return fields


def others(_body: bytes, *, parent: int, file: str, without: str = "") -> dict[str, str]:
    """Return the results of attempts to access other processes or files."""
    attempts = {
        "program": lambda: subprocess.run(["/bin/true"], check=True),
        "fork": os.fork,
        "signal": lambda: os.kill(parent, 0),
        "secrets": lambda: Path(f"/proc/{parent}/environ").read_bytes(),
        "file": lambda: Path(file).write_bytes(b"x" * 10),
        "thread": _thread,
    }
    attempts.pop(without, None)
    fields = {}
    for name, attempt in attempts.items():
        try:
            attempt()
            fields[name] = "done"
        except OSError as exc:
            fields[name] = type(exc).__name__
    return fields


def raising(_body: bytes, *, what: str) -> None:
    raise {
        "encrypted": ConversionFailed("It is encrypted.", reason="encrypted"),
        "unsupported": UnsupportedType("It is a film."),
        "empty": EmptyResult("It is empty."),
        "other": InvalidParams("Nothing that a job may say."),
        "fault": KeyError("a secret of the document"),
    }[what]


def memory(_body: bytes) -> int:
    return len(bytearray(3 * 1024**3))


def pieces(_body: bytes) -> int:
    gathered = []
    while True:
        gathered.append(bytes(1024 * 1024))


def holding(_body: bytes, *, megabytes: int) -> int:
    HELD.append(os.urandom(1024 * 1024) * megabytes)
    return os.getpid()


def held(_body: bytes) -> int:
    return len(HELD)


def deep(_body: bytes) -> None:
    deep(_body)


def crash(_body: bytes, *, how: str) -> None:
    {
        "segfault": lambda: ctypes.string_at(0),
        "abort": os.abort,
        "exit": lambda: os._exit(0),
        "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
        "quit": sys.exit,
        "overflow": _overflow,
    }[how]()


def starting(_body: bytes, *, program: str, how: str) -> None:
    """Start a program and exit before it ends."""
    subprocess.Popen(program.split())
    if how == "exit":
        os._exit(0)
    time.sleep(3600)


def busy(_body: bytes) -> None:
    while True:
        pass


def hang(_body: bytes, *, seconds: float = 3600, note: str = "") -> int:
    if note:
        Path(note).write_bytes(b"")
    time.sleep(seconds)
    return os.getpid()


def printing(_body: bytes) -> str:
    print("this is no answer", flush=True)  # noqa: T201  # as libraries do
    os.write(1, b"\0" * 100)
    return "answer"


def writing(_body: bytes, *, what: str) -> str:
    """Write into the response pipe directly."""
    sink = _sink()
    if what == "flood":
        while True:
            os.write(sink, b"\xff" * 65536)
    elif what == "other":
        os.write(sink, PREFIX.pack(12345, 11, 0) + b'{"ok": "a"}')
    elif what == "long":
        os.write(sink, PREFIX.pack(12345, 2**32 - 1, 0))
    elif what == "cut":
        os.write(sink, PREFIX.pack(12345, 100, 0)[:9])
        os._exit(0)
    elif what == "closed":
        os.close(sink)
        time.sleep(3600)
    return "answer"


def early(_body: bytes) -> str:
    """Return a response, then write one for a job that was not sent yet."""
    threading.Timer(0.05, lambda: os.write(_sink(), PREFIX.pack(1, 13, 0) + b'{"ok": "lie"}')).start()
    return "answer"


def large(_body: bytes, *, size: int) -> str:
    return "x" * size


def unwritable(_body: bytes) -> object:
    return object()


def _overflow() -> None:
    nested: tuple[Any, ...] = ()
    for _ in range(400_000):
        nested = (nested,)
    hash(nested)  # recursive in C, without a recursion limit; `repr` would inspect all levels at each


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _thread() -> None:
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()


def _sink() -> int:
    """Return the file descriptor of the response pipe."""
    for number in range(3, 64):
        is_pipe = _is_open(number) and stat.S_ISFIFO(os.fstat(number).st_mode)
        if is_pipe and fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_WRONLY:
            return number
    raise AssertionError("no pipe")


def judged(body: bytes, *, name: str) -> str:
    """Check an upload."""
    if body == b"refused":
        raise UnsupportedType("Another file, please.")
    return name


def packing(_body: bytes, *, facts: Any, pieces: list[str]) -> Parcel[Any]:
    """Return any given parcel, as the code of a hostile page would."""
    return Parcel(facts, tuple(piece.encode("latin-1") for piece in pieces))


def keyed(_body: bytes, *, length: int, behind: str = "") -> Parcel[None]:
    """Return the data of a `MadeResult` with a long key."""
    return Parcel(None, (f'{{"key":"{"a" * length}"}}{behind}'.encode(),))
