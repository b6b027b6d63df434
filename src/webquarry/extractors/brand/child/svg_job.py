"""SVG of unknown origin as one that may be shown: what is known to be harmless is kept, and nothing else.

No script, no handler, no address but those within the picture, no foreign markup, no entity. Used in children only.
"""

import re
from typing import Any, Final

from lxml import etree  # type: ignore[import-untyped]  # it has no stubs of its own

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
    """is_one: whether it is meant as SVG all the same; the message says what is wrong with it."""

    def __init__(self, message: str, *, is_one: bool) -> None:
        super().__init__(message)
        self.is_one = is_one


def sanitise(body: bytes) -> tuple[bytes, int, int]:
    """The picture without all that is not known to be harmless, its width and height in its own units (0: not told).

    NotSvg when it is none, cannot be parsed, or is larger than logos are.
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
    """A new tree of the elements and attributes that are harmless. Elements of other kinds go with all they hold."""
    clean = etree.Element(f"{{{SVG}}}svg", nsmap={None: SVG, "xlink": XLINK})
    pending = [(root, clean, 0)]
    count = uses = 0
    while pending:
        source, target, depth = pending.pop()
        count += 1
        if count > MAX_ELEMENTS or depth > MAX_DEPTH:
            raise NotSvg("It has more elements than logos have.", is_one=True)
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
                raise NotSvg("It draws its parts more often than logos do.", is_one=True)
            copy = etree.SubElement(target, f"{{{SVG}}}{kept_name}")
            copy.tail = _text(child.tail, name) if name in ("text", "tspan", "textPath") else None
            pending.append((child, copy, depth + 1))
    return clean


def _element(child: Any) -> str | None:
    """The name of an element that is kept. Entities and the like have no text for a tag."""
    if not isinstance(child.tag, str):
        return None
    name = etree.QName(child)
    return name.localname if name.namespace in (SVG, None) and name.localname in ELEMENTS else None


def _attribute(name: str, value: str) -> str | None:
    """The name of an attribute that is kept."""
    if name in (f"{{{XLINK}}}href", "href"):
        return name if is_local(value) else None
    if name == _XML_SPACE:
        return name
    return name if is_known_attribute(name) and is_passive(value) else None


def _text(text: str | None, name: str) -> str | None:
    """Text is kept where it is shown; a style sheet whole, or not at all."""
    if name == "style":
        return text if text and is_passive(text) else None
    return text if name in ("text", "tspan", "textPath", "title", "desc") else None


def _uses_uses(use: Any, root: Any) -> bool:
    """Whether a `use` draws what draws others: a few such levels are thousands of pictures."""
    href = (use.get(f"{{{XLINK}}}href") or use.get("href") or "").strip()
    if not href.startswith("#"):
        return False
    return any(
        target.get("id") == href[1:] and (target is root or any(True for _ in target.iter(f"{{{SVG}}}use", "use")))
        for target in root.iter()
        if isinstance(target.tag, str)
    )


def _size(svg: Any) -> tuple[int, int]:
    """Of its attributes, else of its box; 0, 0 when neither tells."""
    width, height = (_NUMBER.fullmatch(svg.get(name) or "") for name in ("width", "height"))
    if width and height:
        size = (round(float(width[1])), round(float(height[1])))
        if min(size) > 0:
            return size
    box = re.split(r"[\s,]{1,9}", (svg.get("viewBox") or "").strip()[:100])
    numbers = [float(match[1]) for text in box[2:4] if (match := _NUMBER.fullmatch(text))]
    return (max(1, round(numbers[0])), max(1, round(numbers[1]))) if len(numbers) == 2 else (0, 0)
