"""What must not be in logs is not, whoever logs it."""

import errno
import io
import json
import logging
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from webquarry import log


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    root = logging.getLogger()
    before = root.handlers[:], root.level
    # those of pytest stay where they are: `set_up` closes what it finds
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


SET_UP = "import asyncio, gc, logging\nfrom webquarry import log\nlog.set_up()\n"
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
    """What a process of its own writes: libraries under test change loggers of this one."""
    command = [sys.executable, "-c", SET_UP + script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    [line] = done.stderr.splitlines()
    report: dict[str, Any] = json.loads(line)
    return report


def test_what_libraries_say_is_json_too() -> None:
    line = line_of(RAISES)
    assert (line["event"], line["level"], line["library"]) == ("library.said", "warning", "asyncpg.pool")
    assert line["said"] == "lost a connection"
    assert line["exception"][0]["exc_type"] == "ConnectionResetError"
    assert line["timestamp"].endswith("Z")


def test_lesser_lines_of_libraries_are_left_out(lines: io.StringIO) -> None:
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


def test_line_that_cannot_be_written_ends_nothing_and_is_counted() -> None:
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


def test_program_goes_on_when_its_log_is_on_a_full_disk() -> None:
    script = SET_UP + "log.log.error('first')\nlogging.getLogger('x').error('second')\nprint('still here')"
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=full, timeout=60)
    assert done.stdout == b"still here\n"
