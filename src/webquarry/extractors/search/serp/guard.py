"""Rows that have nothing to do with the query, as some sources give to those whom they take for robots."""

import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from webquarry.errors import ProviderError
from webquarry.extractors.search.serp.result import Organic
from webquarry.types import Domain

TOP = 8
LEAST_ROWS = 5
"""Below, rows of one site are a rare query rather than a poisoned answer."""
_SITE = re.compile(r"\bsite:", re.IGNORECASE)
_EXCLUDED = re.compile(r"(?:^|\s)-\S+")
# Scripts that are dense, or have no spaces between words: a Chinese character is a word in short, two letters of the
# others are. The signs for vowels of some are no letters by themselves.
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_SIGNED = "\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = f"{_SIGNED}\u3040-\u30ff\u31f0-\u31ff\uac00-\ud7af\uff66-\uff9f"
_WORD = re.compile(rf"(?:[^\W_]|[{_SIGNED}])+")
_PART = re.compile(rf"[{_HAN}]+|[{_UNSPACED}]+|[^{_HAN}{_UNSPACED}]+")
_GRAM = 3
"""Letters by which words of other scripts are compared: endings and slips of the pen leave most of them."""
_JOINED_WORDS = 4


def check(rows: Sequence[Organic], query: str, source: str) -> None:
    """Pass, or ProviderError "blocked" when the rows are of one site that nobody asked for, or when none of them shares
    a word with the query. A page without rows passes."""
    if not rows:
        return
    query = _EXCLUDED.sub(" ", query)
    sites = {_site(row.link) for row in rows[:TOP]}
    if len(rows) >= LEAST_ROWS and len(sites) == 1 and not _SITE.search(query) and not _names(query, sites.pop()):
        raise _poisoned(source, "all results are of one site that the query does not name")
    words = _words(query)
    if words and not any(_is_about(row, words) for row in rows):
        raise _poisoned(source, "no result has a word in common with the query")


def _poisoned(source: str, why: str) -> ProviderError:
    return ProviderError(f"{source} gave an answer that is none: {why}.", reason="blocked")


def _site(link: str) -> str:
    """The registrable domain of an address, or its host where it has none."""
    host = urlsplit(link).hostname or ""
    try:
        return Domain.parse(host).registrable
    except ValueError:
        return host


def _names(query: str, site: str) -> bool:
    """Whether words of the query, joined, are the site's name: `stack overflow` is stackoverflow.com."""
    name = "".join(_WORD.findall(site.partition(".")[0]))
    words = _WORD.findall(_folded(query))
    joined = ("".join(words[i : i + n]) for i in range(len(words)) for n in range(1, _JOINED_WORDS + 1))
    return name in joined


def _words(query: str) -> list[frozenset[str]]:
    """The words of a query that say what it is about, each as its grams. Empty when there is too little to judge by."""
    parts = _PART.findall(" ".join(_WORD.findall(_folded(query))))
    words = [word for part in parts for word in part.split()]
    # short words are in any text, unless nothing else was asked for
    telling = [word for word in words if len(word) > _GRAM or _is_unspaced(word)]
    return [_grams(word) for word in telling or words if len(word) >= _GRAM or _is_unspaced(word)]


def _grams(word: str) -> frozenset[str]:
    length = _GRAM
    if _is_unspaced(word):
        length = 1 if re.match(f"[{_HAN}]", word) else 2
    return frozenset(word[i : i + length] for i in range(max(1, len(word) - length + 1)))


def _is_unspaced(word: str) -> bool:
    return re.match(f"[{_HAN}{_UNSPACED}]", word) is not None


def _is_about(row: Organic, words: Sequence[frozenset[str]]) -> bool:
    """Whether the row has at least half of the grams of one of the words."""
    told = _folded(" ".join(filter(None, (row.title, row.snippet, unquote(row.link)))))
    text = f"{told} {''.join(_WORD.findall(told))}"
    return any(2 * sum(gram in text for gram in grams) >= len(grams) for grams in words)


def _folded(text: str) -> str:
    """Without case and accents, wide letters as narrow ones."""
    spread = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in spread if not unicodedata.combining(c))).casefold()
