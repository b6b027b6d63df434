"""Errors for callers of a job whose child did not return a result."""

import os
import signal
import traceback
from collections.abc import Mapping
from typing import Final

from webquarry.core.errors import ConversionFailed, EmptyResult, ServiceError, UnsupportedType
from webquarry.core.log import log
from webquarry.core.types import Subject
from webquarry.workers.job import ReplyError, to_line

_MAX_MESSAGE = 500
_TOO_MUCH: Final = {
    "memory": "it needs too much memory",
    "depth": "it is nested too deeply",
    "answer": "its result is too long",
}
_OUT_OF_MEANS: Final = frozenset({signal.SIGXCPU, signal.SIGKILL, signal.SIGXFSZ, signal.SIGABRT})
"""Signals that end a process that exceeded a limit. Libraries abort when memory is exhausted."""


class ChildLost(Exception):
    """A child ended, or wrote an invalid response.

    `returncode` is the negative number of the signal that ended it, or None if it is still alive.
    """

    def __init__(self, what: str, returncode: int | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.returncode = returncode


def make_limit_error(what: str, subject: Subject) -> ConversionFailed:
    return ConversionFailed(f"The {subject} is too large or too complex to convert: {what}.", reason="limits")


def make_late_error(seconds: float, subject: Subject) -> ConversionFailed:
    return ConversionFailed(f"Converting the {subject} took longer than {seconds:.0f} s.", reason="timeout")


def make_broken_error(subject: Subject) -> ConversionFailed:
    return ConversionFailed(f"The {subject} can't be read. It may be damaged.", reason="corrupt")


def make_lost_error(lost: ChildLost, function: str, subject: Subject) -> ConversionFailed:
    """Return the error for a job whose child did not respond."""
    log.info("worker.lost", function=function, what=lost.what, returncode=lost.returncode)
    if lost.returncode is not None and -lost.returncode in _OUT_OF_MEANS:
        return make_limit_error("it needs too much time or memory", subject)
    return make_broken_error(subject)


def make_refused_error(fault: ReplyError, function: str, subject: Subject) -> ConversionFailed:
    """Return the error for a response that does not match the job's declaration: a bug, or a child under attack."""
    log.warning("worker.refused", function=function, fault=str(fault)[:_MAX_MESSAGE])
    return make_broken_error(subject)


def make_answer_error(answer: Mapping[str, object], function: str, subject: Subject) -> ServiceError:
    """Return the error that a child sent instead of "ok", in the format of `child.do_job`.

    The message is untrusted: it is truncated to one line. Raises ReplyError if the response is not an error.
    """
    match answer:
        case {"limits": str(what), **rest} if not rest:
            return make_limit_error(_TOO_MUCH.get(what, "it needs too many resources"), subject)
        case {"failed": str(where), **rest} if not rest:
            log.warning("worker.failed", function=function, error=to_line(where)[:_MAX_MESSAGE])
            return make_broken_error(subject)
        case {"error": str(kind), "message": str(message), "reason": reason, **rest} if not rest:
            return _make_reported_error(kind, to_line(message)[:_MAX_MESSAGE], reason, subject)
    raise ReplyError("it is an invalid reply")


def _make_reported_error(kind: str, message: str, reason: object, subject: Subject) -> ServiceError:
    match kind, reason:
        case "UnsupportedType", _:
            return UnsupportedType(message)
        case "EmptyResult", _:
            return EmptyResult(message)
        case "ConversionFailed", ("encrypted" | "corrupt" | "limits" | "timeout" | "unsupported_type") as known:
            return ConversionFailed(message, reason=known)
    return make_broken_error(subject)


def describe_error(exc: BaseException) -> str:
    """Return the error's class and the place where it was raised.

    The message is left out, because it may quote the document.
    """
    frames = traceback.extract_tb(exc.__traceback__)[-6:]
    places = " > ".join(f"{os.path.basename(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames)
    name = f" {exc.name}" if isinstance(exc, ImportError) else ""
    return f"{type(exc).__name__}{name} at {places}"
