"""XML of unknown origin, parsed within bounds: nothing is fetched, no entity of its own is replaced, no DTD read.

    root = parse(body)         # the whole tree, for parts of up to some MB; larger ones: `sheets/markup.py`

It reads every encoding that is declared or marked (UTF-16 as well), and raises `ConversionFailed` only: `corrupt` for
what is not well-formed or brings a DTD, `limits` for what is nested too deeply. Comments and processing instructions
are left out, so every child is an element. Elements are lxml's: `element.tag` is `{namespace}name`.
"""

from typing import Any, Final, TypeAlias

from lxml import etree  # type: ignore[import-untyped]  # it has no stubs of its own

from webquarry.convert.file.document import beyond, corrupt
from webquarry.convert.file.limits import MAX_DEPTH
from webquarry.errors import ConversionFailed

Element: TypeAlias = Any
"""An `lxml.etree._Element`."""

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


def parse(body: bytes) -> Element:
    """The root element."""
    try:
        root = etree.fromstring(body.lstrip(_SPACE), etree.XMLParser(**_BOUNDS))
    except (etree.XMLSyntaxError, ValueError, LookupError) as exc:
        raise _refused(exc) from exc
    _judge(root)
    if _TOO_DEEP(root):
        raise beyond(f"XML nested more than {MAX_DEPTH} deep")
    return root


def _judge(element: Element) -> None:
    """Refuse a DTD: no office document has one, and its entities are what attacks are made of."""
    if element.getroottree().docinfo.internalDTD is not None:
        raise corrupt("its XML brings a DTD")


def _refused(exc: Exception) -> ConversionFailed:
    if isinstance(exc, etree.XMLSyntaxError) and exc.code == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        return beyond("its XML is nested too deeply, or a text in it is too long")
    return corrupt("its XML is not well-formed")
