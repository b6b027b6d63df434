"""The client of the Redis or Valkey that replicas share."""

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from webquarry.core.settings import PREFIX, SettingsError

ANSWER_WITHIN_S = 2.0
MAX_CONNECTIONS = 32


def connect_redis(url: str) -> Redis:
    """A client that answers or fails within seconds; answers are bytes. Nothing is dialled before the first command.
    SettingsError, without the address, when it cannot be used.

    Callers beyond MAX_CONNECTIONS queue: redis-py's ordinary pool refuses them. A command whose connection broke is
    sent again, so what is sent must bear being done twice.
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
        pool.make_connection()  # type: ignore[no-untyped-call]  # opens nothing, and refuses options that it does not know
    except (ValueError, TypeError):
        # the fault would quote the address, and with it the password
        raise SettingsError(
            f"{PREFIX}REDIS_URL: must be redis://host:port, rediss://host:port or unix://path, "
            "with user:password@ before the host where the server asks for them"
        ) from None
    return Redis.from_pool(pool)
