"""The OpenAPI document (3.1), generated from the registry."""

from collections.abc import Callable, Iterator
from typing import Any

import orjson

from webquarry.api import operation_document
from webquarry.api.answer_document import (
    ERROR,
    ERROR_SCHEMA,
    describe_answer,
    describe_errors,
    describe_headers,
    list_codes,
    refer_to_errors,
)
from webquarry.api.fields import ResultSchema, make_result_schema
from webquarry.api.parameter_document import describe_parameter, parameter_schema, refer_to_parameter
from webquarry.api.upload import PART
from webquarry.endpoints.declare import Extractor, Result, Upload
from webquarry.endpoints.params import FORMAT, specs
from webquarry.endpoints.portion import PORTION, BlockParams
from webquarry.endpoints.registry import API_PREFIX, Registry, schema_name
from webquarry.endpoints.variants import describe_with
from webquarry.endpoints.wording import choices, freshness, price
from webquarry.excerpts.job import Chunked, Paged, Portioned
from webquarry.limits import WINDOW_S

VERSION = "1.0.0"
ENVELOPE = "Envelope"
FIELDS = "PickedFields"
Json = dict[str, Any]
_FIELDS_SCHEMA: Json = {"type": "object", "description": "Fields of `data`.", "additionalProperties": True}

_SUMMARY = (
    "Public web data as JSON and markdown for language models. Requests are billed in credits. Failed requests are "
    "refunded, cached responses are free (`cached: true`, `creditsCharged: 0`), and identical concurrent requests "
    "are charged once."
)
_CONVERSIONS: Json = {"name": "conversions", "description": "Fetch earlier responses by ID. Free."}


def document(
    registry: Registry,
    *,
    base_url: str,
    rate_limit: int,
    example_answer: Callable[[Extractor], Json | None] = lambda _: None,
) -> Json:
    """Return the whole document as a JSON value.

    `example_answer` returns the `data` and `markdown` of an endpoint's declared example, or None if unknown.
    """
    schemas: Json = {ERROR: ERROR_SCHEMA, ENVELOPE: _common_envelope(), FIELDS: _FIELDS_SCHEMA}
    for extractor in registry:
        options = [_add_data(extractor, result, schemas) for result in extractor.results.values()]
        schemas[_envelope_name(extractor)] = _envelope(extractor, _either(extractor, options))
    schemas["Conversion"] = _any_envelope_of(registry)
    schemas |= _describe_portion()
    # parameters that all endpoints share belong to the path, so that generated clients define them once
    common = {"parameters": [refer_to_parameter(spec) for spec in PORTION]}
    paths: Json = {
        API_PREFIX + e.path: {
            "parameters": [*common["parameters"], *map(describe_parameter, describe_with(e))],
            e.method.lower(): _operation(e, example_answer(e)),
        }
        for e in registry
    }
    paths[f"{API_PREFIX}/conversions/{{id}}"] = {**common, "get": _conversions()}
    schemas |= operation_document.schemas()
    paths |= operation_document.paths()
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
            *({"name": name, "description": registry.describe_group(name).about} for name in registry.groups),
            _CONVERSIONS,
            *operation_document.TAGS,
        ],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "`Authorization: Bearer <API_KEY>`"},
                "apiKey": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            },
            "schemas": dict(sorted(schemas.items())),
            "headers": describe_headers(),
            "parameters": {spec.name: describe_parameter(spec) for spec in (FORMAT, *PORTION)},
            "responses": describe_errors(),
        },
        "x-rate-limit": {"requests": rate_limit, "window_s": int(WINDOW_S), "per": "key"},
        "x-errors": list_codes(),
    }


def _list_answers(paths: Json) -> Iterator[Json]:
    """Yield the responses of all operations that are not references."""
    for item in paths.values():
        for name, operation in item.items():
            if name != "parameters":
                yield from (response for response in operation["responses"].values() if "$ref" not in response)


def omit_examples(document: Json) -> Json:
    """Return the document without the examples of responses, which are most of its size."""
    smaller: Json = orjson.loads(orjson.dumps(document))
    for response in _list_answers(smaller["paths"]):
        for content in response.get("content", {}).values():
            content.pop("example", None)
    return smaller


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
            *(describe_parameter(spec, extractor.example) for spec in specs(extractor.params)),
            refer_to_parameter(FORMAT),
        ],
        **({"requestBody": _file_body(extractor.upload)} if extractor.upload else {}),
        "responses": {
            "200": describe_answer(_envelope_name(extractor), example and _example_envelope(extractor, example)),
            **refer_to_errors(takes_file=extractor.upload is not None),
        },
        "x-credits": extractor.credits,
        "x-fresh-seconds": None if extractor.fresh is None else int(extractor.fresh.total_seconds()),
        "x-deadline-seconds": extractor.deadline_s,
    }
    if extractor.params.one_of:
        operation["x-exactly-one-of"] = [list(group) for group in extractor.params.one_of]
    return operation


def _file_body(upload: Upload) -> Json:
    described = f"{upload.describe()} At most {upload.max_bytes:,} bytes."
    part: Json = {"type": "string", "format": "binary", "contentMediaType": "application/octet-stream"}
    # Only the query parameter has a default. A generated client would otherwise send the default twice.
    shown = {key: value for key, value in parameter_schema(FORMAT).items() if key != "default"}
    form: Json = {
        "type": "object",
        "required": [PART],
        "properties": {
            PART: {**part, "description": described},
            FORMAT.name: {**shown, "description": "Used if the query has no `format`. Default: `both`."},
        },
        "additionalProperties": False,
    }
    return {"required": True, "content": {"multipart/form-data": {"schema": form}}}


def _conversions() -> Json:
    return {
        "operationId": "conversions",
        "tags": ["conversions"],
        "summary": "Stored conversion",
        "description": "Returns an earlier response by its ID. Free. Counts toward the rate limit.",
        "parameters": [
            {
                "name": "id",
                "in": "path",
                "required": True,
                "description": "`id` of an earlier response.",
                "schema": {"type": "string", "pattern": "^cv_[0-9a-f]{32}$"},
            },
            refer_to_parameter(FORMAT),
            *map(describe_parameter, specs(BlockParams)),
        ],
        "responses": {"200": describe_answer("Conversion"), **refer_to_errors(is_free=True)},
        "x-credits": 0,
    }


def _envelope_name(extractor: Extractor) -> str:
    return schema_name(extractor, "Answer")


def _envelope(extractor: Extractor, data: Json) -> Json:
    """Return the schema of an endpoint's response: the fields that all responses share, and two fields whose types
    depend on the endpoint.
    """
    own = {
        "type": "object",
        "required": ["extractor"],
        "properties": {"extractor": {"type": "string", "const": extractor.name}, "data": data},
    }
    # openapi-python-client would lose properties that are next to a single reference in `allOf`
    return {"allOf": [{"$ref": f"#/components/schemas/{ENVELOPE}"}, own], "unevaluatedProperties": False}


def _common_envelope() -> Json:
    """Return the schema of the fields that have the same type in all responses."""
    envelope = make_envelope()
    for name in ("extractor", "data"):
        del envelope["properties"][name]
    # an object that refers to this schema has more fields
    del envelope["additionalProperties"]
    return {**envelope, "required": [name for name in envelope["required"] if name != "extractor"]}


def _example_envelope(extractor: Extractor, example: Json) -> Json:
    envelope = {
        "extractor": extractor.name,
        "id": f"cv_{'0' * 32}",
        "creditsCharged": extractor.credits,
        "cached": False,
    }
    return {**envelope, **example}


def _any_envelope_of(registry: Registry) -> Json:
    """Return the schema of any endpoint's response, discriminated by the endpoint's name."""
    answers = {e.name: f"#/components/schemas/{_envelope_name(e)}" for e in registry}
    return {
        "description": "The response of the endpoint named in `extractor`.",
        "oneOf": [{"$ref": answer} for answer in answers.values()],
        "discriminator": {"propertyName": "extractor", "mapping": answers},
    }


def make_envelope() -> Json:
    """Return the schema of the fields that all responses have in common."""
    return {
        "type": "object",
        "required": ["extractor", "id", "creditsCharged", "cached"],
        "properties": {
            "extractor": {"type": "string", "description": "Name of the endpoint."},
            "id": {"type": "string", "pattern": "^cv_[0-9a-f]{32}$", "description": "ID of the conversion."},
            "creditsCharged": {"type": "integer", "minimum": 0, "description": "0 on a cache hit."},
            "cached": {
                "type": "boolean",
                "description": "Whether the response came from the cache or from an identical concurrent request.",
            },
            "data": {"type": "object", "description": "Present when `format` is `json` or `both`."},
            "markdown": {"type": "string", "description": "Present when `format` is `markdown` or `both`."},
            "fields": {
                "allOf": [{"$ref": f"#/components/schemas/{FIELDS}"}],
                "description": "The selected fields, instead of `data`. Only present with the parameter `fields`.",
            },
            **_refer_to_portion(),
        },
        "additionalProperties": False,
    }


def _describe_portion() -> Json:
    """Return the schemas of the additional fields of a shortened response."""
    classes: Json = {}
    for model in (Portioned, Chunked, Paged):
        classes |= model.model_json_schema(mode="serialization", schema_generator=ResultSchema)["$defs"]
    for model in classes.values():
        model.pop("title", None)
    return classes


def _refer_to_portion() -> Json:
    """Return references to the additional fields of a shortened response. Complete responses omit them."""
    found: Json = {}
    shown_with = ((Portioned, "`query`, `max_tokens` or `block`"), (Chunked, "`chunks`"), (Paged, "`pages`"))
    for model, names in shown_with:
        schema = model.model_json_schema(
            mode="serialization", schema_generator=ResultSchema, ref_template="#/components/schemas/{model}"
        )
        for name, field in schema["properties"].items():
            found[name] = {**_without_reference(field), "description": f"{field['description']} Only with {names}."}
    return found


def _without_reference(field: Json) -> Json:
    """Return the schema with its reference wrapped in `allOf`.

    Some generators ignore a reference that has sibling keys.
    """
    return {"allOf": [{"$ref": field["$ref"]}]} if "$ref" in field else field


def _add_data(extractor: Extractor, result: type[Result], schemas: Json) -> Json:
    """Add a result's classes to the schemas, named `<Endpoint><Class>`. Return a reference to the result."""
    prefix = f"#/components/schemas/{schema_name(extractor, '')}"
    text = orjson.dumps(make_result_schema(result))
    schema = orjson.loads(text.replace(b'"#/$defs/', f'"{prefix}'.encode()))
    classes = schema.pop("$defs", {})
    if "$ref" not in schema:  # the class is recursive, so it is already among the schemas
        classes[result.__name__] = schema
    for name, model in classes.items():
        # client generators prefer a title to the key, and classes of two endpoints may have equal titles
        model.pop("title", None)
        for member in model.get("properties", {}).values():
            member.pop("x-wire", None)  # only the provider's reader needs the path in the response
        schemas[schema_name(extractor, name)] = model
    return {"$ref": f"{prefix}{result.__name__}"}


def _either(extractor: Extractor, options: list[Json]) -> Json:
    """Return the schema of one of several results, which differ in the constant value of one field."""
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
