"""System calls that a child may make: an allow list for conversions (seccomp, classic BPF).

Every other call fails with ENOSYS, as on a kernel that lacks it, so that libraries fall back to older calls. Calls that
can refer to another process are allowed only with harmless arguments.
"""

import errno
from collections.abc import Iterable
from struct import Struct
from typing import Final

from webquarry.workers.system import Processor

_INSTRUCTION = Struct("<HBBI")
_LOAD, _JUMP_EQUAL, _JUMP_FROM, _JUMP_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _PROCESSOR, _ARGUMENTS = 0, 4, 16  # offsets in the data that the kernel passes to the filter program
_ARGUMENT_BYTES = 8
_ALLOW = 0x7FFF_0000
_KILL = 0x8000_0000
_ERROR = 0x0005_0000
_CLONE_THREAD = 0x0001_0000
_CLONE_APART = 0x7E02_8000
"""Flags of clone for new namespaces, and for a child that belongs to the parent's parent."""

_COMMON: Final = """
    read write futex newfstatat fstat lseek mmap munmap close openat brk mprotect madvise mremap poll
    rt_sigaction rt_sigprocmask rt_sigreturn clock_gettime getrusage
    readv writev pread64 close_range dup dup2 dup3 pipe pipe2 ppoll select pselect6
    epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 eventfd2
    open access faccessat faccessat2 stat lstat statx getdents getdents64 readlink readlinkat getcwd fadvise64
    rseq arch_prctl sigaltstack restart_syscall exit exit_group set_tid_address set_robust_list futex_waitv
    getpid getppid gettid getuid geteuid getgid getegid getpgrp times uname sysinfo getcpu getrandom
    sched_yield sched_get_priority_max sched_get_priority_min getrlimit setrlimit
    clock_getres clock_nanosleep nanosleep gettimeofday time umask
"""
ALLOWED: Final = tuple(_COMMON.split())
"""Calls allowed with any arguments. Frequent calls come first, because the program compares them one by one."""
STARTING_PROGRAMS: Final = ("execve", "fork", "vfork", "wait4", "waitid")
"""Additional calls for children that may start programs."""
_TERMINAL_SIZE, _IS_TERMINAL, _CLOSE_ON_EXEC, _KEEP_ON_EXEC = 0x5413, 0x5401, 0x5451, 0x5450
_DUPLICATE, _GET_FLAGS, _SET_FLAGS, _GET_STATUS, _SET_STATUS, _DUPLICATE_CLOSED = 0, 1, 2, 3, 4, 1030
_STREAM, _CLOSED, _WAITLESS = 1, 0x8_0000, 0x800
_SET_NAME, _GET_NAME, _NAME_MEMORY = 15, 16, 0x5356_4D41

_VALUES: Final = {
    "ioctl": (1, (_IS_TERMINAL, _TERMINAL_SIZE, _CLOSE_ON_EXEC, _KEEP_ON_EXEC)),
    "fcntl": (1, (_DUPLICATE, _GET_FLAGS, _SET_FLAGS, _GET_STATUS, _SET_STATUS, _DUPLICATE_CLOSED)),
    "prctl": (0, (_SET_NAME, _GET_NAME, _NAME_MEMORY)),
    "socketpair": (1, (_STREAM, _STREAM | _CLOSED, _STREAM | _WAITLESS, _STREAM | _CLOSED | _WAITLESS)),
}
"""Calls allowed for some values of one argument: its position and the values.

fcntl could send signals to an owner, and prctl could undo the setting that ends a child with its parent. A pair of
connected streams works like a pipe, and the PDF library's runtime needs it; a pair of datagram sockets could send to
other sockets.
"""


def write_program(known: Processor, *, own_pid: int, may_start_programs: bool) -> bytes:
    """Return the filter's instructions for the processor `known`.

    `own_pid` is the filtered process, which may send itself signals, as abort does. Threads may always be started,
    other processes only with `may_start_programs`.
    """
    own = (0, own_pid)
    values: dict[str, tuple[int, tuple[int, ...]]] = {
        **_VALUES,
        "prlimit64": (0, own),
        "sched_getaffinity": (0, own),
        "tgkill": (0, (own_pid,)),
    }
    allowed = (*ALLOWED, *STARTING_PROGRAMS) if may_start_programs else ALLOWED
    code = [
        _write_instruction(_LOAD, _PROCESSOR),
        _write_instruction(_JUMP_EQUAL, known.audit, 1, 0),
        _write_instruction(_RETURN, _KILL),
        _write_instruction(_LOAD, _NUMBER),
    ]
    if known.alien is not None:
        code += [_write_instruction(_JUMP_FROM, known.alien, 0, 1), _write_instruction(_RETURN, _KILL)]
    for call in allowed:
        if call in known.calls:
            code += _on(known.calls[call], [_write_instruction(_RETURN, _ALLOW)])
    for call, (argument, fitting) in values.items():
        code += _on(known.calls[call], _allow_values(argument, fitting))
    code += _on(known.calls["clone"], _allow_clone(may_start_programs=may_start_programs))
    return b"".join([*code, _write_instruction(_RETURN, _ERROR | errno.ENOSYS)])


def _on(number: int, block: list[bytes]) -> list[bytes]:
    """Return instructions that run `block`, which ends with a decision, for the call with this number."""
    return [_write_instruction(_JUMP_EQUAL, number, 0, len(block)), *block]


def _allow_values(argument: int, fitting: Iterable[int]) -> list[bytes]:
    """Return the block for a call that is allowed if the low half of an argument has one of the values."""
    code = [_write_instruction(_LOAD, _ARGUMENTS + argument * _ARGUMENT_BYTES)]
    for value in fitting:
        code += [_write_instruction(_JUMP_EQUAL, value, 0, 1), _write_instruction(_RETURN, _ALLOW)]
    return [*code, _write_instruction(_RETURN, _ERROR | errno.EPERM)]


def _allow_clone(*, may_start_programs: bool) -> list[bytes]:
    """Return the block for clone, whose first argument holds flags.

    clone3 keeps its flags in memory, which a filter cannot read. It therefore fails like an unknown call, and libraries
    use clone instead.
    """
    refuse, allow = _write_instruction(_RETURN, _ERROR | errno.EPERM), _write_instruction(_RETURN, _ALLOW)
    flags = _write_instruction(_LOAD, _ARGUMENTS)
    if may_start_programs:
        return [flags, _write_instruction(_JUMP_BITS, _CLONE_APART, 0, 1), refuse, allow]
    return [
        flags,
        _write_instruction(_JUMP_BITS, _CLONE_APART, 0, 1),
        refuse,
        _write_instruction(_JUMP_BITS, _CLONE_THREAD, 0, 1),
        allow,
        refuse,
    ]


def _write_instruction(code: int, value: int, when_true: int = 0, when_false: int = 0) -> bytes:
    """Return one instruction. `when_true` and `when_false` are the numbers of instructions to skip."""
    return _INSTRUCTION.pack(code, when_true, when_false, value)
