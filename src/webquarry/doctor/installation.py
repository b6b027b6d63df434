"""Quick checks of an installation, with advice on what to fix."""

import asyncio
import os
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from webquarry.core.clock import SystemClock
from webquarry.core.errors import ServiceError
from webquarry.core.settings import PREFIX, Settings
from webquarry.core.types import Deadline
from webquarry.endpoints.registry import load
from webquarry.net.browser.installed import find_chromium
from webquarry.storage import NeedsUpgrade, StorageError, find_revision
from webquarry.storage.readiness import MIN_FREE_BYTES
from webquarry.storage.redis import read_time
from webquarry.workers import confine
from webquarry.workers.job import Job
from webquarry.workers.pool import Pool
from webquarry.workers.workers import QUICK

State = Literal["ok", "note", "problem"]
WITHIN_S: Final = 5.0
_LOW_BYTES: Final = 1024**3
_SKEW_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Check:
    """One result. `detail` states what was found. `advice` states what to do, or is "" if there is nothing to do."""

    name: str
    state: State
    detail: str
    advice: str = ""

    def line(self) -> str:
        """Return the result on one line, and any advice on a second line."""
        told = f"{self.state:8} {self.name}: {self.detail}"
        return f"{told}\n{'':8}   {self.advice}" if self.advice else told


async def examine(settings: Settings, secrets: tuple[str, ...]) -> AsyncIterator[Check]:
    """Yield a result for each part of the installation. `secrets` are paths that converters must not read."""
    yield _check_python()
    yield _check_folder(settings.data_dir)
    tries: tuple[tuple[str, Callable[[], Coroutine[Any, Any, Check]]], ...] = (
        ("store", lambda: _check_store(settings)),
        ("Redis", lambda: _check_redis(settings)),
        ("mail", lambda: _check_mail(settings)),
        ("converters", lambda: _check_converters(secrets)),
        ("Chromium", lambda: _check_chromium(settings)),
        ("Tesseract", _check_tesseract),
    )
    for name, check in tries:
        try:
            async with asyncio.timeout(WITHIN_S):
                yield await check()
        except TimeoutError:
            yield Check(name, "problem", f"no response within {WITHIN_S:.0f} seconds")
    yield _check_port(settings)
    yield _check_keys(settings)


def _check_python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    return Check("Python", "ok", version)


def _check_folder(folder: Path) -> Check:
    nearest = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    if not os.access(nearest, os.W_OK | os.X_OK):
        return Check(
            "data folder", "problem", f"{folder} can't be written", f"Change its owner, or set {PREFIX}DATA_DIR."
        )
    free = shutil.disk_usage(nearest).free
    detail = f"{folder.absolute()}, {free / _LOW_BYTES:.1f} GB free"
    if free < MIN_FREE_BYTES:
        return Check("data folder", "problem", detail, "Free some space. The service rejects requests until then.")
    if free < _LOW_BYTES:
        return Check("data folder", "note", detail, f"Free some space, or lower {PREFIX}KEEP_DAYS.")
    return Check("data folder", "ok", detail)


async def _check_store(settings: Settings) -> Check:
    kind = "PostgreSQL" if settings.database_url else "SQLite"
    try:
        revision = await find_revision(settings)
    except NeedsUpgrade as exc:
        return Check("store", "note", str(exc), "Back it up. The next `webquarry serve` upgrades the database.")
    except StorageError as exc:
        return Check("store", "problem", str(exc))
    if revision is None:
        return Check("store", "ok", f"{kind}, will be created at the first start")
    return Check("store", "ok", f"{kind}, up to date")


async def _check_redis(settings: Settings) -> Check:
    """Compare the clock of Redis with this machine's clock."""
    if settings.redis_url is None:
        return Check("Redis", "ok", "not set; only needed for several servers")
    try:
        theirs_s = await read_time(settings.redis_url)
    except StorageError as exc:
        return Check("Redis", "problem", str(exc), f"Check {PREFIX}REDIS_URL and its server.")
    apart_s = abs(theirs_s - SystemClock().now().timestamp())
    if apart_s > _SKEW_S:
        advice = "Synchronize both clocks (NTP)."
        return Check(
            "Redis", "problem", f"responds, but its clock is {apart_s:.0f} s apart from this machine's", advice
        )
    return Check("Redis", "ok", f"responds; its clock is {1000 * apart_s:.0f} ms apart from this machine's")


async def _check_mail(settings: Settings) -> Check:
    if settings.smtp_host is None:
        return Check(
            "mail", "note", "not set", f"Set {PREFIX}SMTP_HOST to confirm addresses and to reset passwords by email."
        )
    port = settings.smtp_port_in_use
    place = f"{settings.smtp_host}:{port}"
    try:
        _, writer = await asyncio.open_connection(settings.smtp_host, port)
    except OSError as exc:
        return Check("mail", "problem", f"{place} can't be reached ({exc.strerror or exc})", "Check the SMTP settings.")
    writer.close()
    return Check("mail", "ok", f"{place} accepts connections")


async def _check_converters(secrets: tuple[str, ...]) -> Check:
    if weakness := confine.explain_weakness():
        return Check("converters", "problem", weakness, "Run webquarry as a user other than root.")
    pool = Pool(SystemClock(), QUICK, size=1, spares=0, secrets=secrets)
    job = Job[Any]("webquarry.doctor.isolation.attempts:recall", Any)
    try:
        await pool.run(job, b"", {}, deadline=Deadline.after(WITHIN_S, SystemClock()))
        isolation = pool.isolation
    except ServiceError as exc:
        advice = "Run `webquarry doctor isolation` for details."
        return Check("converters", "problem", pool.fault or exc.message, advice)
    finally:
        await pool.close()
    if isolation == "none":
        advice = "Allow user namespaces or Landlock; see `webquarry doctor isolation`."
        return Check(
            "converters", "note", "child processes start, but the kernel does not isolate them from the network", advice
        )
    return Check("converters", "ok", f"child processes start, isolated from the network by {isolation}")


async def _check_chromium(settings: Settings) -> Check:
    if settings.browser_cdp_url is not None:
        return Check("Chromium", "ok", f"a remote browser is set ({PREFIX}BROWSER_CDP_URL)")
    path = find_chromium(settings)
    if path is None:
        advice = "Install Chromium (Debian: `apt-get install chromium`) to read pages that need JavaScript."
        return Check("Chromium", "note", "not found", advice)
    said = await _ask_program(str(path), "--version")
    if said is None:
        return Check("Chromium", "problem", f"{path} does not start", f"Reinstall it, or set {PREFIX}CHROMIUM_PATH.")
    return Check("Chromium", "ok", f"{said} ({path})")


async def _check_tesseract() -> Check:
    path = shutil.which("tesseract")
    if path is None:
        advice = "Install it (Debian: `apt-get install tesseract-ocr`) to read scans."
        return Check("Tesseract", "note", "not found", advice)
    said = await _ask_program(path, "--list-langs")
    if said is None:
        return Check("Tesseract", "problem", f"{path} does not start", "Reinstall it.")
    languages = said.splitlines()[1:]
    return Check("Tesseract", "ok", f"{len(languages)} languages ({path})")


async def _ask_program(*command: str) -> str | None:
    """Return a program's output, or None if the program fails."""
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        said, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return said.decode("utf-8", "replace").strip() if process.returncode == 0 else None


def _check_port(settings: Settings) -> Check:
    place = f"{settings.host}:{settings.port}"
    if settings.port == 0:
        return Check("port", "ok", "0: a free port at each start")
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((settings.host, settings.port))
        except OSError as exc:
            advice = f"Set {PREFIX}PORT, unless the service itself is running there."
            return Check("port", "note", f"{place} is not free ({exc.strerror})", advice)
    return Check("port", "ok", f"{place} is free")


def _check_keys(settings: Settings) -> Check:
    """Report which API keys for sources are set. The keys are not tested; `webquarry doctor sources` does that."""
    given = sorted({PREFIX + name.upper() for name in _list_needs() if getattr(settings, name)})
    detail = ", ".join(given) if given else "none set; only providers without a key are used"
    return Check("keys", "ok", detail)


def _list_needs() -> Iterator[str]:
    for extractor in load():
        for provider in extractor.all_providers:
            yield from provider.needs
