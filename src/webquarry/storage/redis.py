"""Client for the Redis or Valkey server that replicas share."""

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff
from redis.exceptions import RedisError

from webquarry.core.settings import PREFIX, SettingsError
from webquarry.storage.database import StorageError

ANSWER_WITHIN_S = 2.0
MAX_CONNECTIONS = 32


def connect_redis(url: str) -> Redis:
    """Return a client that responds or fails within seconds, with responses as bytes. Connects on the first command.

    Raises SettingsError, which does not quote the URL, if the URL is invalid. If MAX_CONNECTIONS are in use, callers
    wait, unlike with redis-py's default pool, which refuses them. A command whose connection broke is sent again, so
    commands must be idempotent.
    """
    try:
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=MAX_CONNECTIONS,
            timeout=ANSWER_WITHIN_S,
            socket_timeout=ANSWER_WITHIN_S,
            socket_connect_timeout=ANSWER_WITHIN_S,
            retry=Retry(ExponentialBackoff(cap=0.1, base=0.01), 2),
        )
        pool.make_connection()  # type: ignore[no-untyped-call]  # does not connect, but rejects unknown options
    except (ValueError, TypeError):
        # the original error would quote the URL, and the password in it
        raise SettingsError(
            f"{PREFIX}REDIS_URL: must be redis://host:port, rediss://host:port or unix://path, "
            "with user:password@ before the host if the server requires it"
        ) from None
    return Redis.from_pool(pool)


async def read_time(url: str) -> float:
    """Return the time of Redis' clock, in seconds since 1970.

    Raises SettingsError if the URL is invalid, and StorageError if Redis is unreachable.
    """
    client = connect_redis(url)
    try:
        seconds, microseconds = await client.time()
    except (RedisError, OSError) as exc:
        raise StorageError(f"Redis does not respond ({type(exc).__name__}).") from exc
    finally:
        await client.aclose()
    return float(seconds + microseconds / 1e6)
