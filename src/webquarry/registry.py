"""The list of all endpoints, found by walking `webquarry.extractors`: a module with a value `extractor` is one."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from webquarry.declare import Extractor

API_PREFIX = "/api/v1"


@dataclass(frozen=True)
class Registry:
    """Endpoints in the order of their paths, each name and path once."""

    extractors: tuple[Extractor, ...]

    def __post_init__(self) -> None:
        for what in ("name", "path"):
            seen = [getattr(e, what) for e in self.extractors]
            twice = sorted({value for value in seen if seen.count(value) > 1})
            if twice:
                raise ValueError(f"declared twice: {', '.join(twice)}")

    def __iter__(self) -> Iterator[Extractor]:
        return iter(self.extractors)

    def __len__(self) -> int:
        return len(self.extractors)

    @cached_property
    def by_name(self) -> Mapping[str, Extractor]:
        return {e.name: e for e in self.extractors}

    @cached_property
    def by_path(self) -> Mapping[str, Extractor]:
        """By full path, `/api/v1/…`."""
        return {API_PREFIX + e.path: e for e in self.extractors}

    @cached_property
    def groups(self) -> Mapping[str, tuple[Extractor, ...]]:
        names = dict.fromkeys(e.group for e in self.extractors)
        return {name: tuple(e for e in self.extractors if e.group == name) for name in names}


def load() -> Registry:
    """Import every module below `webquarry.extractors` and collect what it declares."""
    package = importlib.import_module("webquarry.extractors")
    found = []
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        extractor = getattr(importlib.import_module(info.name), "extractor", None)
        if isinstance(extractor, Extractor):
            found.append(extractor)
    return Registry(tuple(sorted(found, key=lambda e: e.path)))
