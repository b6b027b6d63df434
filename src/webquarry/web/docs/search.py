"""Search in the docs: by words, prefixes, stems, synonyms, and words with one typo.

The index is built once and kept in memory. A query takes one lookup per word. Only a word that is not the prefix of any
known word is compared with all known words.
"""

import math
import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from webquarry.web.docs.entries import WEIGHTS, Entry

MAX_QUERY = 100
MAX_WORDS = 8
SHOWN_PER_KIND = 12
_EXACT, _STEM, _PREFIX, _SYNONYM, _TYPO = 1.0, 0.9, 0.6, 0.5, 0.3
"""Weights by how a word of the query matches a word of an entry. A prefix is also weighted by its share of the word."""
_TITLE, _TEXT, _CODE = 8.0, 1.0, 0.5
_WHOLE = 12.0
"""Score added if the query is the whole title."""
_MIN_TYPO, _MIN_PREFIX = 4, 2
"""Minimum length of a word that may have a typo, and of a word that may be a prefix."""
_SNIPPET = 150
_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_STOP = frozenset({
    "a", "an", "and", "are", "be", "can", "do", "does", "for", "how", "i", "in", "is", "it", "my", "of", "on", "or",
    "the", "to", "what", "when", "with",
})  # fmt: skip
_SYNONYMS: Mapping[str, str] = {
    "async": "webhook job",
    "auth": "key sign",
    "authentication": "key sign",
    "callback": "webhook",
    "chatgpt": "agents openai",
    "container": "docker",
    "cost": "price credits",
    "crawl": "batch many",
    "delay": "deadline retry",
    "docx": "word",
    "fee": "price",
    "install": "self-hosting start",
    "invoice": "billing",
    "js": "javascript",
    "kubernetes": "docker servers",
    "llm": "language models",
    "login": "sign",
    "node": "javascript",
    "nodejs": "javascript",
    "password": "sign",
    "pay": "billing credits",
    "postgres": "postgresql",
    "postman": "openapi",
    "pricing": "price billing",
    "quota": "limit",
    "rag": "retrieval index",
    "ratelimit": "rate limit",
    "reimburse": "refunded",
    "sdk": "client libraries openapi",
    "serp": "search",
    "spreadsheet": "excel",
    "swagger": "openapi",
    "throttle": "limit",
    "timeout": "deadline",
    "token": "key",
    "typescript": "javascript",
    "xlsx": "excel",
}
"""Words that readers use, with words in the docs that mean the same."""
_ENDINGS = {"ations": 4, "ation": 4, "ings": 4, "ing": 4, "ies": 3, "ed": 4, "es": 4, "s": 3, "e": 4, "y": 3}
"""Endings of words, longest first, with the minimum length of the word without its ending."""

Piece = tuple[str, bool]
"""A part of a text, and whether it matches the query."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A result of a search: the title of an entry and an excerpt of its text, in pieces."""

    title: tuple[Piece, ...]
    excerpt: tuple[Piece, ...]
    address: str


@dataclass(frozen=True, slots=True)
class Found:
    """Results by kind, best kind first. `misses` are the words of the query that no result contains."""

    groups: tuple[tuple[str, tuple[Hit, ...]], ...] = ()
    misses: tuple[str, ...] = ()


class Index:
    """The words of all entries."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = tuple(entries)
        self._weights: dict[str, dict[int, float]] = defaultdict(dict)
        for number, entry in enumerate(self._entries):
            for text, weight in ((entry.title, _TITLE), (entry.text, _TEXT), (entry.code, _CODE)):
                for word in set(_words(text)):
                    at = self._weights[word]
                    at[number] = max(at.get(number, 0.0), weight)
        self._known = sorted(self._weights)
        self._stems: dict[str, list[str]] = defaultdict(list)
        for word in self._known:
            self._stems[_stem(word)].append(word)

    def find(self, query: str, *, shown: int = SHOWN_PER_KIND) -> Found:
        """Return the entries that contain all words of the query or, if there are none, any of the words, best first.

        `shown` is the maximum number of entries of each kind.
        """
        matches = {word: self._match(word) for word in _ask(query)}
        scores = {word: self._score(known) for word, known in matches.items()}
        misses = tuple(word for word, found in scores.items() if not found)
        numbers = [set(found) for found in scores.values() if found]
        if not numbers:
            return Found(misses=misses)
        meant = set.intersection(*numbers) or set.union(*numbers)
        groups: dict[str, list[int]] = defaultdict(list)
        for number in sorted(meant, key=lambda number: (-self._rank(number, query, scores), number)):
            groups[self._entries[number].kind].append(number)
        matched = {known for found in matches.values() for known in found}
        hits = (
            (kind, tuple(_show(self._entries[number], matched) for number in members[:shown]))
            for kind, members in groups.items()
        )
        return Found(tuple(hits), misses)

    def _rank(self, number: int, query: str, scores: Mapping[str, Mapping[int, float]]) -> float:
        entry = self._entries[number]
        had = [found[number] for found in scores.values() if number in found]
        whole = _WHOLE if entry.title.lower() == query.strip().lower() else 0.0
        return (sum(had) * len(had) + whole) * WEIGHTS[entry.kind]

    def _score(self, matches: Mapping[str, float]) -> dict[int, float]:
        """Return the entries that contain one of the words, with scores. Scores are higher if few entries match."""
        scores: dict[int, float] = {}
        for known, closeness in matches.items():
            for number, weight in self._weights[known].items():
                scores[number] = max(scores.get(number, 0.0), closeness * weight)
        rarity = math.log(1 + len(self._entries) / len(scores)) if scores else 0.0
        return {number: score * rarity for number, score in scores.items()}

    def _match(self, word: str) -> dict[str, float]:
        """Return the known words that match a word of the query, with the weights of the matches."""
        found: dict[str, float] = {}

        def add(known: Iterable[str], closeness: float) -> None:
            for each in known:
                found[each] = max(found.get(each, 0.0), closeness)

        add((word,) if word in self._weights else (), _EXACT)
        add(self._stems.get(_stem(word), ()), _STEM)
        for known in self._begins_with(word):
            add((known,), _PREFIX * len(word) / len(known))
        for synonym in _words(_SYNONYMS.get(word, "")):
            add(self._stems.get(_stem(synonym), ()), _SYNONYM)
        if not found and len(word) >= _MIN_TYPO:
            add((known for known in self._known if _differs_by_one(word, known)), _TYPO)
        return found

    def _begins_with(self, start: str) -> Iterator[str]:
        if len(start) < _MIN_PREFIX:
            return
        for known in self._known[bisect_left(self._known, start) :]:
            if not known.startswith(start):
                return
            yield known


def _ask(query: str) -> list[str]:
    """Return the words of a query. Stopwords are left out unless there are no other words."""
    words = list(dict.fromkeys(_WORD.findall(_fold(query[:MAX_QUERY]))))[:MAX_WORDS]
    return [word for word in words if word not in _STOP] or words


def _words(text: str) -> Iterator[str]:
    """Yield the words of a text. A name such as `max_pages` is also found by its parts."""
    for word in _WORD.findall(_fold(text)):
        yield word
        if "_" in word:
            yield from word.split("_")


def _fold(text: str) -> str:
    """Return the text in lower case without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(sign))


def _stem(word: str) -> str:
    """Return a word without its ending, so that different forms of a word are equal."""
    for ending, least in _ENDINGS.items():
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return word[: -len(ending)]
    return word


def _differs_by_one(one: str, other: str) -> bool:
    """Return whether one character is missing, added, wrong, or swapped with its neighbor."""
    if abs(len(one) - len(other)) > 1 or one == other:
        return False
    if len(one) > len(other):
        one, other = other, one
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    is_swapped = one[at : at + 2] == other[at : at + 2][::-1]
    return one[at + 1 :] == other[at + 1 :] or (is_swapped and one[at + 2 :] == other[at + 2 :])


def _show(entry: Entry, matched: set[str]) -> Hit:
    spans = list(_find_spans(entry.text, matched))
    start = max(0, spans[0][0] - _SNIPPET // 3) if spans and spans[0][1] > _SNIPPET else 0
    start = entry.text.find(" ", start) + 1 if start else 0
    end = len(entry.text) if len(entry.text) - start <= _SNIPPET else entry.text.rfind(" ", start, start + _SNIPPET)
    excerpt = _cut(entry.text, [span for span in spans if start <= span[0] and span[1] <= end], start, end)
    pieces = [*([("… ", False)] if start else []), *excerpt, *([(" …", False)] if end < len(entry.text) else [])]
    return Hit(tuple(_cut(entry.title, list(_find_spans(entry.title, matched)))), tuple(pieces), entry.address)


def _find_spans(text: str, matched: set[str]) -> Iterator[tuple[int, int]]:
    for found in re.finditer(r"[^\W_]+", text):
        if _fold(found[0]) in matched:
            yield found.span()


def _cut(text: str, spans: Sequence[tuple[int, int]], start: int = 0, end: int | None = None) -> Iterator[Piece]:
    """Yield the pieces of a text between `start` and `end`. `spans` are the parts that match."""
    for begin, stop in spans:
        if start < begin:
            yield text[start:begin], False
        yield text[begin:stop], True
        start = stop
    if rest := text[start:end]:
        yield rest, False
