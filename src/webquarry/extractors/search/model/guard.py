"""Detection of rows unrelated to the query, which some sources send to clients that they take for robots."""

import re
import unicodedata
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from webquarry.core.errors import ProviderError
from webquarry.core.types import Domain
from webquarry.extractors.search.model.result import Organic

TOP = 8
LEAST_ROWS = 5
"""Minimum number of rows for the one-site check. Fewer rows from one site may mean that the query is rare."""
LONGEST_JUDGED = 4096
"""Number of characters of a row that are compared with the query. No observed row is longer."""
_SITE = re.compile(r"\bsite:", re.IGNORECASE)
_OPERATOR = re.compile(
    r"\b(?:(?:after|before|ext|filetype|lang|language|loc|location):\S*"
    r"|(?:(?:all)?in(?:anchor|body|text|title|url)|related|site):)",
    re.IGNORECASE,
)
"""Search operators. Each is removed from the query, together with its value if the value is not a word of the page."""
_EXCLUDED = re.compile(r"(?:^|\s)-\S+")
# Dense scripts and scripts without spaces between words are split into parts of one character for Chinese and two
# letters for the others. The vowel signs of some scripts are not letters in regular expressions.
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_SIGNED = "\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_UNSPACED = f"{_SIGNED}\u3040-\u30ff\u31f0-\u31ff\uac00-\ud7af\uff66-\uff9f"
_WORD = re.compile(rf"(?:[^\W_]|[{_SIGNED}])+")
_PART = re.compile(rf"[{_HAN}]+|[{_UNSPACED}]+|[^{_HAN}{_UNSPACED}]+")
_LATIN = re.compile("[a-z]")
_HAN_FIRST = re.compile(f"[{_HAN}]")
_UNSPACED_FIRST = re.compile(f"[{_HAN}{_UNSPACED}]")
_GRAM = 3
"""Number of letters per part of a word in other scripts. Most parts are unaffected by different endings and typos."""
_JOINED_WORDS = 4


def check(rows: Sequence[Organic], query: str, source: str) -> None:
    """Raise ProviderError "blocked" if the rows are unrelated to the query.

    Rows are unrelated if all of them are from one site that the query does not name, or if no row shares a word with
    the query. A page without rows passes, and so does a page whose first row is the front page of the requested site.
    """
    if not rows:
        return
    query = _EXCLUDED.sub(" ", query)
    query_text = _fold(_OPERATOR.sub(" ", query))
    words = _split_words(query_text)
    if _leads_home(rows[0], query_text, words):
        return
    sites = {_find_site(row.link) for row in rows[:TOP]}
    if len(rows) >= LEAST_ROWS and len(sites) == 1 and not _SITE.search(query) and not _names(query, sites.pop()):
        raise _make_poisoned_error(source, "all results are from one site that the query does not mention")
    if words and not any(_is_about(_join_words(row), words) for row in rows):
        raise _make_poisoned_error(source, "no result has a word in common with the query")


def _make_poisoned_error(source: str, why: str) -> ProviderError:
    return ProviderError(f"{source} sent an invalid response: {why}.", reason="blocked")


def _leads_home(row: Organic, query_text: str, words: Sequence[frozenset[str]]) -> bool:
    """Return whether the row is a site's front page with all words of the query in its title.

    People who search for a site want this page. If the query is a single word in a non-Latin script, the front page is
    sufficient, because its URL may spell the name in Latin letters.
    """
    parts = urlsplit(row.link)
    if parts.path not in ("", "/") or parts.query or not words:
        return False
    title = _spread(row.title)
    is_spelled_elsewhere = len(words) == 1 and not _LATIN.search(query_text) and any(map(str.isalpha, query_text))
    return is_spelled_elsewhere or all(_is_about(title, (word,)) for word in words)


def _find_site(link: str) -> str:
    """Return the registrable domain of a URL, or its host if there is no registrable domain."""
    host = urlsplit(link).hostname or ""
    try:
        return Domain.parse(host).registrable
    except ValueError:
        return host


def _names(query: str, site: str) -> bool:
    """Return whether consecutive words of the query form the site's name.

    For example, `stack overflow` is the name of stackoverflow.com, and `münchen` is the name of xn--mnchen-3ya.de.
    """
    try:
        spelled = site.encode("ascii").decode("idna")
    except UnicodeError:
        spelled = site
    name = "".join(_WORD.findall(_fold(spelled.partition(".")[0])))
    words = _WORD.findall(_fold(query))
    joined = ("".join(words[i : i + n]) for i in range(len(words)) for n in range(1, _JOINED_WORDS + 1))
    return name in joined


def _split_words(query_text: str) -> list[frozenset[str]]:
    """Return the significant words of a folded query, each as its parts; an empty list if there are too few words."""
    parts = _PART.findall(" ".join(_WORD.findall(query_text)))
    words = [word for part in parts for word in part.split()]
    # short words occur in any text, so they only count if the query has no other words
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
    """Return whether the text contains at least half of the parts of one of the words."""
    return any(2 * sum(gram in text for gram in grams) >= len(grams) for grams in words)


def _join_words(row: Organic) -> str:
    return _spread(" ".join(filter(None, (row.title, unquote(row.link), row.snippet))))


def _spread(text: str) -> str:
    """Return the folded text, followed by a copy without separators between words; words are searched for in both
    copies.
    """
    folded = _fold(text[:LONGEST_JUDGED])
    return f"{folded} {''.join(_WORD.findall(folded))}"


def _fold(text: str) -> str:
    """Return the text without case and accents; full-width letters become narrow letters."""
    spread = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in spread if not unicodedata.combining(c))).casefold()
