"""Sandboxing of Chromium's processes.

`python as_user.py FOLDER all` renders a page as root, then as nobody if permitted.

For each user it prints one line of JSON about each process; with `root` instead of `all` the run as nobody is skipped.
One program does both: after the run as root, everything that nobody may not be allowed to read is loaded.
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
    """Return the properties of each process.

    They are its kind, user, system call filter, number of PID namespaces, and whether its command line disables the
    sandbox.
    """
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
    print(json.dumps(found), flush=True)  # noqa: T201  # read by the parent


if __name__ == "__main__":
    main(Path(sys.argv[1]), as_nobody=sys.argv[2] == "all")
