"""Responses in the OpenAPI document: their headers, and the errors by status."""

from collections.abc import Iterable, Mapping
from typing import Any

from webquarry.api.negotiation import CODINGS
from webquarry.core.errors import ANSWERED, REASONS, ServiceError

Json = dict[str, Any]
ERROR = "ErrorAnswer"
"""Schema name of an error's body. `Error` is a built-in type of many languages, which generated clients cannot
reuse."""
_STATUSES = {
    400: "A parameter or the request is invalid, or the target address is not allowed.",
    401: "Missing or invalid API key, or two different keys.",
    402: "Insufficient credits.",
    404: "The resource doesn't exist at the provider, or the path or ID is unknown.",
    405: "The path doesn't support this method.",
    409: "Another request was sent with the same `Idempotency-Key`.",
    413: "The upload is over 10 MB.",
    414: "The request target is over 8 KB.",
    415: "The type of the uploaded file is not supported.",
    422: "Extraction or conversion failed. The credits are refunded.",
    429: "Rate limit exceeded.",
    431: "The request headers are over 32 KB.",
    500: "Internal error. The credits are refunded.",
    503: "The service is busy. Nothing was charged.",
}
_UPLOAD_ONLY = frozenset({413, 415})
_PAID_ONLY = frozenset({402, 422})
_KEYED_ONLY = frozenset({409})
_INTEGER: Json = {"type": "integer", "minimum": 0}
_TEXT: Json = {"type": "string"}
_COMMON_HEADERS: Mapping[str, tuple[str, Json]] = {
    "X-Request-Id": ("ID of this request: the value from the request if it was valid, otherwise a new one.", _TEXT),
    "X-Credits-Charged": ("Credits charged for this response; 0 for every error.", _INTEGER),
    "Server-Timing": ("`total`: time spent on the request, in milliseconds.", _TEXT),
    "Cache-Control": (
        "Responses are private to the key and must not be cached by proxies.",
        {"const": "private, no-store"},
    ),
    "Vary": ("Request headers on which the response depends.", _TEXT),
    "Content-Encoding": ("Compression of a large body, if the client accepts it.", {"enum": list(CODINGS)}),
    "X-Content-Type-Options": ("The content type must not be guessed.", {"const": "nosniff"}),
    "X-Sandbox": ("`true` if the response is sample data of a sandbox. Otherwise not sent.", {"const": "true"}),
}
_RATE_HEADERS: Mapping[str, tuple[str, Json]] = {
    "RateLimit-Policy": ("The limit: requests (`q`) per window in seconds (`w`).", _TEXT),
    "RateLimit": (
        "Requests left (`r`) and seconds until the window resets (`t`); with 429, until the next request is accepted.",
        _TEXT,
    ),
    "X-RateLimit-Limit": ("Requests allowed in the window.", _INTEGER),
    "X-RateLimit-Remaining": ("Requests left.", _INTEGER),
    "X-RateLimit-Reset": ("Time when the window resets, in epoch seconds.", _INTEGER),
}
_ANSWER_HEADERS: Mapping[str, tuple[str, Json]] = {
    **_COMMON_HEADERS,
    **_RATE_HEADERS,
    "X-Conversion-Id": ("ID for fetching the response again.", _TEXT),
    "X-Credits-Remaining": (
        "Balance after this request. On a cache hit, the value may be up to five seconds old.",
        _INTEGER,
    ),
    "X-Cache": (
        "`joined`: shared with an identical concurrent request.",
        {"type": "string", "enum": ["hit", "miss", "joined"]},
    ),
    "Age": ("Seconds since the response was created.", _INTEGER),
    "X-Fetched-At": (
        "Time when the data was fetched from the provider.",
        {"type": "string", "format": "date-time"},
    ),
}
_ERROR_HEADERS: Mapping[str, tuple[str, Json]] = {
    "Allow": ("Methods that the path supports.", _TEXT),
    "WWW-Authenticate": ("How to authenticate.", _TEXT),
    "Retry-After": ("Seconds to wait before retrying.", _INTEGER),
    "X-Retryable": (
        "Whether the same request may succeed later.",
        {"type": "string", "enum": ["true", "false"]},
    ),
    "Link": ('Link to the documentation of the error, with `rel="help"`.', _TEXT),
}
_NOT_ALWAYS = {"X-Sandbox", "Content-Encoding"}
_ERRORS_WITH = {"Allow": {405}, "WWW-Authenticate": {401}, "Retry-After": {422, 429, 503}}
_BEFORE_THE_KEY = {401, 405, 414, 431}
"""Statuses that are sent before the key is identified, so their responses have no rate limit headers."""
ERROR_SCHEMA: Json = {
    "type": "object",
    "required": ["error", "code"],
    "properties": {
        "error": {"type": "string", "description": "Message that explains the error and what to do."},
        "code": {
            "type": "string",
            "enum": sorted({error.code for error in ANSWERED}),
            "description": "Machine-readable code. Its meaning never changes.",
        },
    },
    "additionalProperties": False,
}


def describe_answer(schema: str, example: Json | None = None) -> Json:
    """Return the description of a successful response.

    The only media type is JSON. `text/markdown` is described in words, because generated clients request JSON, and some
    would give a result with two media types a union type.
    """
    return {
        "description": (
            "The response. With `Accept: text/markdown`, it is only the markdown, and the other fields are headers."
        ),
        "headers": _refer_to_headers(_ANSWER_HEADERS),
        "content": {
            "application/json": {
                "schema": {"$ref": f"#/components/schemas/{schema}"},
                **({"example": example} if example else {}),
            },
        },
    }


def describe_free_headers() -> Json:
    """Return the headers of a free response that is not a conversion."""
    return _refer_to_headers([*_COMMON_HEADERS, *_RATE_HEADERS])


def describe_headers() -> Json:
    """Return the headers of successful responses by name. Responses refer to these names."""
    return {
        name: {"required": name not in _NOT_ALWAYS, **_header(text, rule)}
        for name, (text, rule) in _ANSWER_HEADERS.items()
    }


def _refer_to_headers(names: Iterable[str]) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def refer_to_errors(*, takes_file: bool = False, is_free: bool = False, takes_key: bool = False) -> Json:
    """Return references to an endpoint's errors, by status.

    `is_free` is for endpoints that only return stored data, `takes_key` for endpoints that read an `Idempotency-Key`.
    """
    impossible = (frozenset() if takes_file else _UPLOAD_ONLY) | (_PAID_ONLY if is_free else frozenset())
    if not takes_key:
        impossible |= _KEYED_ONLY
    return {
        str(status): {"$ref": f"#/components/responses/{status}"} for status in sorted(_STATUSES.keys() - impossible)
    }


def describe_errors() -> Json:
    """Return the error responses to which `refer_to_errors` refers."""
    return {str(status): _describe_error(status) for status in _STATUSES}


def list_codes() -> list[Json]:
    return [_row_of(error) for error in ANSWERED]


def _describe_error(status: int) -> Json:
    codes = sorted({error.code for error in ANSWERED if status in (error.status, *error.also)})
    headers = dict(_COMMON_HEADERS) if status in _BEFORE_THE_KEY else {**_COMMON_HEADERS, **_RATE_HEADERS}
    headers |= {name: header for name, header in _ERROR_HEADERS.items() if status in _ERRORS_WITH.get(name, {status})}
    reasons = [reason for code in codes for reason in REASONS.get(code, ())]
    if reasons:
        headers["X-Error-Reason"] = ("A more specific reason.", {"type": "string", "enum": sorted(set(reasons))})
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
