import pytest

from support.world import NOW, House, World, query_of
from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.types import Deadline, Wire
from webquarry.endpoints.params import parse
from webquarry.extractors.search.model.overview import OverviewParams
from webquarry.extractors.search.sources.untested.search_page import SEARCH_PAGE, ask, fetch
from webquarry.net.rendering import Rendered
from webquarry.net.transport import Request

WRITTEN = '<div class="mZJni"><div class="Y3BBE">Text.</div></div>'
DECLINED = "<p>An AI Overview is not available for this search</p>"


class Browser:
    """Shows these pages one after the other, and then repeats the last one."""

    def __init__(self, *pages: str, status: int = 200, url: str | None = None) -> None:
        self.pages = list(pages)
        self.status = status
        self.url = url
        self.asked: list[str] = []

    async def render(self, url: str, deadline: Deadline, account: str = "") -> Rendered:
        self.asked.append(url)
        html = self.pages.pop(0) if len(self.pages) > 1 else self.pages[0]
        return Rendered(html, self.url or url, self.status, {}, NOW, requests=1, wire_bytes=len(html), settled=True)


async def show(browser: Browser) -> Wire:
    with House(World({}), browser, searchengine_browser=True).net(SEARCH_PAGE) as net:
        return await fetch(parse(OverviewParams, [("q", "green tea"), ("gl", "gb"), ("hl", "pt-BR")]), net)


async def test_request_has_query_country_and_language() -> None:
    browser = Browser(WRITTEN)
    await show(browser)
    assert query_of(Request("GET", browser.asked[0], {})) == {
        "q": "green tea",
        "hl": "pt-BR",
        "gl": "gb",
        "pws": "0",
    }


@pytest.mark.parametrize(
    ("browser", "reason", "pause_s"),
    [
        (Browser("<p>Sorry", status=429), "blocked", 600),
        (Browser("<p>Sorry", url="https://www.google.com/sorry/index?continue=x"), "blocked", 600),
        (Browser("<p>Before you continue", url="https://consent.google.com/ml?continue=x"), "blocked", 600),
        (Browser("<p>Oh no", status=500), "refused", None),
    ],
)
async def test_block_pages_and_errors_are_reported(browser: Browser, reason: str, pause_s: float | None) -> None:
    with pytest.raises(ProviderError) as caught:
        await show(browser)
    assert (caught.value.reason, caught.value.retry_after_s) == (reason, pause_s)


async def overview(browser: Browser) -> str:
    with House(World({}), browser, searchengine_browser=True).net(SEARCH_PAGE) as net:
        found, _ = await ask(parse(OverviewParams, [("q", "green tea"), ("hl", "zh-Hans")]), net)
    return found.text


async def test_declined_overview_is_requested_once_more() -> None:
    browser = Browser(DECLINED, WRITTEN)
    assert await overview(browser) == "Text."
    assert [query_of(Request("GET", url, {}))["hl"] for url in browser.asked] == ["zh-CN", "zh-CN"]


async def test_overview_declined_twice_is_an_empty_result() -> None:
    browser = Browser(DECLINED)
    with pytest.raises(EmptyResult):
        await overview(browser)
    assert len(browser.asked) == 2
