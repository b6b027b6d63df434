"""Limits on the files that a child may open (Landlock): programs, libraries and modules, but no files of the service.

The kernel reports the version of Landlock that it supports; rights of later versions are omitted. Version 4 also
forbids TCP connections; version 6 also forbids signals and abstract sockets to other processes.
"""

import ctypes
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from struct import Struct
from typing import Final

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_CREATE, _ADD, _RESTRICT = 444, 445, 446  # these numbers are the same on every processor
_VERSION_FLAG: Final = 1
_PATH_BENEATH: Final = 1
_RULESET: Final = Struct("=QQQ")
_RULE: Final = Struct("=Qi")
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_ALL_OF_FIRST: Final = (1 << 13) - 1
_LATER_RIGHTS: Final = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))  # moving files, truncating files, controlling devices
_TCP: Final = 3
_SCOPES: Final = 3
_WRITABLE: Final = (os.devnull,)


def find_version() -> int:
    """Return the version of Landlock that this kernel supports, or 0."""
    found = _LIBC.syscall(ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))
    return max(int(found), 0)


def _create_ruleset(version: int) -> int:
    """Return the descriptor of a ruleset that forbids everything this version can forbid; negative on failure."""
    rights = _ALL_OF_FIRST | sum(right for least, right in _LATER_RIGHTS if version >= least)
    attributes = _RULESET.pack(rights, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    return _call(_CREATE, attributes, ctypes.c_size_t(size), ctypes.c_uint32(0))


def restrict_files(readable: Iterable[str], listed: Iterable[str]) -> bool:
    """Permanently restrict this thread and everything that it starts. Return whether the kernel supports it.

    `readable` are files, and folders with everything below them. `listed` are folders whose entries may be listed,
    which importing a module requires. PR_SET_NO_NEW_PRIVS must be set before.
    """
    version = find_version() if sys.platform == "linux" else 0
    if not version:
        return False
    ruleset = _create_ruleset(version)
    if ruleset < 0:
        return False
    try:
        for path in readable:
            _allow(ruleset, path, _EXECUTE | _READ_FILE | _READ_FOLDER)
        for path in listed:
            _allow(ruleset, path, _READ_FOLDER)
        for path in _WRITABLE:
            _allow(ruleset, path, _WRITE_FILE | _READ_FILE)
        return _call(_RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint32(0)) == 0
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Add a rule for a path if it exists. A file gets fewer rights than a folder."""
    try:
        place = os.open(Path(path), os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= ~_READ_FOLDER
        _call(_ADD, ctypes.c_int(ruleset), ctypes.c_int(_PATH_BENEATH), _RULE.pack(rights, place), ctypes.c_uint32(0))
    finally:
        os.close(place)


def _call(number: int, *arguments: object) -> int:
    return int(_LIBC.syscall(ctypes.c_long(number), *arguments))
