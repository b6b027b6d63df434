"""Formats that other distributions add through the entry points group `webquarry_convert.formats`.

They are loaded by `readers.preload`, or for the first file of no built-in format. A format that cannot be
loaded is skipped. Lists of supported files name it as broken, with its distribution.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from webquarry_convert.errors import ConversionError, ConversionFailed
from webquarry_convert.file.document import Document
from webquarry_convert.file.format import Format, import_function
from webquarry_convert.file.readings import Readings

GROUP: Final = "webquarry_convert.formats"
_PASSED: Final = (ConversionError, MemoryError, RecursionError)
"""Errors of a reader that are raised unchanged: errors about the content, and exceeded limits."""


@dataclass(frozen=True, slots=True)
class InstalledFormat:
    """A format and the distribution that adds it. distribution: its name and version, such as `webquarry-srt 1.0`."""

    format: Format
    distribution: str

    def read(self, body: bytes, name: str, readings: Readings) -> Document:
        """Return the document in a file. Raises `ConversionFailed` for any error of the reader."""
        try:
            document = self.format.read(body, name, readings)
        except _PASSED:
            raise
        except Exception as exc:
            raise self._make_error(exc) from exc
        if not isinstance(document, Document):
            raise self._make_error(TypeError())
        return document

    def matches(self, body: bytes, name: str) -> bool:
        """Return whether a file is of this format. Raises `ConversionFailed` for any error of the detector."""
        try:
            return self.format.matches(body, name)
        except _PASSED:
            raise
        except Exception as exc:
            raise self._make_error(exc) from exc

    def _make_error(self, cause: Exception) -> ConversionFailed:
        return ConversionFailed(
            f"The file cannot be read: the format {self.format.name} of {self.distribution} failed with "
            f"{type(cause).__name__}.",
            reason="corrupt",
        )


@dataclass(frozen=True, slots=True)
class BrokenFormat:
    """A format that cannot be used. cause: an explanation for the person who installed the distribution."""

    name: str
    distribution: str
    cause: str


@dataclass(frozen=True, slots=True)
class InstalledFormats:
    formats: Mapping[str, InstalledFormat]
    broken: tuple[BrokenFormat, ...]


@cache
def find_installed(built_in: Collection[str]) -> InstalledFormats:
    """Load the formats of all installed distributions.

    built_in: names of built-in formats, which the others must not reuse.
    """
    return load(entry_points(group=GROUP), built_in)


def load(entries: Iterable[EntryPoint], built_in: Collection[str]) -> InstalledFormats:
    """Load the formats of the given entry points, sorted by distribution."""
    formats: dict[str, InstalledFormat] = {}
    broken: list[BrokenFormat] = []
    for distribution, entry in sorted((_name_distribution(entry), entry) for entry in entries):
        try:
            found = _load_format(entry)
            if found.name in built_in:
                raise ValueError(f"{found.name} is a built-in format")
            if found.name in formats:
                raise ValueError(f"{found.name} is also a format of {formats[found.name].distribution}")
        except (Exception, SystemExit) as exc:  # noqa: BLE001  # whatever fails in one format, the others still work
            broken.append(BrokenFormat(entry.name, distribution, f"{type(exc).__name__}: {exc}"))
        else:
            formats[found.name] = InstalledFormat(found, distribution)
    return InstalledFormats(formats, tuple(broken))


def _load_format(entry: EntryPoint) -> Format:
    """Return the format that an entry point names, with its functions imported. Raises any error."""
    found = entry.load()
    if not isinstance(found, Format):
        raise TypeError(f"{entry.value} is not a Format")
    if found.name != entry.name:
        raise ValueError(f"the entry point is named {entry.name}, but its format is named {found.name}")
    if not (found.signatures or found.extensions or found.detector):
        raise ValueError("the format has no signature, extension or detector")
    for function in filter(None, (found.reader, found.detector)):
        if not callable(import_function(function)):
            raise TypeError(f"{function} is not a function")
    return found


def _name_distribution(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "an unknown distribution"
