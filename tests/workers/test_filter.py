"""The filter's program, executed like in the kernel, for all supported processors."""

import errno
import struct

import pytest

from webquarry.workers.filter import ALLOWED, STARTING_PROGRAMS, write_program
from webquarry.workers.system import _PROCESSORS, Processor

PASSED, KILLED = 0x7FFF_0000, 0x8000_0000
REFUSED, UNKNOWN = 0x0005_0000 | errno.EPERM, 0x0005_0000 | errno.ENOSYS
THREAD, PROCESS, NEW_USERS, PARENTS = 0x3D0F00, 0x1200011, 0x1000_0000, 0x8000  # flags of clone
OWN, OTHER = 4711, 4712
UNNAMED = range(500, 600)
"""Numbers without a system call."""

processors = pytest.mark.parametrize("known", _PROCESSORS.values(), ids=_PROCESSORS)


def judge(code: bytes, call: int, *arguments: int, audit: int) -> int:
    """Return the program's verdict on a call."""
    seen = struct.pack("<2IQ6Q", call, audit, 0, *arguments, *[0] * (6 - len(arguments)))
    at = value = 0
    while True:
        kind, when_true, when_false, operand = struct.unpack_from("<HBBI", code, at * 8)
        at += 1
        match kind:
            case 0x20:
                (value,) = struct.unpack_from("<I", seen, operand)
            case 0x15 | 0x35 | 0x45:
                holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[kind]
                at += when_true if holds else when_false
            case 0x06:
                return int(operand)
            case _:
                raise AssertionError(f"no instruction: {kind:#x}")


@processors
@pytest.mark.parametrize("may_start_programs", [False, True])
def test_only_listed_calls_pass(known: Processor, may_start_programs: bool) -> None:
    code = write_program(known, own_pid=OWN, may_start_programs=may_start_programs)
    guarded = {"ioctl", "fcntl", "prctl", "prlimit64", "sched_getaffinity", "tgkill", "clone", "socketpair"}
    allowed = {*ALLOWED, *(STARTING_PROGRAMS if may_start_programs else ())}
    names = {number: name for name, number in known.calls.items()}
    for number in (*range(470), *UNNAMED):
        name = names.get(number, "")
        if name not in guarded:
            expected = PASSED if name in allowed else UNKNOWN
            assert judge(code, number, audit=known.audit) == expected, (number, name)


@processors
@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("tgkill", (OWN, OTHER, 6), PASSED),
        ("tgkill", (OTHER, OTHER, 9), REFUSED),
        ("tgkill", (0, 0, 9), REFUSED),
        ("prlimit64", (0, 0), PASSED),
        ("prlimit64", (OWN, 0), PASSED),
        ("prlimit64", (OTHER, 0), REFUSED),
        ("sched_getaffinity", (0, 8), PASSED),
        ("sched_getaffinity", (OTHER, 8), REFUSED),
        ("ioctl", (1, 0x5401), PASSED),
        ("ioctl", (1, 0x5412), REFUSED),  # would type into a terminal
        ("fcntl", (1, 2, 1), PASSED),
        ("fcntl", (1, 8, OTHER), REFUSED),  # sets an owner, which gets signals
        ("fcntl", (1, 10, 9), REFUSED),  # sets the signal that the owner gets
        ("socketpair", (1, 0x80001, 0), PASSED),
        ("socketpair", (1, 2, 0), REFUSED),  # datagram sockets can send to other sockets
        ("prctl", (15, 0), PASSED),
        ("prctl", (1, 0), REFUSED),  # would let the child outlive its parent
        ("prctl", (4, 1), REFUSED),  # would let other processes inspect the child
        ("clone", (THREAD,), PASSED),
        ("clone", (THREAD | NEW_USERS,), REFUSED),
        ("clone", (THREAD | PARENTS,), REFUSED),
    ],
)
@pytest.mark.parametrize("may_start_programs", [False, True])
def test_calls_that_could_affect_others_are_checked_by_arguments(
    known: Processor, call: str, arguments: tuple[int, ...], expected: int, may_start_programs: bool
) -> None:
    code = write_program(known, own_pid=OWN, may_start_programs=may_start_programs)
    assert judge(code, known.calls[call], *arguments, audit=known.audit) == expected
    high = tuple(argument | 1 << 32 for argument in arguments[:1])
    assert judge(code, known.calls[call], *high, *arguments[1:], audit=known.audit) == expected


@processors
def test_processes_are_started_only_if_allowed(known: Processor) -> None:
    for may_start_programs, expected in ((False, REFUSED), (True, PASSED)):
        code = write_program(known, own_pid=OWN, may_start_programs=may_start_programs)
        assert judge(code, known.calls["clone"], PROCESS, audit=known.audit) == expected
        assert judge(code, known.calls["clone3"], 0, audit=known.audit) == UNKNOWN


@processors
def test_calls_by_another_interface_end_the_process(known: Processor) -> None:
    code = write_program(known, own_pid=OWN, may_start_programs=False)
    assert judge(code, 1, audit=known.audit ^ 1) == KILLED
    if known.alien is not None:
        assert judge(code, known.alien + 41, audit=known.audit) == KILLED
