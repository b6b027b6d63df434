"""Wheels: complete, and served without this checkout."""

import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from support.server import Server

ROOT = Path(__file__).parents[2]
DISTRIBUTIONS = tuple(re.findall(r"^DISTRIBUTIONS := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[0].split())


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The content of this repository's wheels in one folder, as in an installation."""
    wheels, folder = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("unpacked")
    command = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir"]
    subprocess.run([*command, str(wheels), *DISTRIBUTIONS], cwd=ROOT, check=True)
    for wheel in wheels.iterdir():
        with ZipFile(wheel) as content:
            content.extractall(folder)
    return folder


def list_files(folder: Path) -> set[str]:
    paths = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {path.relative_to(folder).as_posix() for path in paths}


def test_wheels_hold_every_file_of_the_packages(unpacked: Path) -> None:
    sources = [ROOT / each / "src" for each in DISTRIBUTIONS]
    expected = {"webquarry/CHANGELOG.md"}.union(*map(list_files, sources))
    assert len(expected) > 1000
    assert {name for name in list_files(unpacked) if not name.split("/")[0].endswith(".dist-info")} == expected


def test_image_is_made_of_the_same_distributions() -> None:
    assert f'ARG DISTRIBUTIONS="{" ".join(DISTRIBUTIONS)}"' in (ROOT / "Dockerfile").read_text()


def test_packages_of_the_wheels_come_before_those_of_the_checkout(unpacked: Path) -> None:
    command = [sys.executable, "-P", "-c", "import webquarry; print(webquarry.__file__)"]
    found = subprocess.run(command, env={"PYTHONPATH": str(unpacked)}, check=True, capture_output=True, text=True)
    assert found.stdout.startswith(str(unpacked))


async def test_service_runs_from_the_wheels(unpacked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Installed(Server):
        @property
        def program(self) -> tuple[str, ...]:
            return (sys.executable, "-P", "-m", "webquarry")

    monkeypatch.setenv("PYTHONPATH", str(unpacked))
    async with Installed(tmp_path, "--sandbox") as server:
        key = await server.first_key()
        assert key.startswith("wq_test_")
        assert await server.stop() == 0
