"""What goes through a pipe between the service and its children where it is large."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

F = TypeVar("F")


@dataclass(frozen=True)  # no slots: see `Job`
class Parcel(Generic[F]):
    """A job's answer. facts: a small JSON value or a model; pieces: large texts and pictures, as bytes."""

    facts: F
    pieces: tuple[bytes, ...] = ()


def dump_facts(value: object) -> Any:
    """Return the JSON object of a model, for `orjson.dumps(default=...)`. TypeError for any other object."""
    dump = getattr(value, "model_dump", None)
    if dump is None:
        raise TypeError(f"{type(value).__name__} is no JSON value")
    return dump(by_alias=True)
