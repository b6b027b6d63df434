"""The filter's program, run as the kernel runs it, for processors that this machine is not."""

import errno
import struct

import pytest

from webquarry.workers.filter import ALWAYS_REFUSED, STARTING_PROGRAMS, program
from webquarry.workers.system import _PROCESSORS, Processor

ALLOWED, KILLED = 0x7FFF_0000, 0x8000_0000
REFUSED, UNKNOWN = 0x0005_0000 | errno.EPERM, 0x0005_0000 | errno.ENOSYS
THREAD, PROCESS = 0x3D0F00, 0x1200011  # flags of clone as glibc gives them
OWN = 4711

processors = pytest.mark.parametrize("known", _PROCESSORS.values(), ids=_PROCESSORS)


def verdict(code: bytes, call: int, first: int = 0, *, audit: int) -> int:
    """What the program says of a call."""
    seen = struct.pack("<2IQ6Q", call, audit, 0, first, *[0] * 5)
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
def test_calls_are_judged(known: Processor) -> None:
    code = program(known, own_pid=OWN, may_start_programs=False)

    def judged(name: str, first: int = 0) -> int:
        return verdict(code, known.calls[name], first, audit=known.audit)

    for name in (*ALWAYS_REFUSED, *STARTING_PROGRAMS):
        if name in known.calls:
            assert judged(name, 2) == REFUSED, name
    assert judged("clone3") == UNKNOWN
    assert judged("clone", THREAD) == ALLOWED
    assert judged("clone", PROCESS) == REFUSED
    assert judged("tgkill", OWN) == ALLOWED
    assert judged("tgkill", 1) == REFUSED
    for harmless in (0, 1, 3, 9, 12, 63, 64, 222, 257):
        assert (verdict(code, harmless, audit=known.audit) == ALLOWED) is (harmless not in known.calls.values())


@processors
def test_programs_may_be_started_where_that_is_allowed(known: Processor) -> None:
    code = program(known, own_pid=OWN, may_start_programs=True)
    for name in (*STARTING_PROGRAMS, "clone", "clone3"):
        if name in known.calls:
            assert verdict(code, known.calls[name], PROCESS, audit=known.audit) == ALLOWED
    assert verdict(code, known.calls["socket"], 2, audit=known.audit) == REFUSED


@processors
def test_calls_by_another_interface_end_the_process(known: Processor) -> None:
    code = program(known, own_pid=OWN, may_start_programs=False)
    assert verdict(code, 1, audit=known.audit ^ 1) == KILLED
    if known.alien is not None:
        assert verdict(code, known.alien + 41, audit=known.audit) == KILLED
