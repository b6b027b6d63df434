"""The OpenAPI document (3.1), read from the registry."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson

from webquarry.api import account_document
from webquarry.api.fields import ResultSchema, make_result_schema
from webquarry.api.negotiation import CODINGS
from webquarry.api.upload import PART
from webquarry.declare import Extractor, Result, Upload
from webquarry.errors import ANSWERED, REASONS, ServiceError
from webquarry.limits import WINDOW_S
from webquarry.params import FORMAT, ParamSpec, specs
from webquarry.registry import API_PREFIX, GROUPS, Registry, schema_name
from webquarry.wording import choices, freshness, price

VERSION = "1.0.0"
Json = dict[str, Any]

ERROR = "ErrorAnswer"
"""The schema of an error's body: `Error` itself is a type of many languages, which clients cannot have again."""

_SUMMARY = (
    "Public web data as JSON and as markdown for language models. Each call is billed in credits: a failed call is "
    "refunded, a cached answer is free (`cached: true`, `creditsCharged: 0`), identical calls in flight share one run."
)
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
_UPLOAD_ONLY = {413, 415}
_CONVERSIONS: Json = {"name": "conversions", "description": "Earlier answers by their id, free."}
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


def document(
    registry: Registry,
    *,
    base_url: str,
    rate_limit: int,
    example_answer: Callable[[Extractor], Json | None] = lambda _: None,
) -> Json:
    """The whole document as a JSON value.

    example_answer: `data` and `markdown` of the answer to an endpoint's declared example, where that is known.
    """
    schemas: Json = {ERROR: _ERROR}
    for extractor in registry:
        options = [_add_data(extractor, result, schemas) for result in extractor.results.values()]
        schemas[_envelope_name(extractor)] = _envelope(extractor, _either(extractor, options))
    schemas["Conversion"] = _any_envelope_of(registry)
    paths: Json = {API_PREFIX + e.path: {e.method.lower(): _operation(e, example_answer(e))} for e in registry}
    paths[f"{API_PREFIX}/conversions/{{id}}"] = {"get": _conversions()}
    schemas |= account_document.schemas(ResultSchema)
    paths |= account_document.paths(
        _require({**_COMMON_HEADERS, **_RATE_HEADERS}),
        lambda spec: _parameter(spec, {}),
        _errors(_STATUSES.keys() - _UPLOAD_ONLY - {402, 422}),
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Webquarry",
            "version": VERSION,
            "description": _SUMMARY,
            "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": base_url}],
        "security": [{"bearer": []}, {"apiKey": []}],
        "tags": [
            *({"name": name, "description": GROUPS[name].about} for name in registry.groups),
            _CONVERSIONS,
            account_document.TAG,
        ],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer <API_KEY>`"},
                "apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
            "schemas": dict(sorted(schemas.items())),
            "responses": {str(status): _error_response(status) for status in _STATUSES},
        },
        "x-rate-limit": {"requests": rate_limit, "window_s": int(WINDOW_S), "per": "key"},
        "x-errors": [_error_row(error) for error in ANSWERED],
    }


def parameter_schema(spec: ParamSpec) -> Json:
    """JSON schema of one query parameter."""
    row = {
        "enum": list(spec.enum) if spec.enum else None,
        "default": spec.default,
        "minimum": spec.min,
        "maximum": spec.max,
        "maxLength": spec.max_length,
        "pattern": spec.pattern,
        "format": "uri" if spec.format == "uri" else None,
        "minLength": 1 if spec.type == "string" and spec.empty is None and not spec.enum else None,
    }
    return {"type": spec.type, **{key: value for key, value in row.items() if value is not None}}


def _operation(extractor: Extractor, example: Json | None) -> Json:
    sentences = (
        extractor.description.strip(),
        choices(extractor),
        f"Costs {price(extractor)}; {freshness(extractor)}.",
    )
    operation: Json = {
        "operationId": extractor.name,
        "tags": [extractor.group],
        "summary": extractor.title,
        "description": "\n\n".join(sentence for sentence in sentences if sentence),
        "parameters": [
            *(_parameter(spec, extractor.example) for spec in specs(extractor.params)),
            _parameter(FORMAT, extractor.example),
        ],
        **({"requestBody": _file_body(extractor.upload)} if extractor.upload else {}),
        "responses": {
            "200": _ok(_envelope_name(extractor), example and _example_envelope(extractor, example)),
            **_errors(_STATUSES.keys() - (set() if extractor.upload else _UPLOAD_ONLY)),
        },
        "x-credits": extractor.credits,
        "x-fresh-seconds": None if extractor.fresh is None else int(extractor.fresh.total_seconds()),
        "x-deadline-seconds": extractor.deadline_s,
    }
    if extractor.params.one_of:
        operation["x-exactly-one-of"] = [list(group) for group in extractor.params.one_of]
    return operation


def _file_body(upload: Upload) -> Json:
    described = f"{upload.description} At most {upload.max_bytes:,} bytes."
    part: Json = {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"}
    # the query's tells the default: a client that is generated from both would send it in both
    shown = {key: value for key, value in parameter_schema(FORMAT).items() if key != "default"}
    form: Json = {
        "type": "object",
        "required": [PART],
        "properties": {
            PART: {**part, "description": described},
            FORMAT.name: {**shown, "description": "In place of the query's; `both` without either."},
        },
        "additionalProperties": False,
    }
    return {"required": True, "content": {"multipart/form-data": {"schema": form}}}


def _conversions() -> Json:
    return {
        "operationId": "conversions",
        "tags": ["conversions"],
        "summary": "A stored conversion",
        "description": "The artifacts of an earlier call by its id. Free; counts in the rate limit.",
        "parameters": [
            {
                "name": "id",
                "in": "path",
                "required": True,
                "description": "`id` of an earlier answer.",
                "schema": {"type": "string", "pattern": "^cv_[0-9a-f]{32}$"},
            },
            _parameter(FORMAT, {}),
        ],
        "responses": {"200": _ok("Conversion", None), **_errors(_STATUSES.keys() - _UPLOAD_ONLY - {402, 422})},
        "x-credits": 0,
    }


def _parameter(spec: ParamSpec, example: Mapping[str, str]) -> Json:
    shown = example.get(spec.name, spec.example)
    empty = f" Empty: {spec.empty}." if spec.empty else ""
    return {
        "name": spec.name,
        "in": "query",
        "required": spec.required,
        "description": spec.description + empty,
        "schema": parameter_schema(spec),
        **({"allowEmptyValue": True} if spec.empty is not None else {}),
        **({"example": _parse_example(spec, shown)} if shown is not None else {}),
    }


def _parse_example(spec: ParamSpec, text: str) -> str | int | bool:
    """The text of a query as a value of the parameter's type."""
    match spec.type:
        case "integer":
            return int(text)
        case "boolean":
            return text == "true"
    return text


def _ok(schema: str, example: Json | None) -> Json:
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


def _require(headers: Mapping[str, tuple[str, Json]]) -> Json:
    """Headers of an answer, which stand in each but for those that depend on who asks."""
    return {
        name: {"required": name not in _NOT_ALWAYS, **_header(text, rule)} for name, (text, rule) in headers.items()
    }


def _errors(statuses: Iterable[int]) -> Json:
    return {str(status): {"$ref": f"#/components/responses/{status}"} for status in sorted(statuses)}


def _error_response(status: int) -> Json:
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


def _error_row(error: type[ServiceError]) -> Json:
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


def _envelope_name(extractor: Extractor) -> str:
    return schema_name(extractor, "Answer")


def _envelope(extractor: Extractor, data: Json) -> Json:
    answer = make_envelope()
    answer["properties"]["extractor"] = {"type": "string", "const": extractor.name}
    answer["properties"]["data"] = data
    return answer


def _example_envelope(extractor: Extractor, example: Json) -> Json:
    envelope = {
        "extractor": extractor.name,
        "id": f"cv_{'0' * 32}",
        "creditsCharged": extractor.credits,
        "cached": False,
    }
    return {**envelope, **example}


def _any_envelope_of(registry: Registry) -> Json:
    """The answer of any endpoint, told apart by its name."""
    answers = {e.name: f"#/components/schemas/{_envelope_name(e)}" for e in registry}
    return {
        "description": "The answer of the endpoint that `extractor` names.",
        "oneOf": [{"$ref": answer} for answer in answers.values()],
        "discriminator": {"propertyName": "extractor", "mapping": answers},
    }


def make_envelope() -> Json:
    """What every endpoint's answer has, as a schema."""
    return {
        "type": "object",
        "required": ["extractor", "id", "creditsCharged", "cached"],
        "properties": {
            "extractor": {"type": "string", "description": "Endpoint that made the answer."},
            "id": {"type": "string", "pattern": "^cv_[0-9a-f]{32}$", "description": "Id of the conversion."},
            "creditsCharged": {"type": "integer", "minimum": 0, "description": "0 on a cache hit."},
            "cached": {"type": "boolean", "description": "Served from the shared cache or an identical call's run."},
            "data": {"type": "object", "description": "Present when `format` is `json` or `both`."},
            "markdown": {"type": "string", "description": "Present when `format` is `markdown` or `both`."},
        },
        "additionalProperties": False,
    }


_ERROR: Json = {
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


def _add_data(extractor: Extractor, result: type[Result], schemas: Json) -> Json:
    """Add a result's classes to the schemas, named `<Endpoint><Class>` whatever else is there; a reference to it."""
    prefix = f"#/components/schemas/{schema_name(extractor, '')}"
    text = orjson.dumps(make_result_schema(result))
    schema = orjson.loads(text.replace(b'"#/$defs/', f'"{prefix}'.encode()))
    classes = schema.pop("$defs", {})
    if "$ref" not in schema:  # one that holds itself is among them already
        classes[result.__name__] = schema
    for name, model in classes.items():
        model.pop("title", None)  # two endpoints may have a class of one name: generators would take it before the key
        schemas[schema_name(extractor, name)] = model
    return {"$ref": f"{prefix}{result.__name__}"}


def _either(extractor: Extractor, options: list[Json]) -> Json:
    """One of several results. They are told apart by the field that has another constant in each."""
    if extractor.discriminator is None or len(options) == 1:
        return options[0]
    alternatives = "; ".join(f"{when}, `{result.__name__}`" for when, result in extractor.also.items())
    name, constants = extractor.discriminator
    mapping = {constant: option["$ref"] for constant, option in zip(constants, options, strict=True)}
    return {
        "description": f"`{extractor.result.__name__}`; {alternatives}.",
        "oneOf": options,
        "discriminator": {"propertyName": name, "mapping": mapping},
    }
