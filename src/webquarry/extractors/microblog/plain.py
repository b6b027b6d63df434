"""Posts of sources that know less than the first: every field that is not told is null."""

from typing import Any

from webquarry.extractors.microblog.names import post_url, profile_url
from webquarry.extractors.microblog.result import Author, PlainPost


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
