"""Replies of a child process about a fetched page."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from webquarry.core.types import Wire
from webquarry.core.urls import MAX_URL
from webquarry.extractors.web.model.page_data import PageData
from webquarry.extractors.web.sources.page import SUCCESS
from webquarry.workers.job import Facts, Job, Line, Piece, ReplyError, Word
from webquarry.workers.parcel import Parcel
from webquarry.workers.pieces import MAX_PIECE, Data, Text
from webquarry_convert.text.instants import rfc3339


class BlockPageFacts(Facts):
    """The page is a block page. why: the site's demand, as a clause that follows the site's name."""

    form: Literal["block_page"] = "block_page"
    kind: Word
    why: Line


class RefusedFacts(Facts):
    """The status is not a success, and the page is not a block page."""

    form: Literal["refused"] = "refused"


class MovedFacts(Facts):
    """The page only redirects to `url`."""

    form: Literal["moved"] = "moved"
    url: Annotated[str, Field(max_length=MAX_URL, pattern=r"^https?://[^\x00-\x20\x7f\\]+$")]


class ForeignFacts(Facts):
    """The response is not a page. name: the kind of content, such as "a PDF document"."""

    form: Literal["foreign"] = "foreign"
    name: Line


class PageFacts(Facts):
    """The reply for a converted page. Its parcel has data and markdown, which is empty if the page has no text.

    is_shell: whether a browser would get more content from the page. says_enough: whether the page is useful without a
    browser.
    """

    form: Literal["page"] = "page"
    is_shell: bool
    says_enough: bool


PageReply = BlockPageFacts | RefusedFacts | MovedFacts | ForeignFacts | PageFacts
_PIECES: Final[Mapping[type, Sequence[Piece]]] = {
    PageFacts: (Data(PageData, MAX_PIECE), Text(MAX_PIECE, may_have_nul=False))
}


def make_job(function: str, wire: Wire, requested_url: str) -> Job[PageReply]:
    """Return the job that converts this response.

    The job checks that the reply's data repeats the values that the service knows about the response.
    """
    known: dict[str, Any] = {
        "url": requested_url,
        "final_url": wire.url,
        "status": wire.status,
        "read_at": rfc3339(wire.fetched_at),
        "fetched_with": "browser" if wire.rendered else "static",
    }
    return Job(function, PageReply, _PIECES, known, _check_status)


def _check_status(made: Parcel[PageReply], known: Mapping[str, Any]) -> None:
    """Raise ReplyError for a page with an error status, and for a refusal with a success status."""
    is_success = known["status"] in SUCCESS
    if (
        isinstance(made.facts, RefusedFacts)
        if is_success
        else not isinstance(made.facts, BlockPageFacts | RefusedFacts)
    ):
        raise ReplyError("it contradicts the status")
