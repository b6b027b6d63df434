"""Models of parameters and results: how an endpoint declares what it takes and returns."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MAX_FAULTS_TOLD = 5


class Params(BaseModel):
    """Parameters of an endpoint. `params.parse` validates text and explains errors.

    `one_of` lists groups of parameters of which exactly one is required.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
    one_of: ClassVar[tuple[tuple[str, ...], ...]] = ()


def exactly_one(*names: str) -> tuple[tuple[str, ...], ...]:
    """Return a group for `one_of`: exactly one of these parameters is required."""
    return (names,)


def param(
    description: str,
    *,
    default: Any = ...,
    example: str | None = None,
    empty: str | None = None,
    min_value: int | None = None,
    max_value: int | None = None,
    max_length: int | None = None,
    pattern: str | None = None,
    rule: str | None = None,
) -> Any:
    """Declare a parameter.

    `empty` is the meaning of an empty value, which is otherwise refused. `rule` is the error message if `pattern` does
    not match ("must be 32 letters from a to p").
    """
    extra = {"empty": empty, "rule": rule}
    return Field(
        default,
        description=description,
        examples=None if example is None else [example],
        ge=min_value,
        le=max_value,
        max_length=max_length,
        pattern=pattern,
        json_schema_extra={f"x-{name}": value for name, value in extra.items() if value is not None} or None,
    )


class Result(BaseModel):
    """Data of an endpoint's result. A field that cannot be None is one without which the result is worthless."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


def faults(exc: ValidationError) -> list[str]:
    """Return a model's validation errors for the log: each field's path and the kind of error, without foreign values.

    Paths may contain keys of foreign objects; long ones are truncated.
    """
    errors = exc.errors(include_url=False, include_context=False, include_input=False)[:MAX_FAULTS_TOLD]
    paths = (".".join(str(step)[:40] for step in fault["loc"][:8]) for fault in errors)
    return [f"{exc.title}.{path}: {fault['type']}" for path, fault in zip(paths, errors, strict=True)]


def field(
    description: str,
    *,
    wire: str | None = None,
    unit: str | None = None,
    default: Any = ...,
    default_factory: Any = None,
    left_out: bool = False,
) -> Any:
    """Declare a result field: its meaning, its unit if the type does not imply it, and its path in the wire.

    `left_out` omits the field from the JSON if it is None. Other fields are always in it.
    """
    extra = {"x-wire": wire, "x-unit": unit}
    shown: dict[str, Any] = {name: value for name, value in extra.items() if value is not None}
    if default_factory is not None:
        return Field(default_factory=default_factory, description=description, json_schema_extra=shown or None)
    leaves_out = _is_none if left_out else None
    return Field(default, description=description, json_schema_extra=shown or None, exclude_if=leaves_out)


def _is_none(value: Any) -> bool:
    return value is None
