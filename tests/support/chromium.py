"""The processes of a server's Chromium, from outside."""

import os
import re
import signal
from contextlib import suppress
from pathlib import Path


def chromium_of(folder: Path) -> list[int]:
    """Return the process ids of every Chromium with a profile below `folder`, the leaders of their groups first."""
    leaders = {group for pid in _pids() if _command(pid).find(_profile_below(folder)) >= 0 and (group := _group(pid))}
    members = [pid for pid in _pids() if _group(pid) in leaders and is_alive(pid)]
    return sorted(members, key=lambda pid: (pid not in leaders, pid))


def kind_of(pid: int) -> str:
    """Return `renderer`, `zygote`, `gpu-process`, `utility`…, or `leader` for the process that started the others."""
    found = re.search(rb"--type=([a-z-]+)", _command(pid))
    return found[1].decode() if found else "leader"


def serves_network(pid: int) -> bool:
    """Return whether this is the network process of all pages."""
    return b"=network.mojom." in _command(pid)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def kill(pid: int) -> None:
    """Send SIGKILL to a process that may have ended meanwhile."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _profile_below(folder: Path) -> bytes:
    return b"--user-data-dir=" + os.fsencode(folder.resolve()) + b"/"


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _group(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return None
