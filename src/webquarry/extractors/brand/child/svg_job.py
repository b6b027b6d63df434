"""Sanitizing of untrusted SVG. Everything that is not known to be harmless is removed.

The result has no scripts, event handlers, foreign markup or entities, and no URLs except those within the image. This
runs only in child processes.
"""

import re
from typing import Any, Final

from lxml import etree  # type: ignore[import-untyped]  # no stubs

from webquarry.extractors.brand.child.svg_rules import ELEMENTS, SVG, XLINK, is_known_attribute, is_local, is_passive

MAX_ELEMENTS: Final = 20_000
MAX_DEPTH: Final = 100
MAX_USES: Final = 200
_XML_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"
_HEAD_BYTES: Final = 4096
_NUMBER = re.compile(
    r"\s{0,9}\+?([0-9]{1,7}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(?:e[0-9])?\s{0,9}(?:px)?\s{0,9}", re.IGNORECASE
)


class NotSvg(Exception):
    """The bytes are not a usable SVG. The message explains why.

    is_one: whether the bytes were intended to be an SVG.
    """

    def __init__(self, message: str, *, is_one: bool) -> None:
        super().__init__(message)
        self.is_one = is_one


def sanitise(body: bytes) -> tuple[bytes, int, int]:
    """Return the sanitized SVG with its width and height in its own units; 0 if it declares no size.

    Raises NotSvg if the bytes are not an SVG, can't be parsed, or are larger than a logo would be.
    """
    if b"<svg" not in body[:_HEAD_BYTES] and b":svg" not in body[:_HEAD_BYTES]:
        raise NotSvg("It is not an SVG.", is_one=False)
    parser = etree.XMLParser(
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=False,
    )
    try:
        root = etree.fromstring(body.lstrip(b" \t\r\n"), parser)
    except (etree.XMLSyntaxError, ValueError, LookupError) as exc:
        is_page = b"<html" in body[:_HEAD_BYTES].lower()
        raise NotSvg("Its markup is not well-formed.", is_one=not is_page) from exc
    if root.tag not in (f"{{{SVG}}}svg", "svg"):
        raise NotSvg("It is not an SVG.", is_one=False)
    clean = _copy(root)
    width, height = _size(clean)
    return etree.tostring(clean, encoding="utf-8"), width, height


def _copy(root: Any) -> Any:
    """Return a new tree with the harmless elements and attributes.

    Other elements are dropped with their content. Raises NotSvg if the image has too many elements or references.
    """
    clean = etree.Element(f"{{{SVG}}}svg", nsmap={None: SVG, "xlink": XLINK})
    pending = [(root, clean, 0)]
    count = uses = 0
    while pending:
        source, target, depth = pending.pop()
        count += 1
        if count > MAX_ELEMENTS or depth > MAX_DEPTH:
            raise NotSvg("It has more elements than a logo should have.", is_one=True)
        for name, value in source.attrib.items():
            if kept := _attribute(name, value):
                target.set(kept, value.strip())
        name = etree.QName(target).localname
        target.text = _text(source.text, name)
        for child in source:
            kept_name = _element(child)
            if kept_name is None:
                continue
            uses += kept_name == "use"
            if uses > MAX_USES or (kept_name == "use" and _uses_uses(child, root)):
                raise NotSvg("It reuses its parts more often than a logo should.", is_one=True)
            copy = etree.SubElement(target, f"{{{SVG}}}{kept_name}")
            copy.tail = _text(child.tail, name) if name in ("text", "tspan", "textPath") else None
            pending.append((child, copy, depth + 1))
    return clean


def _element(child: Any) -> str | None:
    """Return the element's name if the element is kept, otherwise None.

    The tags of entities and comments are not strings.
    """
    if not isinstance(child.tag, str):
        return None
    name = etree.QName(child)
    return name.localname if name.namespace in (SVG, None) and name.localname in ELEMENTS else None


def _attribute(name: str, value: str) -> str | None:
    """Return the attribute's name if it is kept, otherwise None."""
    if name in (f"{{{XLINK}}}href", "href"):
        return name if is_local(value) else None
    if name == _XML_SPACE:
        return name
    return name if is_known_attribute(name) and is_passive(value) else None


def _text(text: str | None, name: str) -> str | None:
    """Return the text if it is shown, or if it is a whole style sheet that loads and runs nothing.

    Return None for any other text.
    """
    if name == "style":
        return text if text and is_passive(text) else None
    return text if name in ("text", "tspan", "textPath", "title", "desc") else None


def _uses_uses(use: Any, root: Any) -> bool:
    """Return whether a `use` refers to elements with further `use` elements.

    A few such levels draw thousands of images.
    """
    href = (use.get(f"{{{XLINK}}}href") or use.get("href") or "").strip()
    if not href.startswith("#"):
        return False
    return any(
        target.get("id") == href[1:] and (target is root or any(True for _ in target.iter(f"{{{SVG}}}use", "use")))
        for target in root.iter()
        if isinstance(target.tag, str)
    )


def _size(svg: Any) -> tuple[int, int]:
    """Return the size from the attributes, or from the view box if there are none; 0, 0 if neither gives a size."""
    width, height = (_NUMBER.fullmatch(svg.get(name) or "") for name in ("width", "height"))
    if width and height:
        size = (round(float(width[1])), round(float(height[1])))
        if min(size) > 0:
            return size
    box = re.split(r"[\s,]{1,9}", (svg.get("viewBox") or "").strip()[:100])
    numbers = [float(match[1]) for text in box[2:4] if (match := _NUMBER.fullmatch(text))]
    return (max(1, round(numbers[0])), max(1, round(numbers[1]))) if len(numbers) == 2 else (0, 0)
