"""The limiter of all processes that share a Redis or Valkey: the same window, on the server's clock."""

from redis.asyncio import Redis
from redis.exceptions import RedisError

from webquarry.errors import Overloaded
from webquarry.limits.limiter import WINDOW_S, Allowance
from webquarry.log import log

PREFIX = "wq:limit:"
UNREACHABLE = "What counts the calls cannot be reached at the moment: try again shortly."

# One list of instants (microseconds, oldest first) a key. Answers {allowed, remaining, reset_us, retry_us}.
# A server clock that is set back leaves later instants in the list: they count until they are a window old,
# so the limit holds and calls are refused for longer.
TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local used = redis.call('LLEN', KEYS[1])
if used >= limit then
  local blocking = redis.call('LINDEX', KEYS[1], used - limit)
  local newest = redis.call('LINDEX', KEYS[1], -1)
  return {0, 0, newest + window - now, blocking + window - now}
end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
return {1, limit - used - 1, window, 0}
"""


class RedisLimiter:
    """Exact sliding window in one round trip; a key's window expires with it.

    redis: with time limits of its own, so that a server that hangs is `Overloaded` and not a wait.
    """

    def __init__(self, redis: Redis, limit: int, window_s: float = WINDOW_S) -> None:
        self._redis = redis
        self._take = redis.register_script(TAKE)
        self._limit = limit
        self._window_us = round(window_s * 1_000_000)

    async def ping(self) -> None:
        """Overloaded when the server does not answer."""
        try:
            await self._redis.get(PREFIX)
        except RedisError as exc:
            raise Overloaded(UNREACHABLE) from exc

    async def take(self, key: str) -> Allowance:
        try:
            allowed, remaining, reset_us, retry_us = await self._take(
                keys=[PREFIX + key], args=[self._limit, self._window_us]
            )
        except RedisError as exc:
            log.error("limits.unreachable", error=str(exc))
            raise Overloaded(UNREACHABLE) from exc
        return Allowance(bool(allowed), self._limit, remaining, reset_us / 1_000_000, retry_us / 1_000_000)
