"""An account of the photo network, in the form that its providers share, and their refusals."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

from webquarry.core.errors import ProviderError
from webquarry.core.types import Politeness
from webquarry.extractors.social.model.photonet.handle import PhotonetHandle
from webquarry.extractors.social.model.photonet.result import (
    BioLink,
    Counted,
    PhotonetData,
    PhotonetProfile,
    PhotonetUser,
    SourceName,
)
from webquarry.extractors.social.sources.preloaded import find_outward
from webquarry.read import Wire, at, each_given, take
from webquarry.read.fields import to_address, to_count, to_flag, to_id, to_line, to_text
from webquarry.read.losses import read_rows

TITLE: Final = "Instagram"
MANNERS: Final = Politeness(spacing_s=2.0, concurrency=1)
REFUSED_S: Final = 300.0
"""Seconds without requests after a provider's refusal, because further requests would be refused too."""
MAX_BYTES: Final = 6 * 1024 * 1024
_LOGINS: Final = ("/accounts/login", "/accounts/suspended", "/challenge")
_REDIRECT: Final = "l.instagram.com"


def read_profile(
    user: dict[str, Any], requested: PhotonetHandle, source: SourceName, *, pk: str, fbid: str
) -> PhotonetProfile:
    """Parse the account.

    pk, fbid: the provider's names for the account's two numbers. Raises ProviderError "changed" for another account,
    and for an account without its number.
    """
    name, number = take(user, "username", to_line, required=True), take(user, pk, to_id, required=True)
    if name is None or number is None:
        raise ProviderError(f"{TITLE} sent a profile without its name or ID.", reason="changed")
    if name.lower() != requested:
        raise ProviderError(f"{TITLE} returned a different account than @{requested}.", reason="changed")
    followers = _counted(user, "edge_followed_by", "follower_count")
    following = _counted(user, "edge_follow", "following_count")
    media = _counted(user, "edge_owner_to_timeline_media", "media_count")
    pronouns = user.get("pronouns")
    links = read_rows(each_given(user, "bio_links[]"), _read_link, "bio_links[]")
    return PhotonetProfile(
        data=PhotonetData(
            user=PhotonetUser(
                id=number,
                fbid=take(user, fbid, to_id),
                username=name,
                full_name=_read_optional(user, "full_name", to_line),
                biography=_read_optional(user, "biography", to_text),
                is_verified=take(user, "is_verified", to_flag),
                is_private=take(user, "is_private", to_flag),
                is_business_account=take(user, "is_business_account", to_flag),
                is_professional_account=take(user, "is_professional_account", to_flag),
                follower_count=followers,
                following_count=following,
                media_count=media,
                edge_followed_by=Counted(count=followers),
                edge_follow=Counted(count=following),
                edge_owner_to_timeline_media=Counted(count=media),
                external_url=_read_outward(user.get("external_url")) or next((link.url for link in links), None),
                bio_links=links,
                category_name=take(user, "category_name", to_line) or take(user, "business_category_name", to_line),
                profile_pic_url=take(user, "profile_pic_url", to_address),
                profile_pic_url_hd=take(user, "profile_pic_url_hd", to_address),
                pronouns=read_rows(pronouns if isinstance(pronouns, list) else (), to_line, "pronouns[]"),
            )
        ),
        status="ok",
        source=source,
    )


def leads_to_login(wire: Wire) -> bool:
    """Return whether the response is a login or a challenge, or redirects to one.

    A redirect to the start page means the same.
    """
    is_redirect = 300 <= wire.status < 400
    try:
        path = urlsplit(wire.headers.get("location", "") if is_redirect else wire.url).path
    except ValueError:  # not a redirect
        return False
    return path.startswith(_LOGINS) or (is_redirect and path in ("", "/"))


def make_login_required_error() -> ProviderError:
    return ProviderError(
        f"{TITLE} requires a login from this address for now.", reason="blocked", retry_after_s=REFUSED_S
    )


def make_refused_error(wire: Wire, message: str = "") -> ProviderError:
    words = f": {message}" if message else ""
    return ProviderError(
        f"{TITLE} rejected the request (status {wire.status}{words}).", reason="refused", retry_after_s=REFUSED_S
    )


def _counted(user: dict[str, Any], edge: str, flat: str) -> int | None:
    found = take(user, f"{edge}.count", to_count)
    return take(user, flat, to_count) if found is None else found


def _read_optional(user: dict[str, Any], name: str, convert: Callable[[Any], str | None]) -> str | None:
    """Return a text. "" means that the provider has an empty value; None means that the value is missing."""
    value = at(user, name, str)
    return None if value is None else convert(value) or ""


def _read_link(item: dict[str, Any]) -> BioLink | None:
    url = _read_outward(item.get("url")) or _read_outward(item.get("lynx_url"))
    title, kind = take(item, "title", to_line), take(item, "link_type", to_line)
    return None if url is None else BioLink(title=title, url=url, link_type=kind)


def _read_outward(value: Any) -> str | None:
    return find_outward(value, _REDIRECT)
