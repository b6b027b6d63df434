"""The program by which the kernel refuses calls that no conversion needs (seccomp, classic BPF)."""

import errno
from struct import Struct
from typing import Final

from webquarry.workers.system import Processor

_INSTRUCTION = Struct("<HBBI")
_LOAD, _JUMP_EQUAL, _JUMP_FROM, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _PROCESSOR, _FIRST_ARGUMENT = 0, 4, 16  # offsets in what the kernel shows of a call
_ALLOW = 0x7FFF_0000
_KILL = 0x8000_0000
_ERROR = 0x0005_0000
_CLONE_THREAD = 0x0001_0000

ALWAYS_REFUSED: Final = (
    "socket",
    "io_uring_setup",  # could open sockets without the call
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_getfd",
    "kill",
    "tkill",
    "rt_sigqueueinfo",
    "rt_tgsigqueueinfo",
    "pidfd_send_signal",
    "keyctl",
    "bpf",
    "userfaultfd",
)
STARTING_PROGRAMS: Final = ("execve", "execveat", "fork", "vfork")


def program(known: Processor, *, own_pid: int, may_start_programs: bool) -> bytes:
    """The instructions. own_pid: of the process that is filtered, which may send signals to itself (abort does).

    Refused calls fail with EPERM; threads may be started in any case.
    """
    refused = ALWAYS_REFUSED if may_start_programs else (*ALWAYS_REFUSED, *STARTING_PROGRAMS)
    code = [
        _write_instruction(_LOAD, _PROCESSOR),
        _write_instruction(_JUMP_EQUAL, known.audit, 1, 0),
        _write_instruction(_RETURN, _KILL),
        _write_instruction(_LOAD, _NUMBER),
    ]
    if known.alien is not None:
        code += [_write_instruction(_JUMP_FROM, known.alien, 0, 1), _write_instruction(_RETURN, _KILL)]
    for call in refused:
        if call in known.calls:
            code += [
                _write_instruction(_JUMP_EQUAL, known.calls[call], 0, 1),
                _write_instruction(_RETURN, _ERROR | errno.EPERM),
            ]
    if not may_start_programs:
        # its flags lie in memory, where they cannot be judged: callers then use the older call
        code += [
            _write_instruction(_JUMP_EQUAL, known.calls["clone3"], 0, 1),
            _write_instruction(_RETURN, _ERROR | errno.ENOSYS),
        ]
        code += [
            _write_instruction(_JUMP_EQUAL, known.calls["clone"], 0, 4),
            _write_instruction(_LOAD, _FIRST_ARGUMENT),
            _write_instruction(_JUMP_BITS, _CLONE_THREAD, 1, 0),
            _write_instruction(_RETURN, _ERROR | errno.EPERM),
            _write_instruction(_RETURN, _ALLOW),
        ]
        code += [
            _write_instruction(_JUMP_EQUAL, known.calls["tgkill"], 0, 4),
            _write_instruction(_LOAD, _FIRST_ARGUMENT),
            _write_instruction(_JUMP_EQUAL, own_pid, 1, 0),
            _write_instruction(_RETURN, _ERROR | errno.EPERM),
            _write_instruction(_RETURN, _ALLOW),
        ]
    return b"".join([*code, _write_instruction(_RETURN, _ALLOW)])


def _write_instruction(code: int, value: int, when_true: int = 0, when_false: int = 0) -> bytes:
    """One instruction. when_true, when_false: instructions to leap over."""
    return _INSTRUCTION.pack(code, when_true, when_false, value)
