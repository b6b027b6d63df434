"""The markdown of real pages is parsed as intended. The tests are skipped if the pages are not available."""

import json
import lzma
import re
from collections.abc import Iterator
from functools import cache

import pytest
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from convert_support.kit import KIT
from webquarry_convert.page import to_markdown

PAGES = KIT / "evals/web/data"
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
EACH = 16
FENCE = re.compile(r"(`{3,})[^`]*$")
CODE = re.compile(r"(?<![`\\])(`+)(?!`).+?(?<!`)\1(?!`)")
MARKS = re.compile(r"(?:> ?|(?:[-*]|[0-9]{1,9}[.)]) +(?:\[[ x]\] )?|\[\^[^\]]+\]: +| {2,})*")


@cache
def pages() -> list[tuple[str, str, str]]:
    """Return some pages from every set, as tuples of name, HTML and URL."""
    found: list[tuple[str, str, str]] = []
    for path in sorted(PAGES.glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            records = [json.loads(line) for at, line in enumerate(lines) if at % EACH == 5]
        found += [(record["id"], record["html"], record["url"]) for record in records]
    return found


def plain_lines(markdown: str) -> Iterator[str]:
    """Yield the lines outside of code blocks, without the markers of lists, quotes and notes."""
    fence = ""
    for line in markdown.split("\n"):
        bare = line[MARKS.match(line).end() :]  # type: ignore[union-attr]  # matches everywhere
        found = FENCE.match(bare)
        if fence:
            fence = "" if bare == fence else fence
        elif found is not None:
            fence = found[1]
        elif bare != "$$":
            yield bare


def meant(markdown: str) -> dict[str, int]:
    """Count each kind of markup in the source lines."""
    lines = list(plain_lines(markdown))
    bare = [CODE.sub("", line) for line in lines]
    return {
        "heading": sum(1 for line in lines if re.match(r"#{1,6} ", line)),
        "table": sum(1 for line in lines if re.fullmatch(r"\|(?: --- \|)+", line)),
        "image": sum(len(re.findall(r"(?<!\\)!\[", line)) for line in bare),
        "target": sum(len(re.findall(r"\]\((?=https?:|mailto:|tel:)", line)) for line in bare),
    }


def read(tree: SyntaxTreeNode) -> dict[str, int]:
    """Count the same kinds of markup in the parser's output. target: the target of links and images."""
    found = dict.fromkeys(("heading", "table", "image", "target"), 0)
    for node in tree.walk():
        if node.type in found:
            found[node.type] += 1
        found["target"] += node.type in ("link", "image")
    return found


@pytest.mark.skipif(not PAGES.is_dir(), reason="needs the evaluation pages")
def test_markdown_of_real_pages_is_parsed_as_intended() -> None:
    assert len(pages()) >= 50
    wrong: list[str] = []
    total = dict.fromkeys(("heading", "table", "image", "target"), 0)
    for name, html, address in pages():
        markdown = to_markdown(html, address)
        assert markdown == "" or re.search(r"\S\n\Z", markdown), name
        tree = SyntaxTreeNode(PARSER.parse(markdown))
        found, expected = read(tree), meant(markdown)
        if found != expected:
            wrong.append(f"{name}: read {found}, meant {expected}")
        wrong += [
            f"{name}: {node.type} {node.content[:80]}"
            for node in tree.walk()
            if node.type in ("html_block", "html_inline")
            and node.content != "<br>"  # `<br>` separates lines in table cells
        ]
        for kind, count in expected.items():
            total[kind] += count
    assert wrong == []
    assert total["heading"] > 200
    assert total["table"] > 5
    assert total["image"] > 100
    assert total["target"] > 500
