"""Errors of tools.

Each error states what happened, whether a retry helps, and a next step that does not involve other tools.
"""

from collections.abc import Mapping
from typing import Any, Final

import orjson

from webquarry.core.errors import Overloaded, ProviderError, RateLimited, ServiceError
from webquarry.mcp.clean import make_line
from webquarry.mcp.results import ToolResult
from webquarry.pipeline import tell_charge

_MESSAGE_CHARACTERS: Final = 1000
_STEPS: Final[Mapping[str, str]] = {
    "invalid_params": "Correct the argument named in the message and call again.",
    "unsafe_target": "Use the URL of a public web page.",
    "unauthorized": "Ask the user to sign in again or to provide another API key.",
    "insufficient_credits": "Tell the user that the account needs credits.",
    "not_found": "Check the ID, name or URL. The same call will fail again.",
    "not_cached": "Repeat the call without the restriction to cached results.",
    "idempotency_conflict": "Send a new idempotency key with each new job.",
    "method_not_allowed": "Correct the arguments according to the tool's schema.",
    "file_too_large": "Look for a smaller version of the file.",
    "unsupported_type": "Look for the content in another format.",
    "rate_limited": "Wait as long as the message says, then call again.",
    "empty_result": "Treat it as an empty result, or use other arguments.",
    "provider_error": "Continue without this data. The same call will fail again for now.",
    "conversion_failed": "Look for the content in another format or at another URL.",
    "overloaded": "Wait a moment, then call again.",
    "internal_error": "Call once more. If it fails again, continue without this data.",
}
_MISSING: Final = "Do what the message says if you can. Otherwise continue without this data."
"""Next step if the service lacks a key, a browser or sample data."""
_AGAIN: Final = "Call again{after}. This error is often temporary."


def make_error_result(error: ServiceError, request_id: str, charged: int = 0) -> ToolResult:
    """Return the error as a tool's result.

    `request_id` identifies the receipt. `charged` is the number of credits charged according to the ledger.
    """
    wait = find_wait(error)
    error_fields: dict[str, Any] = {
        "code": error.code,
        "reason": error.reason,
        "message": make_line(error.message, _MESSAGE_CHARACTERS),
        "retryable": error.retry_helps,
        "retryAfterSeconds": wait,
        "nextStep": find_step(error, wait),
        "requestId": request_id,
    }
    error_fields = {name: value for name, value in error_fields.items() if value is not None}
    reason = f", {error.reason}" if error.reason else ""
    text = (
        f"Error ({error.code}{reason}): {error_fields['message']}\n"
        f"A retry {'helps' if error.retry_helps else 'does not help'}. {tell_charge(charged)}\n"
        f"Next: {error_fields['nextStep']}\n"
        f"Request: {request_id}"
    )
    result = {
        "content": [{"type": "text", "text": text}],
        "structuredContent": {"error": error_fields},
        "isError": True,
    }
    return ToolResult(orjson.dumps(result)[:-1], error.code)


def find_wait(error: ServiceError) -> int | None:
    """Return the number of seconds after which a retry makes sense, or None."""
    if isinstance(error, RateLimited | Overloaded):
        return error.retry_after_s
    if isinstance(error, ProviderError) and error.retry_after_s is not None:
        return max(1, round(error.retry_after_s))
    return None


def find_step(error: ServiceError, wait: int | None) -> str:
    if isinstance(error, ProviderError) and error.retry_helps:
        return _AGAIN.format(after="" if wait is None else f" in {wait} seconds")
    return _MISSING if error.reason == "unavailable" else _STEPS[error.code]
