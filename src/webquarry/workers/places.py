"""Folders and files that a child needs: the interpreter, installed packages, libraries and this project's code.

The service lists them before it starts a child, because it knows where its modules were imported from.
"""

import os
import site
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_SYSTEM: Final = (
    "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64", "/lib", "/lib64",
    "/nix/store", "/gnu/store", "/System/Library", "/usr/share/fonts", "/usr/share/zoneinfo", "/usr/share/mime",
    "/etc/ld.so.cache", "/etc/localtime", "/etc/fonts", "/etc/mime.types",
    "/sys/devices/system/cpu", "/sys/fs/cgroup", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm",
    "/dev/null", "/dev/urandom", "/dev/random",
)  # fmt: skip
_PROGRAMS: Final = (
    "/usr/bin", "/usr/local/bin", "/bin",
    "/usr/share/tesseract-ocr", "/usr/share/tessdata", "/usr/local/share/tessdata",
)  # fmt: skip
"""Locations of tesseract and its data."""
_SHARED_ROOTS: Final = frozenset({"/", "/usr", "/usr/local", "/opt", "/home", "/root", "/var", "/srv"})
"""Folders that contain more than an interpreter, even if they are the interpreter's prefix."""


@dataclass(frozen=True, slots=True)
class Places:
    """Paths for a child.

    `readable` are files, and folders with everything below them. `listed` are folders whose entries may be listed.
    `modules` is the module search path, in order.
    """

    readable: tuple[str, ...]
    listed: tuple[str, ...]
    modules: tuple[str, ...]


def find_places(*, may_start_programs: bool) -> Places:
    """Return the paths that a child of this process needs. `may_start_programs` adds tesseract.

    A module folder outside any installation (a checkout, the current folder, PYTHONPATH) may also hold the service's
    data, so only packages in it that this process has imported are readable.
    """
    installed = _find_installed()
    modules = _list_module_folders()
    apart = [folder for folder in modules if not _lies_below(folder, installed)]
    packages = [path for folder in apart for path in _list_imported(folder)]
    programs = _PROGRAMS if may_start_programs else ()
    used = sorted(set(apart).intersection(map(os.path.dirname, packages)), key=apart.index)
    unused = set(apart).difference(used)
    kept = tuple(folder for folder in modules if folder not in unused)
    return Places((*_SYSTEM, *programs, *installed, *packages), tuple(used), kept)


def _list_module_folders() -> tuple[str, ...]:
    return tuple(dict.fromkeys(os.path.abspath(folder) for folder in sys.path if folder))


def _find_installed() -> tuple[str, ...]:
    """Return the folders of the interpreter and of installed packages."""
    prefixes = {os.path.abspath(prefix) for prefix in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
    users = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    folders = [*(prefixes - _SHARED_ROOTS), *sysconfig.get_paths().values(), *site.getsitepackages(), *users]
    chosen = {os.path.abspath(folder) for folder in folders} - _SHARED_ROOTS
    return tuple(sorted(chosen))


def _list_imported(folder: str) -> list[str]:
    """Return the top-level packages and modules in `folder` that this process has imported."""
    found = []
    for name, module in list(sys.modules.items()):
        if "." in name or name == "__main__":
            continue
        places = [*getattr(module, "__path__", ()), getattr(module, "__file__", None) or ""]
        found += [place for place in places if place and os.path.dirname(os.path.abspath(place)) == folder]
    return sorted({os.path.abspath(place) for place in found})


def _lies_below(path: str, folders: tuple[str, ...]) -> bool:
    return any(Path(path).is_relative_to(folder) for folder in folders)
