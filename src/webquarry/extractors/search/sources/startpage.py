"""Startpage: Google's results from its page for browsers. Response format: docs/upstreams/search.md#startpage.

A search submits a form with a token (`sc`) from the home page.
"""

import json
from functools import partial
from typing import Any

from webquarry.core.errors import ProviderError
from webquarry.core.locale import Country, Language
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import Page
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import browser, row_parts
from webquarry.extractors.search.sources.row_parts import FoundRow
from webquarry.net import ANY_STATUS, Kept, Net, accept_wire
from webquarry.providers import answers, languages
from webquarry.providers.browser import plain_headers
from webquarry.read import at
from webquarry.read.block_pages import unreadable
from webquarry.read.fields import to_token
from webquarry.read.html import Element, html_of

TITLE = "Startpage"
HOME_URL = "https://www.startpage.com/"
URL = "https://www.startpage.com/sp/search"
STARTPAGE = Provider(
    name="startpage",
    walled=True,
    title=TITLE,
    politeness=Politeness(spacing_s=2.0, concurrency=1),
    browser_headers=plain_headers(referer=HOME_URL, origin=HOME_URL.rstrip("/")),
    keeps_cookies=True,
)
ROWS = 10

_LANGUAGE_NAMES = """
    af:afrikaans am:amharic ar:arabic az:azerbaijani be:belarusian bg:bulgarian bn:bengali bs:bosnian ca:catalan
    cs:czech cy:welsh da:dansk de:deutsch el:greek en:english eo:esperanto es:espanol et:estonian eu:basque fa:persian
    fi:suomi fo:faroese fr:francais fy:frisian ga:irish gd:gaelic gl:galician gu:gujarati he:hebrew hi:hindi hr:croatian
    hu:hungarian ia:interlingua id:indonesian is:icelandic it:italiano ja:nihongo jv:javanese ka:georgian kn:kannada
    ko:hangul la:latin lt:lithuanian lv:latvian mk:macedonian ml:malayalam mr:marathi ms:malay mt:maltese nb:norsk
    ne:nepali nl:nederlands no:norsk oc:occitan pa:punjabi pl:polski pt:portugues ro:romanian ru:russian si:sinhalese
    sk:slovak sl:slovenian sq:albanian sr:serbian su:sudanese sv:svenska sw:swahili ta:tamil te:telugu th:thai
    ti:tigrinya tl:tagalog tr:turkce uk:ukrainian ur:urdu uz:uzbek vi:vietnamese xh:xhosa zh:jiantizhongwen zu:zulu
"""
LANGUAGES = dict(pair.split(":") for pair in _LANGUAGE_NAMES.split())
"""Language → Startpage's name for the language."""
_REGION_NAMES = """
    en_AU de_AT ru_BY fr_BE nl_BE pt-BR_BR bg_BG en_CA fr_CA es_CL zh-CN_CN da_DK ar_EG fi_FI fr_FR de_DE el_GR zh-TW_HK
    hi_IN ja_JP ko_KR ms_MY en_MY nl_NL no_NO pl_PL pt_PT ro_RO ru_RU en_ZA es_ES ca_ES sv_SE de_CH fr_CH it_CH zh-TW_TW
    tr_TR en-GB_GB en_US es_US
"""
_REGIONS = _REGION_NAMES.split()
ALL_REGIONS = "all"
_CALL = "React.createElement(UIStartpage.AppSerpWeb,"
_ROW = {
    "title": "title",
    "link": "clickUrl",
    "displayed_link": "displayUrl",
    "snippet": "description",
    "date": "date",
    "source": "siteTitleData",
}
_ROWS = "div.result"
_WEB = "web-google"


def language_name(language: Language) -> str | None:
    """Return Startpage's name for the language, or None if Startpage does not have the language."""
    if language.base == "zh" and ("Hant" in language or language.region in ("TW", "HK", "MO")):
        return "fantizhengwen"
    return LANGUAGES.get(language.base)


def find_region(country: Country, language: Language) -> str:
    """Return Startpage's region for a country.

    If the country has several regions, the language decides. Returns `ALL_REGIONS` if the country has no region.
    """
    of_country = [region for region in _REGIONS if region.endswith(f"_{country.upper()}")]
    of_language = [region for region in of_country if region.partition("_")[0].partition("-")[0] == language.base]
    return next(iter(of_language or of_country), ALL_REGIONS)


async def fetch(params: SearchParams, net: Net, page: int) -> Wire:
    """Request a page of results, counted from 0."""
    token = await find_tokens(net).get("", partial(_fetch_token, net), lasts_s=browser.TOKEN_LIFE_S)
    name = language_name(params.hl) or "english"
    fields = {
        "query": params.q,
        "cat": "web",
        "t": "device",
        "sc": token,
        "with_date": "",
        "abd": "1",
        "abe": "1",
        "qsr": "all",
        "qadf": "none",
        "language": name,
        "lui": name,
        **({"page": str(page + 1), "segment": "startpage.udog"} if page else {}),
    }
    preferences = {
        "language": name,
        "language_ui": name,
        "num_of_results": str(ROWS),
        "search_results_region": find_region(params.gl, params.hl),
    }
    wire = await net.post(
        URL,
        body=browser.form(fields),
        content_type=browser.FORM,
        headers={
            "Accept-Language": languages.accept_language(params.hl, params.gl),
        },
        cookies={"preferences": "N1N".join(f"{name}EEE{value}" for name, value in preferences.items())},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
        follow=False,
    )
    try:
        return _check_page(wire)
    except ProviderError:
        find_tokens(net).forget("", token)
        raise


def find_tokens(net: Net) -> Kept[str, str]:
    """Return the cache for the home page's token. Tokens are kept for an hour."""
    return Kept.of(net, "sc")


async def _fetch_token(net: Net) -> str:
    wire = _check_page(
        await net.get(HOME_URL, ok_on=ANY_STATUS, absent_on=(), max_bytes=answers.MAX_ANSWER_BYTES, follow=False)
    )
    return await net.read(read_token, wire)


def read_token(wire: Wire) -> str:
    """Return the home page's token.

    Raises ProviderError: "changed" if there is no token, "blocked" for a block page.
    """
    page = html_of(wire)
    found = to_token(page.attribute('form#search input[name="sc"]', "value"))
    if found is None:
        raise unreadable(wire, TITLE, f"{TITLE}'s home page lacks the token that a search needs.", page)
    return found


def _check_page(wire: Wire) -> Wire:
    """Return the response if it is a page. Raises ProviderError "blocked" for a redirect to the captcha."""
    if "captcha" in wire.headers.get("location", "").lower():
        raise browser.make_block_page_error(TITLE)
    return accept_wire(wire, (200,), ())


def read(wire: Wire) -> Page:
    page = html_of(wire)
    given = _read_given(page)
    found = (_read_object(given) if given is not None else None) or _read_page(page)
    if found is None:
        raise browser.without_rows(wire, page, TITLE)
    return found


def _read_given(page: Element) -> Any:
    """Return the object passed to the call that renders the page, or None if it is not valid JSON."""
    for script in page.each("script:not([src])"):
        _, found, rest = script.raw.partition(_CALL)
        if found:
            try:
                return json.JSONDecoder().raw_decode(rest.lstrip())[0]
            except (ValueError, RecursionError):
                return None
    return None


def _read_object(given: Any) -> Page | None:
    regions = [
        region
        for region in row_parts.list_objects(given, "render.presenter.regions.mainline[]")
        if at(region, "display_type", str) == _WEB
    ]
    found = [FoundRow.read(row, _ROW) for region in regions for row in row_parts.list_objects(region, "results[]")]
    rows = row_parts.list_results(found, "results[]")
    if not rows:
        return None
    pages = row_parts.list_objects(given, "render.presenter.pagination.pages[]")
    numbers = [at(number, "number", int) or 0 for number in pages]
    shown = [at(number, "number", int) or 0 for number in pages if number.get("selected") is True]
    return Page(organic=rows, has_more=max(numbers) > shown[0] if shown else None)


def _read_page(page: Element) -> Page | None:
    listed = row_parts.list_results(map(_read_row, page.rows(_ROWS)), _ROWS)
    if not listed:
        return None
    # the buttons contain the page numbers between "Prev" and "Next"
    buttons = [button.plain for button in page.each(".pagination button")]
    return Page(organic=listed, has_more=not buttons[-1].isdecimal() if buttons else None)


def _read_row(row: Element) -> FoundRow:
    return FoundRow(
        title=row.text("a.result-title h2") or row.text("a.result-title"),
        link=row.link("a.result-title"),
        displayed_link=row.text(".wgl-display-url .default-link-text"),
        snippet=row.text("p.description"),
        source=row.text(".wgl-site-title"),
    )


def notes(p: SearchParams) -> list[str]:
    notes = []
    if find_region(p.gl, p.hl) == ALL_REGIONS:
        notes.append(f"{TITLE} has no region for {p.gl.upper()}, so results for all regions are returned.")
    if language_name(p.hl) is None:
        notes.append(f"{TITLE} does not support the language {p.hl}, so English was used.")
    return notes


SOURCE = PagedSource(
    STARTPAGE,
    TITLE,
    fetch,
    read,
    lambda _: Steps(rows=ROWS),
    notes=notes,
)
