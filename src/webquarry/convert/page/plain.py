"""A whole body as markdown, without judging what in it matters: the writer for pages that extraction cannot take.

One walk in document order without recursion, linear in the size of the page.
"""

import re
from collections import Counter

from selectolax.lexbor import LexborHTMLParser, LexborNode

_SKIPPED_NAMES = """
    head script style template svg math noscript iframe object canvas select button datalist dialog nav audio video
    input textarea -comment
"""
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_BLOCKS_NAMES = """
    address article aside blockquote body center details div dl dt dd fieldset figcaption figure footer form header
    hgroup main p section summary tbody thead tfoot caption html
"""
_BLOCKS = frozenset(_BLOCKS_NAMES.split())
_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`", "kbd": "`", "samp": "`", "del": "~~", "s": "~~"}
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in "\\`*[]<"} | {"\n": " "})
_UNDERSCORE = re.compile(r"(?<!\w)_|_(?!\w)")
_LINE_START = re.compile(r"(?:#{1,6}(?= )|[-+>](?= )|=+$|-+$|\d{1,9}(?=[.)] ))")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,20})")
MAX_LIST_DEPTH = 8


def write(tree: LexborHTMLParser) -> str:
    """Markdown of the body; relative addresses stay relative. "" when it holds no text."""
    root = tree.body
    if root is None:
        return ""
    writer = _Writer()
    node: LexborNode | None = root
    while node is not None:
        if writer.enter(node) and node.child is not None:
            node = node.child
            continue
        while node is not None:
            writer.leave(node)
            if node.mem_id == root.mem_id:
                node = None
            elif node.next is not None:
                node = node.next
                break
            else:
                node = node.parent
    return writer.text()


class _Writer:
    """Blocks written so far, and the inline pieces of the open one."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._prefix = ""
        self._lists: list[int | None] = []  # the next number, None in a bulleted list
        self._row: list[str] | None = None
        self._rows: list[list[str]] | None = None
        self._tables = 0
        self._open: list[tuple[str, str]] = []  # marks of links and emphasis, outermost first, each kind once
        self._nested: Counter[str] = Counter()  # elements open within one of the same mark

    def enter(self, node: LexborNode) -> bool:
        """Begin a node; False when its children are not to be walked."""
        tag = node.tag or ""
        if tag == "-text":
            self._inline.append(_escaped(node.text_content or ""))
        elif tag in _SKIPPED:
            return False
        elif tag == "pre":
            self._flush()
            self._code(node)
            return False
        elif tag == "br":
            self._inline.append("\n" if self._row is None else " ")
        elif tag == "hr":
            self._flush()
            self._block("---")
        elif tag == "img":
            self._image(node)
        elif tag in _HEADINGS:
            self._flush()
            self._prefix = f"{_HEADINGS[tag]} "
        elif tag in ("ul", "ol"):
            self._flush()
            self._lists.append(_start(node) if tag == "ol" else None)
        elif tag == "li":
            self._flush()
            self._prefix = self._marker()
        elif tag == "table":
            self._flush()
            self._tables += 1
            if self._tables == 1:
                self._rows = []
        elif tag == "tr" and self._tables == 1:
            self._flush()
            self._row = []
        elif tag in ("td", "th") and self._tables == 1:
            self._taken()
        elif tag in _BLOCKS:
            self._flush()
        elif tag == "a":
            address = node.attributes.get("href")
            self._begin("[", f"]({_target(address)})" if address else "]")
        elif tag in _MARKS:
            self._begin(_MARKS[tag], _MARKS[tag])
        return True

    def leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag == "a" or tag in _MARKS:
            self._end(_MARKS.get(tag, "["))
        elif tag in ("td", "th") and self._tables == 1 and self._row is not None:
            self._row.append(self._taken().replace("|", "\\|"))
        elif tag == "tr" and self._tables == 1 and self._rows is not None:
            if self._row:
                self._rows.append(self._row)
            self._row = None
        elif tag == "table":
            self._flush()
            self._tables -= 1
            if self._tables == 0:
                self._table()
        elif tag in ("ul", "ol"):
            self._flush()
            self._lists.pop()
        elif tag in _HEADINGS or tag in _BLOCKS or tag == "li":
            self._flush()

    def text(self) -> str:
        self._flush()
        return "\n".join(self._blocks).strip("\n") + "\n" if self._blocks else ""

    def _flush(self) -> None:
        """End the open block. Inside a table cell blocks are only spaces."""
        if self._row is not None:
            self._inline.append(" ")
            return
        text = self._taken()
        if text:
            bare = not self._prefix.strip()
            self._block(self._prefix + (_LINE_START.sub(lambda m: f"\\{m[0]}", text, count=1) if bare else text))
        if text or not self._lists:
            self._prefix = "  " * min(len(self._lists), MAX_LIST_DEPTH) if self._lists else ""

    def _taken(self) -> str:
        """The inline text so far, in lines. Marks still open are closed in it and opened again for what follows."""
        for opening, closing in reversed(self._open):
            self._close(opening, closing)
        text = "".join(self._inline)
        self._inline = [opening for opening, _ in self._open]
        lines = text.split("\n") if self._row is None else [text]
        return "  \n".join(line for line in (" ".join(line.split()) for line in lines) if line)

    def _block(self, text: str) -> None:
        """A block of its own paragraph; items of one list follow each other without an empty line."""
        item = bool(self._lists) and text.lstrip()[:1] in "-0123456789"
        if self._blocks and not item:
            self._blocks.append("")
        self._blocks.append(text)

    def _marker(self) -> str:
        indent = "  " * min(max(len(self._lists) - 1, 0), MAX_LIST_DEPTH)
        number = self._lists[-1] if self._lists else None
        if number is None:
            return f"{indent}- "
        self._lists[-1] = number + 1
        return f"{indent}{number}. "

    def _begin(self, opening: str, closing: str) -> None:
        if any(opening == mark for mark, _ in self._open):
            self._nested[opening] += 1
        else:
            self._open.append((opening, closing))
            self._inline.append(opening)

    def _end(self, opening: str) -> None:
        if self._nested[opening]:
            self._nested[opening] -= 1
        else:
            self._close(*self._open.pop())

    def _close(self, opening: str, closing: str) -> None:
        """End a link or emphasis begun with `opening`; one without text leaves no trace."""
        text = []
        while self._inline:
            piece = self._inline.pop()
            if piece == opening:
                break
            text.append(piece)
        inner = "".join(reversed(text))
        stripped = inner.strip()
        if not stripped or closing == "]":
            self._inline.append(inner)
        else:
            lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
            self._inline.append(f"{lead}{opening}{' '.join(stripped.split())}{closing}{trail}")

    def _image(self, node: LexborNode) -> None:
        source = node.attributes.get("src") or ""
        if not source or source.startswith("data:"):
            source = node.attributes.get("data-src") or ""
        if source:
            self._inline.append(
                f"![{_escaped(' '.join((node.attributes.get('alt') or '').split()))}]({_target(source)})"
            )

    def _code(self, node: LexborNode) -> None:
        text = node.text().strip("\n").rstrip()
        if not text:
            return
        fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", text)), 3)
        classes = " ".join(inner.attributes.get("class") or "" for inner in (node, node.child) if inner is not None)
        language = _LANGUAGE.search(classes)
        if self._row is not None:
            self._inline.append(_escaped(text))
        else:
            self._block(f"{fence}{language[1] if language else ''}\n{text}\n{fence}")

    def _table(self) -> None:
        rows, self._rows = self._rows or [], None
        width = max(map(len, rows), default=0)
        if width < 2 or len(rows) < 2:  # a table for the layout
            for cell in (cell for row in rows for cell in row if cell):
                self._block(cell.replace("\\|", "|"))
            return
        lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in rows]
        lines.insert(1, "|" + " --- |" * width)
        self._block("\n".join(lines))


def _escaped(text: str) -> str:
    return _UNDERSCORE.sub(r"\\_", text.translate(_SPECIAL))


def _target(address: str | None) -> str:
    address = (address or "").strip()
    return f"<{address.translate(_IN_ANGLES)}>" if re.search(r"[\s<>()]", address) else address


_IN_ANGLES = str.maketrans({"<": "%3C", ">": "%3E", "\n": "", "\r": "", "\t": ""})


def _start(node: LexborNode) -> int:
    start = node.attributes.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 9 else 1
