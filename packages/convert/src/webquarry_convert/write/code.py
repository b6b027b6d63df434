"""Code blocks and inline code, without line numbers. Fences and backticks are longer than any in the code."""

import re
from functools import lru_cache
from typing import NamedTuple

from webquarry_convert.tree import Node, walk

_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:gutter\w*|line-?nos?|linenos?(?:div)?|line-?num(?:ber)?s?(?:-rows)?|lnt|ln|lnum|gl|blob-num"
    r"|codelinenumber\w*|crayon-nums?(?:-content)?|hljs-ln-(?:numbers|n))(?=$|[\s_-])",
    re.IGNORECASE,
)
_UNSELECTABLE = re.compile(r"user-select:\s*none", re.IGNORECASE)
_LINE = re.compile(
    r"(?:^|\s)(?:[\w-]*[_-])?(?:line|code-?line|token-line|view-line|cm-line|CodeMirror-line|crayon-line|row)(?=$|\s|_)",
    re.IGNORECASE,
)
_CHROME = re.compile(
    r"""(?:^|[\s_-])(?:copy(?:-?(?:btn|button|code|to-clipboard))?|clipboard|toolbar|code[-_]{0,2}header
    |(?:code|language)[-_]{0,2}label|btn|button)(?=$|[\s_-])""",
    re.IGNORECASE | re.VERBOSE,
)
_LANGUAGE = re.compile(r"(?:language|lang|highlight-source|brush)-([A-Za-z][\w+#.-]{0,24})")
"""Matches class names that certainly name a language, even a rare one."""
_MAYBE_LANGUAGE = re.compile(
    r"(?:highlight-text|highlight|src|code|syntax|prism|sourceCode|hljs)-([A-Za-z][\w+#.-]{0,24})"
)
"""Matches class names that name either a language or a part of the page: `code-python`, `code-wrapper`."""
_BRUSH = re.compile(r"brush:\s*([\w+#-]+)", re.IGNORECASE)
_BESIDE = frozenset(
    {"hljs", "highlight", "sourcecode", "prettyprint", "prettyprinted", "src", "shiki", "codehilite", "code", "hl"}
)
"""Class names that highlighters use together with a bare language name."""
_BARE_NAMES = """
    abap ada apache apex applescript arduino asciidoc asm autohotkey awk bash basic bat batch bicep c c++ clj
    clojure cmake cobol coffee coffeescript console cpp crystal cs csharp css csv cuda cython d dart delphi diff
    django docker dockerfile dos elixir elm erlang fish fortran fsharp git glsl go golang gradle graphql groovy haml
    handlebars haskell haxe hcl html http ini java javascript jinja js json json5 jsonc jsx julia kotlin latex lean
    less lisp llvm lua make makefile markdown mathematica matlab md mermaid nasm nginx nim nix node objc objective-c
    ocaml pascal perl php plsql postgresql powershell prolog properties proto protobuf ps1 pug puppet pwsh py pycon
    python python3 r racket razor rb regex rescript rs rst ruby rust sass scala scheme scss sh shell smalltalk
    solidity sparql sql stata svelte swift systemverilog tcl terraform tex toml ts tsx twig typescript vb vbnet
    verilog vhdl vim vue wasm xhtml xml xquery yaml yml zig zsh
"""
_BARE = frozenset(_BARE_NAMES.split())
_NOT_A_LANGUAGE_NAMES = """
    none plain plaintext text txt default undefined null nohighlight auto code hljs output source notranslate
    wrap block wrapper container box copy theme body content area view header title toolbar group label switcher tabs
"""
_NOT_A_LANGUAGE = frozenset(_NOT_A_LANGUAGE_NAMES.split())
_CODE = frozenset({"pre", "code"})
"""Elements whose class or `lang` attribute may be the name of a language: `<pre lang="go">`."""
_SPOKEN = frozenset({"cs", "tex"})
"""Names in `_BARE` that are also codes of natural languages."""
_TICKS = re.compile("`+")
_NUMBERS = re.compile(r"[\s0-9.:|]*")
_SKIPPED = frozenset({"script", "style", "svg", "button", "input", "textarea", "select", "template", "noscript", "img"})
_LINES = frozenset({"div", "li", "p", "tr"})
_HOLDS_CODE = frozenset({"pre", "code", "table"})
_LANGUAGE_ATTRIBUTES = ("data-lang", "data-language", "data-code-language", "lang-name", "data-syntax")
_CODE_TABLE = re.compile(
    r"(?:^|\s)(?:highlighttable|rouge-table|lntable|hljs-ln|js-file-line-container|codehilitetable|crayon-table"
    r"|syntaxhighlighter|diff-table)(?=$|\s)"
)
_CODE_ELEMENT = re.compile(r"(?:^|-)code(?:$|-)|highlight|snippet")
MAX_GUTTER = 2000
"""Number of a cell's characters that are read to find out whether they are line numbers."""


@lru_cache(maxsize=2048)
def find_language(names: str) -> str | None:
    """Return the language that a class attribute names, in the format of any known highlighter."""
    brush = _BRUSH.search(names)
    if brush is not None:
        return _normalise_language(brush[1])
    tokens = names.split()
    for token in tokens:
        found = _LANGUAGE.fullmatch(token)
        if found is not None and (language := _normalise_language(found[1])) is not None:
            return language
    for token in tokens:
        found = _MAYBE_LANGUAGE.fullmatch(token)
        if found is not None and found[1].lower() in _BARE:
            return found[1].lower()
    return _find_bare_language(names) if any(token.lower() in _BESIDE for token in tokens) else None


@lru_cache(maxsize=2048)
def _find_bare_language(names: str) -> str | None:
    """Return the first class name that is a language."""
    return next((token for token in names.lower().split() if token in _BARE), None)


def _normalise_language(name: str) -> str | None:
    name = name.lower().rstrip(".-")
    return None if name in _NOT_A_LANGUAGE or name.startswith(("line", "theme", "block")) else name


def read_language(node: Node) -> str | None:
    """Return the language that an element declares."""
    attributes = node.attributes
    if not attributes:
        return None
    own = (*_LANGUAGE_ATTRIBUTES, "lang", "language") if "-" in node.tag else _LANGUAGE_ATTRIBUTES
    for name in own:
        value = attributes.get(name)
        if value and len(value) < 25 and re.fullmatch(r"[A-Za-z][\w+#.-]*", value):
            return _normalise_language(value.removeprefix("language-"))
    names = attributes.get("class")
    if names and (language := find_language(names)) is not None:
        return language
    if node.tag not in _CODE:
        return None
    spoken = (attributes.get("lang") or "").lower()
    return (names and _find_bare_language(names)) or (spoken if spoken in _BARE - _SPOKEN else None)


def is_code_element(node: Node) -> bool:
    """Return whether a custom element contains code: `<code-block lang="kotlin">`."""
    return _CODE_ELEMENT.search(node.tag) is not None and read_language(node) is not None


class _ClassNames(NamedTuple):
    """What the classes of an element in code mean."""

    is_line: bool
    is_chrome: bool
    is_gutter: bool
    language: str | None


_UNNAMED = _ClassNames(is_line=False, is_chrome=False, is_gutter=False, language=None)


@lru_cache(maxsize=4096)
def _read_names(names: str) -> _ClassNames:
    return _ClassNames(
        is_line=_LINE.search(names) is not None,
        is_chrome=_CHROME.search(names) is not None,
        is_gutter=_GUTTER.search(names) is not None,
        language=find_language(names),
    )


def read(node: Node) -> tuple[str, str | None]:
    """Return the code in an element, and the language declared by the element or its descendants."""
    reader = _Reader()
    reader.node(node)
    return trim_lines("".join(reader.buffer)), reader.language


def trim_lines(text: str) -> str:
    """Remove empty lines around the code and white space at its end."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\xa0" in text or "\u200b" in text:
        text = text.replace("\xa0", " ").replace("\u200b", "")
    lines = text.rstrip().split("\n")
    first = 0
    while first < len(lines) and not lines[first].strip():
        first += 1
    return "\n".join(line.rstrip() for line in lines[first:])


def write_fenced(text: str, language: str | None) -> str:
    fence = "```"
    if "```" in text:
        fence = "`" * (max(map(len, _TICKS.findall(text))) + 1)
    return f"{fence}{language or ''}\n{text}\n{fence}"


def write_span(text: str) -> str:
    """Return inline code. text: one non-empty line."""
    if "`" not in text:
        return f"`{text}`"
    runs = {len(run) for run in _TICKS.findall(text)}
    length = 1
    while length in runs:
        length += 1
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{'`' * length}{pad}{text}{pad}{'`' * length}"


def read_line(node: Node) -> str:
    """Return an element's text as one line."""
    pieces: list[str] = []
    for current in walk([node], without=_SKIPPED):
        if isinstance(current, str):
            pieces.append(current)
        elif current.tag == "br":
            pieces.append(" ")
    return " ".join("".join(pieces).split())


def is_code_table(node: Node) -> bool:
    """Return whether a table contains only code with its line numbers."""
    names = node.attributes.get("class")
    if names and _CODE_TABLE.search(names):
        return True
    row = _find_first_row(node)
    cells = [] if row is None else [cell for cell in row.children if isinstance(cell, Node)]
    return len(cells) >= 2 and _is_gutter(cells[0]) and not _is_gutter(cells[-1])


def _find_first_row(table: Node) -> Node | None:
    """Return a table's first row, in its body or directly in the table, if nothing precedes the row."""
    element = table
    for _ in range(3):
        first = next((child for child in element.children if isinstance(child, Node)), None)
        if first is None or first.tag == "tr":
            return first
        element = first
    return None


def _is_gutter(node: Node, names_of: _ClassNames | None = None) -> bool:
    """Return whether an element contains only line numbers. names_of: its parsed class, if known."""
    attributes = node.attributes
    if names_of is None:
        names = attributes.get("class")
        names_of = _read_names(names) if names else _UNNAMED
    style = attributes.get("style")
    marked = names_of.is_gutter or "data-line-number" in attributes or bool(style and _UNSELECTABLE.search(style))
    if not marked:
        return node.tag == "td" and _counts_lines(node)
    return _NUMBERS.fullmatch(read_line(node)) is not None


def _counts_lines(cell: Node) -> bool:
    """Return whether a cell without a class contains only a `pre` with consecutive line numbers."""
    only = _find_only_child(cell)
    if only is None or only.tag != "pre":
        return False
    numbers = read_line(only)[:MAX_GUTTER].split()[:-1]  # the last number may be cut off
    if len(numbers) < 1 or not all(number.isascii() and number.isdigit() for number in numbers):
        return False
    first = int(numbers[0])
    return [int(number) for number in numbers] == [*range(first, first + len(numbers))]


def _find_only_child(node: Node) -> Node | None:
    """Return the only element of a node without text."""
    inner = [child for child in node.children if isinstance(child, Node) or not child.isspace()]
    return inner[0] if len(inner) == 1 and isinstance(inner[0], Node) else None


class _Reader:
    """Collects the lines of a code block. Skips line numbers and buttons.

    Line breaks and elements that contain a single line end a line.
    """

    __slots__ = ("_after_inline", "_after_line", "_waiting", "buffer", "language")

    def __init__(self) -> None:
        self.buffer: list[str] = []
        self.language: str | None = None
        self._after_line = self._after_inline = (
            False  # whether an element for one line, or an inline element, has just ended
        )
        self._waiting: list[Node | str | int] = []  # elements to enter, strings, and the starts of lines

    def node(self, root: Node) -> None:
        self.language = read_language(root)
        waiting = self._waiting
        if not root.is_dropped and root.tag not in _SKIPPED:
            waiting += reversed(root.children)
        while waiting:
            current = waiting.pop()
            if isinstance(current, str):
                self._add_text(current)
            elif isinstance(current, int):
                self._end_line(current)
            elif not current.is_dropped and current.tag not in _SKIPPED:
                if current.tag == "br":
                    self._break_line()
                else:
                    self._enter(current)

    def _add_text(self, text: str) -> None:
        if self._after_line and "\n" not in text[: len(text) - len(text.lstrip())]:
            if text.isspace() or not text:
                return
            self.buffer.append("\n")
        self._after_line = False
        self.buffer.append(text)

    def _end_line(self, began: int) -> None:
        """End an element that contains one line. A line break at the element's end does not end another line.

        began: start of the element in `buffer`.
        """
        buffer = self.buffer
        if len(buffer) > began and buffer[-1].endswith("\n"):
            buffer[-1] = buffer[-1][:-1]
        self._after_line = True

    def _break_line(self) -> None:
        """Add a line break, unless an inline element that contains one line has just ended the line."""
        if self._after_line and not self._after_inline:
            self.buffer.append("\n")
        self._after_line = False
        self.buffer.append("\n")

    def _enter(self, node: Node) -> None:
        names = node.attributes.get("class") if node.attributes else None
        class_names = _read_names(names) if names else _UNNAMED
        if (node.attributes or node.tag == "td") and _is_beside_code(node, class_names):
            return
        if node.attributes and self.language is None:
            self.language = class_names.language if node.tag == "span" else read_language(node)
        if node.tag in _LINES or class_names.is_line or "data-line" in node.attributes:
            self._begin_line()
            self._after_inline = node.tag == "span"
        self._waiting += reversed(node.children)

    def _begin_line(self) -> None:
        buffer = self.buffer
        if buffer and (self._after_line or not buffer[-1].endswith("\n")):
            buffer.append("\n")
        self._after_line = False
        self._waiting.append(len(buffer))


def _is_beside_code(node: Node, class_names: _ClassNames) -> bool:
    """Return whether an element within code contains a button or line numbers."""
    if class_names.is_chrome and node.tag not in _HOLDS_CODE:
        return True
    return node.tag not in ("table", "code") and _is_gutter(node, class_names)
