"""Container for large data on the pipes between the service and its children."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

F = TypeVar("F")


@dataclass(frozen=True)  # no slots: see `Job`
class Parcel(Generic[F]):
    """A job's result.

    `facts` is a small JSON value or a model. `pieces` are large strings and images, as bytes.
    """

    facts: F
    pieces: tuple[bytes, ...] = ()


def dump_facts(value: object) -> Any:
    """Return the JSON object of a model, for `orjson.dumps(default=...)`. Raises TypeError for any other object."""
    dump = getattr(value, "model_dump", None)
    if dump is None:
        raise TypeError(f"{type(value).__name__} is not a JSON value")
    return dump(by_alias=True)
