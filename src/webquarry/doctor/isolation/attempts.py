"""Attempts of a compromised child process, run as a job in a real child. `suite` starts it.

Most attempts are raw system calls, because hostile code is not limited to Python's functions. An attempt counts as
blocked if the call is refused before the kernel checks its arguments; an error such as EFAULT means that the kernel
would have executed it.
"""

import ctypes
import errno
import os
import platform
import resource
import socket
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

JOB: Final = "webquarry.doctor.isolation.attempts:attempt"
REMEMBER: Final = "webquarry.doctor.isolation.attempts:remember"
RECALL: Final = "webquarry.doctor.isolation.attempts:recall"
OUTLIVE: Final = "webquarry.doctor.isolation.attempts:outlive"
_REFUSED: Final = frozenset({errno.EPERM, errno.EACCES, errno.ENOSYS})
_GONE: Final = frozenset({errno.ENOENT, errno.ESRCH})
_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_ARGUMENTS: Final = 6
_remembered: list[bytes] = []

_CALLS: Final = """
    ptrace 101 117 16 PARENT 0 0
    process_vm_readv 310 270 PARENT 0 0 0
    process_vm_writev 311 271 PARENT 0 0 0
    pidfd_open 434 434 PARENT 0
    pidfd_getfd 438 438 0 0 0
    pidfd_send_signal 424 424 0 0 0
    kill 62 129 PARENT 0
    kill-all 62 129 -1 0
    tkill 200 130 PARENT 0
    tgkill 234 131 PARENT PARENT 0
    rt_sigqueueinfo 129 138 PARENT 0 0
    prlimit64 302 261 PARENT 7 0
    setpriority 141 140 0 PARENT 19
    getpriority 140 141 0 PARENT
    ioprio_set 251 30 1 PARENT 24583
    sched_setscheduler 144 119 PARENT 5 0
    sched_setparam 142 118 PARENT 0
    sched_setattr 314 274 PARENT 0 0
    sched_setaffinity 203 122 PARENT 0 0
    migrate_pages 256 238 PARENT 0 0 0
    move_pages 279 239 PARENT 0 0 0
    kcmp 312 272 PARENT PARENT 0
    process_madvise 440 440 0 0 0
    fcntl-owner 72 25 1 8 PARENT
    fcntl-signal 72 25 1 10 9
    ioctl-terminal 16 29 1 21522 0
    prctl-parent-death 157 167 1 0
    prctl-dumpable 157 167 4 1
    setsid 112 157
    setpgid 109 154 0 0
    unshare-user 272 97 268435456
    setns 308 268 0 0
    clone-user 56 220 268435456 0 0
    mount 165 40 0 0 0 0
    pivot_root 155 41 0 0
    chroot 161 51 0
    socket-unix 41 198 1 2 0
    socket-inet 41 198 2 1 0
    socket-netlink 41 198 16 3 0
    socketpair 53 199 1 2 0 0
    connect 42 203 1 0 0
    sendto 44 206 1 0 0 0 0 0
    io_uring_setup 425 425 1 0
    bpf 321 280 0 0 0
    keyctl 250 219 0 0
    add_key 248 217 0 0 0 0
    userfaultfd 323 282 0
    perf_event_open 298 241 0 0 0 -1 0
    open_by_handle_at 304 265 0 0 0
    name_to_handle_at 303 264 -100 0 0 0 0
    memfd_create 319 279 0 0
    chmod 90 - 0 0
    fchmod 91 52 1 0
    fchmodat 268 53 -100 0 0
    chown 92 - 0 0 0
    fchownat 260 54 -100 0 0 0 0
    utimensat 280 88 -100 0 0 0
    setxattr 188 5 0 0 0 0 0
    mknodat 259 33 -100 0 0 0
    mkdirat 258 34 -100 0 0
    unlinkat 263 35 -100 0 0
    linkat 265 37 -100 0 -100 0 0
    symlinkat 266 36 0 -100 0
    renameat2 316 276 -100 0 -100 0 0
    truncate 76 45 0 0
    shmget 29 194 0 4096 512
    msgget 68 186 0 512
    mq_open 240 180 0 0 0 0
    inotify_init1 294 26 0
    fanotify_init 300 262 0 0
    setuid 105 146 0
    setresuid 117 147 0 0 0
    capset 126 91 0 0
    seccomp 317 277 1 0 0
    personality 135 92 0
    acct 163 89 0
    syslog 103 116 3 0 0
    reboot 169 142 0 0 0 0
    init_module 175 105 0 0 0
    kexec_load 246 104 0 0 0 0
"""
"""Name, number on x86_64, number on aarch64 ("-": missing), arguments; PARENT is the service's process id."""


def attempt(
    _body: bytes, *, parent: int, secrets: list[str], may_start_programs: bool, only: list[str] | None = None
) -> list[list[Any]]:
    """Run all attempts, or only those named in `only`. Return `[name, held, outcome]` for each."""
    attempts = _list_attempts(parent, secrets, may_start_programs=may_start_programs)
    return [[name, *_try(act)] for name, act in attempts if only is None or name in only]


def remember(body: bytes) -> int:
    """Keep this job's bytes in memory, where later jobs could find them. Return the process id."""
    _remembered.append(body)
    return os.getpid()


def recall(_body: bytes) -> list[str]:
    """Return the bytes of earlier jobs that are still in this process."""
    return [body.decode() for body in _remembered]


def outlive(_body: bytes) -> int:
    """Start a program that runs for minutes, in another session if possible. Return its process id."""
    for leaves in (True, False):
        try:
            return subprocess.Popen(["/bin/sleep", "300"], start_new_session=leaves).pid
        except OSError:
            continue
    return 0


def _list_attempts(
    parent: int, secrets: list[str], *, may_start_programs: bool
) -> list[tuple[str, Callable[[], object]]]:
    places = [
        *secrets,
        *(f"/proc/{parent}/{name}" for name in ("environ", "mem", "maps", "cmdline", "fd", "root")),
        *("/proc", "/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/tmp", "/var", "/run", "/srv"),  # noqa: S108
        *("/run/systemd/journal/socket", "/dev/log", "/dev/shm", "/dev/mem", "/dev/kmsg", "/dev/tty"),  # noqa: S108
    ]
    found: list[tuple[str, Callable[[], object]]] = [
        *((f"open {path}", partial(_open, path)) for path in places),
        *((f"write {folder}", partial(_write, folder)) for folder in ("/tmp", "/var/tmp", "/dev/shm")),  # noqa: S108
        ("raise the limit of processor time", _raise_limit),
        ("see interfaces of a network", _find_interfaces),
        *_list_calls(parent),
    ]
    if not may_start_programs:
        found += [("start a program", lambda: subprocess.run(["/bin/true"], check=False)), ("fork", _fork)]
    return found


def _list_calls(parent: int) -> list[tuple[str, Callable[[], object]]]:
    column = {"x86_64": 1, "aarch64": 2}.get(platform.machine())
    if column is None:
        return []
    rows = [line.split() for line in _CALLS.strip().splitlines()]
    return [(f"call {row[0]}", partial(_call, row, column, parent)) for row in rows if row[column] != "-"]


def _call(row: list[str], column: int, parent: int) -> None:
    given = [parent if text == "PARENT" else int(text) for text in row[3:]]
    # otherwise, the call would use arbitrary values that are in the registers
    arguments = given + [0] * (_ARGUMENTS - len(given))
    if _LIBC.syscall(ctypes.c_long(int(row[column])), *map(ctypes.c_long, arguments)) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def _try(act: Callable[[], object]) -> tuple[bool, str]:
    """Return whether the attempt was refused, and a text that describes its outcome."""
    try:
        act()
    except OSError as exc:
        name = errno.errorcode.get(exc.errno or 0, str(exc))
        return exc.errno in _REFUSED or exc.errno in _GONE, name
    return False, "it succeeded"


def _open(path: str) -> None:
    os.close(os.open(path, os.O_RDONLY))


def _write(folder: str) -> None:
    path = Path(folder) / f"webquarry-isolation-{os.getpid()}"
    path.write_bytes(b"x")
    path.unlink()


def _raise_limit() -> None:
    """Try to raise a limit above the hard limit."""
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (hard + 1, hard + 1))
    except ValueError as exc:
        raise PermissionError(errno.EPERM, str(exc)) from exc


def _find_interfaces() -> None:
    if not socket.if_nameindex():
        raise PermissionError(errno.EPERM, "there are none")


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)
