"""Closing of raw-text elements that are written as empty XML elements or have no end tag.

An HTML parser reads `<iframe/>` as a start tag, and the rest of the page becomes text of the frame. Pages written by
XML tools often contain such tags. Browsers don't show the rest either, unless the tag is inside `noscript`, whose
content is raw text in browsers that run scripts.
"""

import re

_NAMES = "iframe|textarea|title|noembed|noframes|xmp|script|style"
_FIRST = "(?=[itnxsITNXS])"  # checking the first letter first rules out most tags
_START = re.compile(rf"<{_FIRST}((?i:{_NAMES}|noscript))(?=[\s/>])[^<>]*+>")
_SELF_CLOSED = rf"(?i:{_NAMES})(?=[\s/])[^<>]*+(?<=/)>"
_SUSPECT = re.compile(rf"<{_FIRST}(?:{_SELF_CLOSED}|(?i:noscript)(?=[\s>]))")
_NOSCRIPT_END = re.compile(r"</noscript", re.IGNORECASE)
_MARK = re.compile(rf"<(/?){_FIRST}(?i:{_NAMES})(?=[\s/>])")


def close_elements(html: str) -> str:
    """Close raw-text elements that are written as empty and have no end tag.

    An element `<iframe … />` is closed if there is no end tag before the next element of the same kind. Each such
    element inside a `noscript` is closed at the end of the `noscript`. Takes linear time.
    """
    return _Closer(html).text() if _may_be_open(html) else html


def _may_be_open(html: str) -> bool:
    """Return whether a raw-text element is written as empty, or a `noscript` has more start tags of raw-text elements
    than end tags.
    """
    unscripted_end = 0
    for start in _SUSPECT.finditer(html):
        if start[0].endswith(">"):
            return True
        if start.start() >= unscripted_end:
            end = _NOSCRIPT_END.search(html, start.end())
            unscripted_end = len(html) if end is None else end.end()
            marks = _MARK.finditer(html, start.end(), unscripted_end)
            if sum([-1 if mark[1] else 1 for mark in marks]) > 0:
                return True
    return False


class _Closer:
    def __init__(self, html: str) -> None:
        self._html = html
        self._found: dict[str, int] = {}

    def text(self) -> str:
        html = self._html
        pieces: list[str] = []
        copied = at = 0
        unscripted_end = -1
        while (start := _START.search(html, at)) is not None:
            at = start.end()
            name = start[1].lower()
            if name == "noscript":
                unscripted_end = self._next(f"</{name}", at)
                continue
            is_within = at <= unscripted_end < len(html)
            bound = unscripted_end if is_within else len(html)
            end = self._next(f"</{name}", at)
            if start[0].endswith("/>"):
                if end >= bound or self._next(f"<{name}", at) < end:
                    pieces += (html[copied:at], f"</{name}>")
                    copied = at
                    continue
            elif is_within and end > bound:
                pieces += (html[copied:bound], f"</{name}>")
                copied = end = bound
            at = end
        return "".join([*pieces, html[copied:]]) if pieces else html

    def _next(self, tag: str, at: int) -> int:
        """Return the position of the next tag with this name, or the page's end.

        The page is searched for each name only once.
        """
        place = self._found.get(tag, -1)
        if place < at:
            found = re.compile(rf"{tag}(?=[\s/>])", re.IGNORECASE).search(self._html, at)
            place = self._found[tag] = len(self._html) if found is None else found.start()
        return place
