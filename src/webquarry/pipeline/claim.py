"""Claims: the operations that a job's request adds to the ledger's transactions."""

from typing import Protocol

from webquarry.core.types import Wire
from webquarry.ledger.booking import Also
from webquarry.storage.conversions import Conversion


class Claim(Protocol):
    """The claim of a request on an item of a job.

    `job_id` is the job whose budget pays. `hold_id` is the id of the only hold that the request may have.
    """

    @property
    def job_id(self) -> str: ...

    @property
    def hold_id(self) -> str: ...

    async def prepare(self, conversion: Conversion, wire: Wire | None = None, *, cached: bool = False) -> Also:
        """Return the operation that ends the item with this result. It runs in the transaction that settles the hold.

        `wire` is the response that the result was read from, if there was a single one. `cached` marks a result that
        was stored before.

        The operation raises JobHalted if the item no longer belongs to this request: nothing is charged then.
        """
        ...
