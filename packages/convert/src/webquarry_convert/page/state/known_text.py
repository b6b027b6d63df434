"""The texts that are written already, so that the page's data adds none of them again.

Texts are compared by shingles: all runs of `SHINGLE` words. "one two three four five" has two shingles, `one two three
four` and `two three four five`. A text of which half the shingles are known is known, so shortened and slightly
reworded copies are recognised.
"""

import re

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
)
MAX_START = 200_000
"""Characters of the text in which pieces are looked for as they stand."""
PROBES = 5
PROBE_CHARS = 30
"""Pieces of a long text that are looked for as they stand, before words are compared."""
SHINGLE = 4
"""Words that stand together in two texts by chance only when the texts are about the same."""
KNOWN_SHARE = 0.5
"""Share of a text's shingles from which it is known: rewordings and shortened copies are the same text."""


class KnownText:
    """The words of a text, and of what is added to it."""

    def __init__(self, text: str) -> None:
        self._start = text[:MAX_START]
        self._texts = [text]
        self._line = " "
        self._shingles: set[tuple[str, ...]] = set()
        self._words = 0

    @property
    def words(self) -> int:
        self._read()
        return self._words

    def add(self, text: str) -> None:
        self._texts.append(text)

    def holds(self, text: str) -> bool:
        """Whether the text is known.

        Cheapest test first: the text stands in the start of the first text as it is; most of `PROBES` samples of it do;
        a short text stands word by word in what is known; of a longer one, `KNOWN_SHARE` of its shingles are known.
        """
        if text in self._start:
            return True
        step = len(text) // (PROBES + 1)
        if step > 2 * PROBE_CHARS:
            probes = [text[at : at + PROBE_CHARS] for at in range(step, step * PROBES + 1, step)]
            if 2 * sum(probe in self._start for probe in probes) > PROBES:
                return True
        self._read()
        words = _split_words(text)
        if len(words) < 2 * SHINGLE:
            return f" {' '.join(words)} " in self._line
        shingles = _make_shingles(words)
        return len(shingles & self._shingles) >= KNOWN_SHARE * len(shingles)

    def _read(self) -> None:
        """Texts are read when the first question comes: most pages have none."""
        if self._texts:
            words = _split_words("\n".join(self._texts))
            self._texts = []
            self._words += len(words)
            self._line += " ".join(words) + " "
            self._shingles |= _make_shingles(words)


def _split_words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _make_shingles(words: list[str]) -> set[tuple[str, ...]]:
    return set(zip(*(words[start:] for start in range(SHINGLE)), strict=False))
