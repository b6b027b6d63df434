"""The addresses of the service's pages, read from its routes."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from webquarry.service import Service
from webquarry.web.site import Section, Site


def list_pages(service: Service, *prefixes: str) -> Sequence[str]:
    """Return the addresses below these prefixes that answer a GET, with each parameter in a path replaced with `r`."""
    apps: list[Starlette] = []
    make: Any = Site.app

    def keep(site: Site, *sections: Section) -> Starlette:
        apps.append(make(site, *sections))
        return apps[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Site, "app", keep)
        service.asgi()
    routes = [route for route in apps[-1].routes if isinstance(route, Route) and "GET" in (route.methods or {"GET"})]
    return [re.sub(r"\{\w+(:\w+)?\}", "r", route.path) for route in routes if route.path.startswith(prefixes)]
