"""The short-video network's embed page: fewer fields, rounded counts.

Untested: no such page is recorded. It does not distinguish a missing account from one that is private or not
embeddable. See docs/upstreams/shortvideo-profile.md.
"""

from typing import Any, Final

from webquarry.core.errors import ProviderError
from webquarry.core.types import Provider
from webquarry.extractors.social.model.shortvideo.handle import HOME_URL
from webquarry.extractors.social.model.shortvideo.result import (
    COUNTERS,
    ShortvideoProfile,
    ShortvideoProfileParams,
    UserInfo,
)
from webquarry.extractors.social.sources.shortvideo.page import MANNERS, MAX_BYTES, TITLE, sent_to_login
from webquarry.net import Net
from webquarry.read import Wire, at, take
from webquarry.read.block_pages import WALL_WAIT_S, unreadable
from webquarry.read.embedded import json_script
from webquarry.read.fields import to_count, to_flag, to_id
from webquarry.read.html import html_of
from webquarry.read.values import reach

SHORTVIDEO_EMBED: Final = Provider(
    name="shortvideo_embed", title=f"{TITLE}'s embedded profile", politeness=MANNERS, unproven=True
)
STATE: Final = "__FRONTITY_CONNECT_STATE__"


async def fetch(params: ShortvideoProfileParams, net: Net) -> Wire:
    return await net.get(_url(params), headers={"Accept-Language": "en-US,en;q=0.9"}, absent_on=(), max_bytes=MAX_BYTES)


def read(wire: Wire, params: ShortvideoProfileParams) -> ShortvideoProfile:
    """Parse the profile in the embed page.

    Raises ProviderError "unavailable" if the page shows no account, which does not prove that the account is missing;
    "blocked" for a block page; "changed" for a page without its state, or with another account.
    """
    page = html_of(wire)
    data = at(json_script(page, STATE), "source.data", dict)
    if data is None:
        if sent_to_login(wire) or not wire.body.strip():
            raise ProviderError(f"{TITLE} requires a login.", reason="blocked", retry_after_s=WALL_WAIT_S)
        raise unreadable(wire, TITLE, f"{TITLE} sent an embed page without data.", page)
    info = _find_info(data, params)
    if info is None:
        raise ProviderError(
            f"{TITLE}'s embed shows no data for @{params.username}. The account may be private, not exist or "
            "not allow embedding.",
            reason="unavailable",
        )
    name, account_id = at(info, "uniqueId", str) or "", take(info, "id", to_id, required=True)
    if account_id is None or name.lower() != params.username:
        raise ProviderError(f"{TITLE} returned a different account than @{params.username}.", reason="changed")
    user = {
        "id": account_id,
        "uniqueId": name,
        "nickname": at(info, "nickname", str),
        "signature": at(info, "signature", str),
        "avatarThumb": at(info, "avatarThumbUrl", str),
        "verified": take(info, "verified", to_flag),
    }
    return ShortvideoProfile(
        is_available=True,
        userInfo=UserInfo(user=user, stats={counter: take(info, counter, to_count) for counter in COUNTERS}),
        statusCode=None,
        source="embed",
        counts_rounded=True,
    )


def _url(params: ShortvideoProfileParams) -> str:
    return f"{HOME_URL}/embed/@{params.username}"


def _find_info(data: dict[str, Any], params: ShortvideoProfileParams) -> dict[str, Any] | None:
    """Return the provider's account for the page's own path, ignoring case, otherwise the first account."""
    path = f"/embed/@{params.username}"
    ordered = sorted(data.items(), key=lambda entry: entry[0].lower().rstrip("/") != path)
    accounts = (reach(value, "userInfo") for _, value in ordered)
    return next((account for account in accounts if isinstance(account, dict) and account), None)
