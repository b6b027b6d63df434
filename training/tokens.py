"""Tokens as counted by the evaluation: runs of word characters, or single Chinese, Japanese or Korean characters."""

import re

from webquarry_convert.links import extract_visible

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_TOKEN = re.compile(f"[{_CJK}]|[^\\W{_CJK}]+")


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def visible_tokens(markdown: str) -> list[str]:
    """Return the tokens that a reader of the markdown sees."""
    return tokens(extract_visible(markdown))
