"""Search for Chromium: the path from the settings, or one of the usual locations.

python -m webquarry.net.browser.installed    # prints the path; exits with 1 if there is none
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from webquarry.core.settings import Settings

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_ON_MACOS = (
    Path("/Applications/Chromium.app/Contents/MacOS/Chromium"),
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
)
_PLAYWRIGHTS = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")
_SNAP_STUB = 64 * 1024
"""Size in bytes below which a `chromium-browser` is a script. Ubuntu's script only advises users to install a snap."""


def find_chromium(settings: Settings) -> Path | None:
    """Return the program to start, or None.

    A path from the settings is used without searching.
    """
    if settings.chromium_path is not None:
        return settings.chromium_path if os.access(settings.chromium_path, os.X_OK) else None
    return next((path for path in _list_candidates() if os.access(path, os.X_OK)), None)


def _list_candidates() -> Iterator[Path]:
    for name in _NAMES:
        found = shutil.which(name)
        if found is not None and not _is_stub(name, Path(found)):
            yield Path(found)
    yield from _ON_MACOS
    caches = (os.environ.get("PLAYWRIGHT_BROWSERS_PATH"), "~/.cache/ms-playwright", "~/Library/Caches/ms-playwright")
    for folder in (Path(cache).expanduser() for cache in caches if cache):
        for pattern in _PLAYWRIGHTS:
            yield from sorted(folder.glob(pattern), key=_read_revision, reverse=True)


def _is_stub(name: str, path: Path) -> bool:
    if name != "chromium-browser" or path.stat().st_size > _SNAP_STUB:
        return False
    return b"snap install" in path.read_bytes()


def _read_revision(path: Path) -> int:
    """Return the revision as a number, so that `chromium-1187` sorts after `chromium-990`."""
    found = re.search(r"chromium-(\d+)", str(path))
    return int(found[1]) if found else 0


if __name__ == "__main__":
    chromium = find_chromium(Settings.from_environment(os.environ))
    if chromium is None:
        sys.exit(1)
    print(chromium)  # noqa: T201  # printing is the purpose of this command
