"""OpenAPI description of `/api/v1/webhooks`, generated from its endpoints."""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from webquarry.api.answer_document import describe_free_headers, refer_to_errors
from webquarry.api.fields import ResultSchema
from webquarry.api.parameter_document import describe_parameter
from webquarry.api.webhook_operations import OPERATIONS, REDELIVER, WebhookOperation
from webquarry.api.webhooks import DELIVERY_ID, WEBHOOK_ID
from webquarry.endpoints.params import specs
from webquarry.endpoints.registry import API_PREFIX

Json = dict[str, Any]
TAG: Json = {"name": "webhooks", "description": "Addresses that are notified when jobs end or pause. Free."}
_REFERENCE = "#/components/schemas/{model}"


def paths() -> Json:
    found: Json = {}
    for operation in OPERATIONS:
        found.setdefault(API_PREFIX + operation.path, {})[operation.method.lower()] = _describe(operation)
    return found


def schemas() -> Json:
    """Return the schemas of bodies and responses, by name."""
    found: Json = {}
    for operation in OPERATIONS:
        result = operation.result
        schema = result.model_json_schema(mode="serialization", ref_template=_REFERENCE, schema_generator=ResultSchema)
        found |= {**schema.pop("$defs", {}), result.__name__: schema}
        if (body := operation.body) is not None:
            found[body.__name__] = body.model_json_schema(ref_template=_REFERENCE, schema_generator=_BodySchema)
    for schema in found.values():
        schema.pop("title", None)  # client generators would prefer it to the key
    return found


class _BodySchema(GenerateJsonSchema):
    """JSON schema of a body, without titles, by which some generators name classes, and without defaults.

    Generated clients would send the defaults.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])


def _describe(operation: WebhookOperation) -> Json:
    parameters = [describe_parameter(spec) for spec in specs(operation.params)]
    if "{" in operation.path:
        parameters.insert(0, _describe_id(operation))
    answer = {"schema": _refer(operation.result)}
    body = {"required": True, "content": {"application/json": {"schema": _refer(operation.body)}}}
    return {
        "operationId": operation.name,
        "tags": [TAG["name"]],
        "summary": operation.title,
        "description": f"{operation.description}\n\nFree. Counts towards the rate limit.",
        "parameters": parameters,
        **({"requestBody": body} if operation.body else {}),
        "responses": {
            str(operation.status): {
                "description": "The response.",
                "headers": describe_free_headers(),
                "content": {"application/json": answer},
            },
            **refer_to_errors(takes_file=operation.body is not None, is_free=True),
        },
        "x-credits": 0,
    }


def _describe_id(operation: WebhookOperation) -> Json:
    of_delivery = operation is REDELIVER
    rule = DELIVERY_ID if of_delivery else WEBHOOK_ID
    return {
        "name": "delivery_id" if of_delivery else "webhook_id",
        "in": "path",
        "required": True,
        "description": "ID of the delivery." if of_delivery else "ID of the webhook.",
        "schema": {"type": "string", "pattern": f"^{rule.pattern}$"},
    }


def _refer(model: type | None) -> Json:
    return {"$ref": f"#/components/schemas/{model.__name__}"} if model else {}
