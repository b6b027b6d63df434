"""The reply of a child process about the links of a page in a crawl, and the job that declares the reply."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from webquarry.core.urls import MAX_URL
from webquarry.workers.job import Count, Facts, Job, Word
from webquarry.workers.pieces import Data

MAX_LINKS: Final = 1000
"""Maximum number of further pages that one page of a crawl adds."""
MAX_IDENTITIES: Final = 4
_MAX_BYTES: Final = 1_500_000
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]


class FoundLink(BaseModel):
    """A further page: its clean address, the digest of its canonical address, and its position in the order of
    visits.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: Annotated[str, Field(max_length=MAX_URL, pattern=r"^https?://[^\x00-\x20\x7f\\]+$")]
    digest: Digest
    place: Annotated[int, Field(ge=0, le=10**8)]


class FoundLinks(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    links: Annotated[list[FoundLink], Field(max_length=MAX_LINKS)]


class PageFollowed(Facts):
    """The identities of a page in a crawl, the hash of its text, and its links.

    skipped: the number of skipped links by reason, such as `site`, `depth` or `robots`.
    """

    identities: Annotated[list[Digest], Field(max_length=MAX_IDENTITIES)]
    text: Digest
    skipped: Annotated[dict[Word, Count], Field(max_length=20)]


FOLLOW: Final[Job[PageFollowed]] = Job(
    "webquarry.extractors.web.child.crawl_job:follow", PageFollowed, {PageFollowed: (Data(FoundLinks, _MAX_BYTES),)}
)
