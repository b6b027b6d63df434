"""Profile folders, and the processes that are found by them."""

import asyncio
import os
import tempfile
import time
from pathlib import Path

import pytest

from net.browser.conftest import until
from webquarry.net.browser.profiles import Profile, remove_dead_profiles


async def _worker(profile: Path) -> asyncio.subprocess.Process:
    """Start a process with the profile on its command line, in a separate process group."""
    return await asyncio.create_subprocess_exec(
        *("sh", "-c", "sleep 60 & sleep 60", "sh", f"--user-data-dir={profile}"), start_new_session=True
    )


def test_folders_are_private(tmp_path: Path) -> None:
    home = Profile(tmp_path / "browser")
    for folder in (home.path.parent, home.path, home.profile):
        assert folder.stat().st_mode & 0o077 == 0
    home.remove()


async def test_processes_are_found_by_their_group(tmp_path: Path) -> None:
    mine, other = Profile(tmp_path), Profile(tmp_path)
    worker = await _worker(mine.profile)
    await until(lambda: len(mine.processes()) == 3)  # the shell and both sleepers
    assert worker.pid in mine.processes()
    assert other.processes() == []
    mine.kill()
    await worker.wait()


async def test_processes_that_outlive_their_leader_are_killed(tmp_path: Path) -> None:
    home = Profile(tmp_path)
    command = f"sh -c 'sleep 60; true' sh --user-data-dir={home.profile} & true"
    leader = await asyncio.create_subprocess_exec("sh", "-c", command, start_new_session=True)
    await leader.wait()
    await until(lambda: len(home.processes()) == 2)
    home.kill()
    await until(lambda: not home.processes())


async def test_profile_whose_path_is_a_prefix_of_another_is_distinguished(tmp_path: Path) -> None:
    home = Profile(tmp_path)
    worker = await _worker(home.profile.with_name("profile-2"))
    assert home.processes() == []
    os.killpg(worker.pid, 9)
    await worker.wait()


def test_profile_of_a_live_server_is_not_reaped(tmp_path: Path) -> None:
    home = Profile(tmp_path)
    assert remove_dead_profiles(tmp_path) == 0
    assert home.profile.is_dir()


async def test_profile_of_a_dead_server_is_reaped_with_its_processes(tmp_path: Path) -> None:
    home = Profile(tmp_path)
    worker = await _worker(home.profile)
    os.close(home._lock)  # like the kernel when the server dies
    assert remove_dead_profiles(tmp_path) == 1
    assert await worker.wait() == -9
    assert os.listdir(tmp_path) == []


def test_removed_profile_leaves_no_files(tmp_path: Path) -> None:
    home = Profile(tmp_path)
    home.remove()
    home.remove()
    assert list(tmp_path.iterdir()) == []


def test_reaping_without_profiles_does_nothing(tmp_path: Path) -> None:
    assert remove_dead_profiles(tmp_path / "absent") == 0


def test_folder_that_was_never_locked_is_removed_after_a_minute(tmp_path: Path) -> None:
    dead, new = tmp_path / ".new-dead", tmp_path / ".new-new"
    for folder in (dead, new):
        folder.mkdir()
        (folder / "owner.lock").touch()
    an_hour_ago = time.time() - 3600
    os.utime(dead, (an_hour_ago, an_hour_ago))
    assert remove_dead_profiles(tmp_path) == 0
    assert os.listdir(tmp_path) == [".new-new"]


@pytest.mark.parametrize("name", ["org.chromium.Chromium.a1", ".org.chromium.Chromium.a1"])
def test_socket_of_a_killed_browser_is_removed_with_its_profile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    temporary = tmp_path / "temporary"
    socket = temporary / name / "SingletonSocket"
    socket.parent.mkdir(parents=True)
    socket.touch()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    home = Profile(tmp_path / "browser")
    (home.profile / "SingletonSocket").symlink_to(socket)
    home.remove()
    assert os.listdir(temporary) == []


def test_folder_that_a_profile_names_is_kept_unless_it_is_a_socket_of_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    (temporary / "documents").mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    home = Profile(tmp_path / "browser")
    (home.profile / "SingletonSocket").symlink_to(temporary / "documents" / "SingletonSocket")
    home.remove()
    assert os.listdir(temporary) == ["documents"]
