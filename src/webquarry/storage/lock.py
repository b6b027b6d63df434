"""The data folder: its owner's alone, and one `serve` on it at a time."""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from webquarry.storage.database import StorageError


class FolderInUse(StorageError):
    """Another server runs on this data folder."""


def make_folder(folder: Path) -> None:
    """Make the data folder, where it is missing, and what is above it: for its owner alone, since keys to paid answers,
    accounts and pages lie there. One that exists keeps its mode. StorageError when it cannot be.
    """
    try:
        # not `parents=True`: that would leave the mode of what is above to the umask
        for above in reversed([each for each in folder.parents if not each.exists()]):
            above.mkdir(0o700, exist_ok=True)
        folder.mkdir(0o700, exist_ok=True)
    except FileExistsError as exc:
        raise StorageError(f"The data folder {folder} cannot be used: it is a file.") from exc
    except OSError as exc:
        raise StorageError(f"The data folder {folder} cannot be used: {exc.strerror}.") from exc


class FolderLock:
    """Holds the data folder for as long as the process lives; the kernel lets go of it even after a kill.

    `acquire` (or entering the context) raises FolderInUse when another process, or another lock, has it;
    StorageError when there can be no such folder.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "serve.lock"
        self._descriptor: int | None = None

    def acquire(self) -> None:
        make_folder(self._path.parent)
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as exc:
            raise StorageError(f"The data folder {self._path.parent} cannot be used: {exc.strerror}.") from exc
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as exc:
            holder = os.read(descriptor, 32).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise FolderInUse(
                f"Another server{f' (process {holder})' if holder else ''} runs on {self._path.parent}: "
                "stop it, or name another folder with --data-dir."
            ) from exc
        # the file stays when the lock goes: removing it would let two processes lock two files of one name
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
