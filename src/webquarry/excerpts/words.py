"""Words of a question and their occurrences in strings.

Words are folded and stemmed; scripts without spaces use pairs of characters.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

import snowballstemmer

MOST_TERMS: Final = 32
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Scripts written without spaces: Thai, Lao, Burmese, Khmer, kana and Chinese characters."""
_TERM: Final = re.compile(rf"[{_UNSPACED}]+|\d+(?:[.,]\d+)*|[^\W_{_UNSPACED}]+")
_WORD: Final = re.compile(rf"\d+(?:[.,]\d+)*|[^\W_{_UNSPACED}]+")
_IN_WORD: Final = re.compile(rf"[^\W_{_UNSPACED}]")
_KEPT_WHOLE: Final = re.compile("[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\uac00-\ud7af]")
"""Kana and Hangul characters, which must not be decomposed, because their parts have other meanings."""
_FEW_SIGNS: Final = 48
_ASCII: Final = bytes(range(128))
_SAMPLE: Final = 20_000
STOPWORDS: Final = {
    "english": "a an and are as at be but by can did do does for from had has have how i if in into is it its many me "
    "much my of on or our please so such tell than that the their them then there these they this to was we were what "
    "when where which who whom whose why will with would you your",
    "german": "aber als am an auf aus bei bin bis das dass dem den der des die dies doch du durch ein eine einem einen "
    "einer eines er es fur hat ich ihr im in ist ja kann mit nach nicht noch nur oder sich sie sind so uber um und uns "
    "vom von vor war warum was welche welcher welches wem wen wenn wer werden wie wieviel wir wird wo zu zum zur",
    "french": "a au aux avec ce ces cette combien comment d dans de des du elle en est et il ils j je l la le les leur "
    "lui mais ne nous on ont ou ou par pas plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa se "
    "ses son sont sur un une vous y",
    "spanish": "a al como con cual cuales cuando cuanto cuanta cuantos cuantas de del donde el ella ellos en es esta "
    "este esto fue ha hay la las le lo los mas me mi muy no o para pero por porque que quien se si sin sobre son su "
    "sus un una y ya yo",
    "italian": "a ai al alla che chi ci come con da dal dei del della delle di dove e ed gli ha il in io la le lo ma "
    "nel nella non o per perche piu quale quali quando quanto questa questo se si sono su tra un una",
    "portuguese": "a ao as com como da das de do dos e em era essa este foi ha isso mais mas na nao no nos o os ou "
    "para pela pelo por porque qual quais quando quanto que quem se sem ser seu sua uma um",
    "dutch": "aan als bij dan dat de der die dit door een en er het hij hoe hoeveel ik in is je maar met naar niet nog "
    "of om ook op over te tot uit van voor waar waarom wanneer wat welke werd wie worden wordt zijn zo",
}
"""Frequent words without a meaning for the search, by language. They are also used to detect a text's language."""


def fold(text: str) -> str:
    """Return the text in lower case, without accents and ligatures. Its length may differ."""
    if text.isascii():
        return text.lower()
    # lowering and filtering bytes is ten times as fast as lowering and filtering text, and most documents contain few
    # other characters
    encoded = text.encode("utf-8", "surrogatepass")
    text = encoded.lower().decode("utf-8", "surrogatepass")
    foreign = encoded.translate(None, _ASCII).decode("utf-8", "surrogatepass")
    signs = {sign: folded for sign in set(foreign) if (folded := _fold_sign(sign)) != sign}
    if len(signs) > _FEW_SIGNS:
        return text.translate({ord(sign): folded for sign, folded in signs.items()})
    for sign, folded in signs.items():
        text = text.replace(sign, folded)
    return text


@lru_cache(maxsize=4096)
def _fold_sign(sign: str) -> str:
    if _KEPT_WHOLE.match(sign):
        return sign
    parts = unicodedata.normalize("NFKD", sign)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def detect_language(folded: str) -> str:
    """Return the language whose stopwords are most frequent in a folded text, or English if the result is unclear."""
    seen = Counter(folded[:_SAMPLE].split())
    counts = {name: sum(seen[word] for word in words) for name, words in _stopwords().items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] > 1.1 * counts["english"] else "english"


@cache
def _stopwords() -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in STOPWORDS.items()}


@cache
def _stemmer(language: str) -> Any:
    return snowballstemmer.stemmer(language)


def stem(word: str, language: str) -> str:
    """Return the stem of a folded word. Numbers are their own stems."""
    return word if word[0].isdigit() else str(_stemmer(language).stemWord(word))


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a question.

    `text` is its stem, or two characters of a script without spaces. Every match begins with `prefix`.
    """

    text: str
    prefix: str
    is_pair: bool


def read_terms(question: str, language: str) -> tuple[Term, ...]:
    """Return the distinct terms of a question in order, without stopwords unless there are no other words."""
    found = list(_list_terms(fold(question), language))
    small = _stopwords()[language] | _stopwords()["english"]
    subject = [term for word, term in found if word not in small]
    return tuple(dict.fromkeys(subject or [term for _, term in found]))[:MOST_TERMS]


def _list_terms(folded: str, language: str) -> Iterator[tuple[str, Term]]:
    for found in _TERM.finditer(folded):
        word = found[0]
        if _WORD.match(word) is None:
            for at in range(max(1, len(word) - 1)):
                pair = word[at : at + 2]
                yield pair, Term(pair, pair, is_pair=True)
        else:
            yield word, Term(stem(word, language), _find_prefix(word, stem(word, language)), is_pair=False)


def _find_prefix(word: str, stemmed: str) -> str:
    """Return the prefix that all words with the same stem share.

    It may be shorter than the stem, whose last letter can differ, as in happy and happi.
    """
    if word[0].isdigit():
        return word
    common = 0
    while common < min(len(word), len(stemmed)) and word[common] == stemmed[common]:
        common += 1
    return word[: max(1, common - 1 if common > 3 else common)]


class Texts:
    """Texts in which terms are counted.

    All strings are searched as one string, so that strings without a match cost almost nothing.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        clean = (text.replace("\0", " ") if "\0" in text else text for text in texts)
        self._joined = fold("\0".join(clean))
        self._starts = [0, *(found.end() for found in re.finditer("\0", self._joined))]

    @property
    def joined(self) -> str:
        return self._joined

    def length(self, number: int) -> int:
        """Return the length of a folded text in characters."""
        end = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else len(self._joined)
        return end - self._starts[number]

    def find(self, term: Term, language: str) -> list[tuple[int, int]]:
        """Return each occurrence of a term: the number of its text, and its position in the joined strings."""
        places = self._find_pairs(term) if term.is_pair else self._find_words(term, language)
        return [(bisect_right(self._starts, place) - 1, place) for place in places]

    def _find_pairs(self, term: Term) -> Iterator[int]:
        at = self._joined.find(term.prefix)
        while at != -1:
            yield at
            at = self._joined.find(term.prefix, at + 1)

    def _find_words(self, term: Term, language: str) -> Iterator[int]:
        joined, known = self._joined, {}
        at = joined.find(term.prefix)
        while at != -1:
            found = _WORD.match(joined, at)
            if found is None:
                at = joined.find(term.prefix, at + 1)
                continue
            if at == 0 or _IN_WORD.match(joined, at - 1) is None:
                word = found[0]
                if word not in known:
                    known[word] = stem(word, language) == term.text
                if known[word]:
                    yield at
            at = joined.find(term.prefix, found.end())
