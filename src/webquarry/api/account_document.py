"""OpenAPI description of `/api/v1/account`, generated from its endpoints."""

from typing import Any

from webquarry.api.account import OPERATIONS, REQUEST_ID, AccountOperation
from webquarry.api.answer_document import describe_free_headers, refer_to_errors
from webquarry.api.fields import ResultSchema
from webquarry.api.parameter_document import describe_parameter
from webquarry.endpoints.params import specs
from webquarry.endpoints.registry import API_PREFIX

Json = dict[str, Any]
TAG: Json = {"name": "account", "description": "Your credits, usage and receipts. Free."}


def paths() -> Json:
    return {API_PREFIX + operation.path: {"get": _describe(operation)} for operation in OPERATIONS}


def schemas() -> Json:
    """Return the schemas of the responses, by name."""
    found: Json = {}
    for operation in OPERATIONS:
        schema = operation.result.model_json_schema(
            mode="serialization", ref_template="#/components/schemas/{model}", schema_generator=ResultSchema
        )
        found |= schema.pop("$defs", {})
        found[operation.result.__name__] = schema
    for schema in found.values():
        schema.pop("title", None)  # generators would name the class by its title
    return found


def _describe(operation: AccountOperation) -> Json:
    parameters = [describe_parameter(spec) for spec in specs(operation.params)]
    if operation.in_path is not None:
        name, description = operation.in_path
        rule = {"type": "string", "pattern": f"^{REQUEST_ID.pattern}$"}
        parameters.insert(0, {"name": name, "in": "path", "required": True, "description": description, "schema": rule})
    answer = {"schema": {"$ref": f"#/components/schemas/{operation.result.__name__}"}}
    return {
        "operationId": operation.name,
        "tags": [TAG["name"]],
        "summary": operation.title,
        "description": f"{operation.description}\n\nFree. Counts towards the rate limit.",
        "parameters": parameters,
        "responses": {
            "200": {
                "description": "The response.",
                "headers": describe_free_headers(),
                "content": {"application/json": answer},
            },
            **refer_to_errors(is_free=True),
        },
        "x-credits": 0,
    }
