"""Replies of child processes that read a site's files and pages, and the jobs that declare these replies."""

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
"""Maximum number of an index's files that are reported."""
MAX_FEEDS: Final = 20


class GatheredFacts(Facts):
    """The reply with addresses of the site, whose piece is for `site_job.draw`.

    count: the number of addresses in the piece. is_cut: there are more addresses than requested.
    """

    count: Count
    is_cut: bool


class ListingFacts(GatheredFacts):
    """The reply for a sitemap or a feed. files: the files of an index, whose piece is empty. fault: why reading stopped
    early.
    """

    kind: Literal["listing"] = "listing"
    form: Literal["sitemap", "index", "feed", "text"]
    files: Annotated[list[Line], Field(max_length=MAX_FILES)]
    fault: Line | None


class NoListingFacts(Facts):
    """The reply for a file that is neither a sitemap nor a feed."""

    kind: Literal["none"] = "none"


class LinksFacts(GatheredFacts):
    """The reply for a page whose links were read. title: "" if missing. is_shell: whether a browser would find more
    links.
    """

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
    """Return the job that makes the map of all pieces. known: fields of the map's data that the service knows."""
    return Job(
        "webquarry.extractors.web.child.site_job:draw",
        None,
        {type(None): (Data(SiteMap, MAX_PIECE), Text(MAX_PIECE, may_have_nul=False))},
        known,
    )
