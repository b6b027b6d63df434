"""Limits of child processes, enforced by the kernel or the pool."""

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a child.

    `memory_mb` limits writable memory (RLIMIT_DATA), `address_mb` all mapped memory (RLIMIT_AS). `cpu_s` limits the CPU
    seconds of one job over all threads; elapsed time is limited only by the request's deadline. `file_bytes` is the
    size of the largest file it may write. `may_start_programs` allows it to start other processes. `answer_mb` limits
    the result, which uses the service's memory. `nice` lowers the child's priority relative to other processes, such as
    the service.
    """

    memory_mb: int = 340
    address_mb: int = 1000
    cpu_s: int = 20
    file_bytes: int = 0
    may_start_programs: bool = False
    answer_mb: int = 128
    nice: int = 5
