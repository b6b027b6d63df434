"""`make install`: the command of a checkout on the PATH."""

import subprocess
from pathlib import Path

INSTALL = Path(__file__).parents[2] / "scripts" / "install.sh"


def install(prefix: Path, path: str = "/usr/bin:/bin") -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(INSTALL), str(prefix)], env={"PATH": path}, capture_output=True, text=True)


def test_installed_command_runs_from_anywhere_and_may_be_installed_again(tmp_path: Path) -> None:
    for _ in range(2):
        done = install(tmp_path / "prefix")
        assert (done.returncode, "is not on your PATH" in done.stdout) == (0, True)
    command = [str(tmp_path / "prefix" / "bin" / "webquarry"), "--version"]
    assert "webquarry" in subprocess.run(command, cwd="/", check=True, capture_output=True, text=True).stdout


def test_folder_on_the_path_causes_no_advice(tmp_path: Path) -> None:
    assert "PATH" not in install(tmp_path, f"{tmp_path}/bin:/usr/bin:/bin").stdout


def test_other_program_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "webquarry").write_text("mine")
    done = install(tmp_path)
    assert (done.returncode, "already exists" in done.stderr) == (1, True)
    assert (tmp_path / "bin" / "webquarry").read_text() == "mine"
