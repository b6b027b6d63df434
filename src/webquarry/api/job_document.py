"""OpenAPI description of `/api/v1/jobs` and `/api/v1/crawl`, generated from its endpoints."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from webquarry.api.answer_document import describe_free_headers, refer_to_errors
from webquarry.api.fields import ResultSchema
from webquarry.api.job_operations import OPERATIONS, JobOperation
from webquarry.api.parameter_document import describe_parameter
from webquarry.endpoints.params import FORMAT, specs
from webquarry.endpoints.portion import PORTION
from webquarry.endpoints.registry import API_PREFIX
from webquarry.jobs.crawl_request import CrawlRequest
from webquarry.jobs.inputs import JobHead

Json = dict[str, Any]
TAG: Json = {"name": "jobs", "description": "Run an endpoint for many inputs. Items cost as much as single requests."}
_REFERENCE = "#/components/schemas/{model}"
_ID: Json = {
    "name": "job_id",
    "in": "path",
    "required": True,
    "description": "ID of the job.",
    "schema": {"type": "string", "pattern": "^job_[0-9a-f]{32}$"},
}
_KEY: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A text of your choice. A repeated request with the same key and body returns the same job for 24 "
    "hours.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 255},
}
_LINES: Json = {
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
    for operation in OPERATIONS:
        if (result := operation.result) is not None:
            schema = result.model_json_schema(
                mode="serialization", ref_template=_REFERENCE, schema_generator=ResultSchema
            )
            _add(found, result.__name__, schema)
    bodies: list[type[JobHead | CrawlRequest]] = [operation.body for operation in OPERATIONS if operation.body]
    bodies.append(JobHead)
    for model in bodies:
        _add(found, model.__name__, model.model_json_schema(ref_template=_REFERENCE, schema_generator=_BodySchema))
    return found


class _BodySchema(GenerateJsonSchema):
    """JSON schema of a body, without titles, by which some generators name classes, and without defaults.

    Generated clients would send the defaults.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])


def _add(found: Json, name: str, schema: Json) -> None:
    classes = {**schema.pop("$defs", {}), name: schema}
    for model in classes.values():
        model.pop("title", None)  # client generators would prefer it to the key
    found |= classes


def _describe(operation: JobOperation) -> Json:
    parameters = [describe_parameter(spec) for spec in specs(operation.params)]
    if operation.takes_portion:
        parameters += [describe_parameter(FORMAT), *map(describe_parameter, PORTION)]
    if "{job_id}" in operation.path:
        parameters.insert(0, _ID)
    if operation.body is not None:
        parameters.append(_KEY)
    answer = {
        "description": "The response.",
        "headers": describe_free_headers(),
        "content": _describe_content(operation),
    }
    errors = refer_to_errors(takes_file=operation.body is not None, is_free=True, takes_key=operation.body is not None)
    return {
        "operationId": operation.name,
        "tags": [TAG["name"]],
        "summary": operation.title,
        "description": f"{operation.description}\n\nFree. Counts towards the rate limit.",
        "parameters": parameters,
        **({"requestBody": _describe_body(operation.body)} if operation.body else {}),
        "responses": {str(operation.status): answer, **errors},
        "x-credits": 0,
    }


def _describe_body(body: type[JobHead | CrawlRequest]) -> Json:
    content: Json = {"application/json": {"schema": {"$ref": f"#/components/schemas/{body.__name__}"}}}
    if issubclass(body, JobHead):
        content["application/x-ndjson"] = {"schema": _LINES}
    return {"required": True, "content": content}


def _describe_content(operation: JobOperation) -> Json:
    if operation.result is not None:
        return {operation.media: {"schema": {"$ref": f"#/components/schemas/{operation.result.__name__}"}}}
    schema: Json = {"type": "string"}
    if operation.media == "application/zip":
        schema["format"] = "binary"
    if operation.media == "text/event-stream":
        schema = {"type": "object", "properties": {key: {"type": "string"} for key in ("id", "event", "data")}}
    return {operation.media: {"schema": schema}}
