"""Text inside the content that does not belong to it: dialogs, text that scripts show later, lists of other stories,
language pickers above code, and lines that only announce an advertisement. Such text is recognized by its element or
wording rather than its score, because its blocks resemble content.
"""

import re
from typing import NamedTuple

from webquarry_convert.page.content.blocks import Block, Blocks
from webquarry_convert.page.content.hidden_copies import find_hidden_copies
from webquarry_convert.page.content.names import MAX_NAME
from webquarry_convert.page.content.stray_lines import is_stray_line
from webquarry_convert.page.content.sums import Sums
from webquarry_convert.tree import Attributes, Tree

MOST = 3
"""Noise has less than one `MOST`th of the page's prose. A larger part is content."""
MAX_TITLE = 24
"""Maximum length, in characters, of a heading above other stories."""
_TITLE_NAMES = """
    相关推荐 相关文章 相关阅读 相关内容 猜你喜欢 热门文章 热门推荐 推荐阅读 为你推荐 最新文章 更多推荐 更多文章
    延伸阅读 精彩推荐 大家都在看 相關文章 相關推薦 熱門文章 推薦閱讀 延伸閱讀 猜你喜歡 関連記事 関連する記事
    おすすめ記事 人気記事 あわせて読みたい
    新着記事 最新記事 こちらもおすすめ 관련기사 관련글 추천기사 인기기사
"""
_TITLES = frozenset(_TITLE_NAMES.split())
_AROUND_TITLE = "".join((" :\n", "\uff1a\u00b7>\u300b\u00bb\uff09)"))
_PLACEHOLDERS = (
    "oops! something went wrong", "oops, something went wrong", "notify me when", "email me when", "loading stars",
    "0 of 0", "tell the moderators", "report this post", "report this comment", "report post",
)  # fmt: skip
_DIALOG = re.compile(
    r"(?:modal(?<![a-z]modal)|dialog(?<![a-z]dialog)|lightbox(?<![a-z]lightbox)|popup(?<![a-z]popup)"
    r"|pop-up(?<![a-z]pop-up)|overlay(?<![a-z]overlay))(?![a-z])"
)
"""Matches names of dialogs.

Each alternative begins with letters, because a search for letters is faster than one for a lookbehind.
"""
_ROLES = frozenset({"dialog", "alertdialog"})
_CONTROLS = frozenset({"textarea", "button", "input", "select"})
_WHOLE = frozenset({"html", "body", "main", "article"})
_BESIDE_CODE = frozenset({"ul", "ol", "menu"})
MAX_LOOKED = 120
"""Maximum number of elements that are searched for a control or for code."""
MAX_PICKER = 40
MIN_PICKED = 2
_LANGUAGE_NAMES = """
    bash c c++ c# clojure cpp csharp css curl dart elixir erlang f# fortran go golang groovy haskell html java
    javascript js json julia kotlin lua matlab node.js node nodejs objective-c ocaml perl php plaintext powershell
    python r ruby rust scala shell sh sql swift text toml tsx typescript ts vb vb.net xml yaml zig
"""
_LANGUAGES = frozenset(_LANGUAGE_NAMES.split())

Span = tuple[int, int]


class _Page(NamedTuple):
    tree: Tree
    blocks: Blocks
    sums: Sums


def find_noise(blocks: Blocks, sums: Sums) -> list[Span]:
    """Return the block ranges that do not belong to the content; they may be nested."""
    page = _Page(blocks.tree, blocks, sums)
    found = [span for place in _find_suspects(blocks) for span in _judge_element(page, place)]
    found += [_find_headed(page, number) for number, block in enumerate(blocks.all) if _names_others(block)]
    found += [
        (number, number + 1)
        for number, block in enumerate(blocks.all)
        if is_stray_line(block.text, blocks.tags[block.place])
    ]
    prose = sums.prose
    noise = [(start, end) for start, end in found if end > start and MOST * (prose[end] - prose[start]) <= prose[-1]]
    return noise + find_hidden_copies(blocks)


def _names_others(block: Block) -> bool:
    """Return whether a block is the heading of a list of other pages."""
    return len(block.text) <= 2 * MAX_TITLE and _is_title(block.text)


def _find_suspects(blocks: Blocks) -> list[int]:
    """Return the indexes of elements with blocks whose tag, role or names suggest that they are noise."""
    found = []
    known: dict[str | None, bool] = {None: False}  # results by class
    tree, tags = blocks.tree, blocks.tags
    has_code = "pre" in tags
    for place in blocks.holders:
        attributes = tree[place].attributes
        if (attributes and _is_suspect(attributes, known)) or (has_code and tags[place] in _BESIDE_CODE):
            found.append(place)
    return found


def _is_suspect(attributes: Attributes, known: dict[str | None, bool]) -> bool:
    """Return whether an element's class, role or id suggests a dialog.

    known: results by class; the function adds to it.
    """
    name = attributes.get("class")
    is_dialog = known.get(name)
    if is_dialog is None:
        is_dialog = known[name] = _names_dialog(name or "")
    return is_dialog or attributes.get("role") in _ROLES or _names_dialog(attributes.get("id") or "")


def _names_dialog(name: str) -> bool:
    return name != "" and _DIALOG.search(name[:MAX_NAME].lower()) is not None


def _is_title(text: str) -> bool:
    """Return whether a text is a heading above other stories, or above text that scripts show later."""
    if text.isascii():
        return text.lower().startswith(_PLACEHOLDERS)
    return text.strip(_AROUND_TITLE) in _TITLES


def _judge_element(page: _Page, place: int) -> list[Span]:
    """Return an element's block range if it is a dialog with controls, or a language picker next to code."""
    tree, blocks = page.tree, page.blocks
    node = tree[place]
    start, end = blocks.starts[place], blocks.ends[place]
    if start == end or node.tag in _WHOLE:
        return []
    if node.tag in _BESIDE_CODE:
        return [(start, end)] if _is_picker(page, place, start, end) else []
    if node.attributes.get("role") not in (None, "dialog", "alertdialog"):
        return []
    tags = {inner.tag for inner in tree[place : min(node.end, place + MAX_LOOKED)]}
    return [(start, end)] if not tags.isdisjoint(_CONTROLS) and "h1" not in tags else []


def _is_picker(page: _Page, place: int, start: int, end: int) -> bool:
    """Return whether a list names programming languages and is followed by code."""
    if not MIN_PICKED <= end - start <= MAX_PICKER:
        return False
    if any(block.text.lower() not in _LANGUAGES for block in page.blocks.all[start:end]):
        return False
    after = page.tree[place].end
    return any(node.tag in ("pre", "code") for node in page.tree[after : after + MAX_PICKER])


def _find_headed(page: _Page, number: int) -> Span:
    """Return the block range of the outermost element that begins with the heading, or of the heading alone."""
    tree, blocks = page.tree, page.blocks
    place = blocks.all[number].place
    best = (number, number + 1)
    while place >= 0 and blocks.starts[place] == number and tree[place].tag not in _WHOLE:
        best = (number, blocks.ends[place])
        place = tree[place].up
    return best
