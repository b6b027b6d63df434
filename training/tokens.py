"""Tokens as the evaluation counts them: runs of word characters, each Chinese, Japanese or Korean sign for itself."""

import re

from webquarry_convert.links import extract_visible

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TOKEN = re.compile(f"[{_CJK}]|[^\\W{_CJK}]+")


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def visible_tokens(markdown: str) -> list[str]:
    """Tokens of what a reader of the markdown sees."""
    return tokens(extract_visible(markdown))
