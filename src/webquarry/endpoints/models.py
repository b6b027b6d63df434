"""Base classes for the parameters and results that endpoints declare."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

MAX_FAULTS_TOLD = 5


class Params(BaseModel):
    """Parameters of an endpoint. `params.parse` validates them and explains errors.

    `one_of` lists groups of parameters. Exactly one parameter of each group is required.
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

    `empty` describes the meaning of an empty value; without it, empty values are rejected. `rule` is the error message
    for values that don't match `pattern` ("must be 32 letters from a to p").
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
    """Data of an endpoint's result. Fields that a useful result must have are never None."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


def faults(exc: ValidationError) -> list[str]:
    """Return validation errors for the log: each field's path and the type of error, without the received values.

    Paths may contain keys of received objects. Long keys are truncated.
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
    """Declare a result field: its description, its unit if needed, and its path in the provider's response (`wire`).

    With `left_out`, the JSON omits the field if it is None. Otherwise, the JSON always contains the field.
    """
    extra = {"x-wire": wire, "x-unit": unit}
    shown: dict[str, Any] = {name: value for name, value in extra.items() if value is not None}
    if default_factory is not None:
        return Field(default_factory=default_factory, description=description, json_schema_extra=shown or None)
    leaves_out = _is_none if left_out else None
    return Field(default, description=description, json_schema_extra=shown or None, exclude_if=leaves_out)


def _is_none(value: Any) -> bool:
    return value is None
