import os
import subprocess
import sys
from pathlib import Path

import pytest

from convert_support.packed import packed
from webquarry.convert.file import to_markdown
from webquarry.core.errors import ConversionFailed, FileTooLarge, UnsupportedType
from webquarry_convert.file.limits import MAX_FILE

FORKED = """
import os, sys
from webquarry.convert.file import to_markdown
print(to_markdown(sys.argv[1]), flush=True)
if os.fork() == 0:
    print(to_markdown(sys.argv[1]), flush=True)
    os._exit(0)
os.wait()
print(to_markdown(sys.argv[1]), flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.pdf"  # its name is irrelevant


def test_a_file_is_converted(path: Path) -> None:
    path.write_bytes(b"a,b\n1,2\n")
    assert to_markdown(str(path)) == "| a | b |\n| --- | --- |\n| 1 | 2 |\n"


def test_one_worker_serves_all_calls(path: Path) -> None:
    path.write_bytes(b"a,b\n1,2\n")
    before = workers()
    to_markdown(str(path))
    started = workers() - before
    to_markdown(str(path))
    assert workers() - before == started
    assert len(started) <= 1


def test_unsupported_file_is_refused(path: Path) -> None:
    path.write_bytes(b"<!doctype html><html></html>")
    with pytest.raises(UnsupportedType, match="HTML"):
        to_markdown(str(path))
    path.write_bytes(packed({"a": bytes(30_000_000)}))
    with pytest.raises(ConversionFailed) as caught:
        to_markdown(str(path))
    assert caught.value.reason == "limits"
    with pytest.raises(FileNotFoundError):
        to_markdown(f"{path}.none")


def test_a_file_of_more_than_ten_megabytes_is_refused(path: Path) -> None:
    path.write_bytes(b"a" * (MAX_FILE + 1))
    with pytest.raises(FileTooLarge):
        to_markdown(str(path))
    path.write_bytes(b"a,b\n" + b"a" * (MAX_FILE - 4))
    assert len(to_markdown(str(path))) >= MAX_FILE


def test_a_forked_process_converts(path: Path) -> None:
    path.write_bytes(b"a,b\n1,2\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", FORKED, str(path)]
    ran = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60)
    assert ran.stdout.decode().count("| 1 | 2 |") == 3


def workers() -> set[str]:
    listed = subprocess.run(["ps", "--ppid", str(os.getpid()), "-o", "pid=,args="], capture_output=True, check=True)
    return {line for line in listed.stdout.decode().splitlines() if "workers.child" in line}


def test_logs_of_workers_are_not_printed_on_standard_output(path: Path) -> None:
    path.write_bytes(b"a,b\n1,2\n")
    program = (
        "import sys; from webquarry.convert.file import to_markdown; from webquarry.core.log import log;"
        "print(to_markdown(sys.argv[1]), end=''); log.info('worker.progress')"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", program, str(path)]
    ran = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=60)
    assert ran.stdout == b"| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    assert b"worker.progress" in ran.stderr
