"""What a child process may take. Beyond it, the kernel or the pool ends it."""

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """memory_mb: of its own, that it may write to (RLIMIT_DATA). address_mb: of all it has mapped (RLIMIT_AS).

    wall_s: of one job, from the moment a child has it. cpu_s: seconds of the processor for one job, on all its threads.
    file_bytes: the largest file it may write. may_start_programs: whether it may start other processes.
    answer_mb: the largest answer; it counts in the parent's memory. nice: by how much it gives way to other processes,
    the service that answers meanwhile among them.
    """

    memory_mb: int = 340
    address_mb: int = 1000
    wall_s: float = 15.0
    cpu_s: int = 20
    file_bytes: int = 0
    may_start_programs: bool = False
    answer_mb: int = 128
    nice: int = 5
