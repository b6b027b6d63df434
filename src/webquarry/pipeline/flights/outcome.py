"""Outcomes of flights, which can be passed between processes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from webquarry.core.errors import ANSWERED, InternalError, ServiceError

_BY_NAME: Mapping[str, type[ServiceError]] = {cls.__name__: cls for cls in ANSWERED}


@dataclass(frozen=True, slots=True)
class Landed:
    """The conversion is stored under this id."""

    conversion_id: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The run ended with an error, which all joiners receive.

    `kind` is its class name in `errors.ANSWERED`. `facts` are its attributes except the message, such as reason, wait
    and status.
    """

    kind: str
    message: str
    facts: Mapping[str, Any]

    @classmethod
    def of(cls, error: ServiceError) -> Self:
        kind = next(base for base in type(error).__mro__ if base in ANSWERED)
        facts = {name: value for name, value in vars(error).items() if name != "message"}
        return cls(kind.__name__, error.message, facts)

    def error(self) -> ServiceError:
        """Return a new error with the same class, message and headers; `InternalError` for an unknown class."""
        kind = _BY_NAME.get(self.kind)
        if kind is None:
            return InternalError()
        # Restore the attributes, because constructors take different arguments and build the message from them.
        error = kind.__new__(kind, self.message)
        vars(error).update(self.facts, message=self.message)
        return error


Outcome = Landed | Failed


def to_json(outcome: Outcome) -> str:
    match outcome:
        case Landed(conversion_id):
            return json.dumps({"landed": conversion_id})
        case Failed(kind, message, facts):
            return json.dumps({"failed": kind, "message": message, "facts": dict(facts)})


def from_json(text: str | bytes) -> Outcome:
    value = json.loads(text)
    if "landed" in value:
        return Landed(value["landed"])
    return Failed(value["failed"], value["message"], value["facts"])
