"""A server that renders one page and stays: `python server.py DATA_DIR URL` prints the process ids of its browser."""

import asyncio
import sys
from pathlib import Path
from urllib.parse import urlsplit

from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.net.browser import Browser
from webquarry.net.proxy import ForwardProxy


async def main(data_dir: Path, url: str) -> None:
    settings, clock = Settings(data_dir=data_dir, egress_allow=(urlsplit(url).netloc,)), SystemClock()
    async with ForwardProxy(settings) as proxy:
        browser = Browser(settings, clock, proxy)
        await browser.render(url, Deadline.after(30, clock))
        print(*browser.processes, flush=True)  # noqa: T201  # read by the parent
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
