"""Files for results: safe names, and writing without replacing a file by accident."""

import errno
import hashlib
import os
import re
import secrets
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

MAX_NAME_CHARS = 100
"""Maximum length of a name without its extension. File systems allow 255 bytes."""
_REPLACED = re.compile(r"[^a-z0-9._-]+")
_HASH_CHARS = 8


def name_results(subjects: Sequence[str], ending: str) -> list[str]:
    """Return a file name for the result of each subject, such as a URL or a query.

    `https://example.com/about` becomes `example.com_about.md`. If different subjects could have the same name, the name
    ends with a part of the subject's hash: `https://example.com/?page=2` becomes `example.com_-page-2-1f0c4a5e.md`.
    """
    return _separate([spell(subject) for subject in subjects], subjects, ending)


def name_converted(paths: Sequence[str], ending: str) -> list[str]:
    """Return a file name for the result of each uploaded file, such as `report.pdf.md`."""
    return _separate([Path(path).name for path in paths], paths, ending)


def write_new(path: Path, body: bytes, *, force: bool) -> None:
    """Write a file completely or not at all.

    Raises OSError, which is FileExistsError if the file exists and `force` is not set.
    """
    unfinished = path.with_name(f".{secrets.token_hex(8)}.unfinished")
    try:
        with unfinished.open("xb") as file:
            file.write(body)
        if force:
            os.replace(unfinished, path)
        else:
            _rename_to_free_name(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def _rename_to_free_name(made: Path, path: Path) -> None:
    try:
        os.link(made, path)  # unlike a rename, this fails if the name is taken
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise
        if path.exists():  # the file system has no hard links
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from error
        os.replace(made, path)


def _separate(names: Sequence[str], subjects: Sequence[str], ending: str) -> list[str]:
    """Append the extension to the names.

    Where several subjects share a name, also append part of each subject's hash.
    """
    counts = Counter(names)
    return [
        f"{name if counts[name] == 1 else f'{name}-{hash_text(subject)}'}{ending}"
        for name, subject in zip(names, subjects, strict=True)
    ]


def spell(subject: str) -> str:
    """Return the subject as a file name without an extension. It has no folder and begins with no dot.

    `/` becomes `_`. Any character other than a letter, a digit, `.` or `-` becomes `-`.
    """
    bare = subject.removeprefix("https://")
    if bare.count("/") == 1:
        bare = bare.removesuffix("/")
    name = _REPLACED.sub("-", bare.lower().replace("_", "-").replace("/", "_"))[:MAX_NAME_CHARS]
    if name.replace("_", "/") == bare and name[:1] not in (".", ""):
        return name
    return f"{name.lstrip('.')}-{hash_text(subject)}"


def hash_text(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:_HASH_CHARS]
