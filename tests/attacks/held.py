"""Memory of a server's processes: PSS if the kernel reports it, otherwise resident memory."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_BROWSER = ("chrom", "playwright")


@dataclass(frozen=True, slots=True)
class Held:
    """Memory in MB of the server itself, of its largest child, of all children, and of the browser (counted
    separately).
    """

    server_mb: float
    largest_mb: float
    children_mb: float
    browser_mb: float

    @property
    def all_mb(self) -> float:
        return self.server_mb + self.children_mb

    def at_least(self, other: "Held") -> "Held":
        """Return the maximum of each value."""
        return Held(
            max(self.server_mb, other.server_mb),
            max(self.largest_mb, other.largest_mb),
            max(self.children_mb, other.children_mb),
            max(self.browser_mb, other.browser_mb),
        )


def measure_held(pid: int) -> Held:
    """Measure a process and its descendants. Processes that have ended count as zero."""
    server = _measure_mb(pid)
    children, browser = [0.0], 0.0
    for child in descendants(pid):
        if any(word in _command(child) for word in _BROWSER):
            browser += _measure_mb(child)
        else:
            children.append(_measure_mb(child))
    return Held(server, max(children), sum(children), browser)


def descendants(pid: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and (parent := _parent(int(folder.name))):
            children.setdefault(parent, []).append(int(folder.name))
    found = []
    line = [pid]
    while line:
        started = children.get(line.pop(), [])
        found += started
        line += started
    return found


def is_alive(pid: int) -> bool:
    """Return whether a process is running. Zombies do not count as running."""
    return _state(pid) not in ("", "Z", "X")


def _parent(pid: int) -> int:
    """Return the parent's process id; 0 if the process has ended."""
    fields = _fields(pid)
    return int(fields[1]) if len(fields) > 1 else 0


def _state(pid: int) -> str:
    return "".join(_fields(pid)[:1])


def _fields(pid: int) -> list[str]:
    """Return the fields of `/proc/{pid}/stat` from the state on. The name before it may contain any character."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    return []


def _command(pid: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text("utf-8", "replace").lower()
    return ""


def _measure_mb(pid: int) -> float:
    for path, name in (("smaps_rollup", "Pss:"), ("status", "VmRSS:")):
        with suppress(OSError, StopIteration):
            lines = Path(f"/proc/{pid}/{path}").read_text().splitlines()
            return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
    return 0.0
