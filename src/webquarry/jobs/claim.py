"""The part of the ledger's transaction that ends an item: the item ends when its hold is settled."""

from webquarry.core.clock import Clock
from webquarry.core.errors import JobHalted
from webquarry.core.types import Wire
from webquarry.jobs import rows
from webquarry.jobs.kinds import NOTHING, Found, Kind
from webquarry.jobs.records import Ending, Taken
from webquarry.jobs.rows import Ended
from webquarry.ledger import Settled
from webquarry.ledger.booking import Also
from webquarry.storage import Operation
from webquarry.storage.conversions import Conversion


class ItemClaim:
    """The claim of one attempt at an item. `ended` and `found` are set once the item has ended."""

    def __init__(self, item: Taken, kind: Kind, clock: Clock) -> None:
        self._item = item
        self._kind = kind
        self._clock = clock
        self.ended: Ended | None = None
        self.found: Found = NOTHING

    @property
    def job_id(self) -> str:
        return self._item.job.id

    @property
    def hold_id(self) -> str:
        return self._item.hold_id

    async def prepare(self, conversion: Conversion, wire: Wire | None = None, *, cached: bool = False) -> Also:
        """See `Claim.prepare`."""
        found = await self._kind.find(self._item, conversion, wire)
        ending, now = Ending("done", conversion.id, cached=cached), self._clock.now()

        def end(settled: Settled) -> Operation[None]:
            ended = yield from rows.end(self._item, ending, settled.charged, now, found)
            if ended is None:
                raise JobHalted
            self.ended, self.found = ended, found

        return end
