"""One response of the ad library's page or query: ads, their total number, details of the page, and the cursor.

A response without ads has four meanings, and only one of them is that the page has no ads (`_judge_none`). Response
format: docs/upstreams/ads-socialnet.md.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Wire
from webquarry.providers import socialnet
from webquarry.read import JsonObject, at, each, each_given, take
from webquarry.read.block_pages import WALL_WAIT_S, is_page, unreadable
from webquarry.read.fields import to_address, to_count, to_id, to_line, to_token
from webquarry.read.framing import unguarded
from webquarry.read.html import html_of
from webquarry.read.losses import lose, read_rows
from webquarry.read.values import parse_json, reach

NAME: Final = "The ad library"
LIMITED: Final = 1675004
EXPIRED: Final = frozenset({1357001, 1357004})
MAX_DOCUMENTS: Final = 50
MAX_VARIABLES: Final = 8_192
"""Maximum length of a page's query variables in characters; longer variables are not sent back."""
_CONNECTION, _RECORD = "search_results_connection", "ad_library_page_info"
_LSD: Final = re.compile(rb'"LSD",\[\],\{"token":"([^"\\]{1,200})"')


class Unprefetched(ProviderError):
    """The library sent the page without its data, as it sometimes does. A retry may help."""


@dataclass(frozen=True, slots=True)
class LibraryPage:
    """The contents of one response.

    count: number of ads in the whole library, None if the response does not contain it. variables, lsd: parameters with
    which the page requests more ads.
    """

    ads: list[JsonObject] = field(default_factory=list)
    count: int | None = None
    cursor: str | None = None
    page_id: str | None = None
    page_name: str | None = None
    page_url: str | None = None
    lsd: str | None = None
    variables: JsonObject = field(default_factory=dict)

    @property
    def is_counted(self) -> bool:
        return self.count is not None and self.count >= len(self.ads)


def read_page(wire: Wire) -> LibraryPage:
    """Parse the first ads from the page's scripts, or further ads from a query response, which has no total.

    Raises Absent if the library reports that it does not know the page. Raises ProviderError: "blocked" for a block
    page or if ads are withheld, "refused" for a refusal, "changed" for any other response. Raises `Unprefetched` for a
    page without its data.
    """
    socialnet.refuse_block_pages(wire)
    if wire.status != 200:
        raise ProviderError(f"{NAME} rejected the request (status {wire.status}).", reason="refused")
    values = list(_list_values(wire))
    data = _find_data(values)
    lsd = _LSD.search(wire.body)
    if data is None:
        raise _without_data(wire, values, has_session=lsd is not None)
    if reach(data, "xfb_ad_library_is_captcha_required") is True:
        raise ProviderError(f"{NAME} returned a captcha.", reason="blocked")
    connection = _find_connection(data)
    ads = [ad for edge in each(connection, "edges[]") for ad in each(edge, "node.collated_results[]")]
    known = read_rows(ads, lambda ad: ad if read_ad_id(ad) else None, "collated_results[].ad_archive_id")
    count = take(connection, "count", to_count)
    record, is_unknown = _find_record(values)
    if not known:
        _judge_none(connection, count, len(ads), record, is_unknown=is_unknown, is_first=_is_first(connection, wire))
    goes_on = at(connection, "page_info.has_next_page", bool)
    return LibraryPage(
        ads=known,
        count=count,
        cursor=take(connection, "page_info.end_cursor", to_token) if goes_on else None,
        page_id=take(record, "page_id", to_id),
        page_name=take(record, "page_name", to_line),
        page_url=take(record, "page_profile_uri", to_address),
        lsd=lsd[1].decode("ascii", "replace") if lsd else None,
        variables=next((found for value in values for found in _find_variables(value)), {}),
    )


def _list_values(wire: Wire) -> Iterator[Any]:
    """Yield the JSON of the page's scripts that can hold data, or of a JSON response.

    A JSON response is one document, or one document per line.
    """
    if is_page(wire):
        yield from socialnet.blobs_of(html_of(wire), _CONNECTION, _RECORD, "viewAllPageID")
        return
    body = unguarded(wire.body)
    body = wire.body if body is None else body
    for text in (body, *body.splitlines()[:MAX_DOCUMENTS]):
        try:
            value = parse_json(text)
        except ValueError:
            continue
        yield value
        if text is body:
            return


def _find_data(values: list[Any]) -> JsonObject | None:
    """Return the object with the results.

    An object with ads is preferred, then an object with a count, then any object.
    """
    found = [
        node
        for value in values
        for node in socialnet.objects_with(value, "ad_library_main")
        if isinstance(reach(node, f"ad_library_main.{_CONNECTION}"), dict)
    ]
    ranked = sorted(
        found, key=lambda node: (not reach(_find_connection(node), "edges"), "count" not in _find_connection(node))
    )
    return ranked[0] if ranked else None


def _find_connection(data: Mapping[str, Any]) -> JsonObject:
    connection: JsonObject = reach(data, f"ad_library_main.{_CONNECTION}")
    return connection


def _find_record(values: list[Any]) -> tuple[JsonObject, bool]:
    """Return the library's record of the page, and whether the library reports the page as unknown.

    The record is `{}` if the response has no record.
    """
    records = [node[_RECORD] for value in values for node in socialnet.objects_with(value, _RECORD)]
    infos = [info["page_info"] for info in records if isinstance(info, dict) and "page_info" in info]
    record = next((info for info in infos if isinstance(info, dict) and info), None)
    return record or {}, record is None and any(info is None for info in infos)


def _is_first(connection: Mapping[str, Any], wire: Wire) -> bool:
    """Return whether this is the first response. An empty list in a later response is the end of the ads.

    Later responses have neither a count nor a page record.
    """
    return is_page(wire) or "count" in connection


def _judge_none(
    connection: Mapping[str, Any],
    count: int | None,
    unreadable_ads: int,
    record: Mapping[str, Any],
    *,
    is_unknown: bool,
    is_first: bool,
) -> None:
    """Return if a response without ads means that there are no ads; otherwise raise the appropriate error.

    Raises Absent for an unknown or deleted page, and ProviderError "blocked" if ads are counted but withheld, "changed"
    otherwise.
    """
    if unreadable_ads:
        raise ProviderError(f"{NAME} sent ads in an unknown format.", reason="changed")
    if not isinstance(connection.get("edges"), list):
        raise ProviderError(f"{NAME} sent a list in an unknown format.", reason="changed")
    if not is_first:
        return
    if count:
        raise ProviderError(
            f"{NAME} counts {count:,} ads but does not show them to this address.",
            reason="blocked",
            retry_after_s=WALL_WAIT_S,
        )
    is_deleted = reach(record, "page_is_deleted")
    if count == 0 and (is_unknown or is_deleted is True):
        raise Absent(f"{NAME} has no page with this ID.")
    if count != 0 or is_deleted is not False or reach(connection, "page_info.has_next_page"):
        raise ProviderError(f"{NAME} shows no ads, but may have some.", reason="changed")


def _without_data(wire: Wire, values: list[Any], *, has_session: bool) -> ProviderError:
    """Return the error for a response without results: an error of the query, a page without data, or a login page."""
    for value in values:
        for error in each_given(value, "errors[]"):
            code = take(error, "code", to_count)
            if code == LIMITED:
                return ProviderError(f"{NAME} is rate-limiting this address.", reason="refused")
            if code in EXPIRED:
                return ProviderError(f"{NAME} reports that the session has ended.", reason="refused")
            return ProviderError(f"{NAME} rejected the request (code {code}).", reason="refused")
    if is_page(wire) and has_session:
        return Unprefetched(f"{NAME} sent its page without the ads.", reason="changed")
    found = unreadable(wire, NAME, f"{NAME} sent something other than ads.")
    return socialnet.login_page() if is_page(wire) and found.reason == "changed" else found


def _find_variables(value: Any) -> Iterator[JsonObject]:
    """Yield the variables that the page itself sends with its query."""
    for node in socialnet.objects_with(value, "viewAllPageID"):
        try:
            if len(json.dumps(node)) <= MAX_VARIABLES:
                yield node
        except RecursionError:  # nested too deeply
            lose("viewAllPageID")


def read_ad_id(ad: Mapping[str, Any]) -> str | None:
    return to_id(ad.get("ad_archive_id"))
