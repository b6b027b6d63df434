"""Query parameters in the OpenAPI document."""

from collections.abc import Mapping
from typing import Any

from webquarry.endpoints.params import ParamSpec

Json = dict[str, Any]


def parameter_schema(spec: ParamSpec) -> Json:
    """Return the JSON schema of one query parameter."""
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


def describe_parameter(spec: ParamSpec, examples: Mapping[str, str] | None = None) -> Json:
    """Return the description of a query parameter.

    `examples` maps parameter names to examples that replace the declared ones.
    """
    shown = (examples or {}).get(spec.name, spec.example)
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


def refer_to_parameter(spec: ParamSpec) -> Json:
    """Return a reference to a parameter that several operations share."""
    return {"$ref": f"#/components/parameters/{spec.name}"}


def _parse_example(spec: ParamSpec, text: str) -> str | int | bool:
    """Parse a query value as the parameter's type."""
    match spec.type:
        case "integer":
            return int(text)
        case "boolean":
            return text == "true"
    return text
