"""Validation of JSON against a model in a dedicated child, for strings that are too long for the event loop."""

from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any, Final

from webquarry.workers.job import Job, Line
from webquarry.workers.shapes import Misfit, shape_for

CHECK: Final[Job[str | None]] = Job("webquarry.workers.checking:check", Line | None)


def check(body: bytes, *, shape: str, known: dict[str, Any], is_exact: bool) -> str | None:
    """Return a description of the fault in the JSON `body`, or None if it is valid. Runs in a child.

    `shape` is a name from `name_shape`.
    """
    return find_fault(resolve_name(shape), body, known, is_exact=is_exact)


def find_fault(of: type | Callable[..., Any], text: bytes, known: Mapping[str, Any], *, is_exact: bool) -> str | None:
    """Return a description of the fault in the JSON text, or None if it is valid.

    `of` is described in `shape_for`. `known` contains fields that must have the given values.
    """
    try:
        value = shape_for(of).read_json(text, is_exact=is_exact)
    except Misfit as exc:
        return f"its data is invalid: {exc}"
    wrong = [name for name, expected in known.items() if getattr(value, name) != expected]
    return f"its data contradicts the request: {', '.join(wrong)}" if wrong else None


def name_shape(of: type | Callable[..., Any]) -> str:
    """Return the name by which another process finds a model or a function."""
    return f"{of.__module__}:{of.__qualname__}"
