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
from webquarry.read import at, each_given, take
from webquarry.read.fields import to_address, to_count, to_flag, to_instant, to_line, to_text
from webquarry.read.losses import read_rows

MAX_LINKS: Final = 50
_TYPES: Final[dict[str, Verification]] = {"blue": "individual", "business": "organization", "government": "government"}


@dataclass(frozen=True, slots=True)
class Included:
    """The provider's included objects that posts refer to, by id or key."""

    users: Mapping[str, dict[str, Any]]
    media: Mapping[str, dict[str, Any]]
    posts: Mapping[str, dict[str, Any]]

    @classmethod
    def of(cls, answer: Mapping[str, Any]) -> "Included":
        return cls(
            _read_included(answer, "includes.users[]", "id"),
            _read_included(answer, "includes.media[]", "media_key"),
            _read_included(answer, "includes.tweets[]", "id"),
        )

    def post(self, node: Any) -> Post | None:
        """Return a post. For a repost, return the original with the account that reposted it."""
        if not isinstance(node, dict):
            return None
        references = _read_references(node)
        original = self.posts.get(references.get("retweeted", ""))
        if original is None:
            return self._whole(node, references, None)
        by = read_author(self.users.get(str(node.get("author_id"))))
        reposted_by = None if by is None else RepostedBy(id=by.id, handle=by.handle, name=by.name)
        return self._whole(original, _read_references(original), reposted_by)

    def _whole(self, node: Any, references: Mapping[str, str], reposted_by: RepostedBy | None) -> Post | None:
        fields = self._plain(node, references)
        if fields is None:
            return None
        return Post(**{**dict(fields), "reposted_by": reposted_by}, quoted_tweet=self._quoted(references))

    def _quoted(self, references: Mapping[str, str]) -> QuotedPost | UnavailablePost | None:
        number = references.get("quoted")
        if number is None:
            return None
        node = self.posts.get(number)
        fields = self._plain(node, _read_references(node))
        if fields is None:
            return UnavailablePost(id=number, url=post_url(None, number), unavailable=True, reason=None)
        return QuotedPost(**dict(fields), quoted_tweet_url=None)

    def _plain(self, node: Any, references: Mapping[str, str]) -> PlainPost | None:
        """Return the post without its quoted post. Returns None if it has no id."""
        number = take(node, "id", to_number)
        author = read_author(self.users.get(str(node.get("author_id")))) if isinstance(node, dict) else None
        if number is None or (author is None and not isinstance(node.get("text"), str)):
            return None
        answered = references.get("replied_to")
        to = take(self.users.get(str(node.get("in_reply_to_user_id"))), "username", to_handle)
        links = each_given(node, "entities.urls[]")[:MAX_LINKS]
        return make_plain_post(
            author,
            number,
            text=_read_text(node, links),
            lang=take(node, "lang", to_line),
            created_at=take(node, "created_at", to_instant),
            likes=take(node, "public_metrics.like_count", to_count),
            reposts=take(node, "public_metrics.retweet_count", to_count),
            replies=take(node, "public_metrics.reply_count", to_count),
            quotes=take(node, "public_metrics.quote_count", to_count),
            views=take(node, "public_metrics.impression_count", to_count),
            bookmarks=take(node, "public_metrics.bookmark_count", to_count),
            media=self._media(node),
            replying_to=ReplyingTo(handle=to, id=answered, url=post_url(to, answered)) if answered else None,
            is_long_form=isinstance(node.get("note_tweet"), dict),
            possibly_sensitive=take(node, "possibly_sensitive", to_flag),
            source=take(node, "source", to_line),
            links=list(_read_previews(links)),
        )

    def _media(self, node: Mapping[str, Any]) -> list[Media]:
        keys = at(node, "attachments.media_keys", list) if isinstance(node.get("attachments"), dict) else None
        return read_rows(keys or [], lambda key: _read_medium(self.media.get(str(key))), "attachments.media_keys[]")


def _read_included(answer: Mapping[str, Any], path: str, key: str) -> dict[str, dict[str, Any]]:
    """Return the provider's objects in a list by their key. path: path of the list."""

    def read(item: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
        return (str(item[key]), item) if key in item else None

    return dict(read_rows(each_given(answer, path), read, path))


def _read_references(node: Any) -> dict[str, str]:
    """Return the ids of the quoted, reposted and replied-to posts, by kind of reference."""

    def read(item: dict[str, Any]) -> tuple[str, str] | None:
        kind, number = take(item, "type", to_line), take(item, "id", to_number)
        return None if kind is None or number is None else (kind, number)

    return dict(read_rows(each_given(node, "referenced_tweets[]"), read, "referenced_tweets[]"))


def _read_medium(entry: Any) -> Media | None:
    kind = KINDS.get(take(entry, "type", to_line) or "")
    variants = read_variants(entry, "variants", "bit_rate")
    best = find_best(variants)
    still = take(entry, "preview_image_url", to_address)
    shown = take(entry, "url", to_address) or (best.url if best else still)
    if kind is None or shown is None:
        return None
    length_ms = take(entry, "duration_ms", to_count)
    return Media(
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


def _read_text(node: Mapping[str, Any], links: list[dict[str, Any]]) -> str:
    """Return the whole text with expanded links, without the links of its own media.

    links: the provider's links of the short text. A long text has separate links.
    """
    text, long = node.get("text"), node.get("note_tweet")
    if isinstance(long, dict) and isinstance(long.get("text"), str):
        text, links = long["text"], each_given(long, "entities.urls[]")[:MAX_LINKS]
    if not isinstance(text, str):
        return ""
    for link in links:
        short, target = take(link, "url", to_address), take(link, "expanded_url", to_address)
        if short and target:
            text = text.replace(short, "" if "media_key" in link or is_own_media(target) else target)
    return to_text(html.unescape(text)) or ""


def _read_previews(links: list[dict[str, Any]]) -> Iterator[Card]:
    """Yield the links with a preview."""
    for link in links:
        target, title = take(link, "expanded_url", to_address), take(link, "title", to_line)
        if target and title:
            yield Card(
                url=target,
                title=title,
                description=take(link, "description", to_text),
                domain=(take(link, "display_url", to_line) or "").partition("/")[0] or None,
                image_url=take(link, "images[0].url", to_address),
            )
