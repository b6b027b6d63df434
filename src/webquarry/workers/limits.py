"""Limits of child processes. Beyond them, the kernel or the pool ends a child."""

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a child.

    memory_mb: memory that it may write to (RLIMIT_DATA). address_mb: all that it has mapped (RLIMIT_AS). cpu_s: seconds
    of the processor for one job, on all threads; the time by the clock is bounded by the call's deadline alone.
    file_bytes: the largest file it may write. may_start_programs: whether it may start other processes. answer_mb: the
    largest answer, which counts in the service's memory. nice: by how much it gives way to other processes, such as the
    service that answers meanwhile.
    """

    memory_mb: int = 340
    address_mb: int = 1000
    cpu_s: int = 20
    file_bytes: int = 0
    may_start_programs: bool = False
    answer_mb: int = 128
    nice: int = 5
