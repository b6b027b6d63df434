"""The state object of the short-video network's profile page. See docs/upstreams/shortvideo-profile.md.

The account's status comes from the state's code and the account's id, never from the page's text, because pages of
missing accounts mention other accounts.
"""

from typing import Any, Final

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Politeness, Provider
from webquarry.extractors.social.model.shortvideo.handle import HOME_URL
from webquarry.extractors.social.model.shortvideo.result import (
    EXACT_BELOW,
    ShortvideoProfile,
    ShortvideoProfileParams,
    UserInfo,
)
from webquarry.net import Net
from webquarry.providers.browser import plain_headers
from webquarry.read import Wire, at, take
from webquarry.read.block_pages import WALL_WAIT_S, unreadable
from webquarry.read.embedded import json_script
from webquarry.read.fields import to_id, to_whole
from webquarry.read.html import Element, html_of
from webquarry.read.losses import lose

TITLE: Final = "TikTok"
MANNERS: Final = Politeness(spacing_s=1.0, concurrency=2)
SHORTVIDEO_PAGE: Final = Provider(
    name="shortvideo_page",
    walled=True,
    title=f"{TITLE}'s profile page",
    politeness=MANNERS,
    browser_headers=plain_headers(language="en-US,en;q=0.9"),
)
STATE: Final = "__UNIVERSAL_DATA_FOR_REHYDRATION__"
OK: Final = 0
ABSENT: Final = frozenset({10221, 10202, 100002})
HIDDEN: Final = frozenset({10222, 10204})
PRIVATE: Final = 10222
OTHER_REGION: Final = 10231
CHALLENGE: Final = "#wci, #rci, ._wafchallengeid, .waforiginalreid"
MAX_BYTES: Final = 4 * 1024 * 1024


async def ask(params: ShortvideoProfileParams, net: Net) -> tuple[ShortvideoProfile, Wire]:
    """Return the profile and its page. If the response lacks the state, the page is fetched once more."""
    try:
        return await _once(params, net)
    except ProviderError as error:
        if error.reason != "changed":
            raise
    return await _once(params, net)


async def _once(params: ShortvideoProfileParams, net: Net) -> tuple[ShortvideoProfile, Wire]:
    wire = await net.get(params.username.url, absent_on=(), ok_on=(200, 404), max_bytes=MAX_BYTES)
    return await net.read(read, wire, params), wire


def read(wire: Wire, params: ShortvideoProfileParams) -> ShortvideoProfile:
    """Parse the profile from the state.

    Raises Absent only for the state's code for a missing account. Raises ProviderError "blocked" for a challenge, a
    captcha, an empty body or a redirect to the login; "refused" for an account that is hidden in the service's
    location; "changed" for a page without the state, an unknown code, or another account.
    """
    page = html_of(wire)
    detail = _find_detail(page)
    if detail is None:
        raise _without_state(wire, page)
    code = take(detail, "statusCode", to_whole, required=True)
    info = at(detail, "userInfo", dict) or {}
    if code in ABSENT:
        raise Absent(f"{TITLE} has no account named @{params.username}.")
    if code == OTHER_REGION:
        raise ProviderError(
            f"{TITLE} does not show this account in the region of the request (code {code}).", reason="refused"
        )
    if code in HIDDEN:
        user = at(info, "user", dict) if info else None
        return _profile(code, info, {**user, "privateAccount": True} if user and code == PRIVATE else user)
    if code != OK:
        raise ProviderError(f"{TITLE} responded with the unknown code {code}.", reason="changed")
    user = at(info, "user", dict) or {}
    _check_user(user, params)
    return _profile(code, info, user)


def _find_detail(page: Element) -> dict[str, Any] | None:
    scope = at(json_script(page, STATE), "__DEFAULT_SCOPE__", dict) or {}
    detail = scope.get("webapp.user-detail")  # the name contains a dot, which paths do not support
    return detail if isinstance(detail, dict) else None


def _without_state(wire: Wire, page: Element) -> ProviderError:
    if sent_to_login(wire):
        return ProviderError(f"{TITLE} requires a login.", reason="blocked", retry_after_s=WALL_WAIT_S)
    if not wire.body.strip() or page.has(CHALLENGE):
        return ProviderError(f"{TITLE} returned a browser check.", reason="blocked", retry_after_s=WALL_WAIT_S)
    if wire.status != 200:
        return ProviderError(f"{TITLE} rejected the request (status {wire.status}).", reason="refused")
    return unreadable(wire, TITLE, f"{TITLE} sent a page without profile data.", page)


def sent_to_login(wire: Wire) -> bool:
    """Return whether the response is the login page after a redirect."""
    return wire.url.startswith(f"{HOME_URL}/login")


def _check_user(user: dict[str, Any], params: ShortvideoProfileParams) -> None:
    """Raise ProviderError "changed" unless this is the requested account, with an id."""
    name = at(user, "uniqueId", str) or ""
    if take(user, "id", to_id, required=True) is None or not name:
        raise ProviderError(f"{TITLE} sent a profile without its account.", reason="changed")
    if name.lower() != params.username:
        raise ProviderError(f"{TITLE} returned a different account than @{params.username}.", reason="changed")


def _profile(code: int, info: dict[str, Any], user: dict[str, Any] | None) -> ShortvideoProfile:
    stats, is_rounded = _read_counters(info)
    others = {name: value for name, value in info.items() if name not in ("user", "stats")}
    return ShortvideoProfile(
        is_available=code == OK,
        userInfo=UserInfo.model_validate({**others, "user": user, "stats": stats}) if user else None,
        statusCode=code,
        source="page",
        counts_rounded=bool(user) and is_rounded,
    )


def _read_counters(info: dict[str, Any]) -> tuple[dict[str, int | None], bool]:
    """Return the counts by the network's names, and whether any may be rounded.

    Exact counts are strings. Without them, large counts are rounded, and some have overflowed to negative numbers.
    """
    rounded, exact = at(info, "stats", dict) or {}, info.get("statsV2")
    exact = exact if isinstance(exact, dict) else {}
    stats: dict[str, int | None] = {}
    is_rounded = False
    for name in [*rounded, *(name for name in exact if name not in rounded)]:
        found = _count(exact.get(name))
        if found is None:
            found = _count(rounded.get(name))
            is_rounded = is_rounded or (found or 0) >= EXACT_BELOW
        if found is None:
            lose("userInfo.stats")
        stats[name] = found
    return stats, is_rounded


def _count(value: Any) -> int | None:
    found = to_whole(value)
    return None if found is None or found < 0 else found
