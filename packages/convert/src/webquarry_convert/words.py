"""Word counts. Each run of letters or digits is one word, and so is each Chinese, Japanese or Korean character."""

import re
from functools import lru_cache

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(f"[{_CJK}\U00020000-\U0003ffff]|[^\\W_{_CJK}\U00020000-\U0003ffff]+(?:['’.,-][^\\W_{_CJK}]+)*+")
# For ASCII text, a few byte searches count the words in half the time. They distinguish three kinds of characters:
# letters and digits, signs that join words, and all others.
_ASCII_KINDS = bytes(ord("a" if chr(n).isalnum() else "-" if chr(n) in "'.,-" else " ") for n in range(128)).ljust(256)
_FOREIGN = re.compile("[^\x00-\x7f]+")
_SIGNS = re.compile(f"[{_CJK}]")
_LAST_PLAIN = "\U0001ffff"
FEW = 16
"""Minimum ratio of all characters to non-ASCII characters in a text that counts as mostly ASCII."""


def count_words(text: str) -> int:
    """Count the words of plain text. `don't`, `3.14` and `well-known` are one word each."""
    if not text.isascii():
        encoded = text.encode("utf-8", "surrogatepass")
        plain = text if FEW * (len(encoded) - len(text)) > len(text) else _FOREIGN.sub(_write_plainly, text)
        if not plain.isascii():
            return len(_WORD.findall(text))
        text = plain
    kinds = text.encode().translate(_ASCII_KINDS)
    # If joining signs share a letter, as in 3.1.4, the first replacement misses every second sign.
    joined = kinds.replace(b"a-a", b"aa").replace(b"a-a", b"aa")
    return len(joined.replace(b"-", b" ").split())


def _write_plainly(run: re.Match[str]) -> str:
    """Return ASCII text that has as many words as a non-ASCII run.

    Returns the run unchanged if it contains a character outside the basic multilingual plane, because such a character
    is a separate word unless it follows a letter.
    """
    return run[0] if max(run[0]) > _LAST_PLAIN else "".join(map(_find_plain_sign, run[0]))


@lru_cache(maxsize=8192)
def _find_plain_sign(sign: str) -> str:
    return " a " if _SIGNS.match(sign) else "a" if sign.isalnum() else "'" if sign == "’" else " "
