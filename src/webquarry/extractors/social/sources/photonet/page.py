"""The photo network's profile page without a login: the account that the page preloads.

The numbers in its meta tags are rounded and outdated, so they are not used. See docs/upstreams/photonet-profile.md.
"""

from typing import Any, Final

from webquarry.core.errors import Absent, ProviderError
from webquarry.core.types import Provider
from webquarry.extractors.social.model.photonet.result import PhotonetProfile, PhotonetProfileParams
from webquarry.extractors.social.sources.photonet.user import (
    MANNERS,
    MAX_BYTES,
    TITLE,
    leads_to_login,
    make_login_required_error,
    make_refused_error,
    read_profile,
)
from webquarry.extractors.social.sources.preloaded import find_scripts, values_at
from webquarry.net import ANY_STATUS, Net
from webquarry.providers.browser import plain_headers
from webquarry.read import Wire
from webquarry.read.block_pages import find_block_page_in, unreadable
from webquarry.read.html import Element, html_of

PHOTONET_PAGE: Final = Provider(
    name="photonet_page",
    walled=True,
    title=f"{TITLE}'s profile page",
    politeness=MANNERS,
    browser_headers=plain_headers(language="en-US,en;q=0.9"),
)
KEY: Final = "xig_user_by_username"
ERROR_ROOT: Final = b"PolarisErrorRoot"
LOGIN: Final = '#loginForm, input[name="password"], form[action*="/accounts/login"]'
_FULL_ACCOUNT: Final = ("follower_count", "pk", "username")
"""Fields that only the full account has. Its posts contain smaller objects with the same name."""


async def ask(params: PhotonetProfileParams, net: Net) -> tuple[PhotonetProfile, Wire]:
    """Return the profile and its page.

    An unusable response is retried once; a refusal is not. A missing account does not raise `Absent`, because the page
    also reports it during outages; the next provider must confirm it.
    """
    try:
        return await _confirmable(params, net)
    except ProviderError as error:
        if error.reason not in ("changed", "down"):
            raise
        try:
            return await _confirmable(params, net)
        except ProviderError as again:  # a timeout while waiting for a slot is not the provider's fault
            raise error if again.reason == "timeout" else again from again


async def _confirmable(params: PhotonetProfileParams, net: Net) -> tuple[PhotonetProfile, Wire]:
    wire = await net.get(params.username.url, ok_on=ANY_STATUS, absent_on=(), follow=False, max_bytes=MAX_BYTES)
    try:
        return await net.read(read, wire, params), wire
    except Absent as exc:
        raise ProviderError(f"{exc.message.rstrip('.')}, or it may be having problems.", reason="unavailable") from exc


def read(wire: Wire, params: PhotonetProfileParams) -> PhotonetProfile:
    """Parse the account that the page preloads.

    Raises Absent if the page reports a missing account or has null in its place. Raises ProviderError "blocked" for a
    redirect to the login or a challenge, "refused" for an error status, and "changed" for a page without the account or
    with another account.
    """
    _check_response(wire)
    page = html_of(wire)
    found = [value for _, value in values_at(find_scripts(page, KEY), KEY)]
    users = [value for value in found if isinstance(value, dict) and "username" in value]
    if users:
        return read_profile(max(users, key=_says), params.username, "page", pk="pk", fbid="id")
    if ERROR_ROOT in wire.body or (found and all(value is None for value in found)):
        raise Absent(f"{TITLE} reports that there is no account named @{params.username}.")
    raise _make_missing_error(wire, page)


def _make_missing_error(wire: Wire, page: Element) -> ProviderError:
    """Return the error for a page without the account."""
    if page.has(LOGIN):
        return make_login_required_error()
    return unreadable(wire, TITLE, f"{TITLE} sent a page without the account.", page)


def _check_response(wire: Wire) -> None:
    """Raise ProviderError for a redirect to the login and for an error status."""
    if leads_to_login(wire):
        raise make_login_required_error()
    if wire.status not in (200, 404):
        raise find_block_page_in(wire, TITLE) or make_refused_error(wire)


def _says(user: dict[str, Any]) -> tuple[bool, ...]:
    return tuple(user.get(name) is not None for name in _FULL_ACCOUNT)
