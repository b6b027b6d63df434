"""Lines of a row in a list, classified by their words: views, viewers, waiting people, and times.

In the platform's newer layout, a row is a list of unlabeled lines, and some may be missing: a video for members only
has no views, a premiere has waiting people, and a live stream without viewers has only the channel's name. A line's
position therefore does not identify it.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Final, Literal

from webquarry.extractors.videoplatform.sources.innertube.texts import count_in
from webquarry.extractors.videoplatform.words import FILLERS, LANGUAGES, NONE, Words
from webquarry.read import amounts
from webquarry.read.fields import LARGEST
from webquarry.read.published import ago_languages, fold, is_time_word, says_when

Counted = Literal["views", "viewers", "waiting", "subscribers", "videos"]
LineKind = Literal[Counted, "age", "starts"]
MAX_LENGTH: Final = 120
_COUNTED: Final[tuple[Counted, ...]] = ("waiting", "viewers", "views", "subscribers", "videos")
"""Kinds in order of precedence for a line with words of several kinds ("12 viewers waiting")."""
_SHOWN: Final[tuple[Counted, ...]] = ("views", "viewers", "waiting")
_ELSEWHERE: Final[tuple[Counted, ...]] = ("subscribers", "videos")
_NUMBER: Final = re.compile(r"\d(?:[\d.,'’ ]{0,24}\d)?")
_BREAKS: Final = re.compile(r"[\s:：,·•|()\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a row. kind: None if the words are unknown. count: the number, if it is understood."""

    kind: LineKind | None
    count: int | None = None


UNTOLD: Final = Line(None)


@dataclass(frozen=True, slots=True)
class Told:
    """The combined lines of a row.

    counted: the words about views, viewers or waiting people. others: lines of unknown meaning, and repeated lines of a
    kind.
    """

    views: int | None
    viewers: int | None
    waiting: int | None
    counted: str | None
    age: str | None
    starts: str | None
    kinds: frozenset[LineKind]
    others: list[str]


def read_lines(shown: Iterable[str]) -> Told:
    """Classify lines, which may be in any order, and combine the results."""
    texts: dict[LineKind, str] = {}
    counts: dict[LineKind, int | None] = {}
    others: list[str] = []
    for text in shown:
        line = read_line(text)
        if line.kind is None or line.kind in texts:
            others.append(text)
        else:
            texts[line.kind], counts[line.kind] = text, line.count
    return Told(
        views=counts.get("views"),
        viewers=counts.get("viewers"),
        waiting=counts.get("waiting"),
        counted=next((texts[kind] for kind in _SHOWN if kind in texts), None),
        age=texts.get("age"),
        starts=texts.get("starts"),
        kinds=frozenset(texts),
        others=[*others, *(texts[kind] for kind in _ELSEWHERE if kind in texts)],
    )


def read_shown(text: str | None) -> Told:
    """Classify the only line of a row, if it has one."""
    return read_lines([] if text is None else [text])


def read_line(shown: str) -> Line:
    """Classify a line by its words, in any language of `LANGUAGES`."""
    if len(shown) > MAX_LENGTH:
        return UNTOLD
    text = _join_phrases(_fold(shown))
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return Line("age") if says_when(shown) else _without_number(_find_words(text))
    first = numbers[0]
    before, after = _find_words(text[: first.start()]), _find_words(text[first.end() :])
    if len(numbers) == 1:
        return _with_number(first[0], before, after)
    said = {word for word in (*before, *after) if not word[0].isdigit()}
    if says_when(shown):
        return Line("age")
    return Line("starts") if any(_list_languages(word, "starts") for word in said) else UNTOLD


def count_videos(words: str | None) -> int | None:
    """Return the number of videos of a list, from a text known to contain that number by its field or position.

    Return None if the words count something else.
    """
    if words is None:
        return None
    found = read_line(words)
    return found.count if found.kind == "videos" else count_in(words) if found.kind is None else None


def says_upcoming(badge: str) -> bool:
    """Return whether a badge marks a video that has not yet begun."""
    text = _join_phrases(_fold(badge))
    return bool(text) and bool(_list_languages(text, "upcoming"))


def _with_number(number: str, before: list[str], after: list[str]) -> Line:
    """Classify a line with a number.

    A unit such as "K" or "Mio." directly follows the number. `m` may be a unit or a minute; as a unit, other words with
    a known meaning must remain.
    """
    after = _divide_sign(after)
    for length in range(min(2, len(after)), 0, -1):
        kind, languages = _read_kind([*before, *after[length:]])
        if kind is None or kind == "age":
            continue
        count = _count(number, " ".join(after[:length]), languages)
        if count is not None:
            return Line(kind, count)
    kind, languages = _read_kind([*before, *after])
    if kind is None or kind == "age":
        return Line(kind)
    return Line(kind, _count(number, "", languages))


def _divide_sign(words: list[str]) -> list[str]:
    """Return the words after a number, with a sign that is joined to the first word as a separate word."""
    sign = next((sign for sign in amounts.SIGNS if words and words[0].startswith(sign) and words[0] != sign), None)
    return words if sign is None else [sign, words[0][len(sign) :], *words[1:]]


def _without_number(words: list[str]) -> Line:
    """Classify a line without a number: "No views", "yesterday", and languages with one word for two days."""
    if not words:
        return UNTOLD
    if _is_ago(words) and all(map(_is_known, words)):
        return Line("age")
    if not any(word in _NONE for word in words):
        return UNTOLD
    kind, _ = _read_kind([word for word in words if word not in _NONE])
    return Line(kind, 0) if kind is not None and kind != "age" else UNTOLD


def _read_kind(words: list[str]) -> tuple[Counted | Literal["age"] | None, set[str]]:
    """Return the kind and the languages that use the words with it. Return None if any word is unknown."""
    if not all(map(_is_known, words)):
        return None, set()
    if _is_ago(words):
        return "age", set()
    for kind in _COUNTED:
        if languages := set().union(*(_list_languages(word, kind) for word in words)):
            return kind, languages
    return None, set()


def _is_ago(words: Collection[str]) -> bool:
    """Return whether the words contain both "ago" and a unit of time in the same language."""
    return ago_languages(words)[0] is not None


def _count(number: str, unit: str, languages: set[str]) -> int | None:
    meanings = {meaning for code in languages if (meaning := LANGUAGES[code].units.get(unit.rstrip(".")))}
    if len(meanings) == 1:
        unit = meanings.pop()
    found = amounts.parse_count(f"{number} {unit}".strip())
    return found if found is not None and found <= LARGEST else None


def _fold(text: str) -> str:
    return fold(text).strip()


def _join_phrases(text: str) -> str:
    for phrase, joined in _PHRASES:
        text = text.replace(phrase, joined)
    return text


def _find_words(text: str) -> list[str]:
    return [bare for word in _BREAKS.split(text) if (bare := word.strip(".+-–\"'")) or (bare := word.strip())]


def _is_known(word: str) -> bool:
    return word in _FILLERS or is_time_word(word) or any(_list_languages(word, kind) for kind in _KINDS)


def _list_languages(word: str, kind: str) -> set[str]:
    """Return the languages in which the word has this meaning."""
    found = set(_EXACT[kind].get(word, ()))
    for stem, codes in _STEMS[kind].get(word[:1], ()):
        if word.startswith(stem) and (len(word) - len(stem) <= _ENDING or stem[-1] > "\u2e80"):
            found |= codes
    return found


def _sets() -> Iterator[tuple[str, str, str]]:
    for code, words in LANGUAGES.items():
        for kind in _KINDS:
            for word in getattr(words, kind).split():
                yield kind, code, _fold(word)


_ENDING: Final = 4
"""Maximum number of letters in a word's ending."""
_KINDS: Final = tuple(one.name for one in fields(Words) if one.name != "units")
_FILLERS: Final = frozenset(_fold(FILLERS).split())
_NONE: Final = frozenset(_fold(NONE).split())
_EXACT: Final[dict[str, dict[str, set[str]]]] = {kind: defaultdict(set) for kind in _KINDS}
_STEMS: Final[dict[str, dict[str, list[tuple[str, set[str]]]]]] = {kind: defaultdict(list) for kind in _KINDS}
for _kind, _code, _word in _sets():
    if _word.endswith("*"):
        _STEMS[_kind][_word[0]].append((_word[:-1], {_code}))
    else:
        _EXACT[_kind][_word].add(_code)
_PHRASES: Final = tuple(
    (word.replace("_", " "), word)
    for word in sorted(
        {word for _, _, word in _sets() if "_" in word} | {w for w in _NONE if "_" in w}, key=lambda w: (-len(w), w)
    )
)
