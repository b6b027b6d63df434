from pathlib import Path

import pytest

from webquarry.storage import FolderInUse, FolderLock, StorageError


def test_a_second_server_on_a_folder_gets_an_error(tmp_path: Path) -> None:
    with FolderLock(tmp_path), pytest.raises(FolderInUse, match=r"Another server \(process \d+\) uses"):
        FolderLock(tmp_path).acquire()


def test_a_folder_is_free_once_its_lock_is_released(tmp_path: Path) -> None:
    first = FolderLock(tmp_path / "new")
    first.acquire()
    first.release()
    with FolderLock(tmp_path / "new"):
        pass


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "sandbox"):
        with pytest.raises(StorageError, match=r"The data folder .*file.* can't be used"):
            FolderLock(folder).acquire()


def test_a_new_folder_is_private(tmp_path: Path) -> None:
    with FolderLock(tmp_path / "data" / "sandbox"):
        for folder in (tmp_path / "data", tmp_path / "data" / "sandbox"):
            assert folder.stat().st_mode & 0o777 == 0o700


def test_two_folders_have_separate_locks(tmp_path: Path) -> None:
    with FolderLock(tmp_path / "one"), FolderLock(tmp_path / "two"):
        pass
