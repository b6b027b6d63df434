"""What the processes of a server hold: PSS where the kernel tells it, else resident memory."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_BROWSER = ("chrom", "playwright")


@dataclass(frozen=True, slots=True)
class Held:
    """Megabytes of the server itself, of its largest child, and of all children; what belongs to the browser apart."""

    server_mb: float
    largest_mb: float
    children_mb: float
    browser_mb: float

    @property
    def all_mb(self) -> float:
        return self.server_mb + self.children_mb

    def at_least(self, other: "Held") -> "Held":
        """The greater of each."""
        return Held(
            max(self.server_mb, other.server_mb),
            max(self.largest_mb, other.largest_mb),
            max(self.children_mb, other.children_mb),
            max(self.browser_mb, other.browser_mb),
        )


def measure_held(pid: int) -> Held:
    """By a process and what it started. Zeros for what has ended."""
    server = _measure_mb(pid)
    children, browser = [0.0], 0.0
    for child in descendants(pid):
        if any(word in _command(child) for word in _BROWSER):
            browser += _measure_mb(child)
        else:
            children.append(_measure_mb(child))
    return Held(server, max(children), sum(children), browser)


def descendants(pid: int) -> list[int]:
    """Process ids of what a process started, and of what these did."""
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
    """Whether a process runs; one that has ended and is not yet taken note of does not."""
    return _state(pid) not in ("", "Z", "X")


def _parent(pid: int) -> int:
    """0 for what has ended."""
    fields = _fields(pid)
    return int(fields[1]) if len(fields) > 1 else 0


def _state(pid: int) -> str:
    return "".join(_fields(pid)[:1])


def _fields(pid: int) -> list[str]:
    """Of its `stat`, from the state on; what is before holds a name with any signs."""
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
