"""File descriptors of a process that serves: which are taken from the beginning, and how many there may be."""

import os
import resource

STDERR = 2
"""The last of the three standard streams."""
OPEN_FILES = 65_536
"""Files and connections that the server asks to have open at once, where the system's hard limit permits it."""


def occupy_standard_streams() -> None:
    """Put nothing in place of standard streams that whoever started the process has closed: a socket that took their
    number would be written to as one, and ends the event loop as it closes."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        os.set_inheritable(descriptor, True)  # by children, as standard streams are
    os.close(descriptor)


def raise_file_limit() -> int:
    """Permit as many open files as the system lets this process ask for, and return how many that are: the usual soft
    limit of 1,024 is spent on idle connections alone."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return OPEN_FILES if soft == resource.RLIM_INFINITY else soft
