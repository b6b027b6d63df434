"""The schema revisions this program knows, in order.

Kept apart from Alembic, which takes longer to import than everything else at start: it is needed only when
the stored revision differs from the head (a test asserts that this list is Alembic's).
"""

from webquarry.storage.database import NeedsUpgrade, TooNew

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006")
HEAD = REVISIONS[-1]


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
