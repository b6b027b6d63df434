"""Rows that have nothing to do with the query, as some sources give to those whom they take for robots."""

import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from webquarry.core.errors import ProviderError
from webquarry.core.types import Domain
from webquarry.extractors.search.model.result import Organic

TOP = 8
LEAST_ROWS = 5
"""Below, rows of one site are a rare query rather than a poisoned answer."""
LONGEST_JUDGED = 4096
"""Characters of a row in which words are looked for; no true row has so many."""
_SITE = re.compile(r"\bsite:", re.IGNORECASE)
_OPERATOR = re.compile(
    r"\b(?:(?:after|before|ext|filetype|lang|language|loc|location):\S*"
    r"|(?:(?:all)?in(?:anchor|body|text|title|url)|related|site):)",
    re.IGNORECASE,
)
"""Those that ask for no word are left out whole, of the others their name is."""
_EXCLUDED = re.compile(r"(?:^|\s)-\S+")
# Scripts that are dense, or have no spaces between words: a Chinese character is a word in short, two letters of the
# others are. The signs for vowels of some are no letters by themselves.
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_SIGNED = "\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = f"{_SIGNED}\u3040-\u30ff\u31f0-\u31ff\uac00-\ud7af\uff66-\uff9f"
_WORD = re.compile(rf"(?:[^\W_]|[{_SIGNED}])+")
_PART = re.compile(rf"[{_HAN}]+|[{_UNSPACED}]+|[^{_HAN}{_UNSPACED}]+")
_LATIN = re.compile("[a-z]")
_HAN_FIRST = re.compile(f"[{_HAN}]")
_UNSPACED_FIRST = re.compile(f"[{_HAN}{_UNSPACED}]")
_GRAM = 3
"""Letters by which words of other scripts are compared: endings and slips of the pen leave most of them."""
_JOINED_WORDS = 4


def check(rows: Sequence[Organic], query: str, source: str) -> None:
    """Pass, or ProviderError "blocked" when the rows are of one site that nobody asked for, or when none of them shares
    a word with the query. A page without rows passes, and one led by the front page of the site that was asked for."""
    if not rows:
        return
    query = _EXCLUDED.sub(" ", query)
    asked = _fold(_OPERATOR.sub(" ", query))
    words = _split_words(asked)
    if _leads_home(rows[0], asked, words):
        return
    sites = {_find_site(row.link) for row in rows[:TOP]}
    if len(rows) >= LEAST_ROWS and len(sites) == 1 and not _SITE.search(query) and not _names(query, sites.pop()):
        raise _make_poisoned_error(source, "all results are of one site that the query does not name")
    if words and not any(_is_about(_join_words(row), words) for row in rows):
        raise _make_poisoned_error(source, "no result has a word in common with the query")


def _make_poisoned_error(source: str, why: str) -> ProviderError:
    return ProviderError(f"{source} sent an invalid response: {why}.", reason="blocked")


def _leads_home(row: Organic, asked: str, words: Sequence[frozenset[str]]) -> bool:
    """Whether the row is a site's front page with all words in its title: what one who asks for the site is after.

    Of a single word in another script than that of addresses, which may spell their name, the front page is enough.
    """
    parts = urlsplit(row.link)
    if parts.path not in ("", "/") or parts.query or not words:
        return False
    title = _spread(row.title)
    is_spelled_elsewhere = len(words) == 1 and not _LATIN.search(asked) and any(map(str.isalpha, asked))
    return is_spelled_elsewhere or all(_is_about(title, (word,)) for word in words)


def _find_site(link: str) -> str:
    """The registrable domain of an address, or its host where it has none."""
    host = urlsplit(link).hostname or ""
    try:
        return Domain.parse(host).registrable
    except ValueError:
        return host


def _names(query: str, site: str) -> bool:
    """Whether words of the query, joined, are the site's name: `stack overflow` is stackoverflow.com, `münchen` is
    xn--mnchen-3ya.de."""
    try:
        spelled = site.encode("ascii").decode("idna")
    except UnicodeError:
        spelled = site
    name = "".join(_WORD.findall(_fold(spelled.partition(".")[0])))
    words = _WORD.findall(_fold(query))
    joined = ("".join(words[i : i + n]) for i in range(len(words)) for n in range(1, _JOINED_WORDS + 1))
    return name in joined


def _split_words(asked: str) -> list[frozenset[str]]:
    """The words of a folded query that say what it is about, each as its grams; empty with too little to judge by."""
    parts = _PART.findall(" ".join(_WORD.findall(asked)))
    words = [word for part in parts for word in part.split()]
    # short words are in any text, unless nothing else was asked for
    telling = [word for word in words if len(word) > _GRAM or _is_unspaced(word)]
    return [_split_grams(word) for word in telling or words if len(word) >= _GRAM or _is_unspaced(word)]


def _split_grams(word: str) -> frozenset[str]:
    length = _GRAM
    if _is_unspaced(word):
        length = 1 if _HAN_FIRST.match(word) else 2
    return frozenset(word[i : i + length] for i in range(max(1, len(word) - length + 1)))


def _is_unspaced(word: str) -> bool:
    return _UNSPACED_FIRST.match(word) is not None


def _is_about(text: str, words: Sequence[frozenset[str]]) -> bool:
    """Whether the text has at least half of the grams of one of the words."""
    return any(2 * sum(gram in text for gram in grams) >= len(grams) for grams in words)


def _join_words(row: Organic) -> str:
    return _spread(" ".join(filter(None, (row.title, unquote(row.link), row.snippet))))


def _spread(text: str) -> str:
    """A text as words are looked for in it: folded, and once more without what parts its words."""
    folded = _fold(text[:LONGEST_JUDGED])
    return f"{folded} {''.join(_WORD.findall(folded))}"


def _fold(text: str) -> str:
    """Without case and accents, wide letters as narrow ones."""
    spread = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in spread if not unicodedata.combining(c))).casefold()
