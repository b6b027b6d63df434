"""Brave's Search API, with the operator's key. Response format: docs/upstreams/search.md#brave-api."""

from dataclasses import replace
from urllib.parse import urlencode

from webquarry.core.locale import Language
from webquarry.core.types import Politeness, Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.model.result import KnowledgeGraph, Origin, Page, RelatedQuestion
from webquarry.extractors.search.model.window import PagedSource, Steps
from webquarry.extractors.search.sources import row_parts
from webquarry.extractors.search.sources.row_parts import FoundRow, link, read_text
from webquarry.net import ANY_STATUS, Net
from webquarry.providers import answers
from webquarry.read import JsonObject, at, json_of, must
from webquarry.read.html import MAX_ROWS
from webquarry.read.losses import read_rows

TITLE = "Brave Search API"
BRAVE_API = Provider(
    name="brave_api",
    title=TITLE,
    politeness=Politeness(spacing_s=1.0),  # the smallest plan allows one request per second
    needs=("brave_key",),
    unproven=True,
)
URL = "https://api.search.brave.com/res/v1/web/search"
LONGEST_QUERY = 400
MOST_WORDS = 50
PAGES = 10

_COUNTRY_NAMES = """
    ar at au be br ca ch cl cn de dk es fi fr gb hk id in it jp kr mx my nl no nz ph pl pt ru sa se tr tw us za
"""
COUNTRIES = frozenset(_COUNTRY_NAMES.split())
ALL_COUNTRIES = "ALL"
_LANGUAGE_NAMES = """
    ar bg bn ca cs da de el en es et eu fi fr gl gu he hi hr hu is it kn ko lt lv ml mr ms nb nl pa pl ro ru sk sl sr sv
    ta te th tr uk vi
"""
LANGUAGES = {
    **{name: name for name in _LANGUAGE_NAMES.split()},
    "ja": "jp",
    "no": "nb",
    "pt": "pt-pt",
    "zh": "zh-hans",
}
_ROW = {
    "title": "title",
    "link": "url",
    "snippet": "description",
    "date": "page_age",
    "source": "profile.name",
    "thumbnail": "thumbnail.src",
}
_VIDEO = {
    "title": "title",
    "link": "url",
    "source": "video.publisher",
    "channel": "video.creator",
    "duration": "video.duration",
    "date": "age",
    "thumbnail": "thumbnail.src",
}


def language_name(language: Language) -> str | None:
    """Return the API's code for the language, or None if the API does not have the language."""
    region = language.region
    if language.base == "zh" and ("Hant" in language or region in ("TW", "HK", "MO")):
        return "zh-hant"
    if (language.base, region) in (("en", "GB"), ("pt", "BR")):
        return str(language).lower()
    return LANGUAGES.get(language.base)


async def fetch(params: SearchParams, net: Net, page: int) -> Wire:
    """Request a page of `count` results, counted from 0."""
    name = language_name(params.hl)
    fields = {
        "q": params.q,
        "country": params.gl.upper() if params.gl in COUNTRIES else ALL_COUNTRIES,
        **({"search_lang": name} if name else {}),
        "count": str(params.num),
        "offset": str(page),
        "safesearch": "off",
        "text_decorations": "0",
    }
    wire = await net.get(
        f"{URL}?{urlencode(fields)}",
        accept="application/json",
        headers={"X-Subscription-Token": net.setting("brave_key")},
        ok_on=ANY_STATUS,
        absent_on=(),
        max_bytes=answers.MAX_ANSWER_BYTES,
    )
    return await answers.answer_by_key(wire, BRAVE_API, net)


def read(wire: Wire) -> Page:
    answer: JsonObject = must(json_of(wire), "", dict)
    rows = row_parts.list_results(map(_read_row, row_parts.list_objects(answer, "web.results[]")), "web.results[]")
    if not rows and _is_empty(answer):
        return Page(organic=[], has_more=False, says_empty=True)
    if not rows:
        raise row_parts.without_rows(TITLE, "web.results")
    return Page(
        organic=rows,
        knowledge_graph=_read_knowledge_graph(answer),
        videos=row_parts.read_videos(row_parts.list_objects(answer, "videos.results[]"), _VIDEO, "videos.results[]"),
        related_questions=read_rows(row_parts.list_objects(answer, "faq.results[]"), _read_question, "faq.results[]"),
        has_more=at(answer, "query.more_results_available", bool),
    )


def _is_empty(answer: JsonObject) -> bool:
    """Return whether a search response reports that nothing was found.

    Such a response has the type and the query of a search, no web results, and a statement that no more results are
    available.
    """
    return (
        at(answer, "type", str) == "search"
        and bool(at(answer, "query.original", str))
        and at(answer, "query.more_results_available", bool) is False
        and not (answer.get("web") and (at(answer, "web.results", list) != []))
    )


def _read_row(row: JsonObject) -> FoundRow:
    found = FoundRow.read(row, _ROW)
    return replace(
        found,
        date=found.date or read_text(row, "age"),
        displayed_link=_read_displayed_link(row),
        sitelinks=row_parts.read_sitelinks(row, "deep_results.buttons", "url"),
    )


def _read_question(row: JsonObject) -> RelatedQuestion | None:
    question = read_text(row, "question")
    if question is None:
        return None
    return RelatedQuestion(
        question=question,
        snippet=read_text(row, "answer"),
        title=read_text(row, "title"),
        link=link(row, "url"),
    )


def _read_displayed_link(row: JsonObject) -> str | None:
    return " ".join(filter(None, (read_text(row, "meta_url.hostname"), read_text(row, "meta_url.path")))) or None


def _read_knowledge_graph(answer: JsonObject) -> KnowledgeGraph | None:
    box = at(answer, "infobox.results[0]", dict)
    title = read_text(box, "title")
    if box is None or title is None:
        return None
    origin = read_text(box, "providers[0].name")
    attributes = (at(box, "attributes", list) or [])[:MAX_ROWS]
    return KnowledgeGraph(
        title=title,
        type=read_text(box, "category"),
        description=read_text(box, "long_desc") or read_text(box, "description"),
        website=link(box, "website_url"),
        image=link(box, "thumbnail.src"),
        source=Origin(name=origin, link=link(box, "providers[0].url")) if origin else None,
        attributes=row_parts.list_attributes(
            ((read_text(pair, "[0]"), read_text(pair, "[1]")) for pair in attributes), "infobox.results[0].attributes[]"
        ),
    )


def refuses(p: SearchParams) -> str | None:
    if len(p.q) > LONGEST_QUERY or len(p.q.split()) > MOST_WORDS:
        return f"{TITLE} accepts queries of at most {LONGEST_QUERY} characters and {MOST_WORDS} words."
    return None


def notes(p: SearchParams) -> list[str]:
    notes = []
    if p.gl not in COUNTRIES:
        notes.append(f"{TITLE} does not support the country {p.gl.upper()}, so results for all countries are returned.")
    if language_name(p.hl) is None:
        notes.append(f"{TITLE} does not support the language {p.hl}, so results in any language are returned.")
    return notes


SOURCE = PagedSource(
    BRAVE_API,
    TITLE,
    fetch,
    read,
    lambda p: Steps(rows=p.num, pages=PAGES),
    refuses=refuses,
    notes=notes,
    keyed=True,
)
