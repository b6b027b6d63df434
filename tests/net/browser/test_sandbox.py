"""Chromium's sandbox, which is on for every user except root. For root, its absence is reported."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from net.browser.as_user import NOBODY

PROGRAM = Path(__file__).with_name("as_user.py")
TESTS = Path(__file__).parents[2]
SETUID_SANDBOX = Path("/usr/lib/chromium/chrome-sandbox")
FILTERED = 2  # Seccomp in /proc/PID/status: by its own program


@dataclass(frozen=True, slots=True)
class Seen:
    """users: per user that rendered, the processes' properties; log: the log."""

    users: dict[int, list[dict[str, Any]]]
    log: str


@pytest.fixture(scope="module")
def refusal() -> str:
    """Return why Chromium cannot sandbox its processes here as a user other than root; empty if it can."""
    tried = ["unshare", "--user", "--pid", "--fork", "true"]
    user = NOBODY if os.geteuid() == 0 else None
    done = subprocess.run(
        tried, capture_output=True, text=True, user=user, group=user, extra_groups=[] if user else None
    )
    return done.stderr.strip() if done.returncode and not SETUID_SANDBOX.exists() else ""


def render(users: str) -> Seen:
    """Render a page as root, and with `all` also as nobody."""
    folder = Path(tempfile.mkdtemp(prefix="wq-users-"))  # only its user can enter pytest's folder
    folder.chmod(0o711)
    try:
        command = [sys.executable, str(PROGRAM), str(folder), users]
        environment = {**os.environ, "PYTHONPATH": str(TESTS)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=150)
        assert done.returncode == 0, done.stderr
        found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
        return Seen({user[0]["user"]: user for user in found}, done.stdout)
    finally:
        shutil.rmtree(folder)


@pytest.mark.long
def test_renderers_of_a_normal_user_are_sandboxed(refusal: str) -> None:
    if refusal:
        pytest.skip(f"neither user namespaces nor Debian's package chromium-sandbox: {refusal}")
    seen = render("all")
    user = NOBODY if os.geteuid() == 0 else os.geteuid()
    processes = seen.users[user]
    renderers = [process for process in processes if process["kind"] == "renderer"]
    assert renderers
    assert {process["user"] for process in processes} == {user}
    assert {process["filters"] for process in renderers} == {FILTERED}
    assert all(process["namespaces"] > 1 for process in renderers)
    assert not any(process["unlocked"] for process in processes)
    # logged by root's browser, not by the other browser
    assert seen.log.count("browser.sandbox_off") == (user == NOBODY)


@pytest.mark.skipif(os.geteuid() != 0, reason="is about root")
def test_missing_sandbox_is_reported_to_root() -> None:
    seen = render("root")
    processes = seen.users[0]
    assert all(process["unlocked"] for process in processes if process["kind"] == "leader")
    assert {process["filters"] for process in processes} == {0}
    assert seen.log.count("browser.sandbox_off") == 1
