"""Hostile code in a converter's child achieves nothing, and the examination would detect it otherwise."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from webquarry.cli import main
from webquarry.workers import landlock

UNCONFINED = """
import json, sys
from webquarry.doctor.isolation.attempts import attempt
parent, secret, *only = sys.argv[1:]
print(json.dumps(attempt(b"", parent=int(parent), secrets=[secret], may_start_programs=False, only=only)))
"""


def test_code_in_a_child_cannot_escape(tmp_path: Path) -> None:
    if not landlock.find_version():
        pytest.skip("this kernel has no Landlock")
    (tmp_path / "webquarry.db").write_bytes(b"secret")
    done = CliRunner().invoke(main, ["doctor", "isolation", "--json", "--data-dir", str(tmp_path)])
    told = json.loads(done.stdout)
    assert [one for one in told["attempts"] if not one["held"]] == []
    assert done.exit_code == 0
    names = {(one["child"], one["name"]) for one in told["attempts"]}
    for child in ("quick", "heavy"):
        assert (child, f"open {tmp_path / 'webquarry.db'}") in names
        assert (child, "see the bytes of another job") in names


def test_a_data_folder_readable_by_converters_is_detected() -> None:
    folder = Path(os.__file__).parent
    done = CliRunner().invoke(main, ["doctor", "isolation", "--data-dir", str(folder)])
    assert done.exit_code == 1
    assert f"a converter could read {folder}" in done.output


def test_the_attempts_succeed_without_confinement(tmp_path: Path) -> None:
    names = [
        *(f"open {tmp_path}", "open /proc", "open /tmp", "write /tmp", "start a program"),
        *("call kill", "call prlimit64", "call fcntl-owner", "call socketpair", "call prctl-parent-death"),
    ]
    ran = subprocess.run(
        [sys.executable, "-c", UNCONFINED, str(os.getpid()), str(tmp_path), *names],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        check=True,
        timeout=60,
    )
    tried = {name: is_held for name, is_held, _ in json.loads(ran.stdout)}
    assert set(tried) >= {*names[:5], "call kill"}
    assert [name for name, is_held in tried.items() if is_held] == []
