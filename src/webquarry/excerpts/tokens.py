"""Estimates of the number of tokens that a language model sees in a text.

The estimate is a weighted count of words, numbers, runs of signs, and characters by class. Dividing a text never lowers
it: the estimate of a whole is at most the sum of the estimates of its parts. The weights were fitted to the mean of two
tokenizers (o200k and Tekken) on half the documents of the evaluation kits; `bench.excerpts` measures the estimate on
the other half.
"""

from typing import Final

_LETTER, _SIGN, _SPACE = ord("a"), ord("."), ord(" ")
_CLASSES: Final = {
    "a": bytes(range(0x61, 0x7B)),
    "A": bytes(range(0x41, 0x5B)),
    "0": bytes(range(0x30, 0x3A)),
    "\n": b"\n\r",
    " ": b" \t",
    "-": b"-|=_*#",
    "k": bytes(range(0x80, 0xC0)),
    "L": bytes(range(0xC3, 0xC7)),
    "R": bytes(range(0xD0, 0xD4)),
    "H": bytes((*range(0xC7, 0xD0), *range(0xD4, 0xE0))),
    "I": bytes((0xE0, 0xE1)),
    "P": bytes((0xE2,)),
    "C": bytes(range(0xE3, 0xF0)),
    "E": bytes(range(0xF0, 0xF8)),
}
"""Classes of UTF-8 bytes: letters, digits, line ends, space, repeated signs, continuation bytes, and leading bytes of
Latin with accents, Cyrillic, other alphabets of two bytes, Indic, typographic signs, Chinese, Japanese and Korean,
emoji.

Any other byte counts as a sign.
"""
_WEIGHTS: Final = {b"A": 416, b"0": 598, b"\n": 196, b"L": 1990, b"R": 206, b"H": 265, b"P": 798, b"C": 253,
                   b"E": 1453, b"-": 258}  # fmt: skip
_LETTER_WEIGHT, _WORD, _NUMBER, _RUN = 64, 669, 761, 906
"""Weights in thousandths of a token, for each small letter, word, number and run of signs."""


def _table(pick: dict[int, int], other: int) -> bytes:
    return bytes(pick.get(byte, other) for byte in range(256))


_BY_CLASS: Final = _table({byte: ord(name) for name, members in _CLASSES.items() for byte in members}, _SIGN)
_WORDS: Final = _table(dict.fromkeys(b"aALRHkI", _LETTER), _SPACE)
_NUMBERS: Final = _table(dict.fromkeys(b"0", _LETTER), _SPACE)
_RUNS: Final = _table(dict.fromkeys(b".-", _LETTER), _SPACE)


_SAMPLED_ABOVE, _SAMPLES, _SAMPLE = 64_000, 16, 2000
"""Number of characters above which a text is sampled, and the number and size of the samples."""


def estimate_milli(text: str) -> int:
    """Return the estimated number of tokens in thousandths, an integer, so that sums are exact."""
    classes = text.encode("utf-8", "surrogatepass").translate(_BY_CLASS)
    others = classes.translate(None, b"a")  # most characters are letters, which are counted fastest by deleting them
    characters = _LETTER_WEIGHT * (len(classes) - len(others))
    others = others.translate(None, b" k")
    characters += sum(weight * others.count(name) for name, weight in _WEIGHTS.items())
    words = _WORD * _count_runs(classes.translate(_WORDS))
    numbers = _NUMBER * _count_runs(classes.translate(_NUMBERS))
    return characters + words + numbers + _RUN * _count_runs(classes.translate(_RUNS))


def estimate_roughly(text: str) -> int:
    """Return the estimated number of tokens of a text, from evenly spread samples if it is long."""
    if len(text) <= _SAMPLED_ABOVE:
        return estimate(text)
    step = len(text) // _SAMPLES
    taken = [text[at : at + _SAMPLE] for at in range(0, len(text) - _SAMPLE, step)]
    return estimate("\n".join(taken)) * len(text) // sum(map(len, taken))


def _count_runs(marks: bytes) -> int:
    """Return the number of runs of `a` in bytes that contain only `a` and spaces."""
    return marks.count(b" a") + marks.startswith(b"a")


def estimate(text: str) -> int:
    """Return the estimated number of tokens, rounded up."""
    return -(-estimate_milli(text) // 1000)
