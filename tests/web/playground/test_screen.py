"""The playground in a real browser: by mouse, by keyboard, with and without script, wide and narrow, light and dark."""

import asyncio
import os
import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import orjson
import pytest
from playwright.async_api import Page, expect

from support.axe import axe_script, find_faults
from support.hostile import HOSTILE
from support.playground import CREDITS, House
from web.playground.conftest import Screen
from webquarry.pipeline import new_conversion_id
from webquarry.storage.conversions import Conversion
from webquarry.web.playground.view import PERMITS

pytestmark = pytest.mark.asyncio(loop_scope="session")
expect.set_options(timeout=20_000)
PAGE = "/playground/markdown_url?url=https%3A%2F%2Fexample.com%2F"
FILE = "/playground/markdown_file"
PHONE = {"viewport": {"width": 390, "height": 844}}
MAX_BYTES = 150_000


async def shot(page: Page, name: str) -> None:
    """Save a screenshot for inspection to the folder in SHOTS, if it is set."""
    if folder := os.environ.get("SHOTS"):
        await page.screenshot(path=f"{folder}/{name}.png", full_page=True)


async def test_a_call_is_run_shown_listed_and_opened_again(screen: Screen, house: House) -> None:
    guest = await house.enter()
    page = await screen.open(guest)
    await page.goto("/playground")
    await page.get_by_label("Find an endpoint").fill("page markdown public")
    await expect(page.locator("main li[data-words]:visible a")).to_have_text(["Web page to markdown"])
    await expect(page.locator("main section:visible h2")).to_have_text(["Pages and files"])
    await expect(page.get_by_role("status")).to_have_text(f"1 of {len(house.service.registry.by_name)} endpoints")
    await shot(page, "find")
    await page.get_by_label("Find an endpoint").fill("nothing like it")
    await expect(page.get_by_text("No endpoint matches")).to_be_visible()
    await page.goto("/playground/markdown_url")
    await page.locator("#url").fill("https://example.com/")
    await expect(page.locator("#share")).to_have_attribute("href", PAGE)
    await expect(page).to_have_url(f"{house.url}{PAGE}")
    await page.get_by_role("button", name="Run").click()
    await expect(page.locator("#answer")).to_contain_text("fetched")
    frame = page.frame_locator("iframe[title='External content']")
    await expect(frame.locator("h1").first).to_be_visible()
    await shot(page, "answer")
    await page.locator("#answer .tabs > label", has_text="JSON").click()
    await expect(page.locator(".json-tree")).to_be_visible()
    await shot(page, "json")
    await page.goto("/playground/history")
    await shot(page, "history")
    await page.get_by_role("link", name="markdown_url").click()
    await expect(page.locator(".json-tree")).to_be_visible()
    await page.locator("#answer label", has_text="Page").click()
    await expect(frame.locator("h1").first).to_be_visible()
    assert len(await guest.calls()) == 1


@pytest.mark.long
async def test_the_price_follows_what_is_filled_in(screen: Screen, house: House) -> None:
    guest = await house.enter()
    page = await screen.open(guest)
    await page.goto("/playground/search")
    await expect(page.locator("#state")).to_contain_text("fill in the form to check")
    await page.locator("#q").fill("coffee")
    await expect(page.locator("#state")).not_to_contain_text("fill in the form to check")
    await expect(page.locator("#code")).to_contain_text("q=coffee")
    await page.get_by_label("Sandbox").check()
    await expect(page.locator("#state")).to_contain_text("nothing is charged")
    await page.get_by_role("button", name="Run").click()
    await expect(page.locator("#answer")).to_contain_text("Sandbox: sample data")
    assert await guest.balance() == CREDITS


@pytest.mark.long
async def test_a_result_is_in_the_history_after_leaving_the_page(screen: Screen, house: House) -> None:
    guest = await house.enter()
    page = await screen.open(guest)
    await page.goto(PAGE)
    house.player.hold("example.com")
    try:
        anew = page.get_by_role("button", name="Refresh")
        await (anew if await anew.count() else page.get_by_role("button", name="Run")).click()
        pane = page.locator("#answer")
        await expect(pane.get_by_role("timer")).to_contain_text("s, at most 60 s")
        await expect(pane.locator(".elapsed")).not_to_have_text("0.0")
        await expect(pane.locator(".skeleton")).to_be_visible()
        await expect(pane).to_be_focused()
        await shot(page, "running")
        await pane.get_by_role("button", name="Cancel").click()
        await expect(pane.get_by_role("status")).to_contain_text("will appear in your history")
        await expect(page.get_by_role("button", name="Run", exact=True)).to_be_enabled()
        assert await guest.calls() == []
    finally:
        house.player.release()
    async with asyncio.timeout(20):
        while not await guest.calls():  # noqa: ASYNC110  # the server cannot set an event here
            await asyncio.sleep(0.05)
    (call,) = await guest.calls()
    assert (call.code, call.charged, await guest.balance()) == ("ok", 1, CREDITS - 1)


@pytest.mark.long
async def test_a_file_is_dropped_or_chosen(screen: Screen, house: House, tmp_path: Path) -> None:
    guest = await house.enter()
    page = await screen.open(guest)
    await page.goto(FILE)
    data = await page.evaluate_handle(
        "() => { const d = new DataTransfer(); d.items.add(new File(['fruit,price\\npear,2\\n'], 'p.csv')); return d; }"
    )
    await page.locator("h1").dispatch_event("drop", {"dataTransfer": data})
    await page.get_by_role("button", name="Run").click()
    frame = page.frame_locator("iframe[title='External content']")
    await expect(frame.locator("td").first).to_have_text("pear")
    await shot(page, "file")
    chosen = tmp_path / "plums.csv"
    chosen.write_text("fruit,price\nplum,1\n")
    await page.locator("#file").set_input_files(chosen)
    await page.get_by_role("button", name="Run").click()
    await expect(frame.locator("td").first).to_have_text("plum")
    assert [call.file_name for call in await guest.calls()] == ["plums.csv", "p.csv"]


@pytest.mark.long
async def test_an_empty_balance_is_shown_with_the_next_step(screen: Screen, house: House) -> None:
    page = await screen.open(await house.enter(credits=0))
    await page.goto("/playground/trends_trending")
    await page.get_by_role("button", name="Run").click()
    await expect(page.get_by_role("alert")).to_contain_text("costs 1 credit and your balance is 0")
    await expect(page.locator("#answer")).to_be_focused()
    await shot(page, "empty")
    await page.get_by_role("link", name="Try this request in the sandbox").click()
    await expect(page.get_by_label("Sandbox")).to_be_checked()


@pytest.mark.long
async def test_a_fault_is_shown_at_its_field_which_has_the_focus(screen: Screen, house: House) -> None:
    page = await screen.open(await house.enter())
    await page.goto("/playground/domain_registration")
    await page.locator("#domain").fill("127.0.0.1")
    await page.get_by_role("button", name="Run").click()
    await expect(page.locator("#domain")).to_be_focused()
    await expect(page.locator("#domain-error")).to_contain_text("must be a domain name")


@pytest.mark.long
async def test_days_and_codes_are_picked(screen: Screen, house: House) -> None:
    page = await screen.open(await house.enter())
    await page.goto("/playground/trends_interest?q=coffee&time=2024-01-01+2024-06-30")
    first, last = page.get_by_label("From"), page.get_by_label("To", exact=True)
    await expect(first).to_have_value("2024-01-01")
    await last.fill("2024-03-31")
    await last.dispatch_event("change")
    await expect(page.locator("#time")).to_have_value("2024-01-01 2024-03-31")
    await expect(page.locator("#share")).to_have_attribute("href", re.compile(r"time=2024-01-01\+2024-03-31"))
    label = page.locator("#codes-country option[value=DE]")
    await expect(label).to_have_attribute("label", "Germany (DE)")


@pytest.mark.long
async def test_check_boxes_set_the_parts(screen: Screen, house: House) -> None:
    page = await screen.open(await house.enter())
    await page.goto("/playground/brand?domain=example.com&parts=logo")
    await expect(page.get_by_role("checkbox", name="Logo")).to_be_checked()
    await expect(page.get_by_role("checkbox", name="Traffic")).not_to_be_checked()
    await page.get_by_role("checkbox", name="Registration").check()
    await expect(page.locator("#share")).to_have_attribute("href", re.compile("parts=logo%2Cregistration"))


@pytest.mark.long
async def test_everything_works_by_keyboard(screen: Screen, house: House) -> None:
    guest = await house.enter()
    page = await screen.open(guest)
    await page.goto("/playground/maps_place")
    await page.locator("#pick-place_id, input[type=radio]").first.focus()
    await page.keyboard.press("ArrowDown")
    await expect(page.locator(".pick:has(> input:checked) input:not([type=radio])")).to_be_visible()
    await page.goto("/playground/markdown_url")
    await page.locator("#url").focus()
    await page.keyboard.type("https://example.com/")
    await page.keyboard.press("Enter")
    await expect(page.locator("#answer iframe")).to_be_visible()
    await expect(page.locator("#answer")).to_be_focused()
    await page.keyboard.press("Tab")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#answer .code pre").first).to_be_visible()


@pytest.mark.long
async def test_ctrl_enter_in_any_field_runs_the_request(screen: Screen, house: House) -> None:
    guest = await house.enter()
    page = await screen.open(guest)
    await page.goto("/playground/search?q=coffee&sandbox=true")
    await page.locator("#q").focus()
    await page.keyboard.press("Control+Enter")
    await expect(page.locator("#answer")).to_contain_text("Sandbox: sample data")
    await expect(page.get_by_text("in any field to run the request")).to_be_visible()


@pytest.mark.long
async def test_playground_works_without_script(screen: Screen, house: House) -> None:
    guest = await house.enter()
    page = await screen.open(guest, java_script_enabled=False)
    await page.goto("/playground/markdown_url")
    await page.locator("#url").fill("https://example.com/")
    await page.get_by_role("button", name="Check price").click()
    assert page.url.endswith(PAGE)
    await page.get_by_role("button", name="Run").click()
    await expect(page.locator("#answer iframe")).to_be_visible()
    assert "answer=cv_" in page.url
    await page.reload()
    assert len(await guest.calls()) == 1


async def test_json_is_searched_folded_and_copied(screen: Screen, house: House) -> None:
    options = {"permissions": ["clipboard-read", "clipboard-write"], "bypass_csp": True, **PHONE}
    page = await screen.open(await house.enter(), color_scheme="dark", **options)
    await page.goto("/playground/maps?q=coffee&ll=%4039.8%2C-89.65%2C14z&sandbox=true")
    await page.get_by_role("button", name="Run").click()
    await page.locator("#answer .tabs > label", has_text="JSON").click()
    tree = page.locator(".json-tree")
    await expect(tree.locator(".key").first).to_have_text("extractor")
    await page.get_by_label("Search the JSON").fill("20 Sample Avenue")
    await expect(tree.locator(".hit").first).to_be_visible()
    await expect(page.locator("#json-said")).to_have_text("1 of 3")
    await page.get_by_label("Search the JSON").press("Enter")
    await expect(page.locator("#json-said")).to_have_text("2 of 3")
    assert await find_faults(page, axe_script()) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await shot(page, "json-search")
    await tree.locator("li:has(> .hit) > .key").first.click()
    assert await page.evaluate("navigator.clipboard.readText()") == "data.places[1].address"
    await expect(page.locator("#json-said")).to_have_text("Copied data.places[1].address")
    await page.get_by_role("button", name="Collapse all").click()
    await expect(tree.locator("details details[open]")).to_have_count(0)
    await page.get_by_role("button", name="Expand all").click()
    await expect(tree.locator("details:not([open])")).to_have_count(0)
    await page.locator(".json-bar").get_by_role("button", name="Copy", exact=True).click()
    await expect(page.locator("#json-said")).to_have_text("Copied the response")
    copied = orjson.loads(await page.evaluate("navigator.clipboard.readText()"))
    assert list(copied) == ["extractor", "id", "creditsCharged", "cached", "data", "markdown"]
    assert copied["data"]["places"][1]["address"].startswith("20 Sample Avenue")
    await page.get_by_role("button", name="Copy link").click()
    await expect(page.get_by_role("button", name="Copied the link")).to_be_visible()
    assert await page.evaluate("navigator.clipboard.readText()") == page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_charts_and_pictures_are_shown_first_and_load_nothing_from_other_hosts(
    screen: Screen, house: House, scheme: Any
) -> None:
    axe = axe_script()
    page = await screen.open(await house.enter(), color_scheme=scheme, bypass_csp=True)
    screen.asked.clear()
    for name, shown in (
        ("trends_interest", "svg.lines polyline"),
        ("brand_logo", "img.picture"),
        ("maps", "ol.places li"),
    ):
        question = urlencode({**house.service.registry.by_name[name].example, "sandbox": "true"})
        await page.goto(f"/playground/{name}?{question}")
        await page.get_by_role("button", name="Run").click()
        await expect(page.locator(f"#answer {shown}").first).to_be_visible()
        await expect(page.locator("#answer .foreign-bar:visible")).to_have_text("External content")
        await page.wait_for_function("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
        assert await find_faults(page, axe) == [], name
        await shot(page, f"{name}-{scheme}")
    assert screen.foreign == []


async def test_fetched_content_cannot_act_load_or_imitate_the_site(screen: Screen, house: House) -> None:
    guest = await house.enter()
    markdown = "\n\n".join(HOSTILE) + "\n\n[a link](https://evil.example/landing)\n"
    conversion_id = await plant(house, markdown, {text: [text] for text in HOSTILE})
    page = await screen.open(guest)
    screen.asked.clear()
    await page.goto(f"/playground/markdown_url?{urlencode({'url': HOSTILE[0], 'answer': conversion_id})}")
    frame = page.frame_locator("iframe[title='External content']")
    await expect(frame.get_by_role("link", name="a link")).to_be_visible()
    for name in ("Markdown", "JSON", "Page"):
        await page.locator("#answer .tabs > label", has_text=name).click()
    await page.wait_for_load_state("networkidle")
    assert (screen.reports, screen.foreign) == ([], [])
    assert await page.locator("iframe").get_attribute("sandbox") == PERMITS
    assert await frame.locator("img, form, input, button, svg, style, iframe, [class], [id]").count() == 0
    async with page.context.expect_page() as opened:
        await frame.get_by_role("link", name="a link").click()
    assert await (await opened.value).evaluate("[window.opener, document.referrer]") == [None, ""]
    assert screen.foreign == ["https://evil.example/landing"]
    assert page.url.startswith(house.url)


async def plant(house: House, markdown: str, data: Any) -> str:
    """Store a result that a hostile page could have made. Return its id."""
    now = house.service.clock.now()
    made = Conversion(
        id=new_conversion_id(),
        endpoint="markdown_url",
        version=1,
        cache_key=None,
        owner=None,
        created_at=now,
        fresh_until=None,
        expires_at=now + timedelta(days=1),
        provider="page",
        source_url="https://evil.example/",
        data=orjson.dumps(data),
        markdown=markdown.encode(),
    )
    await house.service.conversions.keep(made)
    return made.id


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "size"), [("dark", "phone"), ("light", "wide")])
async def test_pages_fit_are_light_and_are_accessible(screen: Screen, house: House, scheme: Any, size: str) -> None:
    axe = axe_script()
    guest = await house.enter()
    options = PHONE if size == "phone" else {"viewport": {"width": 1440, "height": 900}}
    page = await screen.open(guest, color_scheme=scheme, bypass_csp=True, **options)
    got: list[Any] = []
    page.on("requestfinished", lambda request: got.append(request))
    question = urlencode({"url": "https://example.com/", "sandbox": "true"})
    paths = ("", "/search", f"/markdown_url?{question}", "/maps_place", "/history")
    for path in (f"/playground{rest}" for rest in paths):
        got.clear()
        await page.goto(path, wait_until="networkidle")
        if "sandbox" in path:
            await page.get_by_role("button", name="Run").click()
            await expect(page.locator("#answer iframe")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert await find_faults(page, axe) == [], path
        assert sum([(await request.sizes())["responseBodySize"] for request in got]) < MAX_BYTES
        await shot(page, f"{size}-{scheme}-{path.split('?')[0].rpartition('/')[2]}")
