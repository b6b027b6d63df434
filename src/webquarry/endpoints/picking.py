"""Fields of a result that a caller picks: `organic_results[].title,link` becomes a tree that is applied to the data."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import NoneType
from typing import Any, Final, TypeAlias, get_args

import orjson
from pydantic import BaseModel

from webquarry.core.errors import InvalidParams
from webquarry.core.spelling import find_meant
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import shown
from webquarry.workers.job import Job
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import Data

Tree: TypeAlias = "dict[str, Tree]"
"""Picked names, each with a tree of the names picked below it. An empty tree picks everything below the name."""
_MOST_FIELDS: Final = 50
_DEEPEST: Final = 10
_Models: TypeAlias = "tuple[type[BaseModel], ...] | None"
"""The classes that a value may have; None if the value may have any names, such as the raw data of a provider."""


def read_fields(extractor: Extractor, text: str) -> Tree:
    """Parse the value of `fields`. Raises InvalidParams for a name that the endpoint's result does not have."""
    roots: _Models = tuple(extractor.results.values())
    tree: Tree = {}
    before: list[str] = []
    paths = [path.strip() for path in text.split(",")]
    if len(paths) > _MOST_FIELDS:
        raise _refuse(f"Parameter 'fields' has more than {_MOST_FIELDS} fields. Name fewer fields.")
    for path in paths:
        steps = [step.strip().removesuffix("[]") for step in path.split(".")]
        if not all(steps) or len(steps) > _DEEPEST:
            raise _refuse("Parameter 'fields' must be names separated by commas, such as `organic_results[].title`.")
        if len(steps) == 1 and before and not _has(roots, steps[0]):
            steps = [*before, *steps]
        _check(roots, steps)
        _plant(tree, steps)
        before = steps[:-1]
    return tree


def pick(data: bytes, tree: Mapping[str, Any]) -> bytes:
    """Return the picked fields of data as JSON, in the order of the data."""
    return orjson.dumps(_pick(orjson.loads(data), tree))


def _any_object() -> dict[str, Any]:
    """Return the type of picked data: any object."""
    return {}


PICK: Final[Job[None]] = Job(f"{__name__}:pick_apart", None, {NoneType: (Data(_any_object, is_exact=False),)})
"""The job that picks the fields of large data in a child process."""


def pick_apart(body: bytes, *, tree: Mapping[str, Any]) -> Parcel[None]:
    """Return the picked fields of data as the only piece. See `pick`."""
    return Parcel(None, (pick(body, tree),))


def _pick(value: Any, tree: Mapping[str, Any]) -> Any:
    if not tree:
        return value
    if isinstance(value, list):
        return [_pick(item, tree) for item in value]
    if isinstance(value, dict):
        return {name: _pick(member, tree[name]) for name, member in value.items() if name in tree}
    return value


def _plant(tree: Tree, steps: list[str]) -> None:
    """Add a path to the tree. A name that is already picked completely stays picked completely."""
    for at, step in enumerate(steps):
        is_last = at == len(steps) - 1
        if step in tree and not tree[step]:
            return
        below = tree.setdefault(step, {})
        if is_last:
            below.clear()
        tree = below


def _check(models: _Models, steps: list[str]) -> None:
    for at, step in enumerate(steps):
        if models is None:
            return
        if not _has(models, step):
            known = sorted({name for model in models for name in _members(model)})
            by_lower = {name.lower(): name for name in known}
            where = f"'{'.'.join(steps[:at])}'" if at else "the result"
            if not known:
                raise _refuse(f"Parameter 'fields': {where} has no fields.")
            meant = find_meant(step, list(by_lower))
            hint = f"did you mean '{by_lower[meant]}'?" if meant else f"its fields are {', '.join(known[:40])}."
            raise _refuse(f"Parameter 'fields': {where} has no field '{shown(step)}'; {hint}")
        models = _follow(models, step)


def _has(models: _Models, name: str) -> bool:
    return models is None or any(name in _members(model) for model in models)


def _follow(models: tuple[type[BaseModel], ...], name: str) -> _Models:
    found: list[type[BaseModel]] = []
    for model in models:
        if name in (members := _members(model)):
            below = members[name]
            if below is None:
                return None
            found += below
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=512)
def _members(model: type[BaseModel]) -> Mapping[str, _Models]:
    """Return the names of a class's fields in responses, each with the classes below it."""
    return {
        info.serialization_alias or info.alias or name: _models_in(info.annotation)
        for name, info in model.model_fields.items()
        if not info.exclude
    }


def _models_in(annotation: Any) -> _Models:
    """Return the classes in an annotation, or None if it contains objects without declared names."""
    if annotation is Any or annotation is dict or getattr(annotation, "__origin__", None) is dict:
        return None
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return None if annotation.model_config.get("extra") == "allow" else (annotation,)
    return _join(_models_in(part) for part in get_args(annotation))


def _join(parts: Iterable[_Models]) -> _Models:
    found: list[type[BaseModel]] = []
    for part in parts:
        if part is None:
            return None
        found += part
    return tuple(found)


def _refuse(message: str) -> InvalidParams:
    return InvalidParams(message, parameter="fields")
