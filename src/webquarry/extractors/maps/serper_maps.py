"""Serper's maps: places as JSON, by the operator's key. Wire notes: docs/upstreams/maps-keyed.md."""

from webquarry.extractors.maps.map_ids import Cid, Fid
from webquarry.extractors.maps.map_view import MapView
from webquarry.locale import Country, Language
from webquarry.net import Net
from webquarry.providers import serper_api
from webquarry.providers.languages import google_language
from webquarry.types import Provider, Wire

SERPER_MAPS = Provider(
    name="serper_maps",
    title="Serper's maps",
    needs=(serper_api.SERPER_KEY,),
    unproven=True,
)


async def search(query: str, view: MapView | None, page: int, country: Country, language: Language, net: Net) -> Wire:
    """One page of places for a query, an object with `places`."""
    question: dict[str, str | int] = {"q": query, **_locale(country, language), "page": page}
    if view is not None:
        question["ll"] = str(view)
    return await serper_api.ask("maps", question, SERPER_MAPS, net)


async def place(name: Cid | Fid, country: Country, language: Language, net: Net) -> Wire:
    """One place, an object with `places` of at most one."""
    key = "fid" if isinstance(name, Fid) else "cid"
    return await serper_api.ask("maps", {key: str(name), **_locale(country, language)}, SERPER_MAPS, net)


def _locale(country: Country, language: Language) -> dict[str, str]:
    return {"gl": str(country), "hl": google_language(language).lower()}
