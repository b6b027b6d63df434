"""Email addresses that a page obfuscates and its script decodes.

| where | form |
| --- | --- |
| Cloudflare | hexadecimal bytes, each combined by XOR with the first one |
| TYPO3 | letters shifted within their range |
| WordPress | letters shifted by 13 places, `[at]` in place of `@` |
| various | user and domain in separate attributes |
| various | the letters in reverse order, which a style turns around |
"""

import re
from codecs import decode
from typing import Final

from webquarry_convert.tree import Attributes, Node, Tree, read_texts

MAX_CHARS: Final = 600
"""Maximum length of an obfuscated address, in characters."""
_SIGNS: Final = (
    "data-cfemail", "email-protection#", "data-mailto-token", "UnCryptMailto", "data-enc-email", "data-domain",
    "bidi-override",
)  # fmt: skip
"""Strings that mark obfuscated addresses. A page with obfuscated addresses contains at least one of them."""
_ADDRESS: Final = re.compile(r"[\w.+'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_PROTECTED: Final = re.compile(r"/cdn-cgi/l/email-protection#([0-9a-f]+)")
_SHIFTED_LINK: Final = re.compile(r"UnCryptMailto\((?:'|%27|\")([^'\"%]+)", re.IGNORECASE)
_REVERSED: Final = re.compile(r"unicode-bidi:\s*bidi-override", re.IGNORECASE)
_SHIFTED: Final = ((0x2B, 0x3A), (0x40, 0x5A), (0x61, 0x7A))
"""Ranges of character codes. TYPO3 shifts each character within its range."""
MAX_SHIFT: Final = 26
_SCHEME: Final = "mailto:"


def reveal_addresses(tree: Tree, html: str) -> None:
    """Replace the obfuscated addresses in a tree with readable ones. html: the tree's source."""
    if not any(sign in html for sign in _SIGNS):
        return
    for node in tree:
        if node.attributes:
            _reveal(node)


def _reveal(node: Node) -> None:
    attributes = node.attributes
    protected = attributes.get("data-cfemail")
    if protected and (address := _decode_bytes(protected)):
        node.children = [address]
        if node.tag == "a":
            _link(node, address)
        return
    if _REVERSED.search((attributes.get("style") or "")[:MAX_CHARS]):
        text = "".join(read_texts(node.children))[:MAX_CHARS]
        if _ADDRESS.fullmatch(text[::-1].strip()):
            node.children = [text[::-1]]
    elif node.tag == "a" and (address := _read_target(attributes)):
        _link(node, address)
        if _ADDRESS.match(address) and all(text.isspace() for text in read_texts(node.children)):
            node.children = [address.partition("?")[0]]


def _link(node: Node, address: str) -> None:
    """Turn a link into a `mailto:` link with this address. Leave the link unchanged if its text is not an address."""
    if _ADDRESS.match(address):
        node.attributes = {**node.attributes, "href": f"mailto:{address}"}
    else:
        node.tag = "span"


def _read_target(attributes: Attributes) -> str | None:
    """Return the address that a link's attributes encode, or None if the link already has a readable target."""
    target = (attributes.get("href") or "")[:MAX_CHARS]
    if (found := _PROTECTED.search(target)) is not None:
        return _decode_bytes(found[1])
    token = attributes.get("data-mailto-token")
    if token or (found := _SHIFTED_LINK.search(target)) is not None:
        return _shift_back((token or found[1])[:MAX_CHARS])  # type: ignore[index]  # one of the two exists
    if shifted := attributes.get("data-enc-email"):
        address = decode(shifted[:MAX_CHARS], "rot13").replace("[at]", "@").replace("[ng]", "@")
        return address if _ADDRESS.fullmatch(address) else None
    return _join_parts(attributes)


def _join_parts(attributes: Attributes) -> str | None:
    """Return the address whose user, domain and top-level domain are in separate attributes."""
    domain, user = attributes.get("data-domain"), attributes.get("data-user") or attributes.get("data-name")
    address = f"{user}@{domain}.{tld}" if (tld := attributes.get("data-tld")) else f"{user}@{domain}"
    return address if domain and user and _ADDRESS.fullmatch(address[:MAX_CHARS]) else None


def _decode_bytes(protected: str) -> str | None:
    """Return the text that Cloudflare protects, or None if it is invalid."""
    try:
        key, *rest = bytes.fromhex(protected[:MAX_CHARS])
        text = bytes(byte ^ key for byte in rest).decode()
    except ValueError:
        return None
    return text if text.isprintable() and text else None


def _shift_back(token: str) -> str | None:
    """Return the decoded address. The letters were shifted by the same number of places as those of `mailto:`."""
    for places in range(-MAX_SHIFT, MAX_SHIFT + 1):
        if "".join([_shift(char, places) for char in token[: len(_SCHEME)]]) == _SCHEME:
            text = "".join([_shift(char, places) for char in token[len(_SCHEME) :]])
            return text.partition("?")[0]
    return None


def _shift(char: str, places: int) -> str:
    code = ord(char)
    for first, last in _SHIFTED:
        if first <= code <= last:
            return chr(first + (code - first + places) % (last - first + 1))
    return char
