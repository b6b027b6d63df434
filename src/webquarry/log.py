"""Structured logs: one line of JSON a fact, to standard error.

Events are short names with fields. No bodies, keys, tokens or query texts: `drop_secrets` is the
last line of defence, not the rule.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

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


def set_up(level: str = "info") -> None:
    """Log from `level` up as JSON lines, and what libraries say. Called once, by the command that starts a process."""
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, structlog.processors.add_log_level, *_WRITTEN],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    _take_over(level)


def _take_over(level: str) -> None:
    """What libraries, the event loop and warnings say by the standard library's logging, as JSON lines too: left alone
    it is plain text. Only their warnings and worse are taken, whatever `level` is: the rest was not written for this
    log."""
    handler = logging.StreamHandler(sys.stderr)
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
