"""Structured logs: one line per event, to standard error or to a file. Lines are JSON or readable text.

Events are short names with fields. Never log bodies, keys, tokens or queries; `drop_secrets` is only a safety net.
"""

import errno
import json
import logging
import os
import stat
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import Processor

from webquarry.core.log_text import TextRenderer

FORBIDDEN = frozenset({"key", "token", "authorization", "cookie", "password", "body", "query", "q", "url"})


def drop_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in FORBIDDEN & event.keys():
        event[name] = "(not logged)"
    return event


_WRITTEN: tuple[Processor, ...] = (
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    drop_secrets,
    # Local variables are omitted, because they may hold parameters and keys.
    structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
    structlog.processors.JSONRenderer(),
)
"""Processors for every JSON line, whether logged by the service or a library."""
LogFormat = Literal["auto", "json", "text"]
"""`auto` is text if standard error is a terminal, otherwise JSON."""


_APPEND: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK


class Stream(Protocol):
    """Destination for log lines. Raises OSError if it does not accept them."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


class LogFile:
    """A log file that is rotated when it reaches `max_bytes` bytes.

    The line that would exceed the limit goes to a new file: `log` becomes `log.1`, `log.1` becomes `log.2`, and so on,
    up to `kept` files. If the folder does not permit renaming, the file keeps growing. Raises OSError if it cannot be
    opened or is not a regular file.
    """

    def __init__(self, path: Path, *, max_bytes: int, kept: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._kept = kept
        self._descriptor, self._size = self._open()

    def write(self, text: str) -> None:
        line = text.encode("utf-8", "replace")
        if self._size and self._size + len(line) > self._max_bytes:
            self._set_aside()
        written = os.write(self._descriptor, line)
        self._size += written
        if written < len(line):
            raise OSError(errno.ENOSPC, "the line was written only partly")

    def flush(self) -> None:
        """Do nothing: every line is written immediately."""

    def _open(self) -> tuple[int, int]:
        """Open the file. Return its descriptor and size."""
        # with O_NONBLOCK, opening a pipe without a reader fails instead of blocking
        descriptor = os.open(self._path, _APPEND, 0o640)
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "it is not a regular file")
        return descriptor, status.st_size

    def _set_aside(self) -> None:
        """Rotate the files. Continue in the old one if that fails."""
        with suppress(OSError):
            for number in range(self._kept - 1, 0, -1):
                with suppress(FileNotFoundError):
                    os.replace(self._name(number), self._name(number + 1))
            os.replace(self._path, self._name(1))
        with suppress(OSError):
            before = self._descriptor
            self._descriptor, self._size = self._open()
            os.close(before)

    def _name(self, number: int) -> str:
        return f"{self._path}.{number}"


class Output:
    """A stream that tolerates failures, such as a full disk or a closed pipe.

    Lines that can't be written are lost, and no request fails. When the stream accepts lines again, the number of lost
    lines is logged first.
    """

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._lost = 0

    def write(self, lines: str) -> None:
        try:
            if self._lost:
                notice = json.dumps({"event": "log.lost", "level": "warning", "lines": self._lost})
                self._stream.write(f"\n{notice}\n")  # the first lost line may have been partly written
            self._stream.write(lines)
            self._stream.flush()
        except OSError:
            self._lost += 1
        else:
            self._lost = 0

    def flush(self) -> None:
        """Do nothing: every line is flushed when written."""


def set_up(level: str = "info", stream: Stream | None = None, form: LogFormat = "auto") -> None:
    """Set up logging from `level` up, including libraries. Called by commands that start a process.

    `stream` receives the lines (default: standard error).
    """
    output = Output(sys.stderr if stream is None else stream)
    is_terminal = stream is None and sys.stderr.isatty()
    is_text = form == "text" or (form == "auto" and is_terminal)
    written = _write_text(has_colours=is_terminal and not os.environ.get("NO_COLOR")) if is_text else _WRITTEN
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, structlog.processors.add_log_level, *written],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(output),  # type: ignore[arg-type]  # structlog only needs `write` and `flush`
        cache_logger_on_first_use=False,
    )
    _take_over(level, output, written)


def _write_text(*, has_colours: bool) -> tuple[Processor, ...]:
    """Return the processors for every line of text."""
    return (
        structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
        drop_secrets,
        structlog.processors.format_exc_info,
        TextRenderer(has_colours=has_colours),
    )


def _take_over(level: str, output: Output, written: tuple[Processor, ...]) -> None:
    """Redirect the standard library's logging and warnings to lines of the same form.

    Only warnings and errors are logged, whatever `level` is, because the other messages of libraries were not written
    for this log.
    """
    handler = logging.StreamHandler(output)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                _name_library,
            ],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *written],
        )
    )
    logging.basicConfig(
        handlers=[handler], level=max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]), force=True
    )
    logging.captureWarnings(True)


def _name_library(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Log all library messages under one event name, with the library's name and message as fields."""
    record: logging.LogRecord = event["_record"]
    event["library"], event["said"], event["event"] = record.name, event["event"], "library.said"
    return event


def spare_output() -> None:
    """Log to standard error if the program has not set up logging. For programs that use Webquarry as a library.

    By default, structlog prints to standard output, where the program writes its results.
    """
    if not structlog.is_configured():
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))


log: structlog.stdlib.BoundLogger = structlog.get_logger("webquarry")
