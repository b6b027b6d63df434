"""The text of a workbook: its table of shared strings, and the escapes of control characters."""

import re
from collections.abc import Iterable, Iterator, Mapping

from webquarry_convert.file.document import make_limit_error
from webquarry_convert.file.limits import MAX_CELLS
from webquarry_convert.file.sheets.xlsx.blocks import split_blocks
from webquarry_convert.file.xml import get_local_name, resolve_references, walk

_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_OPENING = re.compile(rb"<sst(?:\s[^<>]*)?>")
_STRING = re.compile(
    r"<si(?:\s[^<>]*?)?(?:/>|>(?:<t(?:\s[^<>]*)?>([^<]*)</t></si>|((?:[^<]++|<(?!/?si[\s/>]))*+)</si>))"
)
"""Matches a string. Strings don't nest, so the search for a string's end stops where the next string starts."""
_READING, _READING_END = re.compile(r"<rPh\b"), "</rPh>"
_RUN = re.compile(r"<t(?:\s[^<>]*)?>([^<]*)</t>")


def unescape(text: str) -> str:
    """Replace escapes such as `_x000D_`, which represent characters that XML can't contain."""
    if "_x" not in text:
        return text
    return (
        _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)
        .encode("utf-16", "surrogatepass")
        .decode("utf-16", "replace")
    )


class _Strings:
    """Collects the text of each `si` element, without phonetic guides of East Asian words."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._pieces: list[str] = []
        self._is_text = False
        self._aside = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = get_local_name(tag)
        if name == "t":
            self._is_text = not self._aside
        elif name == "rPh":
            self._aside += 1
        elif name == "si":
            self._pieces = []

    def data(self, text: str) -> None:
        if self._is_text:
            self._pieces.append(text)

    def end(self, tag: str) -> None:
        name = get_local_name(tag)
        if name == "t":
            self._is_text = False
        elif name == "rPh":
            self._aside -= 1
        elif name == "si":
            self._put(["".join(self._pieces)])

    def filter_plain_strings(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Take all strings that need no parser, and yield the rest of the part."""
        for block in split_blocks(pieces, _OPENING, b"</si>"):
            if isinstance(block, bytes):
                yield block
                continue
            self._put(
                [
                    resolve_references("".join(_RUN.findall(_drop_readings(rich))) if rich else text)
                    for text, rich in _STRING.findall(block)
                ]
            )

    def _put(self, texts: Iterable[str]) -> None:
        self.found += map(unescape, texts)
        if len(self.found) > MAX_CELLS:
            raise make_limit_error(f"more than {MAX_CELLS:,} texts")


def _drop_readings(rich: str) -> str:
    """Drop the phonetic guides between a text's runs. A guide without an end tag is kept and ends the search."""
    parts: list[str] = []
    at = 0
    while found := _READING.search(rich, at):
        end = rich.find(_READING_END, found.end())
        if end < 0:
            break
        parts.append(rich[at : found.start()])
        at = end + len(_READING_END)
    return "".join([*parts, rich[at:]])


def read_shared_strings(source: Iterable[bytes]) -> list[str]:
    strings = _Strings()
    walk(strings.filter_plain_strings(source), strings)
    return strings.found
