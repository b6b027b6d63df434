"""A confined process cannot undo its confinement: each case is a separate process."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.processes import is_running, wait_for_end
from webquarry.workers import landlock

SHUT = """
import errno, json, os, socket, sys
from webquarry.workers import confine, system
from webquarry.workers.limits import Limits
case = sys.argv[1]
has_left = case in ("namespace", "both") and confine.leave_network()
def refused(*_):
    raise OSError(errno.ENOSYS, "")
if case in ("namespace", "neither"):
    system.set_filter = refused
told = confine.shut(Limits(), has_left=has_left)
try:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
        tried.settimeout(2)
        tried.connect(("127.0.0.1", int(sys.argv[2])))
    reached = True
except OSError:
    reached = False
print(json.dumps([told, has_left, reached]))
"""
LOCKED = """
import json, os, socket, subprocess, sys
from pathlib import Path
from webquarry.workers import confine
from webquarry.workers.places import find_places
def is_refused(act):
    try:
        act()
    except PermissionError:
        return True
    return False
secret, folder = Path(sys.argv[1]), Path(sys.argv[1]).parent
is_left = confine.leave_files(find_places(may_start_programs=True))
import colorsys
print(json.dumps([
    is_left,
    is_refused(secret.read_bytes),
    is_refused(lambda: os.listdir(folder)),
    is_refused(lambda: (folder / "new").write_bytes(b"x")),
    subprocess.run(["/bin/cat", str(secret)], capture_output=True).returncode,
    subprocess.run(["/bin/echo", "a"], check=True, capture_output=True).stdout.decode(),
    Path(os.devnull).write_bytes(b"x"),
]))
"""
SERVE = """
import os, sys, threading
import support.jobs
from typing import Any
from webquarry.workers.blocking import BlockingWorkers
from webquarry.workers.job import Job
workers, echo, hang = BlockingWorkers(("support.jobs",)), Job("support.jobs:echo", Any), Job("support.jobs:hang", Any)
workers.do(lambda isolated, _: isolated(echo, b"", {}, origin="a"), 30)
print(workers._workers._quick._kept[0].pid, flush=True)
if sys.argv[1] == "busy":
    workers.do(lambda isolated, _: isolated(hang, b"", {}, heavy=False), 30)
threading.Event().wait()
"""


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def test_file_access_is_given_up_if_the_kernel_supports_it(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("key")
    ran = subprocess.run(
        [sys.executable, "-c", LOCKED, str(secret)],
        env=environment(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    is_left, *found = json.loads(ran.stdout)
    assert is_left == (landlock.find_version() > 0)
    if not is_left:
        pytest.skip("this kernel has no Landlock")
    assert found == [True, True, True, 1, "a\n", 1]


@pytest.mark.parametrize("case", ["both", "namespace", "seccomp", "neither"])
def test_isolation_is_reported_correctly(case: str, listening: int) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SHUT, case, str(listening)],
        env=environment(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    report, has_left, reached = json.loads(ran.stdout)
    if case in ("both", "namespace") and not has_left:
        pytest.skip("this kernel gives no network of one's own")
    assert report == {"both": "namespace", "neither": "none"}.get(case, case)
    assert reached is (case == "neither")


@pytest.mark.parametrize("case", ["idle", "busy"])
def test_children_end_with_the_process_that_started_them(case: str) -> None:
    server = subprocess.Popen([sys.executable, "-c", SERVE, case], env=environment(), stdout=subprocess.PIPE)
    assert server.stdout is not None
    try:
        child = int(server.stdout.readline())
        assert is_running(child)
        time.sleep(0.3)
    finally:
        server.send_signal(signal.SIGKILL)
        server.wait()
    wait_for_end(child)


FOLLOW = """
import ctypes, json, os, re
from webquarry.workers import confine
confine.follow(os.getppid())
told = ctypes.c_int()
ctypes.CDLL(None).prctl(2, ctypes.byref(told))
status = open("/proc/self/status").read()
print(json.dumps([told.value, ctypes.CDLL(None).prctl(3), re.search(r"NoNewPrivs:\\s*(.)", status)[1]]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes follow their parent by prctl")
def test_a_child_ends_with_its_parent_and_cannot_be_inspected() -> None:
    done = subprocess.run([sys.executable, "-c", FOLLOW], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == [signal.SIGKILL, 0, "1"]
