"""Structured logs: one line of JSON a fact, to standard error or to a file.

Events are short names with fields. No bodies, keys, tokens or query texts: `drop_secrets` is the
last line of defence, not the rule.
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
from typing import Any, Final, Protocol

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import Processor

FORBIDDEN = frozenset({"key", "token", "authorization", "cookie", "password", "body", "query", "q", "url"})


def drop_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in FORBIDDEN & event.keys():
        event[name] = "(not logged)"
    return event


_WRITTEN: tuple[Processor, ...] = (
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    drop_secrets,
    # without the values of locals: they hold parameters and keys
    structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
    structlog.processors.JSONRenderer(),
)
"""How every line is written, whoever logs it."""


_APPEND: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK


class Stream(Protocol):
    """What lines are written to. OSError when it does not take them."""

    def write(self, text: str, /) -> object: ...

    def flush(self) -> object: ...


class LogFile:
    """A file of at most so many bytes. The line that would make it larger goes to a new one: `log` becomes `log.1`,
    `log.1` becomes `log.2`, and so on up to `kept` of them.

    Where the folder permits no renaming, the file grows on. OSError when it cannot be opened, or is no regular file.
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
            raise OSError(errno.ENOSPC, "only a part of the line was written")

    def flush(self) -> None:
        """Every line is written as it comes."""

    def _open(self) -> tuple[int, int]:
        """Return descriptor and size of the file."""
        descriptor = os.open(self._path, _APPEND, 0o640)  # a pipe without a reader is an error, not a wait
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "it is no regular file")
        return descriptor, status.st_size

    def _set_aside(self) -> None:
        """Go on in a new file; in the old one where that cannot be made."""
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
    """A stream that may refuse what it is told: its disk is full, its reader has gone. No call ends for that, and how
    many lines were lost is the first thing it is told when it takes some again."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._lost = 0

    def write(self, lines: str) -> None:
        try:
            if self._lost:
                notice = json.dumps({"event": "log.lost", "level": "warning", "lines": self._lost})
                self._stream.write(f"\n{notice}\n")  # the first line that was lost may have got there in part
            self._stream.write(lines)
            self._stream.flush()
        except OSError:
            self._lost += 1
        else:
            self._lost = 0

    def flush(self) -> None:
        """Every line is flushed as it is written."""


def set_up(level: str = "info", stream: Stream | None = None) -> None:
    """Log from `level` up as JSON lines, and what libraries say. Called by the command that starts a process.

    stream: what takes the lines; standard error unless given.
    """
    output = Output(sys.stderr if stream is None else stream)
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, structlog.processors.add_log_level, *_WRITTEN],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(output),  # type: ignore[arg-type]  # it wants `write` and `flush`
        cache_logger_on_first_use=False,
    )
    _take_over(level, output)


def _take_over(level: str, output: Output) -> None:
    """What libraries, the event loop and warnings say by the standard library's logging, as JSON lines too: left alone
    it is plain text. Only their warnings and worse are taken, whatever `level` is: the rest was not written for this
    log."""
    handler = logging.StreamHandler(output)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.add_log_level,
                _name_library,
            ],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_WRITTEN],
        )
    )
    logging.basicConfig(
        handlers=[handler], level=max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]), force=True
    )
    logging.captureWarnings(True)


def _name_library(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """One event for all of them, with who said it and what: their texts are not names."""
    record: logging.LogRecord = event["_record"]
    event["library"], event["said"], event["event"] = record.name, event["event"], "library.said"
    return event


def spare_output() -> None:
    """Log to standard error where the program has set up nothing, for a library's own use: structlog prints on standard
    output by itself, where the program writes its results."""
    if not structlog.is_configured():
        structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))


log: structlog.stdlib.BoundLogger = structlog.get_logger("webquarry")
