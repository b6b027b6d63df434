"""XML of unknown origin, read within bounds: nothing is fetched, no entity of its own is replaced, no DTD read.

    root = parse(body)              # the whole tree, for parts of up to some MB
    walk(archive.stream(part), it)  # elements and texts as they stream by, without a tree: memory stays flat

Both read every encoding that is declared or marked (UTF-16 as well), and raise `ConversionFailed` only:
`make_corrupt_error` for what is not well-formed or brings a DTD, `limits` for a text without end and a tree that is too
deep. Names are `{namespace}name`; comments and processing instructions are left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeAlias

from lxml import etree  # type: ignore[import-untyped]  # it has no stubs of its own

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.document import make_corrupt_error, make_limit_error
from webquarry_convert.file.limits import MAX_DEPTH

Element: TypeAlias = Any
"""An `lxml.etree._Element`. Its children are elements only."""

_BOUNDS: Final = {
    "resolve_entities": False,
    "load_dtd": False,
    "no_network": True,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
}
_TOO_DEEP: Final = etree.XPath(f"boolean(/{'/'.join('*' * (MAX_DEPTH + 1))})")
_SPACE = b" \t\r\n"
_REFERENCE: Final = re.compile(r"&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));")
_NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def parse(body: bytes) -> Element:
    """The root element."""
    with _translate_failures():
        root = etree.fromstring(body.lstrip(_SPACE), etree.XMLParser(**_BOUNDS))
    # no office document has a DTD, and its entities are what attacks are made of
    if root.getroottree().docinfo.internalDTD is not None:
        raise _make_dtd_error()
    if _TOO_DEEP(root):
        raise make_limit_error(f"XML nested more than {MAX_DEPTH} deep")
    return root


class Walker(Protocol):
    """What is called for each element and text."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def data(self, text: str) -> None: ...


def walk(pieces: Iterable[bytes], walker: Walker) -> None:
    """Walk through a part that comes in pieces. Raises what the walker raises, too."""
    parser = etree.XMLParser(target=_Target(walker), **_BOUNDS)
    with _translate_failures():
        for piece in _skip_leading_space(pieces):
            parser.feed(piece)
        parser.close()


def get_local_name(tag: str) -> str:
    """The name without its namespace."""
    return tag.rpartition("}")[2]


def resolve_references(text: str) -> str:
    """A text as it stands between tags, with its references to characters replaced."""
    return _REFERENCE.sub(_decode_reference, text) if "&" in text else text


def _decode_reference(reference: re.Match[str]) -> str:
    in_16, in_10, name = reference.groups()
    if name:
        return _NAMED[name]
    code = int(in_16, 16) if in_16 else int(in_10)
    is_character = code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0x11_0000
    return chr(code) if is_character else "\ufffd"


class _Target:
    """A walker as lxml wants it."""

    def __init__(self, walker: Walker) -> None:
        self.start = walker.start
        self.end = walker.end
        self.data = walker.data

    def doctype(self, name: str, public: str, system: str) -> None:
        raise _make_dtd_error()

    def close(self) -> None:
        return None


def _skip_leading_space(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """A declaration has to be the first thing, and some programs put a line break in front of it."""
    rest = iter(pieces)
    for piece in rest:
        if stripped := piece.lstrip(_SPACE):
            yield stripped
            break
    yield from rest


@contextmanager
def _translate_failures() -> Iterator[None]:
    """What the parser raises, as `ConversionFailed`."""
    try:
        yield
    except etree.XMLSyntaxError as exc:
        if exc.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            raise make_limit_error("its XML is nested too deeply, or a text in it is too long") from exc
        raise make_corrupt_error("its XML is not well-formed") from exc
    except (ValueError, LookupError) as exc:  # encodings that nobody knows, signs that no string can hold
        raise make_corrupt_error("its XML is not well-formed") from exc


def _make_dtd_error() -> ConversionFailed:
    return make_corrupt_error("its XML brings a DTD")
