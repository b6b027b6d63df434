"""Operations of the API that are not declared as endpoints (conversions, account), from the OpenAPI document."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webquarry.api.fields import FieldRow, list_fields
from webquarry.api.openapi import make_envelope
from webquarry.endpoints.registry import Registry

_PLACE = re.compile(r"\{(\w+)\}")
Json = Mapping[str, Any]


@dataclass(frozen=True)
class Operation:
    """An operation of the OpenAPI document: `operation` is its object, and `parts` are the document's components."""

    method: str
    path: str
    operation: Json
    parts: Json

    @property
    def name(self) -> str:
        return str(self.operation["operationId"])

    @property
    def title(self) -> str:
        return str(self.operation["summary"])

    @property
    def description(self) -> str:
        return str(self.operation["description"])

    def fill_path(self, place: str) -> str:
        """Return the path with placeholders written as `place`, such as `$%s` for the shell."""
        return _PLACE.sub(lambda found: place % found[1].upper(), self.path)

    @property
    def places(self) -> list[str]:
        """Names of the environment variables that its snippets use."""
        return [name.upper() for name in _PLACE.findall(self.path)]

    @property
    def parameters(self) -> list[tuple[str, str, str, str]]:
        """Name, location, type and meaning of each parameter."""
        return [
            (
                each["name"],
                each["in"],
                _describe_type(each["schema"], each.get("required", False)),
                each.get("description", ""),
            )
            for each in map(self._follow, self.operation.get("parameters", ()))
        ]

    @property
    def body(self) -> str:
        """Example of its JSON body, with the fields that have an example, or "" if it has no JSON body."""
        fields = self._body.get("properties", {}).items()
        return (
            json.dumps({name: field["examples"][0] for name, field in fields if "examples" in field}) if fields else ""
        )

    @property
    def body_fields(self) -> list[FieldRow]:
        """Fields of its JSON body."""
        required = self._body.get("required", ())
        return [
            row._replace(kind=f"{row.kind}, required") if row.path in required else row
            for row in list_fields(dict(self._body), self.parts["schemas"])
        ]

    @property
    def media(self) -> str:
        """Media type of its response."""
        return str(next(iter(self._success["content"])))

    @property
    def answer(self) -> str:
        return str(self._success["description"])

    @property
    def fields(self) -> list[FieldRow]:
        """Fields of its JSON response.

        If the response can be the response of any endpoint, only the fields that all responses share are listed.
        """
        content = self._success["content"]
        if "application/json" not in content:  # a stream
            return []
        schema = self._follow(content["application/json"]["schema"])
        return list_fields(make_envelope() if "oneOf" in schema else dict(schema), self.parts["schemas"])

    @property
    def errors(self) -> list[tuple[str, str]]:
        """Status and meaning of each error."""
        found = (
            (status, self._follow(response))
            for status, response in self.operation["responses"].items()
            if not status.startswith("2")
        )
        return [(status, str(response["description"])) for status, response in found]

    @property
    def _body(self) -> Json:
        """The schema of its JSON body, or {} if it has none."""
        content = self.operation.get("requestBody", {}).get("content", {})
        return self._follow(content["application/json"]["schema"]) if "application/json" in content else {}

    @property
    def _success(self) -> Json:
        """The response to a successful request."""
        responses: Mapping[str, Json] = self.operation["responses"]
        return next(response for status, response in responses.items() if status.startswith("2"))

    def _follow(self, node: Json) -> Json:
        while "$ref" in node:
            *_, kind, name = node["$ref"].split("/")
            node = self.parts[kind][name]
        return node


def list_operations(document: Json, registry: Registry) -> list[Operation]:
    """Return the operations in the document that are not endpoints."""
    return [
        Operation(method.upper(), path, operation, document["components"])
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if method != "parameters" and operation["operationId"] not in registry.by_name
    ]


def _describe_type(schema: Json, required: bool) -> str:
    words = [str(schema.get("type", "string")), "required" if required else "optional"]
    if "default" in schema:
        words[1] = f"default {schema['default']}"
    if "enum" in schema:
        words.append(f"one of {', '.join(map(str, schema['enum']))}")
    if "minimum" in schema and "maximum" in schema:
        words.append(f"{schema['minimum']} to {schema['maximum']}")
    return ", ".join(words)
