"""Texts that are already in the content and are not repeated from the page's data.

Texts are compared by shingles: all runs of `SHINGLE` words. "one two three four five" has two shingles, `one two three
four` and `two three four five`. A text is known if half of its shingles are known, so shortened and slightly reworded
copies are recognized.
"""

import re

_WORD = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
)
MAX_START = 200_000
"""Maximum number of characters of the text that are searched for verbatim samples."""
PROBES = 5
PROBE_CHARS = 30
"""Length, in characters, of the samples of a long text that are searched verbatim before words are compared."""
SHINGLE = 4
"""Number of words in a shingle. Passages that share this many consecutive words are usually about the same subject."""
KNOWN_SHARE = 0.5
"""Minimum share of known shingles in a known text. Reworded and shortened copies count as the same text."""


class KnownText:
    """The words of a text and of everything that was added to the text."""

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
        """Return whether the text is known.

        The text is known in any of these cases, which are tested from cheap to costly: the original text contains it
        verbatim near its start; the original text contains most of `PROBES` samples of it there; the known words
        contain a short text word by word; or `KNOWN_SHARE` of a longer text's shingles are known.
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
        """Read the strings on the first query, because most pages never need them."""
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
