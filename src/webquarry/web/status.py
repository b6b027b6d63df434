"""The status page: the state of each endpoint and source of this instance, as HTML, markdown and JSON.

It is based on the instance's own traffic.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webquarry.api.negotiation import prefers_markdown
from webquarry.core.clock import Clock
from webquarry.core.recent import KEPT, Figures
from webquarry.core.types import GRADE_NOTES, best_grade
from webquarry.endpoints.availability import SourceStanding, Standing
from webquarry.endpoints.registry import API_PREFIX, Registry
from webquarry.web.site import MARKDOWN, VARIES, Site, respond

KINDS = {"fine": "good", "shaky": "warn", "failing": "bad", "not asked yet": "", "not set up": ""}
"""Style of a state's badge."""
CIRCUITS = {"open": "paused", "half-open": "being retried", "closed": "with failures"}
"""Description of a circuit's state."""
_UNKEPT = {"cache-control": "no-store"}


class Status:
    """Routes of `/status`."""

    def __init__(
        self, site: Site, registry: Registry, clock: Clock, list_standings: Callable[[], Sequence[Standing]]
    ) -> None:
        self._site = site
        self._clock = clock
        self._began_at = clock.now()
        self._registry = registry
        self._list_standings = list_standings

    def routes(self) -> Sequence[BaseRoute]:
        return (Route("/status", self.page), Route("/status.md", self.markdown), Route("/status.json", self.json))

    async def page(self, request: Request) -> Response:
        """Return the page as HTML, or as markdown if preferred."""
        if prefers_markdown(request.headers.get("accept", ""), over="text/html"):
            return await self.markdown(request)
        return await self._site.page(request, "status.html", headers=_UNKEPT, kinds=KINDS, **self._describe())

    async def markdown(self, request: Request) -> Response:
        text = self._site.render("status.md", **self._describe())
        return await respond(request, text.encode(), MARKDOWN, headers={**_UNKEPT, **VARIES})

    def _describe(self) -> dict[str, Any]:
        """Return the values for both forms of the page."""
        standings = self._list_standings()
        groups = {
            self._registry.describe_group(name).title: [each for each in standings if each.extractor.group == name]
            for name in self._registry.groups
        }
        states = [each.state for each in standings]
        return {
            "groups": {title: members for title, members in groups.items() if members},
            "counts": {state: states.count(state) for state in KINDS if state in states},
            "began_at": self._began_at,
            "now": self._clock.now(),
            "kept": KEPT,
            "tell_age": tell_age,
            "tell_remarks": tell_remarks,
        }

    async def json(self, request: Request) -> Response:
        body = {
            "sandbox": self._site.sandbox,
            "since": self._began_at,
            "now": self._clock.now(),
            "endpoints": [_write_endpoint(each) for each in self._list_standings()],
        }
        return await respond(request, orjson.dumps(body), "application/json", headers=_UNKEPT)


def tell_age(instant: datetime, now: datetime) -> str:
    """Return an age such as `12 s ago`, in its largest unit."""
    seconds = max(0, int((now - instant).total_seconds()))
    for unit, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {unit} ago"
    return f"{seconds} s ago"


def tell_remarks(source: SourceStanding) -> str:
    """Return what to set before the provider can be used, the state of its hosts, and a note on its grade."""
    hosts = [f"{count} host{'' if count == 1 else 's'} {CIRCUITS[state]}" for state, count in source.circuits.items()]
    note = GRADE_NOTES.get(source.provider.grade) if source.remedy is None else None
    grade = [note] if note else []
    text = ", ".join([*([source.remedy] if source.remedy else []), *hosts, *grade])
    return text[:1].upper() + text[1:]


def _write_endpoint(standing: Standing) -> dict[str, Any]:
    extractor = standing.extractor
    return {
        "name": extractor.name,
        "title": extractor.title,
        "path": f"{API_PREFIX}{extractor.path}",
        "group": extractor.group,
        "grade": best_grade(extractor.all_providers),
        **_write_state(standing),
        "sources": [_write_source(source) for source in standing.sources],
    }


def _write_source(source: SourceStanding) -> dict[str, Any]:
    return {
        "name": source.provider.name,
        "title": source.provider.title,
        "grade": source.provider.grade,
        "unproven": source.provider.unproven,
        **_write_state(source),
        "circuits": dict(source.circuits),
    }


def _write_state(each: Standing | SourceStanding) -> dict[str, Any]:
    return {
        "state": each.state,
        "available": each.remedy is None,
        "remedy": each.remedy,
        **_write_figures(each.figures),
    }


def _write_figures(figures: Figures | None) -> dict[str, Any]:
    return {
        "count": figures.count if figures else 0,
        "success_share": round(figures.share, 3) if figures else None,
        "median_ms": figures.median_ms if figures else None,
        "last_success_at": figures.last_success_at if figures else None,
        "last_at": figures.last_at if figures else None,
    }
