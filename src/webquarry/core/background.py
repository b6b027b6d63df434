"""Background tasks, which continue with the next round after one has failed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from webquarry.core.error_boundary import ErrorBoundary
from webquarry.core.errors import InternalError, ServiceError
from webquarry.core.log import log

T = TypeVar("T")
STOP_S = 5.0


async def try_round(event: str, work: Awaitable[T]) -> T | None:
    """Return the result of the work, or None if it fails.

    A failure is logged as `<event>.skipped` if the service temporarily cannot do the work, and as `<event>.failed` if
    it is a bug.
    """
    try:
        with ErrorBoundary(f"{event}.failed"):
            return await work
    except InternalError:  # the error boundary has logged the bug
        return None
    except ServiceError as exc:
        log.warning(f"{event}.skipped", reason=exc.message)
        return None


@asynccontextmanager
async def run_background(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run the work in the background until the context exits."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task}, timeout=STOP_S)
