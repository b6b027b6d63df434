"""Inspection and limits of processes in tests."""

import os
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def is_running(pid: int) -> bool:
    """Return whether a process is running. Zombies do not count as running."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for_end(pid: int, within_s: float = 10) -> None:
    """Return when the process has ended. Blocks the caller's event loop."""
    deadline = time.monotonic() + within_s
    while is_running(pid):
        assert time.monotonic() < deadline, f"process {pid} lives on"
        time.sleep(0.002)


def read_session_nice(pid: int) -> int | None:
    """Return the nice value of the process's session, or None if the kernel does not group by session."""
    try:
        return int(Path(f"/proc/{pid}/autogroup").read_text().split()[-1])
    except FileNotFoundError:
        return None


@contextmanager
def no_more_files() -> Iterator[None]:
    """Prevent this process from opening further files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def list_workers() -> set[int]:
    """Return the process ids of this process's converter children that are alive."""
    found = {pid for server in list_fork_servers() for pid in _list_children(server)}
    first = {pid for pid in found if _is_first_of_its_namespace(pid)}
    return (found - first) | {pid for server in first for pid in _list_children(server)}


def list_fork_servers() -> set[int]:
    """Return the process ids of the fork servers that this process has started."""
    return {pid for pid in _list_children(os.getpid()) if "workers.server" in _read(pid, "cmdline")}


def _list_children(process: int) -> set[int]:
    found = set[int]()
    with suppress(FileNotFoundError, ProcessLookupError):  # a process may end meanwhile
        for task in Path(f"/proc/{process}/task").iterdir():
            found.update(map(int, (task / "children").read_text().split()))
    return {pid for pid in found if is_running(pid)}


def _is_first_of_its_namespace(pid: int) -> bool:
    """Return whether this is the fork server itself, whose parent only waits for it."""
    numbers = [line.split() for line in _read(pid, "status").splitlines() if line.startswith("NSpid")]
    return bool(numbers) and numbers[0][-1] == "1"


def _read(pid: int, name: str) -> str:
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/{name}").read_text()
    return ""
