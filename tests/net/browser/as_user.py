"""How Chromium locks its processes in: `python as_user.py FOLDER all` renders a page, as root first and then as nobody
where it may, and prints for each user what its processes are like, one line of JSON each; with `root` not as nobody.

One program for both: once it has rendered as root it has loaded all that nobody may not be allowed to read.
"""

import asyncio
import json
import os
import re
import sys
from pathlib import Path

from support.chromium import kind_of
from support.origin import Origin
from support.rendering import WORDS, html
from webquarry.core.clock import SystemClock
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline
from webquarry.net.browser import Browser
from webquarry.net.proxy import ForwardProxy

NOBODY = 65534


async def processes(folder: Path) -> list[dict[str, object]]:
    """Of each process: its kind, its user, what filters its system calls, how many namespaces know it by an id of their
    own, and whether its command line asks for no sandbox."""
    async with Origin() as site:
        url = site.on("/", html(WORDS))
        settings, clock = Settings(data_dir=folder, egress_allow=(site.target,)), SystemClock()
        async with ForwardProxy(settings) as proxy:
            browser = Browser(settings, clock, proxy)
            try:
                await browser.render(url, Deadline.after(60, clock))
                return [_described(pid) for pid in browser.processes]
            finally:
                await browser.close()


def _described(pid: int) -> dict[str, object]:
    status = Path(f"/proc/{pid}/status").read_text()
    fields = dict(re.findall(r"^(\w+):\t(.*)$", status, re.MULTILINE))
    return {
        "kind": kind_of(pid),
        "user": int(fields["Uid"].split()[0]),
        "filters": int(fields["Seccomp"]),
        "namespaces": len(fields["NSpid"].split()),
        "unlocked": b"--no-sandbox" in Path(f"/proc/{pid}/cmdline").read_bytes(),
    }


def main(folder: Path, *, as_nobody: bool) -> None:
    _show(asyncio.run(processes(folder / str(os.getuid()))))
    if as_nobody and os.geteuid() == 0:
        theirs = folder / str(NOBODY)
        theirs.mkdir()
        os.chown(theirs, NOBODY, NOBODY)
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        _show(asyncio.run(processes(theirs)))


def _show(found: list[dict[str, object]]) -> None:
    print(json.dumps(found), flush=True)  # noqa: T201  # read by who started it


if __name__ == "__main__":
    main(Path(sys.argv[1]), as_nobody=sys.argv[2] == "all")
