"""Rate limiter of all processes that share a Redis or Valkey server. The window is measured on that server's clock."""

from redis.asyncio import Redis
from redis.exceptions import RedisError

from webquarry.core.errors import Overloaded
from webquarry.core.log import log
from webquarry.limits.limiter import WINDOW_S, Allowance, Counted

PREFIX = "wq:limit:"
_COUNTED: tuple[Counted, ...] = ("key", "account")
UNREACHABLE = "The rate limiter is unavailable. Try again shortly."

# One list of times (microseconds, oldest first) for each of KEYS: a key and, if counted, its account. ARGV contains the
# window, then a limit for each of KEYS. Returns {which, allowed, remaining, reset_us, retry_us}; `which` is the index
# in KEYS of the stricter limit. A request is counted for all KEYS or for no key. If the server's clock is set back,
# times later than the clock stay in the list until they are one window old, so the limit holds and requests are refused
# for longer.
TAKE = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = tonumber(ARGV[1])
local refused, least
for which, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[which + 1])
  local oldest = redis.call('LINDEX', key, 0)
  while oldest and tonumber(oldest) <= now - window do
    redis.call('LPOP', key)
    oldest = redis.call('LINDEX', key, 0)
  end
  local used = redis.call('LLEN', key)
  if used >= limit then
    local retry = redis.call('LINDEX', key, used - limit) + window - now
    local reset = redis.call('LINDEX', key, -1) + window - now
    if not refused or retry > refused[5] then refused = {which, 0, 0, reset, retry} end
  elseif not least or limit - used - 1 < least[3] then
    least = {which, 1, limit - used - 1, window, 0}
  end
end
if refused then return refused end
for _, key in ipairs(KEYS) do
  redis.call('RPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, math.ceil(window / 1000))
end
return least
"""


class RedisLimiter:
    """Exact sliding windows in one round trip. A window expires with its last request.

    `redis` must have timeouts, so that a hanging server raises `Overloaded`.
    """

    def __init__(
        self, redis: Redis, limit: int, window_s: float = WINDOW_S, *, account_limit: int | None = None
    ) -> None:
        self._redis = redis
        self._take = redis.register_script(TAKE)
        self._limits = [limit] if account_limit is None else [limit, account_limit]
        self._window_us = round(window_s * 1_000_000)

    async def ping(self) -> None:
        """Raise Overloaded if the server does not respond."""
        try:
            await self._redis.get(PREFIX)
        except RedisError as exc:
            raise Overloaded(UNREACHABLE) from exc

    async def take(self, key: str, account: str | None = None) -> Allowance:
        names = [PREFIX + key] if account is None else [PREFIX + key, f"{PREFIX}account:{account}"]
        counted = names[: len(self._limits)]
        try:
            which, allowed, remaining, reset_us, retry_us = await self._take(
                keys=counted, args=[self._window_us, *self._limits[: len(counted)]]
            )
        except RedisError as exc:
            log.error("limits.unreachable", error=str(exc))
            raise Overloaded(UNREACHABLE) from exc
        limit, whose = self._limits[which - 1], _COUNTED[which - 1]
        return Allowance(bool(allowed), limit, remaining, reset_us / 1_000_000, retry_us / 1_000_000, whose)
