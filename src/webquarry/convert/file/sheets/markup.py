"""Large parts of XML read as they stream by, without a tree: memory stays flat however a part is nested."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from lxml import etree  # type: ignore[import-untyped]  # it has no stubs of its own

from webquarry.convert.file.document import beyond, corrupt


class Walker(Protocol):
    """What is called for each element and text. Names are `{namespace}name`."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None: ...
    def end(self, tag: str) -> None: ...
    def data(self, text: str) -> None: ...


class _Target:
    """A walker as lxml wants it."""

    def __init__(self, walker: Walker) -> None:
        self.start = walker.start
        self.end = walker.end
        self.data = walker.data

    def doctype(self, name: str, public: str, system: str) -> None:
        raise corrupt("its XML brings a DTD")

    def close(self) -> None:
        return None


def walk(source: Iterable[bytes], walker: Walker) -> None:
    """Walk through a part given in pieces. Raises `ConversionFailed`, and what the walker raises."""
    parser = etree.XMLParser(
        target=_Target(walker), resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False
    )
    try:
        for piece in source:
            parser.feed(piece)
        parser.close()
    except (etree.XMLSyntaxError, ValueError, LookupError) as exc:
        if isinstance(exc, etree.XMLSyntaxError) and exc.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
            raise beyond("its XML is nested too deeply, or a text in it is too long") from exc
        raise corrupt("its XML is not well-formed") from exc


def local(tag: str) -> str:
    """The name without its namespace."""
    return tag.rpartition("}")[2]
