"""The list of all endpoints, found by walking `webquarry.extractors`: a module with a value `extractor` is one."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from webquarry.declare import Extractor

API_PREFIX = "/api/v1"
GROUPS: Mapping[str, str] = {
    "web": "Pages and files as markdown for language models.",
    "search": "Results of a web search, and the answer that an engine writes above them.",
    "maps": "Places by query and view, and one place with all that is told about it.",
    "trends": "How often something is searched for: over time, by region, with what, and right now.",
    "domain_intel": "What can be known about a domain from public records and files.",
    "conversions": "Earlier answers by their id, free.",
}
"""What the endpoints of a group are about, a sentence each."""
JOB = "_job"


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
        for e in self.extractors:
            if e.group not in GROUPS:
                raise ValueError(f"{e.name}: no group is called {e.group}; they stand in {__name__}.GROUPS")

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
    """Import every module below `webquarry.extractors` and collect what it declares. Left out are those that only child
    processes need (`…_job`): they bring the converters along."""
    package = importlib.import_module("webquarry.extractors")
    found = []
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if info.name.endswith(JOB):
            continue
        extractor = getattr(importlib.import_module(info.name), "extractor", None)
        if isinstance(extractor, Extractor):
            found.append(extractor)
    return Registry(tuple(sorted(found, key=lambda e: e.path)))
