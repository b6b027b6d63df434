"""What must not be in logs is not, whoever logs it."""

import io
import json
from collections.abc import Iterator

import pytest
import structlog

from webquarry import log


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    log.set_up()
    yield stream
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
