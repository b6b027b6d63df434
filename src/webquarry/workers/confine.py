"""Confinement of a process: no network, no privileges, no other processes, bounded memory and time.

The fork server calls `leave_network`, `leave_processes`, `leave_files` and `bound` once. Each forked child calls
`become_nobody` and `shut`, then verifies with `find_openings` that no access is left.
"""

import errno
import os
import resource
import signal
import socket
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, Literal

from webquarry.workers import filter as seccomp
from webquarry.workers import landlock, system
from webquarry.workers.limits import MEGABYTE, Limits
from webquarry.workers.places import Places

Isolation = Literal["namespace", "seccomp", "none"]
"""How a child is cut off from the network: by a network namespace without interfaces, by a filter of system calls, or
not at all. If both methods apply, the value is `namespace`.
"""

_OPEN_FILES: Final = 128
_PROCESSES: Final = 64
_ELSEWHERE: Final = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "::1"))
_UNREACHABLE: Final = frozenset(
    {
        *(errno.EPERM, errno.EACCES, errno.ENETUNREACH, errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EHOSTUNREACH),
        errno.ENOSYS,
    }
)
_FIRST_USER: Final = 0x6000_0000
_USERS_OF_SERVER: Final = 0x1_0000
_SERVERS: Final = 0x1000
"""Number of users above `_FIRST_USER`.

Each child of root becomes one of these users, so that limits per user apply to one child only.
"""
_NOBODY: Final = 65534
_READ_EVERYTHING: Final = (2, 1)
"""Capabilities that allow reading files whatever their permissions: CAP_DAC_READ_SEARCH, or CAP_DAC_OVERRIDE, which
root has in containers. Landlock still restricts the files, and forbids writing."""


def hide() -> None:
    """Prevent other processes of this user from reading this process's memory and environment."""
    if system.find_processor() is not None:
        system.set_process(system.PR_SET_DUMPABLE, 0)


def explain_weakness() -> str | None:
    """Return a note if converters are less well confined because this process runs as root, or None."""
    if not is_root() or (system.find_processor() is not None and landlock.find_version() > 0):
        return None
    return "The service runs as root and this system has no Landlock, so converters could read every file."


def is_root() -> bool:
    """Return whether this process may take any user's identity."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def leave_network() -> bool:
    """Leave the network and the memory shared with other processes. Return whether the network was left.

    Processes started later are in the same empty network. Root needs no user namespace for this and keeps its identity,
    which its children need to become another user.
    """
    apart = system.CLONE_NEWNET | system.CLONE_NEWIPC
    return _unshare(apart) if is_root() else _leave_users(apart)


def leave_processes() -> bool:
    """Hide all other processes from the next process that this one starts. Return whether the kernel permits it.

    When that process ends, the kernel ends everything started below it.
    """
    return _unshare(system.CLONE_NEWPID)


def leave_files(places: Places) -> bool:
    """Give up access to all files except `places`. Return whether the kernel supports it.

    Must be called while there is only one thread.
    """
    if system.find_processor() is None:
        return False
    system.set_process(system.PR_SET_NO_NEW_PRIVS, 1)
    return landlock.restrict_files(places.readable, places.listed)


def bound(limits: Limits) -> None:
    """Set the resource limits that children inherit."""
    _bound(resource.RLIMIT_DATA, limits.memory_mb * MEGABYTE)
    _bound(resource.RLIMIT_AS, limits.address_mb * MEGABYTE)
    _bound(resource.RLIMIT_FSIZE, limits.file_bytes)
    _bound(resource.RLIMIT_CORE, 0)
    _bound(resource.RLIMIT_NOFILE, _OPEN_FILES)


def follow(parent: int) -> None:
    """End this process when its parent ends, and prevent other processes from inspecting it."""
    if system.find_processor() is not None:
        system.set_process(system.PR_SET_PDEATHSIG, signal.SIGKILL)
        system.set_process(system.PR_SET_DUMPABLE, 0)
        system.set_process(system.PR_SET_NO_NEW_PRIVS, 1)
    if os.getppid() != parent:
        os._exit(0)  # the parent ended before its death could be watched


def become_nobody(server: int) -> None:
    """Give up all identities and privileges that a child does not need, and limit the number of processes it may start.

    `server` is the process id of the fork server as the service sees it, from which a user id unique to this child is
    derived.
    """
    is_apart = _change_user(_choose_user(server)) if is_root() else _leave_users(0)
    if system.find_processor() is not None:
        system.keep_capability(_READ_EVERYTHING if landlock.find_version() else ())
    if is_apart:
        # only with a separate user, because the limit counts all processes of a user
        _bound(resource.RLIMIT_NPROC, _PROCESSES)


def shut(limits: Limits, *, has_left: bool) -> Isolation:
    """Allow only the system calls that a conversion needs. `has_left` is the result of `leave_network`."""
    known = system.find_processor()
    is_filtered = False
    if known is not None:
        program = seccomp.write_program(known, own_pid=os.getpid(), may_start_programs=limits.may_start_programs)
        with suppress(OSError):  # the kernel lacks filters; the check below reports the remaining access
            system.set_filter(program, known)
            is_filtered = True
    if reaches_network():
        return "none"
    return "namespace" if has_left else "seccomp" if is_filtered else "none"


def reaches_network() -> bool:
    """Return whether a socket can reach any address, including this machine. Sends no data."""
    return any(_is_reachable(family, address) for family, address in _ELSEWHERE)


def find_openings(parent: int, secrets: Iterable[str]) -> list[str]:
    """Try to access the service's resources. Return a description of each attempt that succeeded.

    `parent` is the process id of the service. `secrets` are files and folders of the service that no child may read.
    """
    attempts: list[tuple[str, Callable[[], object]]] = [
        *((f"read {path}", partial(_open, path)) for path in secrets),
        ("read the environment of the service", lambda: _open(f"/proc/{parent}/environ")),
        ("send a signal to the service", lambda: os.kill(parent, 0)),
    ]
    return [name for name, attempt in attempts if _succeeds(attempt)]


def allow_cpu(seconds: int) -> None:
    """Allow `seconds` of CPU time from now on, after which the kernel ends the process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _open(path: str) -> None:
    os.close(os.open(path, os.O_RDONLY))


def _succeeds(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def _is_reachable(family: socket.AddressFamily, address: str) -> bool:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as tried:
            tried.connect((address, 9))
    except OSError as exc:
        return exc.errno not in _UNREACHABLE
    return True


def _leave_users(also: int) -> bool:
    """Enter a user namespace in which this user keeps its id, which is required to enter other namespaces."""
    user, group = os.geteuid(), os.getegid()
    if not _unshare(system.CLONE_NEWUSER | also):
        return False
    with suppress(OSError):  # Landlock or a non-dumpable process may prevent this, but only a second namespace needs it
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    return True


def _choose_user(server: int) -> int:
    """Return a user id that no other child has.

    `server` is the process id of the fork server, as the service sees it.
    """
    return _FIRST_USER + (server % _SERVERS) * _USERS_OF_SERVER + os.getpid() % _USERS_OF_SERVER


def _change_user(number: int) -> bool:
    """Become a user that owns no files. Return False if the system has no users except root."""
    if system.find_processor() is not None:
        system.set_process(system.PR_SET_KEEPCAPS, 1)
    for user in (number, _NOBODY):  # a container may map only the usual ids
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
        except OSError:
            continue
        return True
    return False


def _unshare(flags: int) -> bool:
    if system.find_processor() is None:
        return False
    try:
        system.unshare(flags)
    except OSError:
        return False
    return True


def _bound(kind: int, value: int) -> None:
    """Lower a resource limit to `value`, unless it is already lower."""
    hard = resource.getrlimit(kind)[1]
    most = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (most, most))
