"""Declaration of a file format: its name, its detection, and the function that reads it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Literal

from webquarry_convert.file.document import Document
from webquarry_convert.file.readings import NONE_READ, Readings

Option = Literal["name", "readings"]
_NAME: Final = re.compile(r"[a-z][a-z0-9]{0,19}")
_FUNCTION: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*", re.ASCII)
_EXTENSION: Final = re.compile(r"\.[a-z0-9.]{1,19}")
_LABEL: Final = re.compile(r"[^\W_][\w ./+-]{0,39}")
_TAKEN: Final = frozenset({"html", "markdown", "text", "code", "other"})
"""Types of content that are not files."""
_LEAST_SIGNATURE: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A file format.

    - `name`: the `type` of its documents, such as `srt`: lower-case letters and digits.
    - `label`: the format's name in the sentence about supported files, such as `SubRip subtitles`.
    - `reader`: the function (`package.module:function`) that reads it, called with the bytes of a file and returning a
      `Document`. It is imported before the first file.
    - `options`: further keyword arguments of the reader: the `name` of the file, or the `readings` (OCR results) of its
      pages.
    - `signatures`: a file of the format begins with one of them.
    - `extensions`: file extensions of the format, such as `.srt`. They count only for formats without signatures,
      because names are not reliable.
    - `detector`: a function (`package.module:function`) that returns whether a file is of the format. It is called with
      the bytes and the name of each file that has a signature or extension of the format, or of all files if the format
      has neither.

    Raises ValueError for invalid values.
    """

    name: str
    label: str
    reader: str
    options: tuple[Option, ...] = ()
    signatures: tuple[bytes, ...] = ()
    extensions: tuple[str, ...] = ()
    detector: str = ""

    def __post_init__(self) -> None:
        rules = (
            (_NAME.fullmatch(self.name) is not None and self.name not in _TAKEN, "name", self.name),
            (_LABEL.fullmatch(self.label) is not None, "label", self.label),
            (_FUNCTION.fullmatch(self.reader) is not None, "reader", self.reader),
            (not self.detector or _FUNCTION.fullmatch(self.detector) is not None, "detector", self.detector),
            (all(len(each) >= _LEAST_SIGNATURE for each in self.signatures), "signatures", self.signatures),
            (all(map(_EXTENSION.fullmatch, self.extensions)), "extensions", self.extensions),
        )
        for is_kept, field, value in rules:
            if not is_kept:
                raise ValueError(f"invalid {field} of a format: {value!r}")

    def read(self, body: bytes, name: str = "", readings: Readings = NONE_READ) -> Document:
        """Return the document in a file. Raises the reader's errors."""
        given: dict[Option, object] = {"name": name, "readings": readings}
        document: Document = import_function(self.reader)(body, **{option: given[option] for option in self.options})
        return document

    def matches(self, body: bytes, name: str) -> bool:
        """Return whether a file is of this format. Raises the detector's errors."""
        if self.signatures:
            is_possible = body.startswith(self.signatures)
        else:
            is_possible = not self.extensions or name.lower().endswith(self.extensions)
        return is_possible and (not self.detector or bool(import_function(self.detector)(body, name)))


def import_function(name: str) -> Callable[..., Any]:
    """Import and return the function `package.module:function`.

    Raises ImportError, and any error that the module raises.
    """
    module, _, attribute = name.partition(":")
    try:
        found: Callable[..., Any] = getattr(import_module(module), attribute)
    except AttributeError as exc:
        raise ImportError(f"{module} has no function {attribute}") from exc
    return found
