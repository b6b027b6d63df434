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

FORBIDDEN = frozenset({"key", "token", "authorization", "cookie", "password", "body", "query", "q", "url"})


def drop_secrets(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in FORBIDDEN & event.keys():
        event[name] = "(not logged)"
    return event


def set_up(level: str = "info") -> None:
    """Log from `level` up as JSON lines. Called once, by the command that starts a process."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            drop_secrets,
            # without the values of locals: they hold parameters and keys
            structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False)),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )


log: structlog.stdlib.BoundLogger = structlog.get_logger("webquarry")
