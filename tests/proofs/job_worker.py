"""A server without HTTP that works on jobs until it is killed.

Takes the store's settings as JSON and a file. Each item takes a moment, and writes a line to the file when it begins
and when it ends: time, process, `+` or `-`, key. With `crawl` instead of a file, it has the endpoints of the service.
"""

import asyncio
import json
import os
import sys
import time
from datetime import timedelta
from pathlib import Path

from support.made import Board
from webquarry.app import assemble
from webquarry.core.settings import Settings
from webquarry.endpoints.context import Context
from webquarry.endpoints.registry import Registry
from webquarry.jobs import workshop
from webquarry.jobs.in_process import InProcessQueue
from webquarry.jobs.port import Queue

ITEM_S = 0.05
LEASE = timedelta(seconds=3)


class SlowBoard(Board):
    """A board whose runs take a moment and leave a trace."""

    def __init__(self, trace: Path) -> None:
        super().__init__()
        self._trace = trace.open("a", buffering=1)

    def write(self, mark: str, key: str) -> None:
        self._trace.write(f"{time.time()} {os.getpid()} {mark} {key}\n")

    def registry(self) -> Registry:
        board = self

        class Behaviours(dict[str, object]):
            def __contains__(self, key: object) -> bool:
                return True

            def __getitem__(self, key: str) -> object:
                async def behave(_ctx: Context) -> None:
                    board.write("+", key)
                    await asyncio.sleep(ITEM_S)
                    board.write("-", key)

                return behave

        self.behaviours = Behaviours()  # type: ignore[assignment]  # every key has the same
        return super().registry()


def make_queue(settings: Settings) -> Queue:
    """Return the usual queue, with a short lease."""
    if settings.database_url is None:
        return InProcessQueue()
    from webquarry.jobs.postgres import PostgresQueue

    return PostgresQueue(settings.database_url, lease=LEASE)


async def main(settings: Settings, trace: str) -> None:
    workshop.make_queue = make_queue
    registry = None if trace == "crawl" else SlowBoard(Path(trace)).registry()
    async with assemble(settings, serving=True, registry=registry):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Settings(**json.loads(sys.argv[1])), sys.argv[2]))
