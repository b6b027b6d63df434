"""Calls to the kernel for which Python has no function, on the processors that are known here."""

import ctypes
import os
import platform
from dataclasses import dataclass
from typing import Final

_LIBC = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNET: Final = 0x4000_0000
CLONE_NEWUSER: Final = 0x1000_0000
CLONE_NEWIPC: Final = 0x0800_0000

PR_SET_PDEATHSIG: Final = 1
PR_SET_DUMPABLE: Final = 4
PR_SET_NO_NEW_PRIVS: Final = 38

_SECCOMP_SET_MODE_FILTER = 1
_SECCOMP_FILTER_FLAG_TSYNC = 1
_CAPABILITY_VERSION = 0x2008_0522


@dataclass(frozen=True, slots=True)
class Processor:
    """What the kernel calls this processor, and the numbers of its calls. alien: calls from this number on are those of
    another interface of the same processor; None when there is none. A call it does not have is left out."""

    audit: int
    calls: dict[str, int]
    alien: int | None = None


_PROCESSORS: Final = {
    "x86_64": Processor(
        audit=0xC000_003E,
        alien=0x4000_0000,
        calls={
            "socket": 41,
            "clone": 56,
            "fork": 57,
            "vfork": 58,
            "execve": 59,
            "kill": 62,
            "ptrace": 101,
            "rt_sigqueueinfo": 129,
            "tkill": 200,
            "tgkill": 234,
            "keyctl": 250,
            "rt_tgsigqueueinfo": 297,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "seccomp": 317,
            "bpf": 321,
            "execveat": 322,
            "userfaultfd": 323,
            "pidfd_send_signal": 424,
            "io_uring_setup": 425,
            "clone3": 435,
            "pidfd_getfd": 438,
        },
    ),
    "aarch64": Processor(
        audit=0xC000_00B7,
        calls={
            "ptrace": 117,
            "kill": 129,
            "tkill": 130,
            "tgkill": 131,
            "rt_sigqueueinfo": 138,
            "socket": 198,
            "keyctl": 219,
            "clone": 220,
            "execve": 221,
            "rt_tgsigqueueinfo": 240,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "seccomp": 277,
            "bpf": 280,
            "execveat": 281,
            "userfaultfd": 282,
            "pidfd_send_signal": 424,
            "io_uring_setup": 425,
            "clone3": 435,
            "pidfd_getfd": 438,
        },
    ),
}


def processor() -> Processor | None:
    """The one this runs on; None where it is not known, or the system is not Linux."""
    return _PROCESSORS.get(platform.machine()) if platform.system() == "Linux" else None


def unshare(flags: int) -> None:
    """Leave what is shared with the other processes. Raises OSError when the kernel does not permit it."""
    _check_call(_LIBC.unshare(flags))


def set_process(option: int, value: int) -> None:
    """prctl(2). Raises OSError."""
    _check_call(_LIBC.prctl(option, ctypes.c_ulong(value), *[ctypes.c_ulong(0)] * 3))


def drop_capabilities() -> None:
    """Give up every right that an ordinary user does not have. Raises OSError."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    none = (ctypes.c_uint32 * 6)()
    _check_call(_LIBC.capset(ctypes.byref(header), ctypes.byref(none)))


def set_filter(program: bytes, known: Processor) -> None:
    """Judge every later call of all threads by a program of BPF (seccomp(2)). Raises OSError."""
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
