"""Secrets never appear in logs, whichever logger writes them."""

import errno
import io
import json
import logging
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog

from webquarry.core import log


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    root = logging.getLogger()
    before = root.handlers[:], root.level
    # keep pytest's handlers: `set_up` closes those it finds
    root.handlers.clear()
    log.set_up()
    yield stream
    logging.captureWarnings(False)
    root.handlers[:], level = before
    root.setLevel(level)
    structlog.reset_defaults()


def test_line_is_json_with_event_level_and_instant(lines: io.StringIO) -> None:
    log.log.info("fetch", host="example.com", ms=3)
    line = json.loads(lines.getvalue())
    assert (line["event"], line["level"], line["host"], line["ms"]) == ("fetch", "info", "example.com", 3)
    assert line["timestamp"].endswith("Z")


def test_forbidden_fields_are_not_written(lines: io.StringIO) -> None:
    log.log.info("call", key="wq_live_secret", q="private question", url="https://example.com/private")
    assert "secret" not in lines.getvalue()
    assert "private" not in lines.getvalue()


def test_traceback_holds_no_values_of_locals(lines: io.StringIO) -> None:
    api_key = "wq_live_secret"
    try:
        raise RuntimeError("it broke")
    except RuntimeError:
        log.log.exception("run.failed", used=bool(api_key))
    assert "it broke" in lines.getvalue()
    assert "wq_live_secret" not in lines.getvalue()


def test_debug_is_silent_by_default(lines: io.StringIO) -> None:
    log.log.debug("request")
    assert lines.getvalue() == ""


SET_UP = "import asyncio, gc, logging\nfrom webquarry.core import log\nlog.set_up()\n"
RAISES = """
try:
    raise ConnectionResetError("it broke")
except ConnectionResetError:
    logging.getLogger("asyncpg.pool").warning("lost %s", "a connection", exc_info=True)
"""
FORGETS = """
async def main():
    async def fail():
        raise ConnectionResetError("it broke")

    task = asyncio.create_task(fail())
    await asyncio.wait([task])
    del task
    gc.collect()

asyncio.run(main())
"""


def line_of(script: str) -> dict[str, Any]:
    """Return the log line of a separate process: libraries under test change this process's loggers."""
    command = [sys.executable, "-c", SET_UP + script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    [line] = done.stderr.splitlines()
    report: dict[str, Any] = json.loads(line)
    return report


def test_messages_of_libraries_are_json_too() -> None:
    line = line_of(RAISES)
    assert (line["event"], line["level"], line["library"]) == ("library.said", "warning", "asyncpg.pool")
    assert line["said"] == "lost a connection"
    assert line["exception"][0]["exc_type"] == "ConnectionResetError"
    assert line["timestamp"].endswith("Z")


def test_unimportant_messages_of_libraries_are_left_out(lines: io.StringIO) -> None:
    logging.getLogger("uvicorn.error").info("Started server process")
    assert lines.getvalue() == ""


def test_traceback_of_a_library_holds_no_values_of_locals(lines: io.StringIO) -> None:
    api_key = "wq_live_secret"
    try:
        raise RuntimeError("it broke")
    except RuntimeError:
        logging.getLogger("asyncpg").error("failed", exc_info=True)
    assert api_key not in lines.getvalue()


def test_warnings_are_json(lines: io.StringIO) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("an old way", DeprecationWarning, stacklevel=1)
    line = json.loads(lines.getvalue())
    assert line["library"] == "py.warnings"
    assert "an old way" in line["said"]


def test_errors_that_nobody_retrieved_are_json() -> None:
    line = line_of(FORGETS)
    assert (line["event"], line["library"], line["level"]) == ("library.said", "asyncio", "error")
    assert "never retrieved" in line["said"]
    assert line["exception"][0]["exc_type"] == "ConnectionResetError"


class Refusing(io.StringIO):
    """A stream on a disk that is full for a while."""

    is_full = True

    def flush(self) -> None:
        if self.is_full:
            self.seek(0)
            self.truncate()
            raise OSError(errno.ENOSPC, "No space left on device")


def test_a_line_that_cannot_be_written_is_counted_and_breaks_nothing() -> None:
    stream = Refusing()
    output = log.Output(stream)
    output.write("one\n")
    output.write("two\n")
    stream.is_full = False
    output.write("three\n")
    output.write("four\n")
    _, notice, *lines = stream.getvalue().splitlines()
    assert json.loads(notice) == {"event": "log.lost", "level": "warning", "lines": 2}
    assert lines == ["three", "four"]


def test_program_continues_if_the_disk_of_its_log_is_full() -> None:
    script = SET_UP + "log.log.error('first')\nlogging.getLogger('x').error('second')\nprint('still here')"
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=full, timeout=60)
    assert done.stdout == b"still here\n"


# a file instead of standard error


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_file_is_rotated_before_it_grows_too_large(tmp_path: Path) -> None:
    file = log.LogFile(tmp_path / "log", max_bytes=30, kept=2)
    for number in range(12):
        file.write(f"line {number:03}\n")  # 9 bytes, so three in a file
    assert names(tmp_path) == ["log", "log.1", "log.2"]
    assert (tmp_path / "log").read_text() == "line 009\nline 010\nline 011\n"
    assert (tmp_path / "log.2").read_text() == "line 003\nline 004\nline 005\n"


def test_line_that_is_longer_than_a_file_is_whole(tmp_path: Path) -> None:
    file = log.LogFile(tmp_path / "log", max_bytes=30, kept=2)
    for line in ("a\n", "ü" * 100 + "\n", "\udcff\n"):
        file.write(line)
    assert (tmp_path / "log.1").read_text() == "ü" * 100 + "\n"
    assert (tmp_path / "log").read_text() == "?\n"


def test_existing_file_is_continued(tmp_path: Path) -> None:
    (tmp_path / "log").write_text("before\n")
    log.LogFile(tmp_path / "log", max_bytes=30, kept=2).write("after\n")
    assert (tmp_path / "log").read_text() == "before\nafter\n"


def test_file_that_cannot_be_rotated_keeps_growing(tmp_path: Path) -> None:
    (tmp_path / "log.1" / "in the way").mkdir(parents=True)
    file = log.LogFile(tmp_path / "log", max_bytes=10, kept=1)
    for _ in range(3):
        file.write("nine long\n")
    assert (tmp_path / "log").read_text() == "nine long\n" * 3


def test_removed_file_is_created_again(tmp_path: Path) -> None:
    file = log.LogFile(tmp_path / "log", max_bytes=10, kept=1)
    file.write("first\n")
    (tmp_path / "log").rename(tmp_path / "taken")
    file.write("second\n")
    assert (tmp_path / "log").read_text() == "second\n"


def test_a_path_that_is_not_a_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "pipe", tmp_path / "folder", tmp_path / "nowhere" / "log", Path("/dev/full")):
        with pytest.raises(OSError):
            log.LogFile(path, max_bytes=10, kept=1)


def test_program_continues_if_its_log_file_cannot_grow(tmp_path: Path) -> None:
    script = (
        "import resource, sys\nfrom pathlib import Path\nfrom webquarry.core import log\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (300, resource.RLIM_INFINITY))\n"
        "log.set_up('info', log.LogFile(Path(sys.argv[1]), max_bytes=10_000, kept=1))\n"
        "for number in range(100): log.log.info('line', number=number)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
        "log.log.info('last')\nprint('still here')"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "log")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("still here\n", "")
    *_, lost, last = (tmp_path / "log").read_text().splitlines()
    assert (json.loads(lost)["event"], json.loads(last)["event"]) == ("log.lost", "last")
    assert json.loads(lost)["lines"] > 90


@pytest.fixture
def texts(lines: io.StringIO) -> io.StringIO:
    log.set_up(form="text")
    return lines


def test_text_for_people_is_one_line_with_the_same_fields(texts: io.StringIO) -> None:
    log.log.warning("source.failed", source="rdap", ms=812, note="two words", key="wq_live_secret")
    assert re.fullmatch(
        r'\d\d:\d\d:\d\d warning source\.failed source=rdap ms=812 note="two words" key="\(not logged\)"\n',
        texts.getvalue(),
    )


def test_text_for_people_cannot_control_the_terminal(texts: io.StringIO) -> None:
    log.log.info("fetch", host="a\x1b[31mb\nc\u202e")
    logging.getLogger("lib").warning("said \x1b[2J")
    try:
        raise RuntimeError("broke \x1b[2J")
    except RuntimeError:
        log.log.exception("run.failed")
    text = texts.getvalue()
    assert not set(text) & {"\x1b", "\u202e"}
    assert text.startswith(tuple("0123456789"))
    assert "RuntimeError: broke" in text
    assert len(text.splitlines()[0]) > len("00:00:00 info    fetch host=")


def test_text_traceback_holds_no_values_of_locals(texts: io.StringIO) -> None:
    api_key = "wq_live_secret"
    try:
        raise RuntimeError("it broke")
    except RuntimeError:
        log.log.exception("run.failed", used=bool(api_key))
    assert "it broke" in texts.getvalue()
    assert "wq_live_secret" not in texts.getvalue()


@pytest.mark.parametrize(
    ("form", "shown"), [("auto", "run.late"), ("text", "run.late"), ("json", '"event": "run.late"')]
)
def test_terminal_gets_text_unless_json_was_chosen(
    lines: io.StringIO, monkeypatch: pytest.MonkeyPatch, form: log.LogFormat, shown: str
) -> None:
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        monkeypatch.delenv("NO_COLOR", raising=False)
        log.set_up(form=form)
        log.log.warning("run.late")
        written = os.read(ours, 1000).decode()
    os.close(ours)
    assert shown in written
    assert ("{" in written) is (form == "json")
    assert ("\x1b[33m" in written) is (form != "json")
    assert lines.getvalue() == ""
