"""How often a key may call, and all keys of an account together: at most so many calls in any window, exactly.

`InProcessLimiter` counts for one process; `webquarry.limits.redis.RedisLimiter` for all that share a Redis.
"""

from webquarry.limits.in_process import InProcessLimiter
from webquarry.limits.limiter import WINDOW_S, Allowance, Limiter, MakeLimiter

__all__ = ["WINDOW_S", "Allowance", "InProcessLimiter", "Limiter", "MakeLimiter"]
