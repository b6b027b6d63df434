"""Folders in memory, for what a test writes and nobody reads after it: a flush to a disk costs more than most tests."""

import os
import shutil
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""Bytes that have to be free there."""


def memory() -> Path | None:
    """Where such folders may be made; None where there is no memory, too little of it, or no program may run in it."""
    if not MEMORY.is_dir() or not os.access(MEMORY, os.W_OK):
        return None
    if os.statvfs(MEMORY).f_flag & getattr(os, "ST_NOEXEC", 0):
        return None
    return MEMORY if shutil.disk_usage(MEMORY).free >= ROOM else None
