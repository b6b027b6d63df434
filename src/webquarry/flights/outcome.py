"""How a flight ended, in a form that travels between processes."""

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
    """The run ended with an error, which is every joiner's.

    kind: name of its class among `errors.ANSWERED`; facts: its attributes beside the message (reason, wait, status).
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
        """A new error of the same class, message and headers; `InternalError` for a kind that this release lacks."""
        kind = _BY_NAME.get(self.kind)
        if kind is None:
            return InternalError()
        # restored by attributes: the constructors take different arguments and compose the message from them
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
