"""What goes on in the background, where nobody awaits it: no round that fails may end those behind it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from webquarry.core.error_boundary import Border
from webquarry.core.errors import InternalError, ServiceError
from webquarry.core.log import log

T = TypeVar("T")
STOP_S = 5.0


async def try_round(event: str, work: Awaitable[T]) -> T | None:
    """What the work gives; None when it fails, which is logged: as `<event>.skipped` when the service cannot do it for
    now, as `<event>.failed` for a fault of ours."""
    try:
        with Border(f"{event}.failed"):
            return await work
    except InternalError:  # the border has logged it
        return None
    except ServiceError as exc:
        log.warning(f"{event}.skipped", reason=exc.message)
        return None


@asynccontextmanager
async def run_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """What goes on until the context ends."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task}, timeout=STOP_S)
