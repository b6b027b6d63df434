"""Flights of all processes that share a Redis or Valkey.

`wq:flight:{key}` holds the leader's token during its lease; `wq:landed:{token}` briefly holds the outcome for the
joiners. The channel `wq:flights` announces tokens that have ended. It only wakes up joiners: the keys are authoritative
and polled periodically, so a lost message causes a short delay, not a lost result.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from weakref import WeakValueDictionary

from redis.asyncio import Redis
from redis.exceptions import RedisError

from webquarry.core.clock import Clock
from webquarry.core.errors import Overloaded
from webquarry.core.log import log
from webquarry.core.types import Deadline
from webquarry.pipeline.flights.flight import LONGEST_S, Join, Lead
from webquarry.pipeline.flights.outcome import Outcome, from_json, to_json

FLIGHT = "wq:flight:"
LANDED = "wq:landed:"
CHANNEL = "wq:flights"

LEASE_S = 5.0
"""Time for which joiners wait for a dead leader.

The process of a live leader renews the lease three times in this period.
"""

LINGER_S = 15.0
TELL_WITHIN_S = 1.0
"""Time for which a leader waits until its outcome is published.

Joiners receive the outcome even if publishing takes longer.
"""
LOOK_AGAIN_S = 1.0

# Each script is idempotent, because a command is sent again if its connection broke.
BOARD = """
local leader = redis.call('GET', KEYS[1])
if leader then return leader end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
"""
RENEW = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
"""
END = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return end
redis.call('DEL', KEYS[1])
if ARGV[2] ~= '' then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
redis.call('PUBLISH', ARGV[4], ARGV[1])
"""
LOOK = """
local lease = 0
if redis.call('GET', KEYS[1]) == ARGV[1] then lease = redis.call('PTTL', KEYS[1]) end
return {redis.call('GET', KEYS[2]), lease}
"""


@asynccontextmanager
async def redis_flights(
    redis: Redis, clock: Clock, *, lease_s: float = LEASE_S, longest_s: float = LONGEST_S
) -> AsyncIterator["RedisFlights"]:
    """Run shared flights with two background tasks, which renew leases and listen for flights that have ended."""
    flights = RedisFlights(redis, clock, lease_s=lease_s, longest_s=longest_s)
    tasks = [asyncio.create_task(flights.renew()), asyncio.create_task(flights.listen())]
    for task in tasks:
        task.add_done_callback(_log_failure)
    try:
        yield flights  # not a task group, because it would wrap exceptions raised here
    finally:
        flights.close()
        for task in tasks:
            task.cancel()
        await asyncio.wait([*tasks, *flights.telling], timeout=2 * LOOK_AGAIN_S)
        for telling in flights.telling:
            telling.cancel()


def _log_failure(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("flights.task_ended", exc_info=task.exception())


class RedisFlights:
    """Flights in Redis.

    Without `renew`, a lease ends after `lease_s`; without `listen`, joiners wait up to LOOK_AGAIN_S longer.
    """

    def __init__(self, redis: Redis, clock: Clock, *, lease_s: float = LEASE_S, longest_s: float = LONGEST_S) -> None:
        self._redis = redis
        self._clock = clock
        self._lease_s = lease_s
        self._longest_s = longest_s
        self._closing = False
        self._board = redis.register_script(BOARD)
        self._renew = redis.register_script(RENEW)
        self._end = redis.register_script(END)
        self._look = redis.register_script(LOOK)
        # by token: the key that this process leads, and the time when it stops renewing the lease
        self._led: dict[str, tuple[str, float]] = {}
        self._telling: set[asyncio.Task[None]] = set()
        # by token: an event that the joiners in this process share; dropped with the last joiner
        self._ended: WeakValueDictionary[str, asyncio.Event] = WeakValueDictionary()

    def __len__(self) -> int:
        """Return the number of flights led by this process."""
        return len(self._led)

    @property
    def telling(self) -> list["asyncio.Task[None]"]:
        """Tasks that still publish outcomes."""
        return list(self._telling)

    async def board(self, key: str) -> Lead | Join:
        mine = secrets.token_urlsafe(12)
        with _reachable():
            leader = (await self._board(keys=[FLIGHT + key], args=[mine, _ms(self._lease_s)])).decode()
        if leader != mine:
            return Join(partial(self._wait, key, leader, self._ended.setdefault(leader, asyncio.Event())))
        self._led[mine] = key, self._clock.monotonic() + self._longest_s
        return Lead(partial(self._finish, key, mine))

    async def _finish(self, key: str, token: str, outcome: Outcome | None) -> None:
        """Publish the outcome. If that fails, let the lease expire, because the leader has its result anyway.

        The wait is short and ignores cancellation, because the result may have been charged.
        """
        self._led.pop(token, None)
        telling = asyncio.create_task(self._tell(key, token, "" if outcome is None else to_json(outcome)))
        self._telling.add(telling)
        telling.add_done_callback(self._telling.discard)
        with suppress(asyncio.CancelledError):
            await asyncio.wait({telling}, timeout=TELL_WITHIN_S)

    async def _tell(self, key: str, token: str, text: str) -> None:
        try:
            await self._end(keys=[FLIGHT + key, LANDED + token], args=[token, text, _ms(LINGER_S), CHANNEL])
        except RedisError as exc:
            log.warning("flights.end_untold", error=str(exc))

    async def _wait(self, key: str, token: str, ended: asyncio.Event, deadline: Deadline) -> Outcome | None:
        async with deadline.bound():
            while True:
                with _reachable():
                    outcome, lease_ms = await self._look(keys=[FLIGHT + key, LANDED + token], args=[token])
                if outcome is not None:
                    return from_json(outcome)
                if lease_ms <= 0:
                    return None
                with suppress(TimeoutError):
                    async with asyncio.timeout(min(lease_ms / 1000, LOOK_AGAIN_S)):
                        await ended.wait()

    async def renew(self) -> None:
        """Renew the leases of flights that this process leads, until canceled."""
        while True:
            await asyncio.sleep(self._lease_s / 3)
            now = self._clock.monotonic()
            for token in [token for token, (_, give_up_at_s) in self._led.items() if give_up_at_s <= now]:
                del self._led[token]
                log.error("flights.never_ended")
            try:
                async with self._redis.pipeline(transaction=False) as pipeline:
                    for token, (key, _) in self._led.items():
                        await self._renew(keys=[FLIGHT + key], args=[token, _ms(self._lease_s)], client=pipeline)
                    await pipeline.execute()
            except RedisError as exc:
                log.warning("flights.renewal_failed", error=str(exc))

    def close(self) -> None:
        self._closing = True

    async def listen(self) -> None:
        """Wake up joiners in this process when a flight has ended, until canceled or closed.

        `close` is needed because the client sometimes mistakes a cancellation for its timeout.
        """
        while not self._closing:
            try:
                async with self._redis.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(CHANNEL)
                    while not self._closing:
                        message = await channel.get_message(timeout=LOOK_AGAIN_S)
                        if message and (event := self._ended.get(message["data"].decode())):
                            event.set()
            except RedisError as exc:
                log.warning("flights.channel_lost", error=str(exc))
                await asyncio.sleep(LOOK_AGAIN_S)


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


@contextmanager
def _reachable() -> Iterator[None]:
    try:
        yield
    except RedisError as exc:
        log.error("flights.unreachable", error=str(exc))
        raise Overloaded("The service can't coordinate requests right now. Try again shortly.") from exc
