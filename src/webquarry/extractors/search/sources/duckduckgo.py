"""DuckDuckGo's page for browsers without scripts. Response format: docs/upstreams/search.md#duckduckgo-html.

Pages after the first are requested with a token (`vqd`) from the first page; without this token, DuckDuckGo treats the
client as a robot.
"""

import re
from urllib.parse import parse_qs, urlsplit

from webquarry.core.errors import ProviderError
from webquarry.core.locale import Country, Language
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import AnswerBox, Page
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import browser, row_parts
from webquarry.extractors.search.sources.result_links import MAX_FIELDS
from webquarry.net import Kept, Net
from webquarry.providers import answers, languages
from webquarry.providers.browser import plain_headers
from webquarry.read.fields import to_token
from webquarry.read.html import Element, absolute, html_of

TITLE = "DuckDuckGo"
DUCKDUCKGO = Provider(
    name="duckduckgo_html",
    walled=True,
    title=f"{TITLE} (HTML)",
    politeness=Politeness(spacing_s=2.0, concurrency=1),
    browser_headers=plain_headers(referer="https://html.duckduckgo.com/"),
    keeps_cookies=True,
)
URL = "https://html.duckduckgo.com/html/"
LONGEST_QUERY = 499
FIRST_ROWS, ROWS = 10, 15
"""Number of rows on the first page, and on each further page."""
ALL_REGIONS = "wt-wt"
ENDS = "#links .result--no-result, #links .no-results"
"""Selector of the "no results" marks.

They occur on a page without results, on the page after the last, and next to rows that link to other engines.
"""
MAX_TOKENS = 500
Tokens = Kept[tuple[str, str], str]
"""Store of tokens by query and region."""

_SPELLED = """
    ar-es at-de au-en be-fr be-nl bg-bg br-pt ca-en ca-fr ch-de ch-fr cl-es cn-zh co-es cz-cs de-de dk-da ee-et es-es
    fi-fi fr-fr gr-el hk-tzh hr-hr hu-hu id-en ie-en il-en in-en is-is it-it jp-jp kr-kr lt-lt lv-lv mx-es my-en nl-nl
    no-no nz-en pe-es ph-en pk-en pl-pl pt-pt ro-ro ru-ru se-sv sg-en sk-sk sl-sl th-en tr-tr tw-tzh ua-uk uk-en us-en
    us-es vn-en xa-ar za-en ct-ca
"""
# The parts of a region code are not always standard codes.
_COUNTRIES = {"uk": "gb", "sl": "si", "xa": "sa", "ct": "es"}
_LANGUAGES = {"jp": "ja", "kr": "ko", "tzh": "zh", "sl": "sl", "no": "nb"}
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?")
_ROWS = "#links div.web-result"
_AD = '[class*="badge--ad"]'
_REDIRECTS = 3
"""Maximum depth of nested redirects; advertisements have two."""
_ABOUT_THE_ASKER = ("Your IP address is", "Your user agent:", "URL Decoded:")


def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = {}
    for region in _SPELLED.split():
        country, _, language = region.partition("-")
        languages = table.setdefault(_COUNTRIES.get(country, country), {})
        languages[_LANGUAGES.get(language, language)] = region
    return table


REGIONS = _table()
"""Country → language → region code (`kl`). The first region of a country is its default."""


def find_region(country: Country, language: Language) -> str:
    """Return a country's region code.

    If the country has several regions, the language decides. Returns `ALL_REGIONS` if the country has no region.
    """
    languages = REGIONS.get(country)
    if languages is None:
        return ALL_REGIONS
    base = "nb" if language.base == "no" else language.base
    return languages.get(base) or next(iter(languages.values()))


def speaks(region: str, language: Language) -> bool:
    """Return whether the region is for this language."""
    spoken = region.partition("-")[2]
    return _LANGUAGES.get(spoken, spoken) == ("nb" if language.base == "no" else language.base)


def first_row(page: int) -> int:
    """Return the number of rows before this page. Pages are counted from 0."""
    return 0 if page == 0 else FIRST_ROWS + (page - 1) * ROWS


async def fetch(params: SearchParams, net: Net, page: int) -> Wire:
    """Request a page of results, counted from 0.

    For a page after the first, the first page is also requested if the query's token is unknown.
    """
    region = find_region(params.gl, params.hl)
    tokens = find_tokens(net)
    headers = {"Accept-Language": languages.accept_language(params.hl, params.gl)}
    if page == 0:
        return await _first(net, tokens, params.q, region, headers)
    if tokens.held((params.q, region)) is None:
        first = await _first(net, tokens, params.q, region, headers)
        if await net.read(is_empty, first):
            return first
    token = tokens.held((params.q, region))
    if token is None:
        raise ProviderError(f"{TITLE}'s first page lacks the token that further pages need.", reason="changed")
    skipped = first_row(page)
    fields = {
        "q": params.q,
        "kl": region,
        "vqd": token,
        "nextParams": "",
        "api": "d.js",
        "o": "json",
        "v": "l",
        "s": str(skipped),
        "dc": str(skipped + 1),
    }
    try:
        wire = await _post(net, fields, headers)
        await net.read(refuse_challenge, wire)
        return wire
    except ProviderError as error:
        if error.reason == "blocked":
            tokens.forget((params.q, region), token)
        raise


async def _first(net: Net, tokens: Tokens, query: str, region: str, headers: dict[str, str]) -> Wire:
    wire = await _post(net, {"q": query, "b": "", "kl": region}, headers)
    if token := await net.read(read_token, wire):
        tokens.keep((query, region), token, browser.TOKEN_LIFE_S)
    return wire


async def _post(net: Net, fields: dict[str, str], headers: dict[str, str]) -> Wire:
    return await net.post(
        URL,
        body=browser.form(fields),
        content_type=browser.FORM,
        headers=headers,
        cookies={"kl": fields["kl"]},
        ok_on=(200, 202, 302, 303, 403),
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
        follow=False,
    )


def read_token(wire: Wire) -> str | None:
    """Return the token for further pages. Raises the errors of `read_page`."""
    return to_token(read_page(wire).attribute('input[name="vqd"]', "value"))


def refuse_challenge(wire: Wire) -> None:
    """Raise the errors of `read_page`."""
    read_page(wire)


def read_page(wire: Wire) -> Element:
    """Return the response as a document. Raises ProviderError "blocked" for a challenge or a redirect to one."""
    page = html_of(wire)
    if wire.status != 200 or page.has('form#challenge-form, [class^="anomaly-modal__"]'):
        raise browser.make_block_page_error(TITLE)
    return page


def is_empty(wire: Wire) -> bool:
    """Return whether a page reports that nothing was found.

    Rows that only link to other engines are not results.
    """
    page = read_page(wire)
    return page.has(ENDS) and not page.has("#links .result__snippet")


def find_tokens(net: Net) -> Tokens:
    """Return the store of tokens for recent queries."""
    return Kept.of(net, "vqd", MAX_TOKENS)


def read(wire: Wire) -> Page:
    page = read_page(wire)
    listed = row_parts.list_results((_read_row(row) for row in page.rows(_ROWS) if not _is_ad(row)), _ROWS)
    if page.has(ENDS):
        return Page(organic=listed, has_more=False, says_empty=not listed)
    if not listed:
        raise browser.without_rows(wire, page, TITLE)
    # the next page's form has the token; without it, no further page can be requested
    return Page(organic=listed, answer_box=_answer_box(page), has_more=None if page.has("input[name=vqd]") else False)


def _is_ad(row: Element) -> bool:
    return "result--ad" in (row.node.attributes["class"] or "") or row.has(_AD)


def _read_row(row: Element) -> row_parts.FoundRow:
    return row_parts.FoundRow(
        title=row.text("a.result__a"),
        link=_link(row),
        displayed_link=row.text("a.result__url"),
        snippet=row.text(".result__snippet"),
        date=_read_date(row),
    )


def _link(row: Element) -> str | None:
    """Return the target of a row's link, with redirects removed, or None if it is not a URL."""
    href = row.attribute("h2.result__title a.result__a", "href")
    link = absolute(href, URL) if href else None
    for _ in range(_REDIRECTS):
        parts = urlsplit(link or "")
        if link is None or parts.path != "/l/" or not (parts.hostname or "").endswith("duckduckgo.com"):
            return link
        try:
            link = absolute(parse_qs(parts.query, max_num_fields=MAX_FIELDS).get("uddg", [""])[0], "")
        except ValueError:
            return None
    return None


def _read_date(row: Element) -> str | None:
    match = _DATE.search(row.text(".result__extras__url") or "")
    return row_parts.read_day(match[0]) if match else None


def _answer_box(page: Element) -> AnswerBox | None:
    abstract = page.text("#zero_click_abstract", without="a")
    if abstract is None or abstract.startswith(_ABOUT_THE_ASKER):
        return None
    return AnswerBox(snippet=abstract, link=page.link("#zero_click_abstract a"))


def refuses(p: SearchParams) -> str | None:
    if len(p.q) > LONGEST_QUERY:
        return f"{TITLE} accepts queries of at most {LONGEST_QUERY} characters."
    return None


def notes(p: SearchParams) -> list[str]:
    region = find_region(p.gl, p.hl)
    if region == ALL_REGIONS:
        return [f"{TITLE} has no region for {p.gl.upper()}, so results for all regions are returned."]
    if not speaks(region, p.hl):
        return [f"{TITLE} does not support {p.hl} for {p.gl.upper()}."]
    return []


SOURCE = PagedSource(
    DUCKDUCKGO,
    TITLE,
    fetch,
    read,
    lambda _: Steps(rows=ROWS, first_rows=FIRST_ROWS),
    refuses=refuses,
    notes=notes,
)
