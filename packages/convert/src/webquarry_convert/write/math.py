r"""Formulas as TeX between dollar signs: `$…$` within a line, `$$` on separate lines for display formulas.

A page contains a formula up to three times: as TeX, as MathML for screen readers, and as boxes for display. TeX is
written, MathML without TeX is translated, and boxes are ignored.
"""

import re
from itertools import islice
from xml.etree.ElementTree import Element, SubElement

from webquarry_convert.formula import convert_mathml
from webquarry_convert.tree import Node, walk
from webquarry_convert.write.pieces import collapse_space

_TEX = re.compile(r"(?:application/x-tex|latex|tex)$", re.IGNORECASE)
_SCRIPT = re.compile(r"math/(?:tex|latex)", re.IGNORECASE)
_STYLE = re.compile(r"\{\\(?:displaystyle|textstyle)\s*+(.*)\}", re.DOTALL)
_BLOCK_LINE = re.compile(r"(?<!\s)[^\S\n]*+\n\s*+(?=[=\-+*>#|:~`]|[0-9]+[.)])")
_IMAGE = re.compile(
    r"(?:^|\s)(?:mwe-math-fallback-image[\w-]*|latex|tex|math-?tex|equation-image)(?:$|\s)", re.IGNORECASE
)
_COMMAND = re.compile(
    r"\\(?:[A-Za-z]+\s*\{|frac|sqrt|sum|int|alpha|beta|gamma|theta|lambda|sigma|cdot|times|leq?|geq?)"
)
_DELIMITERS = {"\\(": ("\\)", "$"), "\\[": ("\\]", "$$"), "$$": ("$$", "$$")}
# matches the last of several adjacent, empty pairs of dollar signs
_OPENING = re.compile(r"\\[(\[]|(?:\$\$(?=\$\$))*+\$\$|(?<!\\)\$(?=[^\s$])")
_DOLLARS = re.compile(r"\$((?:[^$\\]++|\\.)++)(?<!\s)\$(?![0-9])", re.DOTALL)
_ANY_COMMAND = re.compile(r"\\[A-Za-z]+")
_SCRIPTED = re.compile(r"[\\^_]")
_ATTRIBUTES = ("data-math", "data-tex", "data-latex", "data-formula")
"""Attributes of any element that contain TeX for scripts to render."""
_DRAWING = re.compile(r"(?:^|[\s_-])(?:math|katex|latex|tex|formula|equation)(?=$|[\s_-])", re.IGNORECASE)
MAX_NODES = 5000
MAX_TEX = 4000


def read_script(node: Node) -> tuple[str, bool] | None:
    """Return the TeX in a MathJax `script`, and whether it is a display formula. Returns None for other scripts."""
    kind = node.attributes.get("type")
    if not kind or not _SCRIPT.match(kind):
        return None
    tex = clean_tex("".join(child for child in node.children if isinstance(child, str)))
    return (tex, "mode=display" in kind.replace(" ", "")) if tex else None


def read_math(node: Node) -> tuple[str, bool, bool]:
    """Return the content of a `math` element, whether it is a display formula, and whether the content is TeX."""
    stands_alone = node.attributes.get("display") == "block" or node.attributes.get("mode") == "display"
    drawn = Element("math")
    tex, shown, is_whole = _copy_drawn(node, drawn)
    tex = tex or _read_tex(node, "alttext", *_ATTRIBUTES)
    if tex:
        return tex, stands_alone, True
    if not is_whole or not len(drawn):
        return shown, stands_alone, False
    tex = clean_tex(convert_mathml(drawn))
    is_plain = shown.replace(" ", "").isalnum() and not _SCRIPTED.search(tex)
    return (shown, False, False) if is_plain or len(tex) > MAX_TEX else (tex, stands_alone, bool(tex))


def _copy_drawn(node: Node, drawn: Element) -> tuple[str, str, bool]:
    """Copy the content of a `math` element into `drawn`.

    Returns the TeX of an annotation ("" if there is none), the visible text, and whether everything was copied.
    """
    shown: list[str] = []
    waiting: list[tuple[Node | str, Element]] = [(child, drawn) for child in reversed(node.children)]
    for _ in range(MAX_NODES):
        if not waiting:
            break
        current, parent = waiting.pop()
        if isinstance(current, str):
            shown.append(current)
            _append_text(parent, current)
        elif current.tag == "annotation":
            if tex := _read_annotation(current):
                return tex, "", True
        elif current.tag != "annotation-xml":
            element = _copy_element(current, parent)
            waiting += [(child, element) for child in reversed(current.children)]
            shown.append(" " if current.tag in _SPACED else "")
    return "", collapse_space("".join(shown)), not waiting


def _append_text(parent: Element, text: str) -> None:
    parent.text = f"{parent.text or ''}{text}"


def _copy_element(node: Node, parent: Element) -> Element:
    return SubElement(parent, node.tag, {name: value for name, value in node.attributes.items() if value})


def _read_annotation(node: Node) -> str:
    """Return the TeX of an `annotation`, or "" for other annotations."""
    if not _TEX.search(node.attributes.get("encoding") or ""):
        return ""
    return clean_tex("".join(child for child in node.children if isinstance(child, str)))


_SPACED = frozenset({"mo", "mtable", "mtr"})
"""Elements that are followed by a visible space."""


def _read_tex(node: Node, *names: str) -> str:
    """Return the TeX of the first attribute that contains TeX, or "" if there is none."""
    return next((tex for name in names if (tex := clean_tex(node.attributes.get(name) or ""))), "")


def read_attribute(node: Node) -> tuple[str, bool] | None:
    """Return the TeX in an element's attributes, and whether it is a display formula, or None if there is none.

    The element's class must refer to formulas, because `data-math` on other elements may be anything.
    """
    names = node.attributes.get("class")
    if not names or _DRAWING.search(names) is None:
        return None
    value = next((value for name in _ATTRIBUTES if (value := node.attributes.get(name))), "")
    tex = clean_tex(value)
    is_display = node.tag == "div" or "display" in names or "block" in names
    return (tex, is_display) if tex and len(tex) <= MAX_TEX else None


def read_image(node: Node) -> tuple[str, bool] | None:
    """Return the TeX in the description of an image of a formula, and whether it is a display formula."""
    text = node.attributes.get("alt")
    if not text:
        return None
    names = node.attributes.get("class") or ""
    if not (names and _IMAGE.search(names)) and not ("\\" in text and _COMMAND.search(text)):
        return None
    tex = clean_tex(text)
    return (tex, "display" in names or "\\begin{" in tex) if tex else None


def clean_tex(tex: str) -> str:
    """Return TeX without its delimiters, the page's comments and commands that only set the style."""
    tex = tex.strip().removeprefix("% <![CDATA[").removesuffix("%]]>").strip()
    for opening, closing in (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")):
        if tex.startswith(opening) and tex.endswith(closing) and len(tex) >= len(opening) + len(closing):
            tex = tex[len(opening) : -len(closing)].strip()
            break
    if (styled := _STYLE.fullmatch(tex)) is not None:
        tex = styled[1].strip()
    return tex


def write_inline(tex: str) -> str:
    return f"${' '.join(tex.split())}$"


def write_block(tex: str) -> str:
    """Return a display formula as a block. No line of it is empty or looks like another kind of block."""
    text = "\n".join(line.rstrip() for line in tex.splitlines() if line.strip())
    return f"$$\n{_BLOCK_LINE.sub(' ', text)}\n$$"


def is_copy(node: Node, names: str) -> bool:
    """Return whether an element displays a formula that is also in MathML inside it or in a script next to it."""
    return not any(
        isinstance(current, Node) and (current.tag == "math" or (current.tag == "script" and current is not node))
        for current in islice(walk([node]), MAX_NODES)
    )


def split_formulas(text: str) -> list[tuple[str, str]]:
    """Split a text into plain text and formulas.

    Returns (piece, delimiter) pairs; the delimiter opens the formula, and is "" for plain text.
    """
    found: list[tuple[str, str]] = []
    ends: dict[str, int] = {}  # next position of each closing delimiter; -1 if there are no more
    copied = position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        position = opening.end()
        delimiter = opening[0][-2:]
        start = position - len(delimiter)
        if delimiter == "$":  # may be money, so the formula must contain a command
            single = _DOLLARS.match(text, start)
            if single is None or len(single[1]) > MAX_TEX or _ANY_COMMAND.search(single[1]) is None or "`" in single[1]:
                continue
            if start > copied:
                found.append((text[copied:start], ""))
            found.append((write_inline(single[1]), delimiter))
            copied = position = single.end()
            continue
        closing, sign = _DELIMITERS[delimiter]
        end = ends.get(closing, 0)
        if 0 <= end < position:
            end = ends[closing] = text.find(closing, position)
        if end < 0 or end - position > MAX_TEX:
            continue
        tex = " ".join(text[position:end].split())
        if not tex or "`" in tex:  # the backtick would form inline code with a backtick outside
            continue
        if start > copied:
            found.append((text[copied:start], ""))
        found.append((f"{sign}{tex}{sign}", delimiter))
        copied = position = end + len(closing)
    if copied < len(text):
        found.append((text[copied:], ""))
    return found
