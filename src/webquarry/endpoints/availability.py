"""Availability of endpoints and sources: whether they are configured, missing settings, and recent results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from webquarry.core.recent import Figures, Recent
from webquarry.core.settings import Settings
from webquarry.core.types import Provider
from webquarry.endpoints.chain import remedy, write_remedy
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.registry import Registry
from webquarry.net.breaker import CircuitState

State = Literal["fine", "shaky", "failing", "no requests yet", "not set up"]
FINE, SHAKY = 0.9, 0.5
"""Minimum share of successes for each state."""


@dataclass(frozen=True, slots=True)
class SourceStanding:
    """Availability of a source.

    `circuits` is the number of the source's failing hosts, by the state of their breakers.
    """

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
    """Return the state of an endpoint or a source.

    `todo` states what must be set before the endpoint or source can be used, or is None.
    """
    if todo is not None:
        return "not set up"
    if figures is None:
        return "no requests yet"
    return "fine" if figures.share >= FINE else "shaky" if figures.share >= SHAKY else "failing"


def list_standings(
    registry: Registry, settings: Settings, endpoints: Recent, sources: Recent, circuits: Iterable[CircuitState]
) -> Sequence[Standing]:
    """Return the availability of each endpoint, in the registry's order."""
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
                    write_remedy(extractor, provider, settings),
                    sources.figures(provider.name),
                    opened.get(provider.name, {}),
                )
                for provider in extractor.all_providers
            ),
        )
        for extractor in registry
    ]
