"""Posts and accounts in the format of X's own API, with the included objects that they refer to.

See docs/upstreams/microblog.md#x-api.
"""

import html
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from webquarry.extractors.social.model.microblog.names import post_url, to_handle, to_number
from webquarry.extractors.social.model.microblog.result import (
    Author,
    Card,
    Media,
    PlainPost,
    Post,
    QuotedPost,
    ReplyingTo,
    RepostedBy,
    UnavailablePost,
    Verification,
)
from webquarry.extractors.social.sources.microblog.fx_posts import find_larger_avatar
from webquarry.extractors.social.sources.microblog.plain import (
    KINDS,
    find_best,
    is_own_media,
    make_plain_post,
    read_plain_author,
    read_variants,
)
from webquarry.read import at, each, take
from webquarry.read.fields import to_address, to_count, to_flag, to_instant, to_line, to_text

_TYPES: Final[dict[str, Verification]] = {"blue": "individual", "business": "organization", "government": "government"}


@dataclass(frozen=True, slots=True)
class Included:
    """Included objects that posts refer to, by id or key."""

    users: Mapping[str, dict[str, Any]]
    media: Mapping[str, dict[str, Any]]
    posts: Mapping[str, dict[str, Any]]

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> "Included":
        def named(member: str, key: str) -> dict[str, dict[str, Any]]:
            items = each(answer, f"includes.{member}[]") if at(answer, f"includes.{member}", list) else []
            return {str(item[key]): item for item in items if key in item}

        return cls(named("users", "id"), named("media", "media_key"), named("tweets", "id"))

    def post(self, node: Any) -> Post | None:
        """Return a post. For a repost, return the original with the account that reposted it."""
        if not isinstance(node, dict):
            return None
        references = self._references(node)
        original = self.posts.get(references.get("retweeted", ""))
        if original is not None:
            fields, by = self._plain(original), read_author(self.users.get(str(node.get("author_id"))))
            if fields is None:
                return None
            reposted_by = None if by is None else RepostedBy(id=by.id, handle=by.handle, name=by.name)
            return Post(**{**dict(fields), "reposted_by": reposted_by}, quoted_tweet=self._quoted(original))
        fields = self._plain(node)
        return None if fields is None else Post(**dict(fields), quoted_tweet=self._quoted(node))

    def _quoted(self, node: Mapping[str, Any]) -> QuotedPost | UnavailablePost | None:
        number = self._references(node).get("quoted")
        if number is None:
            return None
        fields = self._plain(self.posts.get(number))
        if fields is None:
            return UnavailablePost(id=number, url=post_url(None, number), unavailable=True, reason=None)
        return QuotedPost(**dict(fields), quoted_tweet_url=None)

    def _references(self, node: Mapping[str, Any]) -> dict[str, str]:
        """Return the ids of the quoted, reposted and replied-to posts, by kind of reference."""
        items = node.get("referenced_tweets")
        return {
            kind: number
            for item in (items if isinstance(items, list) else [])
            if (kind := take(item, "type", to_line)) and (number := take(item, "id", to_number))
        }

    def _plain(self, node: Any) -> PlainPost | None:
        """Return the post without its quoted post. None without an id."""
        number = take(node, "id", to_number)
        author = read_author(self.users.get(str(node.get("author_id")))) if isinstance(node, dict) else None
        if number is None or (author is None and not isinstance(node.get("text"), str)):
            return None
        answered = self._references(node).get("replied_to")
        to = take(self.users.get(str(node.get("in_reply_to_user_id"))), "username", to_handle)
        return make_plain_post(
            author,
            number,
            text=_read_text(node),
            lang=take(node, "lang", to_line),
            created_at=take(node, "created_at", to_instant),
            likes=take(node, "public_metrics.like_count", to_count),
            reposts=take(node, "public_metrics.retweet_count", to_count),
            replies=take(node, "public_metrics.reply_count", to_count),
            quotes=take(node, "public_metrics.quote_count", to_count),
            views=take(node, "public_metrics.impression_count", to_count),
            bookmarks=take(node, "public_metrics.bookmark_count", to_count),
            media=list(self._media(node)),
            replying_to=ReplyingTo(handle=to, id=answered, url=post_url(to, answered)) if answered else None,
            is_long_form=isinstance(node.get("note_tweet"), dict),
            possibly_sensitive=take(node, "possibly_sensitive", to_flag),
            source=take(node, "source", to_line),
            links=list(_read_links(node)),
        )

    def _media(self, node: Mapping[str, Any]) -> Iterator[Media]:
        keys = at(node, "attachments.media_keys", list) if isinstance(node.get("attachments"), dict) else None
        for key in keys or []:
            entry = self.media.get(str(key))
            kind = KINDS.get(take(entry, "type", to_line) or "")
            variants = read_variants(entry, "variants", "bit_rate")
            best = find_best(variants)
            still = take(entry, "preview_image_url", to_address)
            shown = take(entry, "url", to_address) or (best.url if best else still)
            if kind is None or shown is None:
                continue
            length_ms = take(entry, "duration_ms", to_count)
            yield Media(
                type=kind,
                url=shown,
                width=take(entry, "width", to_count) or None,
                height=take(entry, "height", to_count) or None,
                alt_text=take(entry, "alt_text", to_text),
                thumbnail_url=still,
                duration_seconds=length_ms / 1000 if length_ms else None,
                variants=variants,
            )


def read_author(node: Any) -> Author | None:
    handle = take(node, "username", to_handle, required=True)
    if handle is None:
        return None
    verified = take(node, "verified", to_flag)
    kind = _TYPES.get((take(node, "verified_type", to_line) or "").lower())
    avatar = take(node, "profile_image_url", to_address)
    return read_plain_author(
        handle,
        id=take(node, "id", to_number),
        name=take(node, "name", to_line),
        avatar_url=None if avatar is None else find_larger_avatar(avatar),
        verified=True if kind else verified,
        verification_type=kind,
        followers=take(node, "public_metrics.followers_count", to_count),
        following=take(node, "public_metrics.following_count", to_count),
        protected=take(node, "protected", to_flag),
        description=take(node, "description", to_text),
    )


def _read_text(node: Mapping[str, Any]) -> str:
    """Return the whole text with expanded links, without the links of its own media."""
    long = node.get("note_tweet")
    whole = isinstance(long, dict) and isinstance(long.get("text"), str)
    text = long["text"] if isinstance(long, dict) and whole else node.get("text")
    if not isinstance(text, str):
        return ""
    for url in _read_urls(long if isinstance(long, dict) and whole else node):
        short, target = take(url, "url", to_address), take(url, "expanded_url", to_address)
        if short and target:
            text = text.replace(short, "" if "media_key" in url or is_own_media(target) else target)
    return to_text(html.unescape(text)) or ""


def _read_links(node: Mapping[str, Any]) -> Iterator[Card]:
    """Yield the links with a preview."""
    for url in _read_urls(node):
        target, title = take(url, "expanded_url", to_address), take(url, "title", to_line)
        if target and title:
            yield Card(
                url=target,
                title=title,
                description=take(url, "description", to_text),
                domain=(take(url, "display_url", to_line) or "").partition("/")[0] or None,
                image_url=take(url, "images[0].url", to_address),
            )


def _read_urls(node: Mapping[str, Any]) -> list[dict[str, Any]]:
    entities = node.get("entities")
    urls = entities.get("urls") if isinstance(entities, dict) else None
    return [url for url in urls[:50] if isinstance(url, dict)] if isinstance(urls, list) else []
