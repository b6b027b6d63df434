"""Agreement of a markdown text with the expected text, measured by words and by kind of structure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import urljoin

from markdown_it import MarkdownIt
from markdown_it.token import Token

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TOKENS = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_READER = MarkdownIt("commonmark").enable("table")
_KINDS = {"heading_close": "headings", "list_item_close": "list items", "td_close": "cells", "th_close": "cells"}
_OPENED = {name.replace("close", "open") for name in _KINDS}
_BULLET = "\N{BULLET}"


def tokens(text: str) -> list[str]:
    """Return the runs of word characters in lower case. Each CJK, kana or hangul character is a separate token."""
    return _TOKENS.findall(text.lower())


def agreement(wanted: str, given: str, address: str) -> dict[str, float]:
    """Return F1 scores from 0 to 1 for the visible tokens ("tokens") and for each kind of structure.

    Kinds of structure in the expected text: "headings", "list items" (innermost), "cells" and "links" as multisets,
    "images" as a set, "code" by its tokens. Headings, items and cells are compared by their tokens, and links and
    images by their URL, resolved against the page's URL. The levels of headings are not compared.
    """
    expected, found = _parts(wanted, address), _parts(given, address)
    return {kind: _f1(parts, found.get(kind, Counter())) for kind, parts in expected.items()}


def _f1(wanted: Counter[str], given: Counter[str]) -> float:
    return 2 * (wanted & given).total() / (wanted.total() + given.total())


def _parts(markdown: str, address: str) -> dict[str, Counter[str]]:
    parts: dict[str, Counter[str]] = {}

    def add(kind: str, items: Iterable[str]) -> None:
        if added := [item for item in items if item]:
            parts.setdefault(kind, Counter()).update(added)

    begun: list[list[str]] = []
    for token in _READER.parse(markdown):
        if token.type in _OPENED:
            begun.append([])
        elif token.type in _KINDS:
            text = " ".join(begun.pop())
            if begun:
                begun[-1].append(_BULLET)
            if _BULLET not in text:
                add(_KINDS[token.type], [text])
        elif token.type in ("fence", "code_block"):
            add("code", tokens(token.content))
            add("tokens", tokens(token.content))
        elif token.type == "inline":
            seen = tokens("".join(_seen(token)))
            add("tokens", seen)
            if begun:
                begun[-1].extend(seen)
            for child in token.children or ():
                if child.type == "link_open":
                    add("links", [urljoin(address, str(child.attrs["href"]))])
                elif child.type == "image":
                    add("images", [urljoin(address, str(child.attrs["src"]))])
    if "images" in parts:
        parts["images"] = Counter(set(parts["images"]))
    return parts


def _seen(inline: Token) -> Iterator[str]:
    for child in inline.children or ():
        if child.type in ("softbreak", "hardbreak"):
            yield " "
        elif child.type in ("text", "code_inline"):
            yield child.content
