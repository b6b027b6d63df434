"""The API request of the photo network's own page, the only provider of an account's category and number of posts.

Most client addresses are refused, so a refusal is not retried. See docs/upstreams/photonet-profile.md.
"""

from typing import Any, Final
from urllib.parse import urlencode

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Provider
from webquarry.extractors.social.model.photonet.handle import HOME_URL
from webquarry.extractors.social.model.photonet.result import PhotonetProfile, PhotonetProfileParams
from webquarry.extractors.social.sources.photonet.user import (
    MANNERS,
    MAX_BYTES,
    REFUSED_S,
    TITLE,
    leads_to_login,
    make_login_required_error,
    make_refused_error,
    read_profile,
)
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.browser import plain_headers
from webquarry.read import Wire, at, json_of, take
from webquarry.read.block_pages import is_page, unreadable
from webquarry.read.fields import to_line
from webquarry.read.html import html_of

PHOTONET_WEB_PROFILE_INFO: Final = Provider(
    name="photonet_web_profile_info",
    walled=True,
    title=f"{TITLE}'s web_profile_info",
    politeness=MANNERS,
    headers={"X-IG-App-ID": "936619743392459"},
    browser_headers=plain_headers("application/json", language="en-US,en;q=0.9"),
)
URL: Final = f"{HOME_URL}/api/v1/users/web_profile_info/"
_REFUSALS: Final = frozenset({"useragent mismatch"})
"""Messages about an invalid request. All other messages ask for a login or a bot check."""


async def fetch(params: PhotonetProfileParams, net: Net) -> Wire:
    return await net.get(
        f"{URL}?{urlencode({'username': params.username})}",
        headers={"Referer": params.username.url},
        ok_on=ANY_STATUS,
        absent_on=(),
        follow=False,
        max_bytes=MAX_BYTES,
    )


def read(wire: Wire, params: PhotonetProfileParams) -> PhotonetProfile:
    """Parse the account from `data.user`.

    Raises Absent if the account is null, or for status 404 without a refusal message. Raises ProviderError "blocked"
    for a login or a bot check, "refused" for a rate limit, and "changed" for any other response.
    """
    if leads_to_login(wire):
        raise make_login_required_error()
    if wire.status == 429 or wire.status >= 500:
        raise make_refused_error(wire, _read_message(wire))
    if wire.status == 404 and not _read_message(wire):
        raise Absent(f"{TITLE} has no account named @{params.username}.")
    if is_page(wire):
        page = html_of(wire)
        raise unreadable(wire, TITLE, f"{TITLE} sent a page instead of the data.", page)
    if not wire.body.strip():
        raise make_login_required_error()
    answer = json_of(wire)
    _refuse(wire, answer)
    data = at(answer, "data", dict)
    if data is not None and "user" in data and data["user"] is None:
        raise Absent(f"{TITLE} has no account named @{params.username}.")
    user = at(data, "user", dict)
    if user is None:
        raise ProviderError(f"{TITLE} sent a response without the account.", reason="changed")
    return read_profile(user, params.username, "web_profile_info", pk="id", fbid="fbid")


def _refuse(wire: Wire, answer: Any) -> None:
    """Raise ProviderError if the response reports a failure."""
    status, message = take(answer, "status", to_line), take(answer, "message", to_line)
    if status == "fail" or (message and at(answer, "data", dict) is None) or wire.status != 200:
        if message in _REFUSALS:
            raise make_refused_error(wire, message)
        words = f": {message}" if message else ""
        raise ProviderError(
            f"{TITLE} requires a login or a browser check (status {wire.status}{words}).",
            reason="blocked",
            retry_after_s=REFUSED_S,
        )


def _read_message(wire: Wire) -> str:
    try:
        return take(wire, "message", to_line) or ""
    except ProviderError:
        return ""
