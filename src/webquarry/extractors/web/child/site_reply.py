"""Replies of child processes that read the files and pages of a site, and the jobs that declare them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from webquarry.extractors.web.child.page_reply import (
    BlockPageFacts,
    ForeignFacts,
    MovedFacts,
    RefusedFacts,
)
from webquarry.extractors.web.model.site_map import SiteMap
from webquarry.workers.job import Count, Facts, Job, Line, Piece
from webquarry.workers.pieces import MAX_PIECE, Data, Text, Unread

MAX_FILES: Final = 1000
"""Maximum files of an index that are reported."""
MAX_FEEDS: Final = 20


class GatheredFacts(Facts):
    """Addresses of the site. Their piece is for `site_job.draw`; count: how many it has.

    is_cut: there are more than wanted.
    """

    count: Count
    is_cut: bool


class ListingFacts(GatheredFacts):
    """A sitemap or a feed. files: of an index, whose piece is empty. fault: why reading stopped early."""

    kind: Literal["listing"] = "listing"
    form: Literal["sitemap", "index", "feed", "text"]
    files: Annotated[list[Line], Field(max_length=MAX_FILES)]
    fault: Line | None


class NoListingFacts(Facts):
    """The file is neither a sitemap nor a feed."""

    kind: Literal["none"] = "none"


class LinksFacts(GatheredFacts):
    """The reply for a page whose links were read. title: "" if missing. is_shell: whether a browser would find more."""

    form: Literal["links"] = "links"
    title: Line
    feeds: Annotated[list[Line], Field(max_length=MAX_FEEDS)]
    is_shell: bool


ListingReply = ListingFacts | NoListingFacts
LinksReply = BlockPageFacts | RefusedFacts | MovedFacts | ForeignFacts | LinksFacts
_GATHERED: Final[Sequence[Piece]] = (Unread(MAX_PIECE),)
LISTING: Final[Job[ListingReply]] = Job(
    "webquarry.extractors.web.child.site_job:read_file", ListingReply, {ListingFacts: _GATHERED}
)
LINKS: Final[Job[LinksReply]] = Job(
    "webquarry.extractors.web.child.site_job:read_page", LinksReply, {LinksFacts: _GATHERED}
)


def make_drawing(known: Mapping[str, Any]) -> Job[None]:
    """Return the job that makes the map of all pieces. known: fields of its data that the service knows."""
    return Job(
        "webquarry.extractors.web.child.site_job:draw",
        None,
        {type(None): (Data(SiteMap, MAX_PIECE), Text(MAX_PIECE, may_have_nul=False))},
        known,
    )
