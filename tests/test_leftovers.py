"""Files that a server leaves behind when it is killed at the worst moment are removed at the next start."""

import os
import time
from pathlib import Path

from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.engine import DOUBTS

LEFT = (
    ".webquarry.db.4711.part",
    f"{DOUBTS}/0123.new",
    ".domain_ranks-abc/17",
    "browser/.new-abc/owner.lock",
    "browser/abc/owner.lock",
    "browser/abc/profile/Local State",
)
"""Unfinished files of a restore, a refund, an index of ranks, a browser that started, and one that ran."""
KEPT = {"serve.lock", "open.lock", "webquarry.db", "webquarry.db-wal", "webquarry.db-shm"}


def leave(folder: Path, age_s: float) -> None:
    """Create the files, with the age that a server leaves them with if it died so many seconds ago."""
    then = time.time() - age_s
    for name in LEFT:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for path in folder.rglob("*"):
        os.utime(path, (then, then))


def list_files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


async def test_next_start_removes_leftovers_of_a_killed_server(tmp_path: Path) -> None:
    leave(tmp_path, 2 * 24 * 3600)
    async with assemble(Settings(data_dir=tmp_path), serving=True):
        assert list_files(tmp_path) == KEPT


async def test_start_keeps_files_that_another_process_may_be_writing(tmp_path: Path) -> None:
    leave(tmp_path, 0)
    async with assemble(Settings(data_dir=tmp_path), serving=True):
        left = list_files(tmp_path) - KEPT
    assert left == {f"{DOUBTS}/0123.new", ".domain_ranks-abc/17", "browser/.new-abc/owner.lock"}
