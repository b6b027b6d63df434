"""Storage: SQLite in the data folder, or PostgreSQL. Other packages use it through operations (`database`)."""

from webquarry.core.settings import Settings
from webquarry.storage.database import Database, NeedsUpgrade, Operation, Rows, Statement, StorageError, TooNew
from webquarry.storage.lock import FolderInUse, FolderLock

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
    "open_database",
]


async def open_database(settings: Settings, *, migrate: bool) -> Database:
    """Open the store that the settings name, at this program's schema revision.

    `migrate` upgrades an older database (`serve`, `db upgrade`); without it, only an empty database is initialised.
    Raises StorageError with a sentence for the operator: NeedsUpgrade, TooNew, or why the store cannot be opened.
    """
    if settings.database_url is not None:
        # Each backend is imported only where it is used: asyncpg takes a tenth of the start time.
        from webquarry.storage.postgres import open_postgres

        return await open_postgres(settings.database_url, migrate=migrate)
    from webquarry.storage.sqlite import open_sqlite

    return open_sqlite(settings.data_dir, migrate=migrate)


def check_store(settings: Settings) -> None:
    """Raise StorageError if the settings name a folder without a store."""
    from webquarry.storage.sqlite import FILE_NAME

    if settings.database_url is None and not (settings.data_dir / FILE_NAME).exists():
        raise StorageError(
            f"There is no store in {settings.data_dir.absolute()}: `webquarry serve` and `webquarry account create` "
            "make one, --data-dir names another folder."
        )
