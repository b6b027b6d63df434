"""The schema revisions this program knows, in order.

Kept apart from Alembic, which is needed only when the stored revision differs from the head, in a process of its own
(a test asserts that this list is Alembic's).
"""

import subprocess
import sys
from functools import cache
from pathlib import Path

from webquarry.storage.database import NeedsUpgrade, StorageError, TooNew

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009")
HEAD = REVISIONS[-1]
FOLDER = Path(__file__).parent / "migrations"


def judge(stored: str | None, *, migrate: bool) -> bool:
    """Whether a database at revision `stored` (None: empty) is to be migrated before use.

    NeedsUpgrade when it should be and `migrate` is false; TooNew when it is of a later program. An empty database
    is always migrated.
    """
    if stored == HEAD:
        return False
    if stored is not None and stored not in REVISIONS:
        raise TooNew(
            f"The database is at revision {stored}, which is newer than this program ({HEAD}): update the program."
        )
    if stored is not None and not migrate:
        raise NeedsUpgrade(
            f"The database is at revision {stored} and this program needs {HEAD}: run `webquarry db upgrade`."
        )
    return True


def write_script(dialect: str, stored: str | None) -> str:
    """SQL that brings a database from revision `stored` (None: empty) to the head. dialect: sqlite | postgresql.

    `migrate` writes it in another process: here Alembic would hold 22 MB to the end for a moment's work. StorageError
    with the last line of what that process complains about.
    """
    return _run("webquarry.storage.migrate", str(FOLDER), dialect, *([stored] if stored else []))


@cache
def _run(*program: str) -> str:
    done = subprocess.run([sys.executable, "-m", *program], capture_output=True, text=True, check=False)  # noqa: S603  # our own program and words
    if done.returncode:
        raise StorageError(f"The migrations cannot be read: {done.stderr.strip().rpartition(chr(10))[2]}")
    return done.stdout
