"""The playground without a real browser: its pages, its runs, and their price."""

import re
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from support.playground import CREDITS, Guest, House
from support.visits import Browser, Page
from webquarry.accounts import History, PastCall
from webquarry.core.errors import Overloaded
from webquarry.core.locale import COUNTRIES
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT, specs
from webquarry.endpoints.registry import load
from webquarry.limits import InProcessLimiter
from webquarry.web.gate import read_next
from webquarry.web.playground.form import PICK, RESERVED, read_filled
from webquarry.web.playground.labels import MAX_LABEL
from webquarry.web.playground.runner import GUEST_CALLS

pytestmark = pytest.mark.asyncio(loop_scope="session")
REGISTRY = load()
NAMES = [extractor.name for extractor in REGISTRY]
SEARCH = "/playground/search"
ASKED = f"{SEARCH}?{urlencode(REGISTRY.by_name['search'].example)}"
PAGE = "/playground/markdown_url"
FILE = "/playground/markdown_file"


def select(page: Page, selector: str) -> list[LexborNode]:
    return LexborHTMLParser(page.text).css(selector)


def links(page: Page, selector: str) -> list[str]:
    return [str(link.attributes["href"]) for link in select(page, selector)]


def controls(page: Page) -> dict[str, LexborNode]:
    return {str(node.attributes["name"]): node for node in select(page, "#call input[name], #call select[name]")}


def options(control: LexborNode) -> set[str | None]:
    return {option.attributes.get("value") for option in control.css("option")}


async def press(guest: Guest | Browser, address: str, do: str = "run", **fields: str) -> Page:
    """Open an address and send its form by one of its buttons."""
    browser = guest.browser if isinstance(guest, Guest) else guest
    page = await browser.get(address)
    path = urlsplit(address).path
    return await browser.post(path, {**page.fields(path), "do": do, **fields})


async def test_names_of_form_fields_are_not_parameters() -> None:
    names = {name for extractor in REGISTRY for name in extractor.fields}
    ids = {"call", "state", "answer", "code", "share", "shared", "main", "find", "in-sandbox"}
    assert not names & (RESERVED | ids)
    assert not any(name.startswith((PICK, "pick-")) for name in names)
    assert not {"history", "answers"} & set(NAMES)


@pytest.mark.parametrize("name", NAMES)
async def test_a_form_has_all_that_its_endpoint_declares(house: House, name: str) -> None:
    extractor = REGISTRY.by_name[name]
    page = await house.passer_by().get(f"/playground/{name}")
    assert page.status == 200
    found = controls(page)
    grouped = {each for group in extractor.params.one_of for each in group}
    for spec in (*specs(extractor.params), FORMAT):
        if spec.several:
            assert {f"{spec.name}.{name}" for name in spec.several} <= set(found)
            continue
        control = found[spec.name]
        if spec.enum:
            assert set(spec.enum) <= options(control)
            continue
        if spec.type == "boolean":
            assert {"true", "false"} <= options(control)
            continue
        attributes = control.attributes
        assert attributes["type"] == ("number" if spec.type == "integer" else "url" if spec.format == "uri" else "text")
        assert ("required" in attributes) == (spec.required and spec.name not in grouped)
        bounds = {"min": spec.min, "max": spec.max, "maxlength": spec.max_length}
        assert all(attributes.get(name) == str(bound) for name, bound in bounds.items() if bound is not None)
    for at, group in enumerate(extractor.params.one_of):
        radios = select(page, f'input[name="{PICK}{at}"]')
        assert [radio.attributes["value"] for radio in radios] == list(group)
    assert extractor.path in page.text


@pytest.mark.parametrize("extractor", list(REGISTRY), ids=NAMES)
async def test_a_url_fills_the_form_for_the_same_request(house: House, extractor: Extractor) -> None:
    question = dict(extractor.example)
    page = await house.passer_by().get(f"/playground/{extractor.name}?{urlencode(question)}")
    fields = page.fields(f"/playground/{extractor.name}")
    for at, group in enumerate(extractor.params.one_of):
        assert fields[f"{PICK}{at}"] == next(name for name in group if name in question)
    asked = dict(read_filled(extractor, fields))
    kept = {name: text for name, text in question.items() if _default(extractor, name) != text}
    assert asked == kept


def _default(extractor: Extractor, name: str) -> str:
    spec = next(spec for spec in specs(extractor.params) if spec.name == name)
    return "" if spec.required else str(spec.default)


async def test_only_the_picked_parameter_is_sent() -> None:
    extractor = next(extractor for extractor in REGISTRY if extractor.params.one_of)
    first, second, *_ = extractor.params.one_of[0]
    filled = {f"{PICK}0": second, first: "left over", second: "meant", "csrf": "x", "do": "run", "sandbox": "true"}
    assert read_filled(extractor, filled) == [(second, "meant")]


async def test_checked_boxes_select_their_names() -> None:
    extractor, spec = next((each, spec) for each in REGISTRY for spec in specs(each.params) if spec.several)
    first, second, *rest = spec.several
    boxes = {f"{spec.name}.{name}": "true" for name in (rest[-1], second)}
    assert read_filled(extractor, boxes) == [(spec.name, f"{second},{rest[-1]}")]
    assert read_filled(extractor, {}) == []
    defaults = {f"{spec.name}.{name}": "true" for name in str(spec.default).split(",")}
    assert read_filled(extractor, defaults) == []
    assert read_filled(extractor, {f"{spec.name}.nope": "true"}) == [(f"{spec.name}.nope", "true")]
    assert first


@pytest.mark.parametrize("name", NAMES)
async def test_every_field_has_a_label_in_words_with_the_name_of_its_parameter(house: House, name: str) -> None:
    page = await house.passer_by().get(f"/playground/{name}")
    for spec in (*specs(REGISTRY.by_name[name].params), FORMAT):
        (label,) = [
            each
            for each in select(page, "#call .field > label, #call .several > legend")
            if [name.text() for name in each.css("code")] == [spec.name]
        ]
        words = label.text(deep=False).strip()
        assert words[0].isupper()
        assert "_" not in words
        assert not words.endswith((" the", " a", " of", " as"))
        assert len(words) <= MAX_LABEL


async def test_codes_and_known_values_are_suggested(house: House) -> None:
    search = await house.passer_by().get(SEARCH)
    assert controls(search)["gl"].attributes["list"] == "codes-country"
    assert controls(search)["hl"].attributes["list"] == "codes-language"
    assert {option.attributes["value"] for option in select(search, "#codes-country option")} == COUNTRIES
    trends = await house.passer_by().get("/playground/trends_interest")
    assert controls(trends)["geo"].attributes["list"] == "codes-country"
    assert {"all", "today 12-m"} <= {option.attributes["value"] for option in select(trends, "#time-values option")}
    assert select(trends, '[data-days="time"] input[type=date]')
    assert not select(trends, "#codes-language")


async def test_a_field_with_a_default_can_be_emptied_if_that_has_a_meaning() -> None:
    found = [
        (extractor, spec)
        for extractor in REGISTRY
        for spec in specs(extractor.params)
        if spec.empty is not None and spec.default not in ("", None)
    ]
    for extractor, spec in found:
        assert read_filled(extractor, {spec.name: " "}) == [(spec.name, "")]
        assert read_filled(extractor, {spec.name: str(spec.default)}) == []
    assert read_filled(REGISTRY.by_name["search"], {"q": "tea", "gl": "", "num": "10"}) == [("q", "tea")]


async def test_the_index_has_a_line_for_each_endpoint_by_family(house: House) -> None:
    page = await house.passer_by().get("/playground")
    headings = [node.text() for node in select(page, "section[data-group] h2")]
    assert headings == [REGISTRY.describe_group(name).title for name in REGISTRY.groups]
    rows = select(page, "li[data-words]")
    assert {row.css("a")[0].attributes["href"] for row in rows} == {f"/playground/{name}" for name in NAMES}
    lines = [row.css(".line")[0].text() for row in rows]
    assert all(line[0].isupper() and len(line) > 20 for line in lines)


async def test_opening_a_url_runs_nothing(house: House) -> None:
    guest = await house.enter()
    page = await guest.browser.get(ASKED)
    assert page.status == 200
    assert "No response yet" in page.words
    assert (await guest.balance(), await guest.calls()) == (CREDITS, [])


async def test_a_request_is_charged_once_and_reopened_for_free(house: House) -> None:
    guest = await house.enter()
    address = f"{PAGE}?{urlencode({'url': 'https://example.com/'})}"
    assert "1 credit" in (await guest.browser.get(address)).words
    sent = await press(guest, address, do="anew")
    assert sent.status == 303
    assert dict(parse_qsl(urlsplit(sent.location).query))["url"] == "https://example.com/"
    assert await guest.balance() == CREDITS - 1
    for _ in range(2):
        page = await guest.browser.get(sent.location)
        assert "1 credit charged" in page.words
        assert "not cached" in page.words
    assert await guest.balance() == CREDITS - 1
    (call,) = await guest.calls()
    assert (call.code, call.cache, call.charged, call.endpoint) == ("ok", "miss", 1, "markdown_url")
    history = await guest.browser.get("/playground/history")
    (link,) = links(history, 'main td a[href*="answer="]')
    assert "External content" in (await guest.browser.get(link)).text


async def test_a_cached_response_is_announced_before_the_request_and_is_free(house: House) -> None:
    guest = await house.enter()
    await press(guest, ASKED)
    assert "Cached" in (await guest.browser.get(ASKED)).words
    assert "if the response is cached: sign in to check" in (await house.passer_by().get(ASKED)).words
    before = await guest.balance()
    page = await guest.browser.get((await press(guest, ASKED)).location)
    assert "Free" in page.words
    assert "cached" in page.words
    assert await guest.balance() == before
    await press(guest, ASKED, do="anew")
    assert await guest.balance() == before - 1


async def test_checking_the_price_redirects_to_the_request_url(house: House) -> None:
    sent = await press(house.passer_by(), SEARCH, do="check", q="two words", num="3")
    assert (sent.status, sent.location) == (303, "/playground/search?q=two+words&num=3")


async def test_a_query_too_long_for_a_url_is_still_sent(house: House) -> None:
    guest = await house.enter()
    long = f"https://example.com/?{'&' * 4000}"
    sent = await press(guest, PAGE, do="check", url=long)
    assert (sent.status, controls(sent)["url"].attributes["value"]) == (200, long)


async def test_a_fault_is_reported_at_its_field(house: House) -> None:
    guest = await house.enter()
    page = await press(guest, SEARCH, q="tea", num="99")
    assert page.status == 400
    control = controls(page)["num"]
    assert (control.attributes["aria-invalid"], control.attributes["value"]) == ("true", "99")
    assert "from 1 to 20" in select(page, "#num-error")[0].text()
    assert await guest.calls() == []


@pytest.mark.parametrize(
    "address", [f"{SEARCH}?nope=1", f"{SEARCH}?q=a&q=b", f"{SEARCH}?q=%ff", f"{SEARCH}?{'a=1&' * 70}"]
)
async def test_an_invalid_url_shows_its_error(house: House, address: str) -> None:
    page = await house.passer_by().get(address)
    assert page.status in (200, 400)
    assert "Invalid request" in page.words or "can't be parsed" in page.words


async def test_without_credits_the_next_steps_are_shown_and_nothing_runs(house: House) -> None:
    guest = await house.enter(credits=0)
    page = await press(guest, ASKED, do="anew")
    assert page.status == 402
    assert "costs 1 credit and your balance is 0" in page.words
    shown = set(links(page, "#answer a"))
    assert {"/account", "/docs/errors#insufficient_credits", f"{ASKED}&sandbox=true"} <= shown


async def test_an_error_is_refunded_and_listed_with_its_receipt(house: House) -> None:
    guest = await house.enter()
    page = await press(guest, PAGE, url="https://nowhere.example.com/unknown")
    assert page.status == 422
    (call,) = await guest.calls()
    assert (call.code, call.charged, call.conversion_id) == ("provider_error", 0, None)
    assert await guest.balance() == CREDITS
    request_id = call.id[12:]
    assert f"/account/receipts/{request_id}" in page.text
    assert len(await house.service.ledger.receipts(guest.visitor.account_id, request_id)) == 1


async def test_calls_count_in_the_limit_of_the_session(house: House) -> None:
    guest = await house.enter()
    app = replace(house.service, limiter=InProcessLimiter(1, house.service.clock)).asgi()
    browser = Browser(app, origin=house.url, cookies=guest.browser.cookies)
    assert (await press(browser, ASKED)).status == 303
    page = await press(browser, ASKED)
    assert (page.status, int(page.headers["retry-after"]) > 0) == (429, True)
    assert "then run it again" in page.words


async def test_sandbox_requests_are_free_and_not_recorded(house: House) -> None:
    guest = await house.enter(credits=0)
    page = await press(guest, f"{ASKED}&sandbox=true")
    assert page.status == 200
    assert "Sandbox: sample data" in page.words
    assert (await guest.balance(), await guest.calls()) == (0, [])


@pytest.mark.parametrize("name", NAMES)
async def test_everybody_can_run_every_example_in_the_sandbox(house: House, name: str) -> None:
    browser = house.passer_by(f"198.51.100.{NAMES.index(name)}")
    example = REGISTRY.by_name[name].example
    page = await press(browser, f"/playground/{name}?{urlencode({**example, 'sandbox': 'true'})}")
    assert page.status == 200
    assert "Sandbox: sample data" in page.words
    assert len(page.body) < 400_000
    _, data = links(page, "a[download]")
    artifact = await browser.get(data)
    assert artifact.headers["content-disposition"].startswith("attachment")
    assert artifact.body.startswith(b"{")


async def test_pictures_of_sandbox_results_exist(house: House) -> None:
    browser = house.passer_by("198.51.100.99")
    question = {**REGISTRY.by_name["brand_logo"].example, "sandbox": "true"}
    for _ in range(2):
        page = await press(browser, f"/playground/brand_logo?{urlencode(question)}")
        (address,) = set(re.findall(r"/logos/[0-9a-f]+\.\w+", page.text))
        picture = await browser.get(address)
        assert (picture.status, picture.headers["content-type"]) == (200, "image/png")


async def test_guests_have_a_sandbox_limit_and_cannot_use_sources(house: House) -> None:
    browser = house.passer_by("203.0.113.7")
    assert (await press(browser, ASKED)).location.startswith("/login?next=%2Fplayground%2Fsearch")
    statuses = [(await press(browser, f"{ASKED}&sandbox=true")).status for _ in range(GUEST_CALLS + 1)]
    assert statuses == [200] * GUEST_CALLS + [429]


@pytest.mark.parametrize(("length", "is_kept"), [(100, True), (700, True), (1300, False)])
async def test_sign_in_returns_to_the_request_or_its_form(house: House, length: int, is_kept: bool) -> None:
    asked = f"https://example.com/{'%25' * length}"
    led = (await press(house.passer_by(), PAGE, url=asked)).location
    assert len(led) < 8 * 1024
    ((_, back),) = parse_qsl(urlsplit(led).query)
    assert read_next(back) == back
    assert urlsplit(back).path == PAGE
    assert parse_qsl(urlsplit(back).query) == ([("url", asked)] if is_kept else [])


async def test_a_form_of_another_site_runs_nothing(house: House) -> None:
    guest = await house.enter()
    fields = {"q": "tea", "do": "run"}
    for headers in ({}, {"origin": "https://evil.example"}, {"sec_fetch_site": "cross-site"}):
        page = await guest.browser.post(SEARCH, fields, **headers)
        assert page.status == 403
    assert await guest.calls() == []


async def send_file(
    browser: Browser, fields: Mapping[str, str], body: bytes, name: str = "a.csv", **headers: str
) -> Page:
    edge = "edge"
    parts = [
        f'--{edge}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
        for field, value in fields.items()
        if field != "file"
    ]
    parts.append(f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode())
    whole = b"".join([*parts, body, f"\r\n--{edge}--\r\n".encode()])
    sent_headers = {
        "accept": "text/html",
        "content-type": f"multipart/form-data; boundary={edge}",
        "content-length": str(len(whole)),
        "origin": browser.origin,
        "sec-fetch-site": "same-origin",
        **headers,
    }
    return await browser.send("POST", FILE, headers=sent_headers, body=whole)


async def test_a_file_is_converted_for_its_owner_only(house: House) -> None:
    guest, other = await house.enter(), await house.enter()
    fields = (await guest.browser.get(FILE)).fields(FILE)
    sent = await send_file(guest.browser, {**fields, "do": "run"}, b"fruit,price\napple,3\n")
    assert sent.status == 303
    page = await guest.browser.get(sent.location)
    assert "apple" in page.text
    assert "file=@a.csv" in page.text
    assert (await guest.calls())[0].file_name == "a.csv"
    assert (await other.browser.get(sent.location)).status == 404


async def test_a_fault_of_a_file_is_reported_and_nothing_is_charged(house: House) -> None:
    guest = await house.enter()
    fields = {**(await guest.browser.get(FILE)).fields(FILE), "do": "run"}
    none = await send_file(guest.browser, fields, b"", name="")
    assert (none.status, "Choose a file" in none.words) == (400, True)
    page = await send_file(guest.browser, fields, b"<!doctype html><p>x", name="a.html")
    assert page.status == 415
    large = await send_file(guest.browser, fields, b"a", **{"content-length": "99999999"})
    assert large.status == 413
    foreign = await send_file(guest.browser, {**fields, "csrf": "x"}, b"a,b\n1,2\n")
    assert foreign.status == 403
    signed_out = await send_file(house.passer_by(), fields, b"a,b\n1,2\n")
    assert signed_out.location.startswith("/login?next=")
    assert await guest.balance() == CREDITS


async def test_artifacts_are_downloads(house: House) -> None:
    guest = await house.enter()
    sent = await press(guest, f"{PAGE}?{urlencode({'url': 'https://example.com/'})}")
    conversion_id = dict(parse_qsl(urlsplit(sent.location).query))["answer"]
    for artifact, kind in (("data.json", "application/json"), ("answer.md", "text/markdown; charset=utf-8")):
        page = await guest.browser.get(f"/playground/answers/{conversion_id}/{artifact}")
        assert page.headers["content-type"] == kind
        assert page.headers["content-disposition"].startswith("attachment;")
        assert "sandbox" in page.headers["content-security-policy"]
    assert (await guest.browser.get(f"/playground/answers/{conversion_id}/index.html")).status == 404
    assert (await guest.browser.get("/playground/answers/cv_nope/data.json")).status == 404
    assert (await house.passer_by().get(f"/playground/answers/{conversion_id}/data.json")).status == 303


async def test_a_response_is_not_shown_with_another_endpoint(house: House) -> None:
    guest = await house.enter()
    sent = await press(guest, f"{PAGE}?{urlencode({'url': 'https://example.com/'})}")
    conversion_id = dict(parse_qsl(urlsplit(sent.location).query))["answer"]
    page = await guest.browser.get(f"{SEARCH}?answer={conversion_id}")
    assert page.status == 404
    assert "another endpoint" in page.words


async def test_history_is_deleted_on_request(house: House) -> None:
    guest = await house.enter()
    await press(guest, ASKED)
    assert len(await guest.calls()) == 1
    sent = await guest.browser.submit("/playground/history")
    assert sent.status == 303
    assert await guest.calls() == []
    assert "No requests yet" in (await guest.browser.get("/playground/history")).words


async def test_the_history_has_pages(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    guest = await house.enter()
    monkeypatch.setattr("webquarry.web.playground.pages.PAGE_OF_CALLS", 2)
    for _ in range(3):
        await press(guest, ASKED)
    page = await guest.browser.get("/playground/history")
    (older,) = links(page, "a[rel=next]")
    assert len(select(page, "tbody tr")) == 2
    assert len(select(await guest.browser.get(older), "tbody tr")) == 1


async def test_values_in_a_url_are_only_shown_as_text(house: House) -> None:
    hostile = "\"><script>alert(1)</script><img src=x onerror=alert(1)>' {{7*7}}"
    page = await house.passer_by().get(f"{SEARCH}?{urlencode({'q': hostile})}")
    assert controls(page)["q"].attributes["value"] == hostile
    assert not select(page, "img[src=x], script:not([src]), [onerror]")


async def test_an_endpoint_without_a_source_names_the_setting(house: House) -> None:
    extractor = next(e for e in REGISTRY if e.all_providers and all(p.needs for p in e.all_providers))
    needed = {name: None for provider in extractor.all_providers for name in provider.needs}
    bare = replace(house.service, settings=house.service.settings.model_copy(update=needed))
    page = await Browser(bare.asgi()).get(f"/playground/{extractor.name}")
    assert "No provider is configured." in page.words
    assert "WEBQUARRY_" in page.words


async def test_a_result_is_shown_even_if_the_history_cannot_be_written(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(_history: History, _call: PastCall) -> None:
        raise Overloaded

    guest = await house.enter()
    monkeypatch.setattr(History, "add", refuse)
    assert (await press(guest, ASKED)).status == 303
