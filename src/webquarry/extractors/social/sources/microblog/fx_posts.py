"""Posts and accounts in the format of FxTwitter's API, version 2. See docs/upstreams/microblog.md."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal

from webquarry.core.errors import Absent, EmptyResult, ExtractionError
from webquarry.extractors.social.model.microblog.names import make_profile_url, post_url, to_handle, to_number
from webquarry.extractors.social.model.microblog.result import (
    Author,
    Card,
    Choice,
    Community,
    Media,
    PlainPost,
    Poll,
    Post,
    QuotedPost,
    ReplyingTo,
    RepostedBy,
    UnavailablePost,
    Variant,
    Verification,
)
from webquarry.extractors.social.sources.microblog.article import read_article
from webquarry.read import each, each_given, take
from webquarry.read.fields import (
    to_address,
    to_count,
    to_flag,
    to_instant,
    to_line,
    to_text,
)
from webquarry.read.fields import (
    to_number as to_float,
)
from webquarry.read.losses import read_rows
from webquarry.read.values import reach

_TYPES: Final[dict[str, Verification]] = {
    "individual": "individual",
    "organization": "organization",
    "government": "government",
}
_MEDIA: Final[dict[str, Literal["photo", "video", "gif"]]] = {"photo": "photo", "video": "video", "gif": "gif"}
_CONTAINERS: Final = {"mp4": "video/mp4", "webm": "video/webm", "m3u8": "application/x-mpegURL"}


def read_post(node: Any) -> Post | None:
    """Return the post of a node.

    Returns None for a tombstone, and for a node without an id, or with neither author nor text.
    """
    fields = _read_plain(node)
    return None if fields is None else Post(**dict(fields), quoted_tweet=_read_quoted(node.get("quote")))


def _read_plain(node: Any) -> PlainPost | None:
    """Return the post without its quoted post."""
    if not isinstance(node, dict) or node.get("type") not in (None, "status"):
        return None
    number, author = take(node, "id", to_number, required=True), read_author(node.get("author"))
    if number is None or (author is None and not isinstance(node.get("text", reach(node, "raw_text.text")), str)):
        return None
    when = take(node, "created_timestamp", to_instant) or take(node, "created_at", to_instant)
    article = node.get("article")
    return PlainPost(
        id=number,
        url=post_url(author.handle if author else None, number),
        text=_read_text(node),
        lang=take(node, "lang", to_line),
        created_at=when,
        created_timestamp=None if when is None else int(when.timestamp()),
        author=author,
        likes=take(node, "likes", to_count, required=True),
        reposts=take(node, "reposts", to_count, required=True),
        replies=take(node, "replies", to_count, required=True),
        quotes=take(node, "quotes", to_count, required=True),
        views=take(node, "views", to_count),
        bookmarks=take(node, "bookmarks", to_count),
        media=_read_media(node),
        replying_to=_read_replying_to(node.get("replying_to")),
        reposted_by=_read_reposted_by(node.get("reposted_by")),
        pinned=False,
        is_long_form=take(node, "is_note_tweet", to_flag) or False,
        possibly_sensitive=take(node, "possibly_sensitive", to_flag),
        source=take(node, "source", to_line),
        links=list(_read_cards(node.get("card"))),
        poll=_read_poll(node.get("poll")),
        community_note=take(node, "community_note.text", to_text),
        community=_read_community(node.get("community")),
        article=read_article(article) if isinstance(article, dict) else None,
    )


def _read_text(node: Mapping[str, Any]) -> str:
    """Return the text of a post, or "" for a post with only media.

    If the finished text is missing, the visible part of the raw text is used, without the media's links.
    """
    finished, raw = node.get("text"), reach(node, "raw_text.text")
    shown = finished if isinstance(finished, str) else raw if isinstance(raw, str) else ""
    if not isinstance(finished, str):
        match reach(node, "raw_text.display_text_range"):
            case [int(start), int(end)] if 0 <= start <= end <= len(shown):
                shown = shown[start:end]
    for facet in each_given(node, "raw_text.facets[]")[:100]:
        link = facet.get("original")
        if isinstance(link, str) and link:
            target = take(facet, "replacement", to_address) if facet.get("type") == "url" else None
            shown = shown.replace(link, "") if facet.get("type") == "media" else shown.replace(link, target or link)
    return to_text(shown) or ""


def read_author(node: Any) -> Author | None:
    """Parse the account in a post. Returns None without a handle."""
    handle = take(node, "screen_name", to_handle, required=True)
    if handle is None:
        return None
    # Posts contain a stub of the account, in which unknown values are zero.
    is_stub = take(node, "profile_embed", to_flag) or False
    followers, following = take(node, "followers", to_count), take(node, "following", to_count)
    verified, kind = read_verification(node)
    return Author(
        id=take(node, "id", to_number),
        handle=handle,
        name=take(node, "name", to_line) or handle,
        url=make_profile_url(handle),
        avatar_url=read_avatar(node),
        verified=verified,
        verification_type=kind,
        followers=None if is_stub and not followers else followers,
        following=None if is_stub and not following else following,
        protected=take(node, "protected", to_flag),
        description=take(node, "description", to_text),
    )


def read_verification(node: Any) -> tuple[bool | None, Verification | None]:
    """Return whether an account is verified, and the kind of verification."""
    verified = take(node, "verification.verified", to_flag)
    return verified, take(node, "verification.type", _to_type) if verified else None


def _to_type(value: Any) -> Verification | None:
    return _TYPES.get(value) if isinstance(value, str) else None


def read_avatar(node: Any) -> str | None:
    """Return the address of the larger picture."""
    address = take(node, "avatar_url", to_address)
    return None if address is None else find_larger_avatar(address)


def find_larger_avatar(address: str) -> str:
    before, mark, behind = address.rpartition("_normal.")
    return f"{before}_400x400.{behind}" if mark else address


def is_tombstone(node: Any) -> bool:
    return isinstance(node, dict) and node.get("type") == "tombstone"


def make_error(tombstone: Mapping[str, Any]) -> ExtractionError:
    """Return the error for an unreadable post: Absent, or EmptyResult if its account is protected."""
    if tombstone.get("reason") == "private":
        return EmptyResult("The post belongs to a protected account. Only approved followers can see it.")
    reason = take(tombstone, "reason", to_line)
    fields = {
        "deleted": "was deleted",
        "suspended": "belongs to a suspended account",
        "blocked": "is withheld from visitors",
    }.get(reason or "", "is not available")
    return Absent(f"The post {fields}.")


def _read_quoted(node: Any) -> QuotedPost | UnavailablePost | None:
    if not isinstance(node, dict) or not node:
        return None
    fields = _read_plain(node)
    if fields is not None:
        return QuotedPost(**dict(fields), quoted_tweet_url=take(node, "quote.url", to_address))
    number = take(node, "id", to_number)
    reason = take(node, "reason", to_line) if is_tombstone(node) else None
    return UnavailablePost(
        id=number,
        url=take(node, "url", to_address) or (post_url(None, number) if number else None),
        unavailable=True,
        reason=reason,
    )


def _read_media(node: dict[str, Any]) -> list[Media]:
    """Return each medium once, by address.

    The media come from the full list, or from the lists by kind if the full list is missing. Embedded media follow.
    """
    entries = each_given(node, "media.all[]")
    if not entries:
        entries = [*each_given(node, "media.photos[]"), *each_given(node, "media.videos[]")]
    if isinstance(external := reach(node, "media.external"), dict):
        entries.append(external)
    found: dict[str, Media] = {}
    for medium in read_rows(entries, _read_medium, "media.all[]"):
        found.setdefault(medium.url, medium)
    return list(found.values())


def _read_medium(entry: dict[str, Any]) -> Media | None:
    kind, address = _MEDIA.get(take(entry, "type", to_line) or ""), take(entry, "url", to_address)
    if kind is None or address is None:
        return None
    return Media(
        type=kind,
        url=address,
        width=take(entry, "width", to_count) or None,
        height=take(entry, "height", to_count) or None,
        alt_text=take(entry, "altText", to_text),
        thumbnail_url=take(entry, "thumbnail_url", to_address),
        duration_seconds=_read_duration(entry),
        variants=read_rows(each_given(entry, "formats[]"), _read_variant, "formats[]"),
    )


def _read_variant(variant: dict[str, Any]) -> Variant | None:
    address = take(variant, "url", to_address)
    if address is None:
        return None
    return Variant(
        url=address,
        content_type=_CONTAINERS.get(take(variant, "container", to_line) or ""),
        bitrate=take(variant, "bitrate", to_count),
    )


def _read_duration(entry: Mapping[str, Any]) -> float | None:
    """Return the duration in seconds. For animated pictures the provider writes 0, which means unknown."""
    seconds = take(entry, "duration", to_float)
    return seconds if seconds is not None and seconds > 0 else None


def _read_replying_to(node: Any) -> ReplyingTo | None:
    handle, number = take(node, "screen_name", to_handle), take(node, "status", to_number)
    if handle is None and number is None:
        return None
    return ReplyingTo(handle=handle, id=number, url=post_url(handle, number) if number else None)


def _read_reposted_by(node: Any) -> RepostedBy | None:
    handle = take(node, "screen_name", to_handle)
    if handle is None:
        return None
    return RepostedBy(id=take(node, "id", to_number), handle=handle, name=take(node, "name", to_line) or handle)


def _read_cards(node: Any) -> Iterator[Card]:
    address = take(node, "url", to_address)
    if address is not None:
        yield Card(
            url=address,
            title=take(node, "title", to_line),
            description=take(node, "description", to_text),
            domain=take(node, "domain", to_line),
            image_url=take(node, "image.url", to_address),
        )


def _read_poll(node: Any) -> Poll | None:
    if not isinstance(node, dict):
        return None
    choices = read_rows(each(node, "choices[]"), _read_choice, "choices[]")
    if not choices:
        return None
    return Poll(
        choices=choices, total_votes=take(node, "total_votes", to_count), ends_at=take(node, "ends_at", to_instant)
    )


def _read_choice(choice: dict[str, Any]) -> Choice | None:
    label = take(choice, "label", to_line)
    if label is None:
        return None
    return Choice(label=label, count=take(choice, "count", to_count), percentage=take(choice, "percentage", to_float))


def _read_community(node: Any) -> Community | None:
    name = take(node, "name", to_line)
    return Community(id=take(node, "id", to_number), name=name) if name is not None else None
