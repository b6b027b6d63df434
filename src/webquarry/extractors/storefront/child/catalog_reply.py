"""Replies of a child process about a shop's responses."""

from types import NoneType
from typing import Annotated, Final, Literal

from pydantic import Field

from webquarry.extractors.storefront.model.listing import Catalog
from webquarry.extractors.storefront.model.products import Platform
from webquarry.workers.job import Count, Facts, Job, Line
from webquarry.workers.pieces import Data, Text, Unread

MAX_IDS: Final = 1000
"""Maximum number of products of one page, four times a platform's limit."""
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$")]


class BlockPageFacts(Facts):
    """The response is a block page. why: the shop's demand, as a clause that follows the shop's name."""

    form: Literal["block_page"] = "block_page"
    why: Line


class RefusedFacts(Facts):
    """The shop refused the request. why: the same as in `BlockPageFacts`."""

    form: Literal["refused"] = "refused"
    why: Line


class ChangedFacts(Facts):
    """A list without readable products. why: a sentence."""

    form: Literal["changed"] = "changed"
    why: Line


class OtherFacts(Facts):
    """The response is not a list of products."""

    form: Literal["other"] = "other"


class ProductsFacts(Facts):
    """The reply for a page that lists products.

    The parcel is the `ProductPage`, which is read only by the job that writes the catalog. platform, rows, pages: the
    same as in `ProductPage`. ids: the products' IDs.
    """

    form: Literal["products"] = "products"
    platform: Platform
    rows: Count
    pages: Count | None
    ids: Annotated[list[Line], Field(max_length=MAX_IDS)]


class HomeFacts(Facts):
    """A shop's home page. wall: the same as `why` of `BlockPageFacts`; host: the shop's host name at Shopify."""

    block_page: Line | None
    host: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,99}\.myshopify\.com$")] | None
    currency: Currency | None


ListReply = BlockPageFacts | RefusedFacts | ChangedFacts | OtherFacts | ProductsFacts
_NAME: Final = "webquarry.extractors.storefront.child.catalog_job"
READ: Final[Job[ListReply]] = Job(f"{_NAME}:read", ListReply, {ProductsFacts: (Unread(),)})
READ_HOME: Final[Job[HomeFacts]] = Job(f"{_NAME}:read_home", HomeFacts)
READ_META: Final[Job[str | None]] = Job(f"{_NAME}:read_meta", Currency | None)
WRITE: Final[Job[None]] = Job(f"{_NAME}:write", None, {NoneType: (Data(Catalog), Text())})
