"""Safe reading of untrusted XML: nothing is fetched, no custom entities are expanded, and no DTD is read.

    root = parse(body)              # the whole tree, for parts of up to several MB
    walk(archive.stream(part), it)  # streamed elements and strings, in constant memory

Both functions read every declared or marked encoding, including UTF-16, and raise only `ConversionFailed`:
`make_corrupt_error` for XML that is not well-formed or has a DTD, and `make_limit_error` for strings that are too long
and trees that are too deep. Names are `{namespace}name`. Comments and processing instructions are skipped.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypeAlias

from lxml import etree  # type: ignore[import-untyped]  # no stubs

from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.document import make_corrupt_error, make_limit_error
from webquarry_convert.file.limits import MAX_DEPTH

Element: TypeAlias = Any
"""An `lxml.etree._Element` whose children are only elements."""

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
    """Parse XML and return the root element."""
    with _translate_failures():
        root = etree.fromstring(body.lstrip(_SPACE), etree.XMLParser(**_BOUNDS))
    # Office documents never have a DTD, and attacks use a DTD's entities.
    if root.getroottree().docinfo.internalDTD is not None:
        raise _make_dtd_error()
    if _TOO_DEEP(root):
        raise make_limit_error(f"XML nested more than {MAX_DEPTH} deep")
    return root


class Walker(Protocol):
    """A class that receives elements and strings during parsing."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def data(self, text: str) -> None: ...


def walk(pieces: Iterable[bytes], walker: Walker) -> None:
    """Parse an XML part that arrives in chunks. Errors raised by the walker propagate."""
    parser = etree.XMLParser(target=_Target(walker), **_BOUNDS)
    with _translate_failures():
        for piece in _skip_leading_space(pieces):
            parser.feed(piece)
        parser.close()


def get_local_name(tag: str) -> str:
    """Return an element's name without its namespace."""
    return tag.rpartition("}")[2]


def resolve_references(text: str) -> str:
    """Replace the character references in a text between tags."""
    return _REFERENCE.sub(_decode_reference, text) if "&" in text else text


def _decode_reference(reference: re.Match[str]) -> str:
    in_16, in_10, name = reference.groups()
    if name:
        return _NAMED[name]
    code = int(in_16, 16) if in_16 else int(in_10)
    is_character = code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0x11_0000
    return chr(code) if is_character else "\ufffd"


class _Target:
    """Adapts a walker to lxml's parser target interface."""

    def __init__(self, walker: Walker) -> None:
        self.start = walker.start
        self.end = walker.end
        self.data = walker.data

    def doctype(self, name: str, public: str, system: str) -> None:
        raise _make_dtd_error()

    def close(self) -> None:
        return None


def _skip_leading_space(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Skip line breaks before the XML declaration.

    Some programs write them although the declaration must come first.
    """
    rest = iter(pieces)
    for piece in rest:
        if stripped := piece.lstrip(_SPACE):
            yield stripped
            break
    yield from rest


@contextmanager
def _translate_failures() -> Iterator[None]:
    """Translate the parser's errors to `ConversionFailed`."""
    try:
        yield
    except etree.XMLSyntaxError as exc:
        if exc.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            raise make_limit_error("its XML is nested too deeply, or a text in it is too long") from exc
        raise make_corrupt_error("its XML is not well-formed") from exc
    except (ValueError, LookupError) as exc:  # the encoding is unknown, or no string can contain a character
        raise make_corrupt_error("its XML is not well-formed") from exc


def _make_dtd_error() -> ConversionFailed:
    return make_corrupt_error("its XML has a DTD")
