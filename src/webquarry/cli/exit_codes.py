"""Exit codes of `webquarry get` and `read`, and the errors that cause them."""

from collections.abc import Iterable, Mapping
from enum import IntEnum

UNREACHABLE = "unreachable"
"""Error code used when the server given with `--server` can't be reached. The server's own errors have other codes."""
INTERRUPTED = 130
"""Exit code after Ctrl+C, the same as shells report."""


class Exit(IntEnum):
    """An exit code."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    REFUSED = 4
    SOURCE = 5
    BUSY = 6
    UNREACHABLE = 7


MEANINGS: Mapping[Exit, str] = {
    Exit.OK: "Success.",
    Exit.FAILED: "A setting, the store or a file is invalid, or several requests failed with different codes.",
    Exit.USAGE: "The command line, a parameter or the file is not valid. Change it.",
    Exit.NOT_FOUND: "The resource does not exist, or there is no data about it.",
    Exit.REFUSED: "The key is invalid, there are too few credits, or the address may not be fetched.",
    Exit.SOURCE: "A provider failed, or the page or file could not be converted.",
    Exit.BUSY: "A rate limit was exceeded, or the service is at capacity. Try again later.",
    Exit.UNREACHABLE: "The server of `--server` does not respond, or is not a Webquarry server.",
}
BY_CODE: Mapping[str, Exit] = {
    "invalid_params": Exit.USAGE,
    "file_too_large": Exit.USAGE,
    "unsupported_type": Exit.USAGE,
    "method_not_allowed": Exit.USAGE,
    "idempotency_conflict": Exit.USAGE,
    "not_found": Exit.NOT_FOUND,
    "not_cached": Exit.NOT_FOUND,
    "empty_result": Exit.NOT_FOUND,
    "unauthorized": Exit.REFUSED,
    "insufficient_credits": Exit.REFUSED,
    "unsafe_target": Exit.REFUSED,
    "provider_error": Exit.SOURCE,
    "conversion_failed": Exit.SOURCE,
    "rate_limited": Exit.BUSY,
    "overloaded": Exit.BUSY,
    "internal_error": Exit.FAILED,
    UNREACHABLE: Exit.UNREACHABLE,
}
"""Exit code by error code."""


def combine(codes: Iterable[Exit]) -> Exit:
    """Return the exit code of several requests: OK without failures, the failures' common code, or FAILED if their
    codes differ.
    """
    failures = {code for code in codes if code is not Exit.OK}
    if len(failures) > 1:
        return Exit.FAILED
    return failures.pop() if failures else Exit.OK
