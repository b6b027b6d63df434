"""Shapes: what a model accepts of a child, in bounded time."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, get_type_hints

import orjson
from pydantic import TypeAdapter, ValidationError
from pydantic_core import SchemaValidator

_MANY: Final = frozenset({"list", "tuple", "set", "frozenset", "dict"})
_MAX_INT: Final = 2**63
_NAMED: Final = 20
"""Faults up to which the first one is named: to list 10,000 takes longer than to find them."""


class Misfit(ValueError):
    """A value is not of the shape. The message names the kind of fault, and quotes nothing of the value."""


class Shape:
    """The form of a model, stricter than the model: a list or an object ends at its first fault (half a megabyte of
    `{}` has 300,000, which take 0.9 s), and no number is beyond what other readers of JSON can hold."""

    def __init__(self, annotation: Any) -> None:
        self._adapter: TypeAdapter[Any] = TypeAdapter(annotation)
        # the validators that models have built before are not as strict: they are not used
        self._validator = SchemaValidator(_tighten(self._adapter.core_schema), _use_prebuilt=False)

    def read(self, value: Any) -> Any:
        """Return what the model makes of a parsed JSON value, types exact. Raises Misfit."""
        try:
            return self._validator.validate_python(value, strict=True)
        except ValidationError as exc:
            raise Misfit(_name_fault(exc)) from None

    def read_json(self, text: bytes, *, is_exact: bool) -> Any:
        """Return what the model makes of a JSON text. Raises Misfit. is_exact: the text has to be the one that the
        model writes, so that it is one whole value without a key twice."""
        try:
            # first as parsed values: each fault found in JSON text copies the object around it; then as JSON text, by
            # which dates and instants are told apart
            self._validator.validate_python(orjson.loads(text))
            value = self._validator.validate_json(text)
        except orjson.JSONDecodeError:
            raise Misfit("no JSON") from None
        except ValidationError as exc:
            raise Misfit(_name_fault(exc)) from None
        if is_exact and self._adapter.dump_json(value) != text:
            raise Misfit("not as the model writes it")
        return value


@cache
def shape_of(annotation: Any) -> Shape:
    """Return the shape of an annotation. It is built once, which takes some milliseconds."""
    return Shape(annotation)


@cache
def shape_for(of: type | Callable[..., Any]) -> Shape:
    """Return the shape of a model, or of what a function returns."""
    return shape_of(of if isinstance(of, type) else get_type_hints(of)["return"])


def _tighten(schema: Any) -> Any:
    """Return a copy of a core schema that stops at the first fault of each list, and bounds numbers."""
    if isinstance(schema, list | tuple):
        return type(schema)(_tighten(each) for each in schema)
    if not isinstance(schema, dict):
        return schema
    tight = {key: value if key in ("metadata", "serialization") else _tighten(value) for key, value in schema.items()}
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _MANY:
        tight["fail_fast"] = True
    elif kind == "int":
        tight = {"ge": -_MAX_INT, "le": _MAX_INT, **tight}
    elif kind == "float":
        tight["allow_inf_nan"] = False
    return tight


def _name_fault(exc: ValidationError) -> str:
    if exc.error_count() > _NAMED:
        return "many faults"
    return exc.errors(include_url=False, include_context=False, include_input=False)[0]["type"]
