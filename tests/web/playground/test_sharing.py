"""Shared responses: from the playground to a public page, and back."""

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.async_api import expect

from support.axe import axe_script, find_faults
from support.playground import Guest, House
from support.visits import Page
from web.playground.conftest import Screen
from web.playground.test_room import FILE, links, press, select, send_file
from web.playground.test_screen import MAX_BYTES, PHONE, shot
from webquarry.accounts import History
from webquarry.web.playground.sharing import LINKS, PER_MINUTE, SHARED

pytestmark = pytest.mark.asyncio(loop_scope="session")
ASKED = f"/playground/markdown_url?{urlencode({'url': 'https://example.com/'})}"


async def get_response(guest: Guest, address: str = ASKED) -> Page:
    """Run a request in the playground. Return the page with its response."""
    return await guest.browser.get((await press(guest, address)).location)


async def share(guest: Guest, address: str = ASKED) -> str:
    """Run a request and share its response. Return the link."""
    page = await get_response(guest, address)
    sent = await guest.browser.post(LINKS, page.fields(LINKS))
    assert sent.status == 303
    (link,) = links(await guest.browser.get(sent.location), "#shared-link")
    return link


async def test_shared_page_shows_request_and_response_to_anyone_and_nothing_of_the_account(house: House) -> None:
    guest = await house.enter()
    link = await share(guest)
    assert re.fullmatch(f"{SHARED}/sh_[0-9a-f]{{32}}", link)
    page = await house.passer_by().get(link)
    assert page.status == 200
    assert [node.text() for node in select(page, ".shared-params dt, .shared-params dd")] == [
        "url",
        "https://example.com/",
    ]
    for shown in ("Web page to markdown", "/api/v1/markdown", "fetched 20", "sourdough"):
        assert shown in page.words
    assert not re.search("Balance|charged|Stop sharing|req_|" + re.escape(guest.visitor.email), page.words)
    assert guest.visitor.account_id not in page.text
    assert '<span class="number">0</span>' in page.text  # what the owner was charged is not shown
    for header, text in (
        ("x-robots-tag", "noindex"),
        ("cache-control", "no-store"),
        ("referrer-policy", "same-origin"),
    ):
        assert text in page.headers[header]
    assert ASKED in links(page, "main a")
    for artifact, begin in (("data.json", b"{"), ("answer.md", b"# ")):
        file = await house.passer_by().get(f"{link}/{artifact}")
        assert (file.status, file.body.startswith(begin)) == (200, True)
        assert file.headers["content-disposition"].startswith("attachment;")
        assert "noindex" in file.headers["x-robots-tag"]
    assert (await house.passer_by().get(f"{link}/index.html")).status == 404


async def test_ended_link_is_a_clear_404(house: House) -> None:
    guest = await house.enter()
    link = await share(guest)
    listed = await guest.browser.get(LINKS)
    assert link in links(listed, "main a")
    end = f"{LINKS}/{link.rpartition('/')[2]}/end"
    sent = await guest.browser.post(end, listed.fields(end))
    assert (sent.status, sent.location) == (303, LINKS)
    assert "No shared responses" in (await guest.browser.get(LINKS)).words
    for address in (link, f"{link}/data.json"):
        page = await house.passer_by().get(address)
        assert page.status == 404
        assert "no shared response at this link" in page.words


@pytest.mark.parametrize("id", ["sh_", "sh_0", f"sh_{'0' * 32}", f"SH_{'0' * 32}", "cv_1", "%00", "x" * 3000])
async def test_unknown_link_is_a_404(house: House, id: str) -> None:
    assert (await house.passer_by("198.51.100.7").get(f"{SHARED}/{id}")).status == 404


async def test_other_account_cannot_end_a_link(house: House) -> None:
    guest, other = await house.enter(), await house.enter()
    link = await share(guest)
    own = await share(other)
    page = await other.browser.get(LINKS)
    token = page.fields(f"{LINKS}/{own.rpartition('/')[2]}/end")
    await other.browser.post(f"{LINKS}/{link.rpartition('/')[2]}/end", token)
    assert (await house.passer_by().get(link)).status == 200
    assert link not in links(page, "main a")


async def test_form_of_another_site_shares_nothing(house: House) -> None:
    guest = await house.enter()
    fields = (await get_response(guest)).fields(LINKS)
    for headers in ({"origin": "https://evil.example"}, {"sec_fetch_site": "cross-site"}):
        assert (await guest.browser.post(LINKS, fields, **headers)).status == 403
    assert (await guest.browser.post(LINKS, {**fields, "csrf": "x"})).status == 403
    assert (await house.passer_by().post(LINKS, fields)).status == 403
    assert "No shared responses" in (await guest.browser.get(LINKS)).words


async def test_response_of_another_account_is_not_shared(house: House) -> None:
    guest, other = await house.enter(), await house.enter()
    fields = (await get_response(guest)).fields(LINKS)
    own = (await get_response(other, "/playground/search?q=coffee")).fields(LINKS)
    sent = await other.browser.post(LINKS, {**own, "conversion": fields["conversion"]})
    assert (sent.status, "isn't in your playground history" in sent.words) == (404, True)


async def test_response_to_a_file_is_not_shared(house: House) -> None:
    guest = await house.enter()
    fields = (await get_response(guest)).fields(LINKS)
    sent = await send_file(
        guest.browser, {**(await guest.browser.get(FILE)).fields(FILE), "do": "run"}, b"fruit,price\napple,3\n"
    )
    assert not select(await guest.browser.get(sent.location), "#shared")
    conversion_id = dict(parse_qsl(urlsplit(sent.location).query))["answer"]
    refused = await guest.browser.post(LINKS, {**fields, "conversion": conversion_id})
    assert (refused.status, "can't be shared" in refused.words) == (404, True)


async def test_form_leads_to_no_other_site(house: House) -> None:
    guest = await house.enter()
    fields = (await get_response(guest)).fields(LINKS)
    for target in ("https://evil.example/", "//evil.example/", "/\\evil.example", f"/{'x' * 5000}"):
        assert (await guest.browser.post(LINKS, {**fields, "next": target})).location == LINKS


async def test_requests_for_shared_responses_are_limited_by_address(house: House) -> None:
    link = await share(await house.enter())
    browser = house.passer_by("203.0.113.77")
    statuses = [(await browser.get(f"{link}/data.json")).status for _ in range(PER_MINUTE + 1)]
    assert statuses == [200] * PER_MINUTE + [429]
    assert (await browser.get(f"{SHARED}/sh_{'0' * 32}")).status == 429
    assert (await house.passer_by("203.0.113.78").get(link)).status == 200


async def test_parameters_are_only_ever_text(house: House) -> None:
    guest = await house.enter()
    hostile = "\"><script>alert(1)</script><img src=x onerror=alert(1)>' {{7*7}}"
    fields = (await get_response(guest)).fields(LINKS)
    (call,) = await guest.calls()
    await History(house.service.database).add(replace(call, id=f"~{call.id}", question=urlencode({"url": hostile})))
    assert (await guest.browser.post(LINKS, fields)).status == 303
    listed = await guest.browser.get(LINKS)
    (link,) = [each for each in links(listed, "main a") if each.startswith(f"{SHARED}/")]
    page = await house.passer_by("192.0.2.44").get(link)
    assert select(page, ".shared-params dd")[0].text() == hostile
    for each in (listed, page):
        assert not select(each, "main img[src=x], script:not([src]), [onerror]")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_response_is_shared_seen_by_a_stranger_and_ended(screen: Screen, house: House, scheme: Any) -> None:
    guest = await house.enter()
    page = await screen.open(guest, color_scheme=scheme, bypass_csp=True)
    example = house.service.registry.by_name["trends_interest"].example
    await page.goto(f"/playground/trends_interest?{urlencode(example)}")
    await page.get_by_role("button", name="Run").click()
    await page.get_by_role("button", name="Share response").click()
    link = await page.locator("#shared-link").get_attribute("href")
    assert link is not None
    await expect(page.locator("#shared").get_by_role("button", name="Copy link")).to_be_visible()
    await shot(page, f"share-{scheme}")

    stranger = await screen.open(None, color_scheme=scheme, bypass_csp=True, **PHONE)
    got: list[Any] = []
    stranger.on("requestfinished", lambda request: got.append(request))
    screen.asked.clear()
    await stranger.goto(link, wait_until="networkidle")
    await expect(stranger.locator("svg.lines polyline").first).to_be_visible()
    await expect(stranger.locator(".shared-params")).to_contain_text(example["q"])
    assert await find_faults(stranger, axe_script()) == []
    assert await stranger.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert sum([(await request.sizes())["responseBodySize"] for request in got]) < MAX_BYTES
    assert screen.foreign == []
    await shot(stranger, f"shared-{scheme}")
    await stranger.locator(".tabs > label", has_text="JSON").click()
    await expect(stranger.get_by_label("Search the JSON")).to_be_visible()

    await page.goto(LINKS)
    assert await find_faults(page, axe_script()) == []
    await shot(page, f"links-{scheme}")
    await page.get_by_role("button", name="Stop sharing").click()
    await expect(page.get_by_text("No shared responses")).to_be_visible()
    await stranger.reload()
    await expect(stranger.locator("main")).to_contain_text("no shared response at this link")
