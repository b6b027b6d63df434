"""A process shuts itself in: no network, no rights, no other processes, bounded memory and time.

`leave` and `leave_files` come first, while there is one thread; then what is needed is imported; `shut` comes before
the first job.
"""

import errno
import os
import resource
import signal
import socket
from typing import Literal

from webquarry.workers import filter as seccomp
from webquarry.workers import landlock, system
from webquarry.workers.limits import MEGABYTE, Limits

Isolation = Literal["namespace", "seccomp", "none"]
"""What keeps a child from the network: a network of its own without interfaces, a filter that refuses sockets (both,
where the kernel permits both: then it is called by the first), or nothing."""

_OPEN_FILES = 128
_PROCESSES = 64
_ELSEWHERE = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "::1"))
_UNREACHABLE = frozenset(
    {errno.EPERM, errno.EACCES, errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EHOSTUNREACH}
)


def leave() -> bool:
    """Leave the network, and every right; whether the network was left. Children of a process started later are in the
    same empty network."""
    left = _leave_system(system.CLONE_NEWUSER | system.CLONE_NEWNET | system.CLONE_NEWIPC) or _leave_system(
        system.CLONE_NEWNET
    )
    if system.processor() is not None:
        system.drop_capabilities()
    return left


def leave_files() -> bool:
    """Leave every file but those of programs and modules, while there is one thread; whether the kernel has a way."""
    if system.processor() is None:
        return False
    system.set_process(system.PR_SET_NO_NEW_PRIVS, 1)
    return landlock.restrict_files()


def shut(limits: Limits, parent: int, *, has_left: bool) -> Isolation:
    """Set the limits and end when the parent does. parent: its process id. has_left: what `leave` gave."""
    known = system.processor()
    if known is not None:
        system.set_process(system.PR_SET_PDEATHSIG, signal.SIGKILL)
        system.set_process(system.PR_SET_DUMPABLE, 0)
        system.set_process(system.PR_SET_NO_NEW_PRIVS, 1)
    if os.getppid() != parent:
        os._exit(0)  # it ended before its death could be waited for
    _bound(resource.RLIMIT_DATA, limits.memory_mb * MEGABYTE)
    _bound(resource.RLIMIT_AS, limits.address_mb * MEGABYTE)
    _bound(resource.RLIMIT_FSIZE, limits.file_bytes)
    _bound(resource.RLIMIT_CORE, 0)
    _bound(resource.RLIMIT_NOFILE, _OPEN_FILES)
    if has_left:
        # elsewhere the count includes all of the user's processes, and the filter is what forbids more
        _bound(resource.RLIMIT_NPROC, _PROCESSES)
    is_filtered = False
    if known is not None:
        program = seccomp.program(known, own_pid=os.getpid(), may_start_programs=limits.may_start_programs)
        try:
            system.set_filter(program, known)
            is_filtered = True
        except OSError:
            is_filtered = False  # a kernel without it; what is left is told
    if reaches_network():
        return "none"
    return "namespace" if has_left else "seccomp" if is_filtered else "none"


def reaches_network() -> bool:
    """Whether a socket can be had that leads anywhere, this machine included. Nothing is sent."""
    return any(_leads(family, address) for family, address in _ELSEWHERE)


def allow_cpu(seconds: int) -> None:
    """Seconds of the processor from now on; then the kernel ends the process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _leads(family: socket.AddressFamily, address: str) -> bool:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as tried:
            tried.connect((address, 9))
    except OSError as exc:
        return exc.errno not in _UNREACHABLE
    return True


def _leave_system(flags: int) -> bool:
    if system.processor() is None:
        return False
    try:
        system.unshare(flags)
    except OSError:
        return False
    return True


def _bound(kind: int, value: int) -> None:
    """No more than `value`, and no more than was allowed before."""
    hard = resource.getrlimit(kind)[1]
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (most, most))
