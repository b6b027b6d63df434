"""How many words a reader sees: each run of letters or digits is one, each Chinese, Japanese or Korean sign is one."""

import re

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(f"[{_CJK}\U00020000-\U0003ffff]|[^\\W_{_CJK}\U00020000-\U0003ffff]+(?:['’.,-][^\\W_{_CJK}]+)*+")
_ASCII_WORD = re.compile("[a-zA-Z0-9]+(?:['.,-][a-zA-Z0-9]+)*+", re.ASCII)


def count_words(text: str) -> int:
    """Words of plain text. `don't`, `3.14` and `well-known` are one word each."""
    return len((_ASCII_WORD if text.isascii() else _WORD).findall(text))
