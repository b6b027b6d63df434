"""The answers of the API in the OpenAPI document: their headers, and the errors by status."""

from collections.abc import Mapping
from typing import Any

from webquarry.api.negotiation import CODINGS
from webquarry.core.errors import ANSWERED, REASONS, ServiceError

Json = dict[str, Any]
ERROR = "ErrorAnswer"
"""The schema of an error's body: `Error` itself is a type of many languages, which clients cannot have again."""
_STATUSES = {
    400: "A parameter, or the request itself, breaks a rule; or the target may not be visited.",
    401: "No key, an unknown key, or two keys that differ.",
    402: "The balance does not cover the price.",
    404: "The upstream says that it does not exist, or nothing is known under this path or id.",
    405: "The path exists, the method does not.",
    413: "The upload is over 10 MB.",
    414: "The request target is over 8 KB.",
    415: "The upload's content is not of a type that is read.",
    422: "Extraction or conversion failed; the credits are refunded.",
    429: "More requests than the key's window allows.",
    431: "The request headers are over 32 KB.",
    500: "A fault of the service; the credits are refunded.",
    503: "The service is busy; nothing was charged.",
}
_UPLOAD_ONLY = frozenset({413, 415})
_PAID_ONLY = frozenset({402, 422})
_INTEGER: Json = {"type": "integer", "minimum": 0}
_TEXT: Json = {"type": "string"}
_COMMON_HEADERS: Mapping[str, tuple[str, Json]] = {
    "X-Request-Id": ("Id of this request; the caller's own when it sent a usable one.", _TEXT),
    "X-Credits-Charged": ("Credits charged for this answer; 0 with every error.", _INTEGER),
    "Server-Timing": ("`total`: milliseconds spent on the request.", _TEXT),
    "Cache-Control": ("Answers are one key's: nothing in between may keep them.", {"const": "private, no-store"}),
    "Vary": ("What an answer depends on beside its address.", _TEXT),
    "Content-Encoding": ("How a large body is compressed, where the caller takes that.", {"enum": list(CODINGS)}),
    "X-Content-Type-Options": ("The type is what it says.", {"const": "nosniff"}),
    "X-Sandbox": ("`true` when the answer comes from made tapes; else left out.", {"const": "true"}),
}
_RATE_HEADERS: Mapping[str, tuple[str, Json]] = {
    "RateLimit-Policy": ("The window: requests (`q`) in seconds (`w`).", _TEXT),
    "RateLimit": (
        "Requests left (`r`) and seconds until the window is free again (`t`); with 429, until the next one is taken.",
        _TEXT,
    ),
    "X-RateLimit-Limit": ("Requests in the window.", _INTEGER),
    "X-RateLimit-Remaining": ("Requests left.", _INTEGER),
    "X-RateLimit-Reset": ("The same instant as `t`, in epoch seconds.", _INTEGER),
}
_ANSWER_HEADERS: Mapping[str, tuple[str, Json]] = {
    **_COMMON_HEADERS,
    **_RATE_HEADERS,
    "X-Conversion-Id": ("Id under which the artifacts can be fetched again.", _TEXT),
    "X-Credits-Remaining": ("Balance after it; at most five seconds old on a cache hit.", _INTEGER),
    "X-Cache": (
        "`joined`: an identical call was already in flight.",
        {"type": "string", "enum": ["hit", "miss", "joined"]},
    ),
    "Age": ("Seconds since the answer was made.", _INTEGER),
    "X-Fetched-At": ("Instant at which the source was asked.", {"type": "string", "format": "date-time"}),
}
_ERROR_HEADERS: Mapping[str, tuple[str, Json]] = {
    "Allow": ("The methods that the path answers.", _TEXT),
    "WWW-Authenticate": ("How to authenticate.", _TEXT),
    "Retry-After": ("Seconds to wait.", _INTEGER),
    "X-Retryable": (
        "Whether the same call may succeed later, without anybody changing anything.",
        {"type": "string", "enum": ["true", "false"]},
    ),
    "Link": ('Where the error is explained, as `rel="help"`.', _TEXT),
}
_NOT_ALWAYS = {"X-Sandbox", "Content-Encoding"}
_ERRORS_WITH = {"Allow": {405}, "WWW-Authenticate": {401}, "Retry-After": {422, 429, 503}}
_BEFORE_THE_KEY = {401, 405, 414, 431}
"""Statuses told before the key is known, and so without its rate limit."""
ERROR_SCHEMA: Json = {
    "type": "object",
    "required": ["error", "code"],
    "properties": {
        "error": {"type": "string", "description": "What was expected, what was found and what to do."},
        "code": {
            "type": "string",
            "enum": sorted({error.code for error in ANSWERED}),
            "description": "What went wrong, for programs; a code never changes.",
        },
    },
    "additionalProperties": False,
}


def describe_answer(schema: str, example: Json | None = None) -> Json:
    return {
        "description": "The answer.",
        "headers": _require(_ANSWER_HEADERS),
        "content": {
            "application/json": {
                "schema": {"$ref": f"#/components/schemas/{schema}"},
                **({"example": example} if example else {}),
            },
            "text/markdown": {
                "schema": {
                    "type": "string",
                    "description": "The markdown alone, for `Accept: text/markdown`; all else is in the headers.",
                }
            },
        },
    }


def describe_free_headers() -> Json:
    """Headers of an answer that costs nothing and is no conversion."""
    return _require({**_COMMON_HEADERS, **_RATE_HEADERS})


def _require(headers: Mapping[str, tuple[str, Json]]) -> Json:
    """Headers of an answer, which stand in each but for those that depend on who asks."""
    return {
        name: {"required": name not in _NOT_ALWAYS, **_header(text, rule)} for name, (text, rule) in headers.items()
    }


def refer_to_errors(*, takes_file: bool = False, is_free: bool = False) -> Json:
    """The errors of an operation, by status. is_free: it costs nothing, since it only gives what is stored."""
    impossible = (frozenset() if takes_file else _UPLOAD_ONLY) | (_PAID_ONLY if is_free else frozenset())
    return {
        str(status): {"$ref": f"#/components/responses/{status}"} for status in sorted(_STATUSES.keys() - impossible)
    }


def describe_errors() -> Json:
    """What `refer_to_errors` refers to."""
    return {str(status): _describe_error(status) for status in _STATUSES}


def list_codes() -> list[Json]:
    return [_row_of(error) for error in ANSWERED]


def _describe_error(status: int) -> Json:
    codes = sorted({error.code for error in ANSWERED if status in (error.status, *error.also)})
    headers = dict(_COMMON_HEADERS) if status in _BEFORE_THE_KEY else {**_COMMON_HEADERS, **_RATE_HEADERS}
    headers |= {name: header for name, header in _ERROR_HEADERS.items() if status in _ERRORS_WITH.get(name, {status})}
    reasons = [reason for code in codes for reason in REASONS.get(code, ())]
    if reasons:
        headers["X-Error-Reason"] = ("The finer reason.", {"type": "string", "enum": sorted(set(reasons))})
    return {
        "description": f"{_STATUSES[status]} Code: {', '.join(f'`{code}`' for code in codes)}.",
        "headers": {name: _header(text, rule) for name, (text, rule) in headers.items()},
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{ERROR}"}}},
        "x-codes": codes,
    }


def _row_of(error: type[ServiceError]) -> Json:
    return {
        "code": error.code,
        "status": error.status,
        "retryable": error.retryable,
        "retryable_reasons": sorted(error.passing),
        "refunded": error.refunded,
        "reasons": list(REASONS.get(error.code, ())),
    }


def _header(text: str, rule: Json) -> Json:
    return {"description": text, "schema": rule}
