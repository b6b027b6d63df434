"""JSON bodies of requests, validated by a model."""

from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from webquarry.core.errors import InvalidParams
from webquarry.core.spelling import find_meant
from webquarry.endpoints.params import shown

M = TypeVar("M", bound=BaseModel)
_CHOICES: Final = frozenset({"str", "int", "bool"})
"""Steps of an error's path that only name one of a value's possible types."""


def parse_json(model: type[M], body: bytes) -> M:
    """Return the model of a JSON body. Raises InvalidParams with the first fault in plain words."""
    try:
        return model.model_validate_json(body)
    except ValidationError as exc:
        fault = exc.errors(include_url=False, include_input=False)[0]
        if fault["type"] == "json_invalid":
            raise InvalidParams("The body is not valid JSON.") from exc
        name = ".".join(str(step) for step in fault["loc"] if step not in _CHOICES)
        if fault["type"] == "value_error":  # a rule of the model, as a sentence without its full stop
            message = str(fault["ctx"]["error"])
            raise InvalidParams(f"{message[0].upper()}{message[1:]}.", parameter=name or None) from exc
        if fault["type"] == "extra_forbidden":
            meant = find_meant(name, [*model.model_fields])
            hint = f"; did you mean '{meant}'?" if meant else "."
            raise InvalidParams(f"Unknown field '{shown(name)}'{hint}") from exc
        what = f"Field '{shown(name)}'" if name else "The body"
        if fault["type"] == "missing":
            raise InvalidParams(f"{what} is required.", parameter=name) from exc
        raise InvalidParams(f"{what} is not valid: {fault['msg']}.", parameter=name) from exc
