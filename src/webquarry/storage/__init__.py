"""Storage: SQLite in the data folder, or PostgreSQL. Other packages use it through operations (`database`)."""

from typing import TYPE_CHECKING

from webquarry.storage.database import Database, NeedsUpgrade, Operation, Rows, Statement, StorageError, TooNew
from webquarry.storage.lock import FolderInUse, FolderLock
from webquarry.storage.revisions import HEAD, judge

if TYPE_CHECKING:
    from webquarry.core.settings import Settings

__all__ = [
    "Database",
    "FolderInUse",
    "FolderLock",
    "NeedsUpgrade",
    "Operation",
    "Rows",
    "Statement",
    "StorageError",
    "TooNew",
    "check_store",
    "find_revision",
    "open_database",
]


async def open_database(settings: "Settings", *, migrate: bool) -> Database:
    """Open the store that the settings name, at this program's schema revision.

    `migrate` upgrades an older database (`serve`, `db upgrade`); without it, only an empty database is initialized.
    Raises StorageError with a sentence for the operator: NeedsUpgrade, TooNew, or another StorageError if the store
    cannot be opened.
    """
    if settings.database_url is not None:
        # Each backend is imported only where it is used, because asyncpg takes a tenth of the startup time.
        from webquarry.storage.postgres import open_postgres

        return await open_postgres(settings.database_url, migrate=migrate)
    from webquarry.storage.sqlite import open_sqlite

    return open_sqlite(settings.data_dir, migrate=migrate)


async def find_revision(settings: "Settings") -> str | None:
    """Return the revision of the store, or None if there is no store yet. Changes nothing.

    Raises StorageError if the store cannot be opened, NeedsUpgrade and TooNew.
    """
    if settings.database_url is not None:
        from webquarry.storage.postgres import read_revision

        stored = await read_revision(settings.database_url)
        if stored is not None:
            judge(stored, migrate=False)
        return stored
    from webquarry.storage.sqlite import FILE_NAME

    if not (settings.data_dir / FILE_NAME).exists():
        return None
    database = await open_database(settings, migrate=False)
    await database.close()
    return HEAD


def check_store(settings: "Settings") -> None:
    """Raise StorageError if the settings name a folder without a store."""
    from webquarry.storage.sqlite import FILE_NAME

    if settings.database_url is None and not (settings.data_dir / FILE_NAME).exists():
        raise StorageError(
            f"There is no database in {settings.data_dir.absolute()}. Run `webquarry serve` or `webquarry "
            "account create` to create one, or choose another folder with --data-dir."
        )
