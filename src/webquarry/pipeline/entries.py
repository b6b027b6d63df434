"""Stored results that serve requests, in memory above storage."""

import re
import secrets
from datetime import datetime, timedelta
from typing import Final

from webquarry.core.clock import Clock
from webquarry.core.settings import Settings
from webquarry.core.types import Picture
from webquarry.endpoints.run import Output
from webquarry.pipeline.cache import Ready, ReadyCache
from webquarry.pipeline.call import Call, Freshness, Order
from webquarry.storage.conversions import Conversion, Conversions, Recorded

PICTURES_KEPT = timedelta(days=365)
"""Time for which an image is served after the last result that contained it.

Clients may cache the image for the same time.
"""
_CONVERSION_ID: Final = re.compile(r"cv_[0-9a-f]{32}")


def new_conversion_id() -> str:
    """Return 128 random bits prefixed with `cv_`."""
    return f"cv_{secrets.token_hex(16)}"


def is_conversion_id(text: str) -> bool:
    """Return whether a text has the form of an id. Text in any other form cannot be a valid id."""
    return _CONVERSION_ID.fullmatch(text) is not None


class Entries:
    """Finds the entry that serves a request, and stores the results of runs."""

    def __init__(self, cache: ReadyCache, conversions: Conversions, clock: Clock, settings: Settings) -> None:
        self._cache = cache
        self._conversions = conversions
        self._clock = clock
        self._keep = timedelta(days=settings.keep_days)
        self._keep_wire = timedelta(hours=settings.keep_wire_hours)

    def recall(self, call: Call, freshness: Freshness, now: datetime) -> Ready | None:
        """Return the entry in memory that serves this request, or None. Never waits."""
        ready = self._cache.get(call.key)
        return ready if ready is not None and self.serves(ready, freshness, now) else None

    async def look_up(self, call: Call, freshness: Freshness) -> Ready | None:
        """Return the entry in storage that serves this request, or None. The entry is then kept in memory."""
        if freshness.no_cache or call.extractor.fresh is None:
            return None
        stored = await self._conversions.fresh(call.key, self._clock.now())
        if stored is None:
            return None
        ready = await Ready.of(stored)
        return self.remember(call, ready) if self.serves(ready, freshness, self._clock.now()) else None

    async def by_id(self, conversion_id: str) -> Ready | None:
        """Return the result with this id unless it has expired. The caller must check its owner."""
        stored = await self._conversions.by_id(conversion_id, self._clock.now())
        return None if stored is None else await Ready.of(stored)

    async def read_outcome(self, call: Call, conversion_id: str) -> Ready | None:
        """Return the result of this request's flight."""
        ready = self._cache.get(call.key)
        return ready if ready is not None and ready.conversion.id == conversion_id else await self.by_id(conversion_id)

    async def picture(self, name: str) -> Picture | None:
        """Return the image with this name, from any result."""
        return await self._conversions.picture(name, self._clock.now())

    def serves(self, ready: Ready, freshness: Freshness, now: datetime) -> bool:
        """Return whether the entry is as fresh as the endpoint declares and the caller requests."""
        conversion = ready.conversion
        if freshness.no_cache or not conversion.is_fresh(now):
            return False
        if freshness.max_age_s is None:
            return True
        return (now - conversion.created_at).total_seconds() <= freshness.max_age_s

    def remember(self, call: Call, ready: Ready) -> Ready:
        """Put the entry into memory, where it may serve other requests."""
        if ready.conversion.cache_key is not None:
            self._cache.put(call.key, ready)
        return ready

    def keep_until(self) -> datetime:
        """Return how long a result of now is kept at least."""
        return self._clock.now() + self._keep

    def conversion_of(self, order: Order, output: Output) -> tuple[Conversion, Recorded | None]:
        """Return a run's data to store: the conversion and its wire. The wire is never kept in memory."""
        call = order.call
        now, fresh = self._clock.now(), output.fresh
        conversion = Conversion(
            id=new_conversion_id(),
            endpoint=call.extractor.name,
            version=call.extractor.version,
            cache_key=None if fresh is None else call.key,
            owner=None if call.file is None else order.caller.account_id,
            created_at=now,
            fresh_until=None if fresh is None else now + fresh,
            expires_at=now + max(self._keep, fresh or self._keep),
            provider=output.provider,
            source_url=output.wire.url if output.wire else None,
            data=output.data,
            markdown=output.markdown,
            fetched_at=output.wire.fetched_at if output.wire else None,
            page_starts=output.page_starts,
        )
        wire = output.wire if self._keep_wire else None
        if wire is None and not output.pictures:
            return conversion, None
        return conversion, Recorded(wire, now + self._keep_wire, output.pictures, now + PICTURES_KEPT)
