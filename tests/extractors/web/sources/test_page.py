from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime

import pytest

from support.clock import ManualClock
from webquarry.core.errors import Absent, ProviderError
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Wire
from webquarry.extractors.web.sources import page
from webquarry.net import Door
from webquarry.net.transport import Limits, Request, Response

URL = "https://example.com/"


class Answering:
    """A transport that returns given responses at every URL and records the requests."""

    def __init__(self, status: int, headers: Mapping[str, str] | None = None) -> None:
        self._response = Response(status, headers or {}, b"x", datetime(2026, 11, 1, 12, tzinfo=UTC), 1)
        self.asked: list[Request] = []

    async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
        self.asked.append(request)
        return self._response

    async def close(self) -> None:
        """Do nothing."""


@pytest.fixture
async def doors() -> AsyncIterator[list[Door]]:
    opened: list[Door] = []
    yield opened
    for door in opened:
        await door.close()


async def fetched(doors: list[Door], transport: Answering, settings: Settings | None = None) -> Wire:
    clock = ManualClock()
    doors.append(Door(settings or Settings(), clock, transport))
    return await page.fetch(URL, doors[-1].net(page.PROVIDER, Deadline.after(30, clock)))


@pytest.mark.parametrize("status", [200, 203, 400, 401, 403, 429, 451, 500, 503])
async def test_response_of_any_status_is_returned(doors: list[Door], status: int) -> None:
    wire = await fetched(doors, Answering(status))
    assert (wire.status, wire.body) == (status, b"x")


@pytest.mark.parametrize("status", [404, 410])
async def test_missing_page_is_absent(doors: list[Door], status: int) -> None:
    with pytest.raises(Absent, match=str(status)):
        await fetched(doors, Answering(status))


@pytest.mark.parametrize("status", [400, 401, 403, 429, 451, 500, 503])
async def test_refusal_names_its_status(doors: list[Door], status: int) -> None:
    wire = await fetched(doors, Answering(status, {"retry-after": "7"}))
    with pytest.raises(ProviderError, match=str(status)) as caught:
        page.accept(wire)
    assert (caught.value.reason, caught.value.retry_after_s) == ("refused", 7)


async def test_success_is_accepted(doors: list[Door]) -> None:
    page.accept(await fetched(doors, Answering(203)))


async def test_block_page_has_its_retry_time(doors: list[Door]) -> None:
    error = page.make_blocked_error(
        await fetched(doors, Answering(429, {"retry-after": "7"})), "Robots are turned away."
    )
    assert (error.reason, error.retry_after_s) == ("blocked", 7)


async def test_page_is_requested_as_html(doors: list[Door]) -> None:
    transport = Answering(200)
    await fetched(doors, transport)
    assert transport.asked[0].headers["Accept"].startswith("text/html,")
    assert transport.asked[0].headers["User-Agent"].startswith("Webquarry/")


async def test_robots_txt_is_requested_if_the_operator_enables_it(doors: list[Door]) -> None:
    transport = Answering(200)
    await fetched(doors, transport, Settings(robots="respect"))
    assert [request.url for request in transport.asked] == ["https://example.com/robots.txt", URL]
