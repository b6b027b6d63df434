"""Posts from providers with fewer fields. Missing fields are null."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from webquarry.extractors.social.model.microblog.names import make_profile_url, post_url
from webquarry.extractors.social.model.microblog.result import Author, PlainPost, Variant
from webquarry.read import each_given, take
from webquarry.read.fields import to_address, to_count, to_line
from webquarry.read.losses import read_rows

KINDS: Final[Mapping[str, Literal["photo", "video", "gif"]]] = {
    "photo": "photo",
    "video": "video",
    "animated_gif": "gif",
}
"""Kinds of media, by their names in X's data."""


NO_AUTHOR: Final = "The provider omitted the author of {}."
_MEDIA_PAGE: Final = re.compile(
    r"https?://(?:[\w-]{1,63}\.){0,3}(?:x|twitter)\.com/\w{1,40}/status/[0-9]{1,40}/(?:photo|video)/[0-9]{1,3}",
    re.ASCII,
)
_SHORT_LINK: Final = re.compile(r"https?://t\.co/[A-Za-z0-9]{1,20}", re.ASCII)


def is_own_media(address: str) -> bool:
    """Return whether an address is a picture or video of a post. Texts contain such links for the post's own media."""
    return _MEDIA_PAGE.fullmatch(address) is not None


def without_media_link(text: str) -> str:
    """Return the text without a short link at its end.

    Use this for posts with media from a provider that expands all links except the media's link, which is last.
    """
    words = text.rsplit(maxsplit=1)
    return text.rstrip().removesuffix(words[-1]).rstrip() if words and _SHORT_LINK.fullmatch(words[-1]) else text


def read_warnings(posts: Iterable[PlainPost]) -> list[str]:
    """Return the warnings for posts without an author."""
    lacking = sum(post.author is None for post in posts)
    return [NO_AUTHOR.format("the post" if lacking == 1 else f"{lacking} posts")] if lacking else []


def make_plain_post(author: Author | None, number: str, **known: Any) -> PlainPost:
    """Return a post with only these fields; all others are null or empty."""
    unknown: dict[str, Any] = dict.fromkeys(PlainPost.model_fields)
    nothing = {"text": "", "media": [], "links": [], "pinned": False, "is_long_form": False}
    when = known.get("created_at")
    own = {
        "id": number,
        "url": post_url(author.handle if author else None, number),
        "author": author,
        "created_timestamp": None if when is None else int(when.timestamp()),
    }
    return PlainPost.model_validate({**unknown, **nothing, **own, **known})


def read_plain_author(handle: str, **fields: Any) -> Author:
    """Return an account, for which only the handle is required."""
    unknown: dict[str, Any] = dict.fromkeys(Author.model_fields)
    known = {name: value for name, value in fields.items() if value is not None}
    return Author.model_validate(
        {**unknown, "handle": handle, "name": handle, "url": make_profile_url(handle), **known}
    )


def read_variants(medium: Any, path: str, bitrate: str) -> list[Variant]:
    """Return the files of a video. path: path of the list. bitrate: name of the field with the bitrate."""

    def read(variant: dict[str, Any]) -> Variant | None:
        address, kind = take(variant, "url", to_address), take(variant, "content_type", to_line)
        rate = take(variant, bitrate, to_count)
        return None if address is None else Variant(url=address, content_type=kind, bitrate=rate)

    return read_rows(each_given(medium, f"{path}[]"), read, f"{path}[]")


def find_best(variants: Sequence[Variant]) -> Variant | None:
    return max(variants, key=lambda one: one.bitrate if one.bitrate is not None else -1, default=None)
