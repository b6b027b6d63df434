"""Posts of sources that know less than the first: every field that is not told is null."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from webquarry.extractors.microblog.names import post_url, profile_url
from webquarry.extractors.microblog.result import Author, PlainPost, Variant
from webquarry.read import at, each, take
from webquarry.read.fields import to_address, to_count, to_line

KINDS: Final[Mapping[str, Literal["photo", "video", "gif"]]] = {
    "photo": "photo",
    "video": "video",
    "animated_gif": "gif",
}
"""What a medium is, by X's own word."""


def plain_post(author: Author, number: str, **fields: Any) -> dict[str, Any]:
    """The fields of `PlainPost`, those that are not told null or empty."""
    unknown: dict[str, Any] = dict.fromkeys(PlainPost.model_fields)
    nothing = {"text": "", "media": [], "links": [], "pinned": False, "is_long_form": False}
    when = fields.get("created_at")
    return {
        **unknown,
        **nothing,
        "id": number,
        "url": post_url(author.handle, number),
        "author": author,
        "created_timestamp": None if when is None else int(when.timestamp()),
        **fields,
    }


def plain_author(handle: str, **fields: Any) -> Author:
    """An account of which only the handle has to be told."""
    unknown: dict[str, Any] = dict.fromkeys(Author.model_fields)
    known = {name: value for name, value in fields.items() if value is not None}
    return Author.model_validate({**unknown, "handle": handle, "name": handle, "url": profile_url(handle), **known})


def read_variants(medium: Any, path: str, bitrate: str) -> list[Variant]:
    """The files of a video that stand at a path. bitrate: the name of that member there."""
    return [
        Variant(
            url=address,
            content_type=take(variant, "content_type", to_line),
            bitrate=take(variant, bitrate, to_count),
        )
        for variant in (each(medium, f"{path}[]") if at(medium, path, list) else [])
        if (address := take(variant, "url", to_address)) is not None
    ]


def find_best(variants: Sequence[Variant]) -> Variant | None:
    return max(variants, key=lambda one: one.bitrate if one.bitrate is not None else -1, default=None)
