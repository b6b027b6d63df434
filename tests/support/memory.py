"""Folders in memory for temporary files of tests: a flush to a disk takes longer than most tests."""

import os
import shutil
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""Minimum number of free bytes."""


def memory() -> Path | None:
    """Return the parent of such folders, or None if it is missing, too full or mounted

    noexec."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return None
    if os.statvfs(MEMORY).f_flag & getattr(os, "ST_NOEXEC", 0):
        return None
    return MEMORY if shutil.disk_usage(MEMORY).free >= ROOM else None
