"""Processes, as tests see and bound them."""

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def is_running(pid: int) -> bool:
    """False for one that has ended and was not waited for as well."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for_end(pid: int, within_s: float = 10) -> None:
    """Return when it has ended; an event loop of the caller hears of nothing meanwhile."""
    deadline = time.monotonic() + within_s
    while is_running(pid):
        assert time.monotonic() < deadline, f"process {pid} lives on"
        time.sleep(0.002)


def read_session_nice(pid: int) -> int | None:
    """By how much its session gives way to others; None where the kernel does not group by session."""
    try:
        return int(Path(f"/proc/{pid}/autogroup").read_text().split()[-1])
    except FileNotFoundError:
        return None


@contextmanager
def no_more_files() -> Iterator[None]:
    """This process may open nothing more; what is open stays."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
