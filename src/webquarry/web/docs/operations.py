"""Operations of the API that no endpoint declares (conversions, account), as the OpenAPI document has them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webquarry.api.openapi import FieldRow, list_fields
from webquarry.registry import Registry

_PLACE = re.compile(r"\{(\w+)\}")
Json = Mapping[str, Any]


@dataclass(frozen=True)
class Operation:
    """One of them. said: its object in the document; parts: the document's components."""

    method: str
    path: str
    said: Json
    parts: Json

    @property
    def name(self) -> str:
        return str(self.said["operationId"])

    @property
    def title(self) -> str:
        return str(self.said["summary"])

    @property
    def description(self) -> str:
        return str(self.said["description"])

    def fill_path(self, place: str) -> str:
        """The path with its parameters in a language's own way: `$%s` for the shell."""
        return _PLACE.sub(lambda found: place % found[1].upper(), self.path)

    @property
    def places(self) -> list[str]:
        """Names of the environment variables that its snippets read."""
        return [name.upper() for name in _PLACE.findall(self.path)]

    @property
    def parameters(self) -> list[tuple[str, str, str, str]]:
        """Name, where it stands, type and meaning of each."""
        return [
            (
                each["name"],
                each["in"],
                _describe_type(each["schema"], each.get("required", False)),
                each.get("description", ""),
            )
            for each in self.said.get("parameters", ())
        ]

    @property
    def answer(self) -> str:
        return str(self.said["responses"]["200"]["description"])

    @property
    def fields(self) -> list[FieldRow]:
        """Of the JSON that it answers; none where that is another operation's."""
        schema = self._follow(self.said["responses"]["200"]["content"]["application/json"]["schema"])
        return list_fields(dict(schema), self.parts["schemas"])

    @property
    def errors(self) -> list[tuple[str, str]]:
        """Status and meaning."""
        found = ((status, self._follow(said)) for status, said in self.said["responses"].items() if status != "200")
        return [(status, str(said["description"])) for status, said in found]

    def _follow(self, said: Json) -> Json:
        while "$ref" in said:
            *_, kind, name = said["$ref"].split("/")
            said = self.parts[kind][name]
        return said


def list_operations(document: Json, registry: Registry) -> list[Operation]:
    """What the document has beside the endpoints."""
    return [
        Operation(method.upper(), path, said, document["components"])
        for path, methods in document["paths"].items()
        for method, said in methods.items()
        if said["operationId"] not in registry.by_name
    ]


def _describe_type(schema: Json, required: bool) -> str:
    said = [str(schema.get("type", "string")), "required" if required else "optional"]
    if "default" in schema:
        said[1] = f"default {schema['default']}"
    if "enum" in schema:
        said.append(f"one of {', '.join(map(str, schema['enum']))}")
    if "minimum" in schema and "maximum" in schema:
        said.append(f"{schema['minimum']} to {schema['maximum']}")
    return ", ".join(said)
