"""How each endpoint and source stands: whether it can be asked, what to set for that, and how it has done lately."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from webquarry.core.recent import Figures, Recent
from webquarry.core.settings import Settings
from webquarry.core.types import Provider
from webquarry.endpoints.chain import remedy
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import Registry
from webquarry.net.breaker import CircuitState

State = Literal["fine", "shaky", "failing", "not asked yet", "not set up"]
FINE, SHAKY = 0.9, 0.5
"""Shares of success from which it is called so."""


@dataclass(frozen=True, slots=True)
class SourceStanding:
    """circuits: hosts of it with failures, by state of their breakers."""

    provider: Provider
    remedy: str | None
    figures: Figures | None
    circuits: Mapping[str, int]

    @property
    def state(self) -> State:
        return judge(self.remedy, self.figures)


@dataclass(frozen=True, slots=True)
class Standing:
    extractor: Extractor
    remedy: str | None
    figures: Figures | None
    sources: tuple[SourceStanding, ...]

    @property
    def state(self) -> State:
        return judge(self.remedy, self.figures)


def judge(todo: str | None, figures: Figures | None) -> State:
    """In a word. todo: what to set before it can be asked."""
    if todo is not None:
        return "not set up"
    if figures is None:
        return "not asked yet"
    return "fine" if figures.share >= FINE else "shaky" if figures.share >= SHAKY else "failing"


def list_standings(
    registry: Registry, settings: Settings, endpoints: Recent, sources: Recent, circuits: Iterable[CircuitState]
) -> Sequence[Standing]:
    """One for each endpoint, in the registry's order."""
    opened: dict[str, dict[str, int]] = {}
    for circuit in circuits:
        of_provider = opened.setdefault(circuit.provider, {})
        of_provider[circuit.state] = of_provider.get(circuit.state, 0) + 1
    return [
        Standing(
            extractor,
            remedy(extractor.all_providers, settings),
            endpoints.figures(extractor.name),
            tuple(
                SourceStanding(
                    provider,
                    remedy([provider], settings),
                    sources.figures(provider.name),
                    opened.get(provider.name, {}),
                )
                for provider in extractor.all_providers
            ),
        )
        for extractor in registry
    ]
