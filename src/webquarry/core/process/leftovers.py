"""Unfinished files and folders that killed processes have left."""

import time
from pathlib import Path


def has_age(path: Path, seconds: float) -> bool:
    """Return whether the path exists and was last changed at least `seconds` ago."""
    try:
        return time.time() - path.stat().st_mtime >= seconds
    except OSError:  # another process has removed it
        return False
