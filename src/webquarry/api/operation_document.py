"""OpenAPI description of the operations, generated from their declarations."""

from typing import Any, Final

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from webquarry.api.answer_document import describe_free_headers, refer_to_errors
from webquarry.api.fields import ResultSchema
from webquarry.api.free_operations import OPERATIONS
from webquarry.api.operations import PATH_PARAMETERS, Operation
from webquarry.api.parameter_document import describe_parameter
from webquarry.endpoints.params import FORMAT, specs
from webquarry.endpoints.portion import PORTION
from webquarry.endpoints.registry import API_PREFIX
from webquarry.jobs.inputs import JobHead

Json = dict[str, Any]
TAGS: Final[list[Json]] = [
    {"name": "jobs", "description": "Run an endpoint for many inputs. Items cost as much as single requests."},
    {"name": "webhooks", "description": "Notify your server when jobs end or pause. Free."},
    {"name": "account", "description": "Your credits, usage and receipts. Free."},
]
_REFERENCE: Final = "#/components/schemas/{model}"
_KEY: Final[Json] = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Any text. For 24 hours, a repeated request with the same key and body returns the same job.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
_LINES: Final[Json] = {
    "type": "string",
    "description": "JSON lines: first an object like `JobHead`, then the parameters of each item.",
}


def paths() -> Json:
    found: Json = {}
    for operation in OPERATIONS:
        found.setdefault(API_PREFIX + operation.path, {})[operation.method.lower()] = _describe(operation)
    return found


def schemas() -> Json:
    """Return the schemas of bodies and responses, by name."""
    found: Json = {}
    for result in {operation.result for operation in OPERATIONS if operation.result is not None}:
        schema = result.model_json_schema(mode="serialization", ref_template=_REFERENCE, schema_generator=ResultSchema)
        _add(found, result.__name__, schema)
    bodies: set[type[BaseModel]] = {operation.body for operation in OPERATIONS if operation.body is not None}
    bodies.add(JobHead)
    for body in bodies:
        _add(found, body.__name__, body.model_json_schema(ref_template=_REFERENCE, schema_generator=_BodySchema))
    return found


class _BodySchema(GenerateJsonSchema):
    """JSON schema of a body, without titles and defaults.

    Some generators name classes after titles, and generated clients would send the defaults.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])


def _add(found: Json, name: str, schema: Json) -> None:
    classes = {**schema.pop("$defs", {}), name: schema}
    for model in classes.values():
        model.pop("title", None)  # client generators would prefer the title to the schema's key
    found |= classes


def _describe(operation: Operation) -> Json:
    parameters = [describe_parameter(spec) for spec in specs(operation.params)]
    if operation.takes_portion:
        parameters += [describe_parameter(FORMAT), *map(describe_parameter, PORTION)]
    if operation.parameter is not None:
        parameters.insert(0, _describe_path_parameter(operation.parameter))
    if operation.takes_key:
        parameters.append(_KEY)
    answer = {
        "description": "The response.",
        "headers": describe_free_headers(),
        "content": _describe_content(operation),
    }
    errors = refer_to_errors(takes_file=operation.body is not None, is_free=True, takes_key=operation.takes_key)
    return {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.title,
        "description": f"{operation.description}\n\nFree. Counts toward the rate limit.",
        "parameters": parameters,
        **({"requestBody": _describe_body(operation)} if operation.body else {}),
        "responses": {str(operation.status): answer, **errors},
        "x-credits": 0,
    }


def _describe_path_parameter(name: str) -> Json:
    rule = PATH_PARAMETERS[name]
    schema = {"type": "string", "pattern": f"^{rule.pattern}$"}
    return {"name": name, "in": "path", "required": True, "description": rule.description, "schema": schema}


def _describe_body(operation: Operation) -> Json:
    content: Json = {"application/json": {"schema": _refer(operation.body)}}
    if operation.takes_lines:
        content["application/x-ndjson"] = {"schema": _LINES}
    return {"required": True, "content": content}


def _describe_content(operation: Operation) -> Json:
    if operation.result is not None:
        return {operation.media: {"schema": _refer(operation.result)}}
    schema: Json = {"type": "string"}
    if operation.media == "application/zip":
        schema["format"] = "binary"
    if operation.media == "text/event-stream":
        schema = {"type": "object", "properties": {key: {"type": "string"} for key in ("id", "event", "data")}}
    return {operation.media: {"schema": schema}}


def _refer(model: type[BaseModel] | None) -> Json:
    return {"$ref": f"#/components/schemas/{model.__name__}"} if model else {}
