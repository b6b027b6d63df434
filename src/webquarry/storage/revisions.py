"""The schema revisions that this program supports, in order.

The list is separate from Alembic, which is needed only if the stored revision differs from the head, and then runs in
another process. A test compares this list with Alembic's.
"""

import subprocess
import sys
from functools import cache
from pathlib import Path

from webquarry.storage.database import NeedsUpgrade, StorageError, TooNew

REVISIONS = tuple(f"{number:04}" for number in range(1, 19))
HEAD = REVISIONS[-1]
FOLDER = Path(__file__).parent / "migrations"


def judge(stored: str | None, *, migrate: bool) -> bool:
    """Return whether a database at revision `stored` (None: empty) must be migrated before use.

    An empty database is always migrated. Raises NeedsUpgrade if the database is older and `migrate` is false, and
    TooNew if it belongs to a newer program.
    """
    if stored == HEAD:
        return False
    if stored is not None and stored not in REVISIONS:
        raise TooNew(
            f"The database has revision {stored}, which is newer than this program ({HEAD}). Update the program."
        )
    if stored is not None and not migrate:
        raise NeedsUpgrade(
            f"The database has revision {stored}, but this program needs {HEAD}. Run `webquarry db upgrade`."
        )
    return True


def write_script(dialect: str, stored: str | None) -> str:
    """Return SQL that migrates a database from revision `stored` (None: empty) to the head.

    `dialect` is sqlite or postgresql. `migrate` runs in another process, because Alembic would occupy 22 MB in this
    process until it ends. Raises StorageError with the last line of that process's error output.
    """
    return _run("webquarry.storage.migrate", str(FOLDER), dialect, *([stored] if stored else []))


@cache
def _run(*program: str) -> str:
    done = subprocess.run([sys.executable, "-m", *program], capture_output=True, text=True, check=False)  # noqa: S603  # our own program and arguments
    if done.returncode:
        raise StorageError(f"The migrations can't be read: {done.stderr.strip().rpartition(chr(10))[2]}")
    return done.stdout
