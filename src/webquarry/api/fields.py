"""Result fields: their published JSON schema, and the table of fields for people and agents."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from webquarry.endpoints.declare import Result

Json = dict[str, Any]


class ResultSchema(GenerateJsonSchema):
    """JSON schema of a result, suited for client generators.

    The schema has no titles, because some generators use them as class names, and no defaults, because every response
    has every field. A scalar or list that may be null has two types.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def field_is_required(self, field: Any, *_: Any, **__: Any) -> bool:
        return "serialization_exclude_if" not in field

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        found = super().nullable_schema(schema)
        match found.get("anyOf"):
            case [{"type": str() as kind} as inner, {"type": "null"}] if not inner.keys() & {"enum", "const"}:
                return {**inner, "type": [kind, "null"]}
        return found


@cache
def make_result_schema(result: type[Result]) -> Json:
    """Return the JSON schema of a result.

    It is generated once and shared by documents, tools and the table of fields.
    """
    return result.model_json_schema(mode="serialization", schema_generator=ResultSchema)


class FieldRow(NamedTuple):
    """A row of the table of fields.

    `path` is a path such as `organic[].title`; `unit` is empty if the type implies it.
    """

    path: str
    kind: str
    meaning: str
    unit: str


@lru_cache(maxsize=256)
def list_result_fields(result: type[Result]) -> tuple[FieldRow, ...]:
    """Return every field of `data`, depth first.

    The fields of a class are listed at its first use; later uses refer to that path.
    """
    schema = make_result_schema(result)
    definitions = schema.get("$defs", {})
    root = definitions[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return tuple(list_fields(root, definitions))


def list_fields(schema: Json, definitions: Json) -> list[FieldRow]:
    """Return the fields of an object schema. The schema's references end with the name of a definition."""
    return list(_rows(schema, definitions, "", {id(schema): "data"}))


def _rows(schema: Json, definitions: Json, prefix: str, shown: dict[int, str]) -> Iterable[FieldRow]:
    """Yield the rows of a schema. `shown` maps the ids of schemas that were already listed to their paths."""
    for name, member in schema.get("properties", {}).items():
        kind, inner, suffix = _kind(member, definitions)
        path = f"{prefix}{name}"
        before = shown.get(id(inner)) if inner is not None else None
        kind_text = f"{kind}, as `{before}`" if before else kind
        yield FieldRow(path, kind_text, member.get("description", ""), member.get("x-unit", ""))
        if inner is not None and before is None:
            shown[id(inner)] = f"{path}{suffix}"
            yield from _rows(inner, definitions, f"{path}{suffix}.", shown)


def _kind(schema: Json, definitions: Json) -> tuple[str, Json | None, str]:
    """Return a description of a type, the schema of the objects that it contains, and the path suffix of their fields.

    The suffix is `[]` for a list and `.<name>` for an object whose keys are values.
    """
    if "allOf" in schema:  # a reference together with other keys
        return _kind(schema["allOf"][0], definitions)
    if "$ref" in schema:
        return "object", definitions[schema["$ref"].rpartition("/")[2]], ""
    if isinstance(kinds := schema.get("type"), list):
        schema = {"anyOf": [{"type": kind} if kind == "null" else {**schema, "type": kind} for kind in kinds]}
    if "anyOf" in schema:
        options = [_kind(option, definitions) for option in schema["anyOf"]]
        inner = next((option for option in options if option[1] is not None), options[0])
        return " or ".join(dict.fromkeys(option[0] for option in options)), inner[1], inner[2]
    if schema.get("type") == "array":
        shown, inner_schema, suffix = _kind(schema.get("items", {}), definitions)
        return f"list of {shown}", inner_schema, f"[]{suffix}"
    if isinstance(values := schema.get("additionalProperties"), dict):
        shown, inner_schema, suffix = _kind(values, definitions)
        return f"object of {shown} by name", inner_schema, f".<name>{suffix}"
    if "const" in schema or "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")])), None, ""
    form = {"date-time": "instant", "date": "date"}.get(schema.get("format", ""))
    return form or schema.get("type", "any"), None, ""
