"""Features of all pages, even while the store cannot identify the user."""

from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from support.visits import Browser
from webquarry.core.errors import Overloaded
from webquarry.web.site import Site, Visitor


class Rooms:
    """A page for everybody, and one that reads the store."""

    def __init__(self, site: Site) -> None:
        self._site = site

    def routes(self) -> list[BaseRoute]:
        return [Route("/open", self.open), Route("/asks", self.asks), Route("/fails", self.fail)]

    async def open(self, request: Request) -> Response:
        return await self._site.page(request, "error.html", error=Overloaded("Shown on purpose."))

    async def asks(self, request: Request) -> Response:
        return await self._site.refuse(request, Overloaded())

    async def fail(self, _request: Request) -> Response:
        raise KeyError("inside")


async def _nobody_knows(_request: Request) -> Visitor | None:
    raise Overloaded("The database can't be reached. Try again shortly.")


@pytest.mark.parametrize(("path", "status"), [("/open", 200), ("/asks", 503), ("/nowhere", 404)])
async def test_pages_are_shown_to_guests_while_the_store_is_unavailable(path: str, status: int) -> None:
    site = Site("https://quarry.example.org", sandbox=False, visitor=_nobody_knows)
    page = await Browser(site.app(Rooms(site))).get(path)
    assert (page.status, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert 'href="/login"' in page.text


@pytest.mark.parametrize(("accept", "kind"), [("text/html", "text/html; charset=utf-8"), ("*/*", "application/json")])
async def test_an_internal_error_is_a_page_without_details(accept: str, kind: str) -> None:
    async def fail(_request: Request) -> Visitor | None:
        raise AssertionError("who visits is not asked of what may have failed")

    site = Site("https://quarry.example.org", sandbox=False, visitor=fail)
    app = site.app(Rooms(site))

    async def keep(scope: Any, receive: Any, send: Any) -> None:
        with pytest.raises(KeyError):  # for the server's log
            await app(scope, receive, send)

    page = await Browser(keep).get("/fails", accept=accept)
    assert (page.status, page.headers["content-type"]) == (500, kind)
    assert "inside" not in page.text
