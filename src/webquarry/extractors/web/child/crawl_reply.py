"""The reply of a child process about the links of a page in a crawl, and the job that declares the reply."""

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from webquarry.core.urls import MAX_URL
from webquarry.crawl.repeats import EDGE, MOST_BLOCKS, MOST_SECTIONS
from webquarry.workers.job import Count, Facts, Job, Word
from webquarry.workers.pieces import Data

MAX_LINKS: Final = 1000
"""Maximum number of further pages that one page of a crawl adds."""
MAX_IDENTITIES: Final = 4
MAX_PARTS: Final = 2 * EDGE + MOST_SECTIONS
_MAX_BYTES: Final = 1_500_000
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Range = Annotated[list[Count], Field(min_length=2, max_length=2)]
Part = Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


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
    """What identifies a page among the pages of a crawl, the hash of its text, and the links that were left out.

    skipped: their number by reason, such as `site`, `depth` or `robots`. parts: digests of the parts that may repeat on
    other pages, see `crawl.repeats`. furniture: the ranges of the markdown, in characters, that do.
    """

    identities: Annotated[list[Digest], Field(max_length=MAX_IDENTITIES)]
    text: Digest
    skipped: Annotated[dict[Word, Count], Field(max_length=20)]
    parts: Annotated[list[Part], Field(max_length=MAX_PARTS)]
    furniture: Annotated[list[Range], Field(max_length=MAX_PARTS * MOST_BLOCKS)]


FOLLOW: Final[Job[PageFollowed]] = Job(
    "webquarry.extractors.web.child.crawl_job:follow", PageFollowed, {PageFollowed: (Data(FoundLinks, _MAX_BYTES),)}
)
