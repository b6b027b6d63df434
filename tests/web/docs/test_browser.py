"""The pages in a real browser: no content is cut off, everything works by keyboard, and without script if possible."""

import gzip
from collections.abc import AsyncIterator
from urllib.parse import unquote

import pytest
from playwright.async_api import Browser, async_playwright, expect

from support.axe import axe_script, find_faults
from support.client import Client
from webquarry.core.settings import Settings
from webquarry.net.browser.installed import find_chromium

PAGES = (
    "/",
    "/changelog",
    "/docs",
    "/docs/quickstart",
    "/docs/clients",
    "/docs/errors",
    "/docs/settings",
    "/docs/api/search",
    "/docs/api/brand",
    "/docs/search?q=followers",
    "/status",
)
MOST_BYTES = 150_000


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    path = find_chromium(Settings())
    if path is None:
        pytest.skip("no Chromium is installed")
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        await chromium.close()


@pytest.mark.long
async def test_pages_fit_and_have_no_serious_fault(browser: Browser, client: Client) -> None:
    """In both themes and widths: no serious axe finding, overflow or failed load, no request to another host.

    The transfer size is bounded.
    """
    script = axe_script()
    faults: list[str] = []
    for scheme, width in (("light", 1440), ("dark", 390)):
        context = await browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 900})  # type: ignore[arg-type]
        page = await context.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))  # noqa: B023  # read before it is recreated
        page.on("console", lambda message: faults.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        for path in PAGES:
            await page.goto(f"{client.url}{path}")
            where = f"{path} {scheme}"
            faults.extend(f"{where}: {fault}" for fault in await find_faults(page, script))
            if await page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                faults.append(f"{where}: is wider than {width}")
        faults.extend(f"asks {url}" for url in asked if not url.startswith(client.url))
        await context.close()
    assert faults == []


@pytest.mark.long
async def test_search_works_by_keyboard(browser: Browser, client: Client) -> None:
    page = await browser.new_page()
    await page.goto(f"{client.url}/docs")
    await page.keyboard.press("/")
    await page.keyboard.type("transcript", delay=5)
    first = page.locator(".hit").first
    await first.wait_for()
    assert "Video transcript" in await first.inner_text()
    await page.keyboard.press("ArrowDown")
    assert await page.locator("#docs-q").get_attribute("aria-activedescendant") == "docs-result-0"
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/docs/api/videoplatform_transcript*")


async def test_search_finds_the_same_with_script_and_without(browser: Browser, client: Client) -> None:
    page = await browser.new_page()
    await page.goto(f"{client.url}/docs")
    for query in ("followers", "max_pages store", "refund", "provider_error blocked"):
        await page.fill("#docs-q", query)
        await page.locator(f'.results[data-query="{query}"]').wait_for()
        scripted = await page.eval_on_selector_all(".hit", "items => items.map(item => item.dataset.address)")
        assert await page.locator(".hit mark").count()
        await page.goto(f"{client.url}/docs/search?q={query}")
        plain = await page.eval_on_selector_all(
            ".found",
            "lists => lists.flatMap(l => [...l.querySelectorAll('a')].slice(0, 4)).map(a => a.pathname + a.hash)",
        )
        assert scripted == plain, query
        assert await page.locator(".found mark").count()


async def test_search_says_when_nothing_is_found(browser: Browser, client: Client) -> None:
    page = await browser.new_page()
    await page.goto(f"{client.url}/docs")
    await page.fill("#docs-q", "zzzzqqq")
    await page.get_by_role("status").filter(has_text="No results for “zzzzqqq”").wait_for()
    assert await find_faults(page, axe_script()) == []
    await page.keyboard.press("Enter")
    await page.get_by_text("No results for “zzzzqqq”").wait_for()
    await page.get_by_role("link", name="quick start").first.wait_for()


@pytest.mark.long
async def test_tabs_and_folds_work_without_script(browser: Browser, client: Client) -> None:
    context = await browser.new_context(java_script_enabled=False)
    page = await context.new_page()
    await page.goto(f"{client.url}/docs/api/maps")
    python = page.locator("code.language-python").first
    assert not await python.is_visible()
    await page.locator("label", has_text="Python").first.click()
    assert await python.is_visible()
    await page.keyboard.press("ArrowRight")
    assert await page.locator("code.language-javascript").first.is_visible()
    folded = page.locator(".tree details:not([open])").first
    await folded.locator("summary").first.click()
    assert await page.locator(".tree details[open]").count() > 1
    await context.close()


@pytest.mark.long
async def test_code_is_copied_whole(browser: Browser, client: Client) -> None:
    context = await browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = await context.new_page()
    await page.goto(f"{client.url}/docs/api/search")
    await page.locator("figure:visible .copy").first.click()
    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("curl -H ")
    assert copied == await page.locator("code.language-shell").first.inner_text()
    await context.close()


@pytest.mark.parametrize("path", PAGES)
def test_resources_of_a_page_are_small(client: Client, path: str) -> None:
    reply = client.ask(path, "Accept-Encoding: gzip", "Accept: text/html")
    total = len(reply.body)
    text = gzip.decompress(reply.body).decode() if "content-encoding" in reply.headers else reply.text
    for name in ("site.css", "site.js", "docs.js", "favicon.svg"):
        stem, _, ending = name.partition(".")
        for address in {part.split('"')[0] for part in text.split('"/static/')[1:]}:
            if address.startswith(f"{stem}.") and address.endswith(ending):
                total += len(client.ask(f"/static/{address}", "Accept-Encoding: gzip").body)
    assert total < MOST_BYTES


@pytest.mark.long
@pytest.mark.parametrize("width", [1280, 390])
async def test_json_never_prints_over_itself(browser: Browser, client: Client, width: int) -> None:
    """No line of the tree overlaps another, and the note on a folded value is on the value's own line."""
    page = await browser.new_page(viewport={"width": width, "height": 900})
    for path in ("/docs/quickstart", "/docs/api/search", "/docs/api/markdown_url"):
        await page.goto(f"{client.url}{path}")
        overlaps = await page.evaluate("""() => {
            const tree = document.querySelector(".tree");
            const lines = [...tree.querySelectorAll(".l, summary, .folded")].filter(node => node.checkVisibility());
            const boxes = lines.map(node => {
                const range = document.createRange();
                range.selectNodeContents(node);
                const box = node.matches(".folded") ? node.getBoundingClientRect() : range.getBoundingClientRect();
                return [node, box];
            }).filter(([, box]) => box.height > 0);
            const crossed = [];
            for (const [one, a] of boxes) for (const [other, b] of boxes) {
                if (one === other || one.contains(other) || other.contains(one)) continue;
                if (a.bottom - b.top > 3 && b.bottom - a.top > 3) crossed.push(one.textContent + other.textContent);
            }
            return {count: boxes.length, crossed};
        }""")
        assert overlaps["count"] > 10, path
        assert overlaps["crossed"] == [], path


@pytest.mark.long
async def test_reference_has_three_columns_if_there_is_space(browser: Browser, client: Client) -> None:
    page = await browser.new_page(viewport={"width": 1280, "height": 900})
    await page.goto(f"{client.url}/docs/api/search")
    columns = [await page.locator(each).first.bounding_box() for each in (".side", ".rest", ".sample")]
    (side, text, sample) = [(box["x"], box["x"] + box["width"]) for box in columns if box]
    assert side[1] <= text[0] < text[1] <= sample[0] < sample[1] <= 1280
    await page.locator("#error").scroll_into_view_if_needed()
    await expect(page.locator(".sample .tabs").first).to_be_in_viewport()
    await page.set_viewport_size({"width": 1100, "height": 900})
    stacked = [await page.locator(each).first.bounding_box() for each in (".sample", ".rest")]
    assert len({round(box["x"]) for box in stacked if box}) == 1


@pytest.mark.long
async def test_a_link_to_a_folded_field_unfolds_it(browser: Browser, client: Client) -> None:
    page = await browser.new_page()
    await page.goto(f"{client.url}/docs/api/search#field-organic_results.title")
    await expect(page.locator("#field-organic_results\\.title")).to_be_in_viewport()
    await page.goto(f"{client.url}/docs/api/search#field-videos.link")
    await expect(page.locator("#field-videos\\.link")).to_be_in_viewport()


@pytest.mark.long
async def test_the_page_is_copied_as_markdown(browser: Browser, client: Client) -> None:
    context = await browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = await context.new_page()
    await page.goto(f"{client.url}/docs/api/search")
    await page.get_by_role("button", name="Copy page").click()
    await page.get_by_role("button", name="Copied").wait_for()
    assert await page.evaluate("navigator.clipboard.readText()") == client.ask("/docs/api/search.md").text
    await page.get_by_text("Open in …").click()
    target = await page.get_by_role("link", name="Claude", exact=True).get_attribute("href")
    assert target is not None
    assert unquote(target).endswith(f"Read {client.url}/docs/api/search.md, then help me use it.")
    await context.close()


@pytest.mark.long
async def test_no_name_is_broken_inside_a_word_and_no_column_is_hidden(browser: Browser, client: Client) -> None:
    """Each part of a name is on one line, and tables are not wider than a telephone's screen."""
    page = await browser.new_page(viewport={"width": 390, "height": 900})
    for path in ("/docs/errors", "/docs/api/social_microblog_tweets", "/docs/settings", "/docs/limits", "/docs/tools"):
        await page.goto(f"{client.url}{path}")
        await page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        faults = await page.evaluate("""() => {
            const faults = [];
            for (const code of document.querySelectorAll(".prose :is(.rows, table, p, li) code")) {
                for (const text of code.childNodes) {
                    const range = document.createRange();
                    range.selectNodeContents(text);
                    const isName = text.nodeType === 3 && /^[\\w.[\\]/]+$/.test(text.data) && text.data.length < 30;
                    const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
                    if (isName && lines.size > 1) faults.push(code.textContent);
                }
            }
            for (const box of document.querySelectorAll(".scroll")) {
                if (box.scrollWidth > box.clientWidth) faults.push(`hidden: ${box.textContent.slice(0, 80)}`);
            }
            return faults;
        }""")
        assert faults == [], path
