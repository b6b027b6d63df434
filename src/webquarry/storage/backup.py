"""Backups of a store. A backup is one file, which can be made while servers write to the store and is restored into a
new store.

SQLite is copied with its online backup, PostgreSQL with its own `pg_dump` and `pg_restore`. Both copy a consistent
state of the whole store: a request is included with its hold and its settlement, or not at all. The first server that
starts on a restored store refunds the holds that were open in the backup, like holds of a crashed server.
"""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from webquarry.core.settings import Settings
from webquarry.storage.database import StorageError
from webquarry.storage.lock import FolderLock
from webquarry.storage.revisions import HEAD, REVISIONS
from webquarry.storage.sqlite import FILE_NAME

_SQLITE = b"SQLite format 3\0"
_POSTGRES = b"PGDMP"
_PART = ".part"
"""Suffix of a file that is being written."""
_STEP_PAGES = -1
"""Copy all pages in one step, because a copy in several steps restarts whenever another process writes."""


async def back_up(settings: Settings, target: Path) -> None:
    """Copy the store to a new file that only its owner can read.

    Raises StorageError, with the reason, if that fails.
    """
    if settings.database_url is None:
        await asyncio.to_thread(_back_up_sqlite, settings.data_dir / FILE_NAME, target)
        return
    with _creating(target) as made:
        options = ("--format=custom", "--no-owner", "--no-privileges", f"--file={made}")
        await _run("pg_dump", settings.database_url, *options)


async def restore(settings: Settings, source: Path) -> str | None:
    """Fill the settings' new store from a backup. Return the revision of the restored store.

    Raises StorageError, and leaves the store unchanged, if the store is not new, if a server runs on it, or if the file
    is not a complete backup of this kind of store.
    """
    kind = _read_kind(source)
    if settings.database_url is None:
        if kind != "SQLite":
            raise StorageError(f"{source} is a backup of {kind}. Set WEBQUARRY_DATABASE_URL to restore it.")
        return await asyncio.to_thread(_restore_sqlite, source, settings.data_dir)
    if kind != "PostgreSQL":
        raise StorageError(
            f"{source} is a backup of {kind}, but WEBQUARRY_DATABASE_URL is set. Unset it to restore the backup."
        )
    return await _restore_postgres(source, settings.database_url)


def needs_upgrade(revision: str | None) -> bool:
    """Return whether this release must migrate a store at this revision before serving it."""
    return revision != HEAD


def _read_kind(source: Path) -> str:
    try:
        with source.open("rb") as file:
            head = file.read(len(_SQLITE))
    except OSError as exc:
        raise StorageError(f"{source} can't be read: {exc.strerror}.") from exc
    if head == _SQLITE:
        return "SQLite"
    if head.startswith(_POSTGRES):
        return "PostgreSQL"
    raise StorageError(f"{source} is not a backup made by `webquarry db backup`.")


def _back_up_sqlite(store: Path, target: Path) -> None:
    with _creating(target) as made:
        _copy_sqlite(store, made)


def _restore_sqlite(source: Path, folder: Path) -> str | None:
    store = folder / FILE_NAME
    with FolderLock(folder):
        if store.exists():
            raise StorageError(f"{folder.absolute()} already has a database. Choose a new folder with --data-dir.")
        with _creating(store) as made:
            return _copy_sqlite(source, made)


def _copy_sqlite(source: Path, target: Path) -> str | None:
    """Copy a database into an empty file, and check the copy. Return its revision."""
    try:
        with (
            closing(sqlite3.connect(f"file:{quote(str(source.absolute()))}?mode=ro", uri=True)) as whole,
            closing(sqlite3.connect(target, isolation_level=None)) as copy,
        ):
            whole.backup(copy, pages=_STEP_PAGES)
            copy.execute("PRAGMA journal_mode = DELETE")  # a single file, without a separate log
            faults = [row[0] for row in copy.execute("PRAGMA quick_check(1)")]
            if faults != ["ok"]:
                raise StorageError(f"{source} is damaged: {faults[0]}.")
            (revision,) = copy.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.Error as exc:
        raise StorageError(f"{source} can't be copied: {exc}.") from exc
    _refuse_newer(source, revision)
    return str(revision)


async def _restore_postgres(source: Path, url: str) -> str | None:
    from webquarry.storage.postgres import read_revision

    if await read_revision(url) is not None:
        raise StorageError("The database in WEBQUARRY_DATABASE_URL is not empty. Specify an empty database.")
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
    await _run("pg_restore", url, *options, str(source))
    revision = await read_revision(url)
    _refuse_newer(source, revision)
    return revision


def remove_unfinished_restores(folder: Path) -> None:
    """Delete files that killed restores left in a data folder.

    The caller holds the folder's lock, so no restore is running.
    """
    for left in folder.glob(f".{FILE_NAME}.*{_PART}"):
        left.unlink(missing_ok=True)


def _refuse_newer(source: Path, revision: str | None) -> None:
    if revision not in REVISIONS:
        raise StorageError(
            f"{source} has revision {revision}, which is newer than this program ({HEAD}). Update the program."
        )


@contextmanager
def _creating(target: Path) -> Iterator[Path]:
    """Yield an empty file next to the target. The file is renamed to the target when it is complete.

    Only its owner can read it. Raises StorageError if the target exists or cannot be written.
    """
    if target.exists():
        raise StorageError(f"{target} already exists. Choose a new file.")
    made = target.with_name(f".{target.name}.{os.getpid()}{_PART}")
    try:
        os.close(os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
        try:
            yield made
            with made.open("rb") as file:
                os.fsync(file.fileno())
            made.rename(target)
        finally:
            made.unlink(missing_ok=True)
    except OSError as exc:
        raise StorageError(f"{target} can't be written: {exc.strerror}.") from exc


async def _run(program: str, url: str, *options: str) -> None:
    """Run one of PostgreSQL's programs on a database.

    The password is not passed on the command line, which all users can read.
    """
    if shutil.which(program) is None:
        raise StorageError(f"{program} is required for backups but not installed (Debian: postgresql-client).")
    address, password = split_password(url)
    environment = os.environ | ({} if password is None else {"PGPASSWORD": password})
    process = await asyncio.create_subprocess_exec(
        *(program, "--no-password", f"--dbname={address}", *options),
        env=environment,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, told = await process.communicate()
    if process.returncode:
        lines = told.decode("utf-8", "replace").strip().splitlines() or [f"exit code {process.returncode}"]
        raise StorageError(f"{program} failed: {lines[0].removeprefix(f'{program}: ').removeprefix('error: ')}")


def split_password(url: str) -> tuple[str, str | None]:
    """Return the URL of a database without its password, and the decoded password."""
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    found = unquote(password) if password else dict(parse_qsl(parts.query)).get("password")
    query = urlencode([(key, value) for key, value in parse_qsl(parts.query) if key != "password"], quote_via=quote)
    whose = f"{name}@{host}" if user else host
    return f"{parts.scheme}://{whose}{parts.path}{f'?{query}' if query else ''}", found
