"""Test endpoints: the behavior of a run is set per key on a `Board`, and every run is counted."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

from webquarry.core.errors import ProviderError
from webquarry.core.types import File, Provider
from webquarry.endpoints.context import Context
from webquarry.endpoints.declare import Extractor, Params, Part, Result, Upload, field, hours, param
from webquarry.endpoints.registry import Registry

Behaviour = Callable[[Context], Awaitable[None]]
PARTS = ("logo", "traffic", "homepage")
PROVIDER = Provider(name="made", title="Made")
PART_CREDITS = {"logo": 1, "traffic": 2, "homepage": 3}


class MadeParams(Params):
    key: str = param("What to run.", example="a")
    other: str | None = param("Something else.", default=None)


class MadeResult(Result):
    key: str = field("As asked.")


class DossierResult(Result):
    parts: dict[str, bool] = field("Which parts gave an answer.")


@dataclass
class Board:
    """The behavior of runs by key; by default they succeed. runs: their number by key."""

    behaviours: dict[str, Behaviour] = dataclass_field(default_factory=dict)
    runs: Counter[str] = dataclass_field(default_factory=Counter)

    def fail(self, key: str, error: Exception | None = None) -> None:
        async def behave(_ctx: Context) -> None:
            raise error or ProviderError("The upstream is down.", reason="down")

        self.behaviours[key] = behave

    def hold_until(self, key: str) -> asyncio.Event:
        """Make runs of `key` wait for the returned event."""
        event = asyncio.Event()

        async def behave(_ctx: Context) -> None:
            await event.wait()

        self.behaviours[key] = behave
        return event

    def heal(self, key: str) -> None:
        self.behaviours.pop(key, None)

    def extractor(self, name: str = "made", credits: int = 1, **changes: Any) -> Extractor:
        async def run(params: MadeParams, ctx: Context) -> MadeResult:
            self.runs[params.key] += 1
            if params.key in self.behaviours:
                await self.behaviours[params.key](ctx)
            return MadeResult(key=params.key)

        declared: dict[str, Any] = {
            "name": name,
            "path": f"/{name}",
            "version": 1,
            "group": "web",
            "title": "A made endpoint",
            "description": "Answers with its key.",
            "params": MadeParams,
            "result": MadeResult,
            "credits": credits,
            "fresh": hours(1),
            "render": lambda result: f"# {result.key}\n",
            "example": {"key": "a"},
            "run": run,
            "providers": (PROVIDER,),
            **changes,
        }
        return Extractor(**declared)

    def dossier(self) -> Extractor:
        async def run(_params: MadeParams, ctx: Context) -> DossierResult:
            answers = await asyncio.gather(*(ctx.part(name) for name in PARTS))
            if not any(answer.ok for answer in answers):
                raise ProviderError("No part gave an answer.", reason="down")
            return DossierResult(parts={name: answer.ok for name, answer in zip(PARTS, answers, strict=True)})

        def parts(params: MadeParams) -> tuple[Part, ...]:
            return tuple(Part(name, f"part_{name}", {"key": f"{name}-{params.key}"}) for name in PARTS)

        return self.extractor(
            "dossier",
            credits=sum(PART_CREDITS.values()),
            result=DossierResult,
            fresh=None,
            run=run,
            parts=parts,
            render=lambda result: f"# {len(result.parts)} parts\n",
        )

    def uploads(self) -> Extractor:
        return self.extractor(
            "uploads",
            fresh=None,
            upload=Upload("Any file.", 1000, "support.jobs:judged", example=File("a.txt", b"text")),
        )

    def registry(self) -> Registry:
        parts = [self.extractor(f"part_{name}", credits=PART_CREDITS[name]) for name in PARTS]
        quick = self.extractor("quick", deadline_s=0.05)
        return Registry((self.dossier(), self.extractor(), *parts, quick, self.uploads()))


def query(given: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(given.items())
