"""Readable paths of a child: installations completely, other module folders only as far as they were imported."""

import sys
from pathlib import Path

import pytest

from webquarry.workers.places import find_places


def test_only_imported_modules_of_other_folders_are_readable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("imported_here", "beside_it"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    (tmp_path / "data").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("imported_here")
    places = find_places(may_start_programs=False)
    assert str(tmp_path / "imported_here") in places.readable
    assert str(tmp_path / "beside_it") not in places.readable
    assert str(tmp_path) not in places.readable
    assert str(tmp_path) in places.listed
    del sys.modules["imported_here"]


def test_a_current_folder_without_imported_modules_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    places = find_places(may_start_programs=False)
    assert str(tmp_path) not in (*places.readable, *places.listed, *places.modules)


def test_shared_roots_are_never_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    for prefix in ("/usr", "/usr/local", "/opt"):
        monkeypatch.setattr(sys, "prefix", prefix)
        readable = find_places(may_start_programs=True).readable
        assert not {"/", "/usr", "/usr/local", "/opt", "/home", "/proc", "/etc"} & set(readable)
