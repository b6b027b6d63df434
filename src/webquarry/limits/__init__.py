"""Rate limits with exact sliding windows, per key and per account over all its keys.

`InProcessLimiter` counts for one process, `webquarry.limits.redis.RedisLimiter` for all processes that share a Redis.
"""

from webquarry.limits.in_process import InProcessLimiter
from webquarry.limits.limiter import WINDOW_S, Allowance, Limiter, MakeLimiter

__all__ = ["WINDOW_S", "Allowance", "InProcessLimiter", "Limiter", "MakeLimiter"]
