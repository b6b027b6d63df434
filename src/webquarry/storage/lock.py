"""The data folder: readable only by its owner, and used by one `serve` at a time."""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from webquarry.storage.database import StorageError


class FolderInUse(StorageError):
    """Another server is using this data folder."""


def make_folder(folder: Path) -> None:
    """Create the data folder and its parents if missing, accessible only by the owner.

    It contains keys to paid results, accounts and pages. The permissions of an existing folder are not changed. Raises
    StorageError if the folder cannot be created.
    """
    try:
        # not `parents=True`, because the umask would then determine the permissions of the parents
        for above in reversed([each for each in folder.parents if not each.exists()]):
            above.mkdir(0o700, exist_ok=True)
        folder.mkdir(0o700, exist_ok=True)
    except FileExistsError as exc:
        raise StorageError(f"The data folder {folder} can't be used: it is a file.") from exc
    except OSError as exc:
        raise StorageError(f"The data folder {folder} can't be used: {exc.strerror}.") from exc


class FolderLock:
    """Locks the data folder for as long as the process lives. The kernel releases the lock even after a kill.

    `acquire` (or entering the context) raises FolderInUse if another process or `FolderLock` holds the lock,
    StorageError if the folder cannot be created.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "serve.lock"
        self._descriptor: int | None = None

    def acquire(self) -> None:
        make_folder(self._path.parent)
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as exc:
            raise StorageError(f"The data folder {self._path.parent} can't be used: {exc.strerror}.") from exc
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise FolderInUse(
                f"Another server{f' (process {holder})' if holder else ''} uses {self._path.parent}. Stop it, "
                "or choose another folder with --data-dir."
            ) from exc
        # The file is kept after release: if it were removed, two processes could lock two files with the same name.
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _tb: TracebackType | None
    ) -> None:
        self.release()
