"""Rules for an SVG that is safe to show: no scripts, no event handlers, no content from other origins."""

import re
from typing import Final

SVG: Final = "http://www.w3.org/2000/svg"
XLINK: Final = "http://www.w3.org/1999/xlink"
_NAMES: Final = """
    svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc
    linearGradient radialGradient stop clipPath mask pattern marker style switch view
    filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
    feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
    feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
"""
ELEMENTS: Final = frozenset(_NAMES.split())
_ATTRIBUTE = re.compile(r"(?!on)[A-Za-z][A-Za-z0-9-]{0,60}")
_REFUSED_ATTRIBUTES: Final = frozenset({"href", "src", "base", "begin", "end", "attributename", "requiredextensions"})
_LOCAL = re.compile(r"#[^\s\"'()<>\\]{1,200}")
_URL = re.compile(r"url\(", re.IGNORECASE)
_LOCAL_URL = re.compile(r"url\(\s{0,9}[\"']?#[^\s\"'()<>\\]{1,200}[\"']?\s{0,9}\)", re.IGNORECASE)
_ACTIVE = re.compile(
    r"\\|@import|@font-face|@namespace|expression|javascript:|data:|behavio|-moz-binding|image-set|src\s{0,9}\(|<",
    re.IGNORECASE,
)
_NAMESPACES: Final = {"xmlns": SVG, "xmlns:xlink": XLINK}


def allows(name: str, attribute: str, value: str) -> bool:
    """Return whether an element may have this attribute, by their names as written in the image."""
    if name not in ELEMENTS:
        return False
    if attribute == "#text":
        return is_passive(value)
    if attribute in _NAMESPACES:
        return _NAMESPACES[attribute] == value
    if attribute in ("xlink:href", "href"):
        return is_local(value)
    return attribute in ("", "xml:space") or (is_known_attribute(attribute) and is_passive(value))


def is_known_attribute(name: str) -> bool:
    """Return whether an attribute, without its namespace, neither runs nor loads anything."""
    return bool(_ATTRIBUTE.fullmatch(name)) and name.lower() not in _REFUSED_ATTRIBUTES and name[:2].lower() != "on"


def is_local(value: str) -> bool:
    """Return whether a URL points to a part of the same image."""
    return bool(_LOCAL.fullmatch(value.strip()))


def is_passive(value: str) -> bool:
    """Return whether a style or an attribute runs nothing and refers only to parts of the image."""
    return not _ACTIVE.search(value) and len(_URL.findall(value)) == len(_LOCAL_URL.findall(value))
