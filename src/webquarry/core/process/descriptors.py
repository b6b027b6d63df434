"""File descriptors of the serving process: standard streams, and the limit on open files."""

import os
import resource

STDERR = 2
"""File descriptor of standard error, the last standard stream."""
OPEN_FILES = 65_536
"""Number of open files and connections that the server requests, within the system's hard limit."""


def occupy_standard_streams() -> None:
    """Open /dev/null for standard streams that are closed.

    Otherwise, a socket could get the number of a closed stream. Output would then be written to the socket, and closing
    it would end the event loop.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        os.set_inheritable(descriptor, True)  # children inherit it, like standard streams
    os.close(descriptor)


def raise_file_limit() -> int:
    """Raise the limit on open files as far as the system permits. Return the limit.

    Idle connections alone could exhaust the usual soft limit of 1,024.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return OPEN_FILES if soft == resource.RLIM_INFINITY else soft
