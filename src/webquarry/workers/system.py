"""System calls on supported processors for which Python has no function."""

import ctypes
import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from webquarry.workers.calls import read_numbers

_LIBC = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNET: Final = 0x4000_0000
CLONE_NEWUSER: Final = 0x1000_0000
CLONE_NEWIPC: Final = 0x0800_0000
CLONE_NEWPID: Final = 0x2000_0000

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_KEEPCAPS: Final = 8
PR_SET_NO_NEW_PRIVS: Final = 38

_SECCOMP_SET_MODE_FILTER = 1
_SECCOMP_FILTER_FLAG_TSYNC = 1
_CAPABILITY_VERSION = 0x2008_0522


@dataclass(frozen=True, slots=True)
class Processor:
    """A processor as the kernel's filters see it.

    `audit` is the kernel's number for the processor. `calls` are system call numbers by name. `alien` is the first
    number of another interface of the same processor, or None if it has only one.
    """

    audit: int
    calls: dict[str, int]
    alien: int | None = None


_PROCESSORS: Final = {
    "x86_64": Processor(audit=0xC000_003E, calls=read_numbers("x86_64"), alien=0x4000_0000),
    "aarch64": Processor(audit=0xC000_00B7, calls=read_numbers("aarch64")),
}


def find_processor() -> Processor | None:
    """Return the processor of this machine, or None if it is unknown or the system is not Linux."""
    return _PROCESSORS.get(platform.machine()) if platform.system() == "Linux" else None


def unshare(flags: int) -> None:
    """Stop sharing resources with other processes. Raises OSError if the kernel does not permit it."""
    _check_call(_LIBC.unshare(flags))


def set_process(option: int, value: int) -> None:
    """Call prctl(2). Raises OSError on failure."""
    _check_call(_LIBC.prctl(option, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3))


def keep_capability(wanted: Sequence[int]) -> None:
    """Give up all capabilities except the first one in `wanted` that this process has. Raises OSError on failure."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    held = (ctypes.c_uint32 * 6)()  # effective, permitted and inheritable capabilities, low halves first
    _check_call(_LIBC.capget(ctypes.byref(header), ctypes.byref(held)))
    low = next((1 << number for number in wanted if held[1] & 1 << number), 0)
    left = (ctypes.c_uint32 * 6)(low, low)
    _check_call(_LIBC.capset(ctypes.byref(header), ctypes.byref(left)))


def set_filter(program: bytes, known: Processor) -> None:
    """Filter all later system calls of all threads with a BPF program (seccomp(2)). Raises OSError on failure."""
    buffer = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))

    filter_program = Program(len(program) // 8, ctypes.addressof(buffer))
    number = ctypes.c_long(known.calls["seccomp"])
    mode, flags = ctypes.c_uint(_SECCOMP_SET_MODE_FILTER), ctypes.c_uint(_SECCOMP_FILTER_FLAG_TSYNC)
    _check_call(_LIBC.syscall(number, mode, flags, ctypes.byref(filter_program)))


def _check_call(result: int) -> None:
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
