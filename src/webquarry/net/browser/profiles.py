"""Profiles: the folders in which browsers keep their files. They also identify browsers whose server has died.

The server that creates a profile locks it for as long as it lives; the kernel releases the lock when the server dies
for any reason. A browser's command line names its profile, so browsers of dead servers are found without a list.
"""

import fcntl
import os
import re
import resource
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from webquarry.core.log import log
from webquarry.core.process.leftovers import has_age
from webquarry.core.process.priority import give_way
from webquarry.core.settings import Settings

PROFILE = "profile"
_LOCK = "owner.lock"
_NEW = ".new-"
"""Name prefix of a folder that is not yet locked."""
_LOCKED_AFTER_S = 60.0
"""Maximum time in seconds that a live server takes to lock a new folder."""
NICE = 5
_PROC = Path("/proc")
_SOCKET_FOLDER = re.compile(r"\.?org\.chromium\.")
"""Name of the folder with a browser's socket. Some versions of Chromium use a hidden folder."""
_SERVICE = re.compile(rb"--utility-sub-type=(?:network|storage)\.mojom\.")


def find_profiles_folder(settings: Settings) -> Path:
    return settings.data_dir / "browser"


class Profile:
    """A new folder below `folder`, locked by this process until `remove`.

    `profile` is the folder inside it that the browser uses.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Created and locked under another name, because a reaper would treat an unlocked profile as left by a dead
        # server.
        made = Path(tempfile.mkdtemp(prefix=_NEW, dir=folder.resolve()))
        self._lock = os.open(made / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self.path = made.rename(made.with_name(made.name.removeprefix(_NEW)))
        self.profile = self.path / PROFILE
        self.profile.mkdir(mode=0o700)

    def processes(self) -> list[int]:
        """Return the ids of all processes of this profile's browser."""
        groups = _groups(self.profile)
        return [pid for pid in _pids() if _group(pid) in groups] if groups else []

    def services(self) -> frozenset[int]:
        """Return the process IDs of the network and storage services, which all pages share.

        When a service dies, the browser starts another, and open pages lose data without being notified.
        """
        return frozenset(pid for pid in self.processes() if _SERVICE.search(_command(pid)))

    def restrain(self, memory_mb: int) -> None:
        """Limit the writable memory of each process, and of the processes they start, and lower their priority.

        Renderers, one per site, are forked from one of these processes. Limits are only set if the system allows a
        process to limit other processes.
        """
        bound = getattr(resource, "prlimit", None)
        for pid in self.processes():
            give_way(pid, NICE)
            if bound is not None:
                with suppress(OSError):  # the process has ended
                    bound(pid, resource.RLIMIT_DATA, (memory_mb << 20, memory_mb << 20))

    def kill(self) -> None:
        """Kill this profile's browser and all its processes."""
        _kill(self.profile)

    def remove(self) -> None:
        """Delete the folder and release its lock. Can be called more than once."""
        if self._lock >= 0:
            _remove(self.path)
            os.close(self._lock)
            self._lock = -1


def remove_dead_profiles(folder: Path) -> int:
    """End the browsers of dead servers and delete their folders. Return the number of deleted folders."""
    for made in folder.resolve().glob(f"{_NEW}*"):
        if has_age(made, _LOCKED_AFTER_S):
            shutil.rmtree(made, ignore_errors=True)
    dead = [home for home in folder.resolve().glob("[!.]*") if home.is_dir() and _is_abandoned(home)]
    for home in dead:
        ended = _kill(home / PROFILE)
        _remove(home)
        log.warning("browser.reaped", groups=ended)
    return len(dead)


def has_ended(pid: int) -> bool:
    return not _command(pid)


def measure_memory_mb(pids: list[int]) -> float:
    """Return the memory in megabytes that the processes do not share with other processes.

    Unlike the PSS, this can be read without special rights on the processes.
    """
    return sum(_anonymous_kb(pid) for pid in pids) / 1024


def _remove(home: Path) -> None:
    """Delete a profile, and the socket that a killed browser left in the folder for temporary files."""
    socket = home / PROFILE / "SingletonSocket"
    if socket.is_symlink():
        folder = socket.readlink().parent
        if folder.parent == Path(tempfile.gettempdir()) and _SOCKET_FOLDER.match(folder.name):
            shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree(home, ignore_errors=True)


def _is_abandoned(home: Path) -> bool:
    try:
        lock = os.open(home / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False  # another process has removed it first
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(lock)
    return True


def _kill(profile: Path) -> int:
    """Kill the process groups that use this profile. Return the number of process groups."""
    groups = _groups(profile)
    for group in groups:
        with suppress(ProcessLookupError):  # the process has ended
            os.killpg(group, signal.SIGKILL)
    return len(groups)


def _groups(profile: Path) -> set[int]:
    """Return the process groups of the browser. The command lines of its processes contain the profile's path."""
    # The browser separates arguments with NUL; its children rewrite theirs with spaces.
    names_it = re.compile(rb"--user-data-dir=" + re.escape(os.fsencode(profile)) + rb"(?![^\0 ])")
    found = set()
    for pid in _pids():
        if names_it.search(_command(pid)) and (group := _group(pid)) is not None:
            found.add(group)
    return found - {os.getpgrp()}


def _pids() -> Iterator[int]:
    return (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdecimal())


def _command(pid: int) -> bytes:
    """Return the command line of a process; empty if the process has ended, even if it was not yet reaped."""
    try:
        return (_PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return b""


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None


def _anonymous_kb(pid: int) -> int:
    try:
        status = (_PROC / str(pid) / "status").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon:")), 0)
