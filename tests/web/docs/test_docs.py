"""All documentation pages, as a crawler finds them: complete, linked, small, and generated from the registry."""

import asyncio
import dataclasses
import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from support.visits import Browser, Page
from webquarry.api.fields import list_result_fields
from webquarry.api.openapi import document
from webquarry.app import assemble
from webquarry.core.errors import ANSWERED, REASONS
from webquarry.core.settings import Settings
from webquarry.endpoints.params import specs
from webquarry.endpoints.registry import Registry, load
from webquarry.endpoints.snippets import example_path
from webquarry.sandbox.cases import IN_PARTS, cases
from webquarry.web.docs import advice
from webquarry.web.docs.docs import INSTALLERS, READERS, Docs
from webquarry.web.docs.prose import slug
from webquarry.web.site import POLICY, Site

ASKED = "search"
"""An endpoint whose example is requested for comparison with its page."""
MOST_BYTES = 150_000
TARGETS = ("href", "src", "action", "data-search")
ASSISTANTS = tuple(link.partition("?")[0] for link in READERS.values()) + INSTALLERS
"""The only external URLs that pages link to."""
FOUND = "/docs/search.json?q=weather"
"""A search that finds the additional endpoint."""
BASE = "https://quarry.example.org"
OTHER_ROOMS = re.compile(r"/(login|signup|playground)\b")
"""Pages that have separate tests. In these tests, they only have to exist."""
SIGNED_IN = re.compile(r"/(account|admin|logout)\b")
"""Pages that are not shown to visitors who are not signed in."""


@dataclass(frozen=True)
class Found:
    """A page of the site. targets: the URLs in it, unchanged."""

    page: Page
    tree: LexborHTMLParser
    ids: list[str]
    targets: list[str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    """Every page reachable from the home page, by path, with an additional endpoint."""
    return asyncio.run(_crawl(tmp_path_factory.mktemp("docs")))


def grown() -> Registry:
    """Return the registry with an additional endpoint."""
    known = load()
    more = dataclasses.replace(
        known.by_name["domain_registration"],
        name="domain_weather",
        path="/domain/weather",
        title="Weather over a domain",
        sources=(),
        run=_rain,
    )
    return Registry(tuple(sorted((*known, more), key=lambda each: each.path)), about=known.about)


async def _rain(_params: Any, _ctx: Any) -> Any:
    raise AssertionError


async def _crawl(folder: Path) -> dict[str, Found]:
    found: dict[str, Found] = {}
    async with assemble(
        Settings(data_dir=folder, base_url=BASE), sandbox=True, serving=True, registry=grown()
    ) as service:
        browser = Browser(service.asgi(), origin=BASE)
        waiting = ["/", FOUND]
        while waiting:
            path = waiting.pop()
            page = await browser.get(path)
            tree = LexborHTMLParser(page.text)
            ids = [str(node.attributes["id"]) for node in tree.css("[id]")]
            targets = [str(node.attributes[name]) for name in TARGETS for node in tree.css(f"[{name}]")]
            found[path] = Found(page, tree, ids, targets)
            if page.headers["content-type"].startswith("text/html") and not OTHER_ROOMS.match(path):
                waiting += {_path(target) for target in targets} - found.keys() - set(waiting) - {""}
        _, key = await service.accounts.create("reader@example.org", 10)
        asked = example_path(load().by_name[ASKED])
        answer = await browser.send("GET", asked, headers={"authorization": f"Bearer {key}"})
        found[asked] = Found(answer, LexborHTMLParser(""), [], [])
    return found


def _path(target: str) -> str:
    """Return the path of a target if it is a page of this site that must be checked, otherwise ""."""
    path = urldefrag(target)[0].partition("?")[0]
    return "" if SIGNED_IN.match(path) or not path.startswith("/") else path


def htmls(site: dict[str, Found]) -> Iterator[tuple[str, Found]]:
    """Yield the HTML pages that are checked here."""
    for path, each in site.items():
        if each.page.headers["content-type"].startswith("text/html") and not OTHER_ROOMS.match(path):
            yield path, each


def test_every_page_responds_and_runs_only_scripts_of_the_site(site: dict[str, Found]) -> None:
    assert len(list(htmls(site))) > len(load())
    for path, each in site.items():
        assert each.page.status == 200, path
    for path, each in htmls(site):
        assert each.page.headers["content-security-policy"] == POLICY.format(forms=""), path
        assert not any(node.text() for node in each.tree.css("script")), path
        assert not each.tree.css("style, [style], [onclick], [onload], [onsubmit], img, iframe, object, embed"), path
        if path == "/changelog":  # written by hand, with links to other sites
            continue
        ours = [target for target in each.targets if not target.startswith(ASSISTANTS)]
        assert all(target.startswith(("/", "#")) and not target.startswith("//") for target in ours), path


def test_no_link_and_no_anchor_is_dead(site: dict[str, Found]) -> None:
    dead = []
    for path, each in htmls(site):
        for target in each.targets:
            whole, anchor = urldefrag(target)
            there = _path(target) or (path if not whole else "")
            if there and (there not in site or (anchor and anchor not in site[there].ids)):
                dead.append(f"{path} → {target}")
    assert dead == []


def test_every_page_has_one_heading_a_title_and_each_id_once(site: dict[str, Found]) -> None:
    for path, each in htmls(site):
        assert len(each.tree.css("h1")) == 1, path
        assert each.tree.css("title")[0].text(), path
        assert len(each.ids) == len(set(each.ids)), path


def test_no_page_is_large(site: dict[str, Found]) -> None:
    for path, each in site.items():
        if path not in ("/llms-full.txt", "/openapi.json"):  # for programs
            assert len(gzip.compress(each.page.body, 4)) < MOST_BYTES, path


def test_pages_show_code_as_code(site: dict[str, Found]) -> None:
    for path, each in htmls(site):
        each_tree = LexborHTMLParser(each.page.text)
        each_tree.strip_tags(["pre", "figure", "script"])
        shown = each_tree.css("main")[0].text()
        assert "`" not in shown, path
        assert "{:" not in shown, path
        assert "%%%" not in shown, path


def test_every_page_of_a_sandbox_states_it(site: dict[str, Found]) -> None:
    for path, each in [*htmls(site), *((path, site[path]) for path in ("/llms.txt", "/agents.md"))]:
        assert "responses are sample data" in each.page.text.lower(), path
        assert "wq_test_" in each.page.text, path


def test_commands_in_a_sandbox_use_its_own_store(site: dict[str, Found]) -> None:
    assert "webquarry account create you@example.com --sandbox\n" in site["/docs/quickstart.md"].page.text
    accounts = site["/docs/self-hosting.md"].page.text.partition("## Accounts and credits")[2].partition("## ")[0]
    assert "`--sandbox`" in accounts


def test_every_page_is_there_as_markdown(site: dict[str, Found]) -> None:
    for path, each in htmls(site):
        if path.startswith("/docs") and path != "/docs/search":
            found = site[f"{path}.md"].page
            assert found.headers["content-type"] == "text/markdown; charset=utf-8"
            assert found.text.startswith(f"# {each.tree.css('h1')[0].text()}\n"), path
            assert not re.search(r"\]\([/#]|\.md#|%%%|\{: #|^`{3,}\w+ |^> \[!", found.text, re.MULTILINE), path


def test_links_in_texts_resolve_under_the_public_url(site: dict[str, Found]) -> None:
    for path in ("/llms.txt", "/agents.md", "/index.md", "/docs/billing.md", "/docs.md"):
        links = re.findall(r"\]\(([^)\s]+)\)", site[path].page.text)
        assert links, path
        for link in links:
            assert link.startswith(f"{BASE}/"), link
            inner = urlsplit(link).path
            assert SIGNED_IN.match(inner) or inner in site, link


def test_an_endpoint_has_an_anchor_for_each_parameter_field_and_error(site: dict[str, Found]) -> None:
    for extractor in load():
        page = site[f"/docs/api/{extractor.name}"]
        ids = set(page.ids)
        assert {f"param-{slug(spec.name)}" for spec in specs(extractor.params)} <= ids
        assert {f"field-{slug(row.path)}" for row in list_result_fields(extractor.result)} <= ids, extractor.name
        assert {f"error-{slug(each.name)}" for each in advice.list_endings(extractor)} <= ids
        assert {f"source-{provider.name}" for provider in extractor.all_providers} <= ids


def test_an_endpoint_page_lists_sources_settings_and_untested_sources(site: dict[str, Found]) -> None:
    rows = {
        row.attributes.get("id"): " ".join(" ".join(part.text() for part in row.css(".row-head, p")).split())
        for row in site["/docs/api/search"].tree.css(".rows > li")
    }
    assert rows["source-brave_api"] == "brave_api Provider: Brave Search API Requires: WEBQUARRY_BRAVE_KEY untested"
    assert "WEBQUARRY_GOOGLE_CSE_KEY and WEBQUARRY_GOOGLE_CSE_ID" in rows["source-google_cse"]
    assert rows["source-mojeek"] == "mojeek Provider: Mojeek often blocked, browser headers"
    assert "untested" not in site["/docs/api/domain_registration"].page.text.lower()


def test_the_displayed_response_is_complete(site: dict[str, Found]) -> None:
    """The envelope and headers equal the sandbox's response."""
    for extractor in load():
        tree = site[f"/docs/api/{extractor.name}"].tree.css_first(".tree")
        assert tree is not None, extractor.name
        assert list(json.loads(tree.text())) == ["extractor", "id", "creditsCharged", "cached", "data", "markdown"]
    asked = load().by_name[ASKED]
    page, reply = site[f"/docs/api/{ASKED}"].tree, site[example_path(asked)].page
    assert reply.status == 200
    shown, report = json.loads(page.css_first(".tree").text()), json.loads(reply.body)  # type: ignore[union-attr]
    assert {**shown, "id": report["id"]} == report
    lines = page.css_first("code.language-http").text().splitlines()  # type: ignore[union-attr]
    assert [line.partition(":")[0] for line in lines[1:]] == [
        name for name in reply.headers if name != "content-length"
    ]


def test_an_added_endpoint_has_its_page_and_entries(site: dict[str, Found]) -> None:
    assert site["/docs/api/domain_weather"].tree.css_first("h1").text() == "Weather over a domain"  # type: ignore[union-attr]
    for path in ("/", "/docs", "/docs/billing", "/docs/caching"):
        assert "/docs/api/domain_weather" in site[path].targets
    assert "`/domain/weather`" in site["/llms.txt"].page.text
    assert "# Weather over a domain" in site["/llms-full.txt"].page.text
    assert '"Weather",true],[" over a domain",false' in site[FOUND].page.text


@pytest.mark.parametrize("path", ["/docs/tools", "/docs/sandbox"])
def test_the_request_for_trying_parts_is_named(site: dict[str, Found], path: str) -> None:
    (case,) = [case for case in cases("markdown_url") if case.name == IN_PARTS]
    body = site[path].tree.body
    assert body is not None
    assert case.params["url"] in body.text()


def test_llms_txt_is_an_index_of_at_most_8_kb_with_the_most_used_first(site: dict[str, Found]) -> None:
    text = site["/llms.txt"].page.text
    assert len(text.encode()) <= 8192
    for extractor in load():
        line = next(line for line in text.splitlines() if f"`{extractor.path}`" in line)
        assert len(line) < 400
        assert ": " in line
    for found in (
        "part `file`, at most 10 MB",
        "num 1-20, page 1-10",
        "parts.<name>{ok endpoint data",
        "logo, traffic, authority, ads, homepage",
        "`X-Error-Reason`",
        "at most 5 attempts",
        "`GET /account/receipts/{request_id}`: ",
        "`GET /conversions/{id}`: ",
    ):
        assert found in text, found
    assert "next_cursor" not in next(line for line in text.splitlines() if "`/ads/socialnet`" in line)
    places = [text.index(f"`{path}`") for path in ("/markdown/url", "/search", "/maps", "/ads/socialnet")]
    assert places == sorted(places)


def test_operations_of_the_account_have_a_place_and_their_fields(site: dict[str, Found]) -> None:
    for name in ("account", "account_usage", "account_receipts", "account_requests", "conversions"):
        assert f"{BASE}/docs/api/{name}.md" in site["/docs.md"].page.text
    assert {"field-extractor", "field-data", "field-markdown"} <= set(site["/docs/api/conversions"].ids)
    assert 'f"https://' not in site["/docs/api/account.md"].page.text
    assert 'f"https://' in site["/docs/api/conversions.md"].page.text


def test_an_operation_with_a_body_lists_its_fields(site: dict[str, Found]) -> None:
    for name, fields in (
        ("jobs_start", {"body-operation", "body-inputs", "body-max_credits"}),
        ("crawl", {"body-url", "body-since"}),
        ("webhooks_create", {"body-url", "body-events"}),
    ):
        assert fields <= set(site[f"/docs/api/{name}"].ids), name
    assert re.search(r"`operation` \| string, required \|", site["/docs/api/jobs_start.md"].page.text)


def test_errors_are_listed_once_in_the_text_for_agents(site: dict[str, Found]) -> None:
    rows = re.findall(r"^\| [0-9, ]+ \| `(\w+)` \|", site["/agents.md"].page.text, re.MULTILINE)
    assert len(rows) == len(set(rows)) == len(advice.DO)


def test_every_code_and_reason_has_advice() -> None:
    assert advice.DO.keys() == {error.code for error in ANSWERED}
    assert set(advice.WHY) == {(code, reason) for code, reasons in REASONS.items() for reason in reasons}


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("web search", "/docs/api/search"),
        ("followers", "/docs/api/social_microblog_profile#field-followers"),
        ("refund", "/docs/billing#seen"),
        ("429", "/docs/errors#rate_limited"),
        ("python", "/docs/tools#code"),
        ("docker", "/docs/self-hosting#docker"),
        ("claude", "/docs/tools#claude-code"),
        ("webhook", "/docs/api/webhooks_create"),
        ("openapi", "/docs/clients"),
        ("postman", "/docs/clients#postman"),
        ("breaking", "/docs/versioning#breaking"),
        ("rate limt", "/docs/errors#rate_limited"),
        ("how do I pay", "/docs/billing"),
        ("pagin", "/docs/pagination"),
        ("WEBQUARRY_REDIS_URL", "/docs/settings#setting-webquarry_redis_url"),
        ("next_cursor", "/docs/api/ads_searchengine#field-next_cursor"),
        ("provider_error", "/docs/errors#provider_error"),
        ("billing", "/docs/billing"),
        ("max_pages store", "/docs/api/shortvideo_shop_store#param-max_pages"),
    ],
)
async def test_search_finds_operations_parameters_fields_errors_and_guides(
    searching: Browser, query: str, address: str
) -> None:
    page = await searching.get(f"/docs/search?q={query.replace(' ', '+')}")
    links = [str(node.attributes["href"]) for node in LexborHTMLParser(page.text).css(".found a")]
    assert address in links[:5], links[:5]


@pytest.mark.parametrize("query", ["", "%20", "zzzzqqq", "a" * 5000, "%00"])
async def test_search_for_nothing_finds_nothing(searching: Browser, query: str) -> None:
    page = await searching.get(f"/docs/search?q={query}")
    assert page.status == 200
    assert not LexborHTMLParser(page.text).css(".found a")


async def test_search_shows_the_query_as_text(searching: Browser) -> None:
    page = await searching.get("/docs/search?q=%3Cimg%20src=x%3E")
    tree = LexborHTMLParser(page.text)
    assert tree.css_first("h1").text() == "Search: <img src=x>"  # type: ignore[union-attr]
    assert not tree.css("img")


@pytest.fixture(scope="module")
def searching() -> Browser:
    shell = Site(BASE, sandbox=False)
    registry = load()
    text = document(registry, base_url=BASE, rate_limit=60)
    return Browser(shell.app(Docs(shell, registry, Settings(), text, lambda _: None, lambda _: ())), origin=BASE)


async def test_pages_of_a_service_have_no_sandbox_notice(searching: Browser) -> None:
    for path in ("/", "/docs", "/docs/api/search", "/llms.txt", "/agents.md", "/docs/quickstart", "/docs/sandbox"):
        page = await searching.get(path)
        assert page.status == 200
        assert "responses are sample data" not in page.text.lower().replace("webquarry serve --sandbox", "")
    assert "account create you@example.com\n" in (await searching.get("/docs/quickstart.md")).text


@pytest.mark.parametrize(
    ("accept", "answered"),
    [
        ("text/markdown", "text/markdown"),
        ("text/markdown, text/html, */*", "text/markdown"),
        ("text/html, text/markdown;q=0.5", "text/html"),
        ("text/markdown;q=0", "text/html"),
        ("*/*", "text/html"),
    ],
)
async def test_a_page_is_markdown_on_request(searching: Browser, accept: str, answered: str) -> None:
    page = await searching.get("/docs/billing", accept=accept)
    assert (page.status, page.headers["content-type"]) == (200, f"{answered}; charset=utf-8")
    assert page.headers["vary"] == "Cookie, Accept, Accept-Encoding"
    assert (page.text == (await searching.get("/docs/billing.md")).text) == (answered == "text/markdown")


async def test_the_old_url_of_an_endpoint_redirects_to_its_page(searching: Browser) -> None:
    page = await searching.get("/docs/markdown_url")
    assert (page.status, page.location) == (308, "/docs/api/markdown_url")
