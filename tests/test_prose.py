"""Plain English: signs of stilted sentences are rare in everything that people read.

A sign is a place to look, not a verdict. The limit allows ordinary uses of these words.
"""

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = (ROOT / "src/webquarry", ROOT / "packages/convert/src")
PER_THOUSAND = 3.0
SIGNS = re.compile(
    "|".join(
        (
            r"\b(?:is|are|was|were|be|been) (?:told|said)\b",
            r"\btells? (?:what|which|whether|how|of|that|so)\b",
            r"\b(?:stands?|stood|standing) (?:in|for|on|at|by|beside|behind|below|above|alone|there|right|where|as)\b",
            r"\b(?:for|of|to|by|with|from) who\b",
            r"(?:^|[.;:] |— )What (?:is|are|was|were|has|have|could|cannot|can|may|must|does|did)\b[^?]*?[.;:]",
            r"\b(?:is|are|has|says|gives) none\b",
            r"\b(?:of|for) (?:its|our|their|his) own\b",
            r"\bas it (?:stands|is|does|was)\b|\ball the same\b",
            r"\b(?:that|those) of\b|\b(?:of|by|on|with|behind|below) which\b",
            r"\bwithout end\b|\bfor ever\b|\bat once\b",
        )
    ),
    re.MULTILINE,
)
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
CODE = re.compile(r"```.*?```|\{[%{#].*?[%}#]\}|<[^>]+>", re.DOTALL)


def read_docs() -> Iterator[str]:
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("packages/*/*.md")):
        yield CODE.sub(" ", path.read_text())


def read_pages() -> Iterator[str]:
    for path in (ROOT / "src/webquarry/web/templates").rglob("*.*"):
        if path.suffix in (".md", ".html", ".txt"):
            yield CODE.sub(" ", path.read_text())


def read_modules() -> Iterator[str]:
    for source in SOURCES:
        for path in source.rglob("*.py"):
            yield path.read_text()


def read_docstrings() -> Iterator[str]:
    for module in read_modules():
        for node in ast.walk(ast.parse(module)):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield node.value.value


def read_strings() -> Iterator[str]:
    """Yield the sentences in string literals: errors, warnings, descriptions."""
    for module in read_modules():
        tree = ast.parse(module)
        docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docstrings:
                continue
            if len(WORD.findall(node.value)) >= 4 and "<" not in node.value:
                yield node.value


def read_comments() -> Iterator[str]:
    for module in read_modules():
        for token in tokenize.generate_tokens(io.StringIO(module).readline):
            if token.type == tokenize.COMMENT:
                yield token.string.lstrip("# ")


@pytest.mark.parametrize("read", [read_docs, read_pages, read_docstrings, read_strings, read_comments])
def test_sentences_are_plain(read: Callable[[], Iterator[str]]) -> None:
    words, found = 0, list[str]()
    for text in read():
        words += len(WORD.findall(text))
        found += [text[max(0, sign.start() - 40) : sign.end() + 40] for sign in SIGNS.finditer(text)]
    assert words > 1_000
    assert 1_000 * len(found) / words < PER_THOUSAND, "\n".join(found[:40])


def test_the_check_finds_a_stilted_sentence() -> None:
    assert SIGNS.search("What could not be installed is said in a line.")
    assert not SIGNS.search("Optional components are skipped if they can't be installed.")
