"""Growing inputs that are as expensive as possible for a reader, and a check that the work grows linearly.

A pump is a text of any size: a start, a repeated unit, and an end on which the reader fails. `pumps_of` derives pumps
from the structure of a regular expression; `TEXTS`, `element_pumps` and `pair_pumps` are for all readers of text and
HTML. `judge` measures.
"""

import random
import re
import signal
import string
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice, product
from types import FrameType
from typing import Any

from convert_support.effort import effort

DOUBLING = 2.3
"""Minimum ratio of the work for twice the input that counts as faster than linear."""
DOUBLINGS = 3
STEP = 2**DOUBLINGS
"""Ratio of the two input sizes that are compared. Noise matters less over several doublings than over one."""
FLOOR_S = 0.004
"""Minimum seconds of work for an input that is judged."""
ATTEMPTS = 4
TIMES_SEEN = 2
LEAST_LIMIT_S = 2.0
"""Minimum wall-clock seconds before work is interrupted. It allows for a busy machine."""
_parser: Any = import_module("re._parser")  # from the standard library, which has no public API for this


@dataclass(frozen=True)
class Pump:
    start: str
    unit: str
    end: str

    def text(self, size: int) -> str:
        """Return about `size` characters."""
        return self.start + self.unit * max(1, size // len(self.unit)) + self.end

    def __str__(self) -> str:
        return f"{self.start[:40]!a} + {self.unit[:60]!a} * n + {self.end[:40]!a}"


@dataclass(frozen=True)
class Growth:
    """Work that grows faster than its input. ratio: work for `size` divided by work for half of it."""

    pump: str
    size: int
    seconds: float
    ratio: float

    def __str__(self) -> str:
        return f"{self.pump}: {self.seconds:.3f} s for {self.size}, {self.ratio:.1f} times as much with each doubling"


class _TooLong(Exception):
    pass


def judge(
    prepare: Callable[[int], Callable[[], object]], name: object, *, size: int, largest: int, longest_s: float = 1.0
) -> Growth | None:
    """Return None if the work that `prepare` returns for a size grows linearly, or is too little to judge.

    An input is compared with an input `STEP` times as large. Growth may stop at a limit, so both sizes are doubled
    until the smaller size reaches `largest` or the larger input takes `longest_s`. Growth must be observed at
    `TIMES_SEEN` sizes, because noise from a busy machine rarely recurs at the next size. Much slower work is
    interrupted if possible, and counts as growing.
    """
    limit_s = max(LEAST_LIMIT_S, 20 * longest_s)
    seen = 0
    seconds = _timed(prepare(size), limit_s)
    while seconds < FLOOR_S:
        if 4 * size > largest:
            return None
        size *= 4  # fast growth shows at small sizes, and linear work takes little time at them
        seconds = _timed(prepare(size), limit_s)
    while seconds < limit_s:
        single, larger = prepare(size), prepare(STEP * size)
        least, most = seconds, float("inf")
        for _ in range(ATTEMPTS):
            most = min(most, _timed(larger, limit_s))
            if most < DOUBLING**DOUBLINGS * least:
                return None
            least = min(least, _timed(single, limit_s))
        seen += 1
        if seen >= TIMES_SEEN and (2 * size > largest or most > longest_s):
            return Growth(str(name), STEP * size, most, (most / least) ** (1 / DOUBLINGS))
        size *= 2
        seconds = _timed(prepare(size), limit_s)
    return Growth(str(name), size, seconds, float("inf"))


def _timed(work: Callable[[], object], limit_s: float) -> float:
    """Return the CPU seconds of the work, or infinity if it was interrupted at the limit.

    A regular expression can be interrupted, but a C parser cannot. The limit uses wall-clock time, because a CPU timer
    makes the kernel measure CPU time in ticks.
    """
    if threading.current_thread() is not threading.main_thread():
        return effort(work)

    def end(_: int, __: FrameType | None) -> None:
        raise _TooLong

    before = signal.signal(signal.SIGALRM, end)
    try:
        signal.setitimer(signal.ITIMER_REAL, limit_s)
        return effort(work)
    except _TooLong:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


# --- regular expressions


def work_of(pattern: re.Pattern[Any], method: str, text: str) -> Callable[[], object]:
    """Return a function that applies an expression to a text completely."""
    subject: Any = text.encode("utf-8", "replace") if isinstance(pattern.pattern, bytes) else text
    if method in ("sub", "subn"):
        return lambda: pattern.sub(subject[:0], subject)
    if method in ("finditer", "findall", "split"):
        return lambda: sum(1 for _ in pattern.finditer(subject))
    return lambda: getattr(pattern, method)(subject)


def pumps_of(pattern: re.Pattern[Any], most: int = 400) -> list[Pump]:
    """Derive pumps from the structure of a regular expression: a prefix for each repeat, the repeated text, and a
    failing end.

    Pumps for a repeat come first. most: the maximum number of pumps.
    """
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = _parser.parse(
        source, pattern.flags & ~re.DEBUG & (~re.UNICODE if isinstance(pattern.pattern, bytes) else -1)
    )
    groups: dict[int, str] = {}
    wholes = list(dict.fromkeys(islice(_examples(tree, groups), 12)))
    found: dict[Pump, None] = {}

    def add(start: str, unit: str, end: str) -> None:
        if unit:
            found[Pump(start, unit, end)] = None

    for prefix, bodies, rest in _repeats(tree, "", groups):
        for body in bodies:
            for end in ("\0", "", "!", rest + "\0"):
                add(prefix, body, end)
            if prefix:
                add("", prefix + body, "\0")
                add("", prefix + body * 3, "\0")
                add("", prefix, body + "\0")
            if rest:
                add(prefix, body + rest, "\0")
        for one, other in islice(product(bodies, bodies), 16):
            if one != other:
                add(prefix, one + other, "\0")
    for whole in wholes[:6]:
        add("", whole, "")
        add("", whole, "\0")
        for cut in range(1, min(len(whole), 24)):
            add("", whole[:cut], "\0")
    signs = list(dict.fromkeys(_signs(tree)))[:14]
    for sign in signs:
        add("", sign, "\0")
    for one, other in product(signs[:8], repeat=2):
        if one != other:
            add("", one + other, "\0")
    return list(islice(found, most))


def random_pumps(pattern: re.Pattern[Any], luck: random.Random, number: int) -> Iterator[Pump]:
    """Yield random combinations of units, starts and ends from the expression."""
    source = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = _parser.parse(
        source, pattern.flags & ~re.DEBUG & (~re.UNICODE if isinstance(pattern.pattern, bytes) else -1)
    )
    pieces = list(dict.fromkeys([*_signs(tree), *islice(_examples(tree, {}), 20)])) or ["x"]
    pieces = [piece for piece in pieces if piece] or ["x"]
    for _ in range(number):
        yield Pump(
            "".join(luck.choices(pieces, k=luck.randint(0, 2))),
            "".join(luck.choices(pieces, k=luck.randint(1, 5))),
            luck.choice(["", "\0", "!", luck.choice(pieces)]),
        )


_CATEGORIES = {
    "CATEGORY_DIGIT": "07",
    "CATEGORY_NOT_DIGIT": "a- ",
    "CATEGORY_SPACE": " \n\r",
    "CATEGORY_NOT_SPACE": "a0-",
    "CATEGORY_WORD": "a0_é",
    "CATEGORY_NOT_WORD": "- .",
}
_OTHERS = "a0 -_<\n\"'.é/:\u0301"


def _of_class(items: list[Any]) -> list[str]:
    """Return one character from each part of a character class.

    For a negated class, return some characters that it does not exclude.
    """
    negated = bool(items) and str(items[0][0]) == "NEGATE"
    signs: list[str] = []
    for op, value in items:
        kind = str(op)
        if kind == "LITERAL":
            signs.append(chr(value))
        elif kind == "RANGE":
            signs += (chr(value[0]), chr(value[1]))
        elif kind == "CATEGORY":
            signs += _CATEGORIES[str(value)]
    if not negated:
        return signs
    inner = re.compile("".join(["[", "".join(_class_part(op, value) for op, value in items[1:]), "]"]))
    return [sign for sign in _OTHERS if not inner.fullmatch(sign)] or ["x"]


def _class_part(op: object, value: Any) -> str:
    kind = str(op)
    if kind == "LITERAL":
        return re.escape(chr(value))
    if kind == "RANGE":
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    named = str(value).removeprefix("CATEGORY_")
    return {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}.get(named) or {
        "NOT_DIGIT": r"\D",
        "NOT_SPACE": r"\S",
        "NOT_WORD": r"\W",
    }[named]


_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})


def _examples(tree: Iterable[Any], groups: dict[int, str], depth: int = 0) -> Iterator[str]:
    """Yield a few texts that match the expression, ignoring its lookarounds."""
    parts = [_piece(op, value, groups, depth) for op, value in tree]
    first = [part[0] if part else "" for part in parts]
    yield "".join(first)
    for place, part in enumerate(parts):
        for other in part[1:6]:
            yield "".join([*first[:place], other, *first[place + 1 :]])


def _piece(op: object, value: Any, groups: dict[int, str], depth: int) -> list[str]:
    """Return texts that match one part of an expression, the simplest first."""
    kind = str(op)
    if kind == "LITERAL":
        return [chr(value)]
    if kind == "NOT_LITERAL":
        return [sign for sign in _OTHERS if ord(sign) != value][:4]
    if kind == "ANY":
        return ["a", " ", "<"]
    if kind == "IN":
        return _of_class(value)
    if kind == "BRANCH":
        return [text for branch in value[1] for text in islice(_examples(branch, groups, depth + 1), 2)]
    if kind == "SUBPATTERN":
        texts = list(islice(_examples(value[3], groups, depth + 1), 8))
        if value[0] is not None:
            groups[value[0]] = texts[0]
        return texts
    if kind == "ATOMIC_GROUP":
        return list(islice(_examples(value, groups, depth + 1), 8))
    if kind in _REPEATS:
        least, most, inner = value
        texts = list(islice(_examples(inner, groups, depth + 1), 6))
        once = max(least, 1) if depth < 3 else least
        return [text * once for text in texts] + ([""] if least == 0 else []) + [texts[0] * min(int(most), once + 1)]
    if kind == "GROUPREF":
        return [groups.get(value, "")]
    return [""]


def _repeats(tree: Iterable[Any], prefix: str, groups: dict[int, str]) -> Iterator[tuple[str, list[str], str]]:
    """Yield, for each long repeat, a text that precedes it, the texts that it repeats, and a text that follows it."""
    parts = list(tree)
    for place, (op, value) in enumerate(parts):
        kind = str(op)
        before = prefix + next(_examples(parts[:place], groups))
        rest = next(_examples(parts[place + 1 :], groups))
        if kind in _REPEATS:
            _, most, inner = value
            if int(most) > 8:
                bodies = [text for text in dict.fromkeys(islice(_examples(inner, groups), 8)) if text]
                if bodies:
                    yield before, bodies, rest
            yield from _repeats(inner, before, groups)
        elif kind == "SUBPATTERN":
            yield from _repeats(value[3], before, groups)
        elif kind == "ATOMIC_GROUP":
            yield from _repeats(value, before, groups)
        elif kind == "BRANCH":
            for branch in value[1]:
                yield from _repeats(branch, before, groups)
        elif kind in ("ASSERT", "ASSERT_NOT"):
            yield from _repeats(value[1], before, groups)


def _signs(tree: Iterable[Any]) -> Iterator[str]:
    """Yield each literal character of an expression, and some characters of each class."""
    for op, value in tree:
        kind = str(op)
        if kind in ("LITERAL", "NOT_LITERAL"):
            yield chr(value)
        elif kind == "IN":
            yield from _of_class(value)[:4]
        elif kind == "ANY":
            yield "a"
        elif kind in _REPEATS:
            yield from _signs(value[2])
        elif kind == "SUBPATTERN":
            yield from _signs(value[3])
        elif kind == "ATOMIC_GROUP":
            yield from _signs(value)
        elif kind == "BRANCH":
            for branch in value[1]:
                yield from _signs(branch)
        elif kind in ("ASSERT", "ASSERT_NOT"):
            yield from _signs(value[1])


# --- texts

_UNITS = (
    *string.punctuation,
    *"a0 \t\r\n\u0301\u200b\ufeff\u4e00é\ufffd",
    *(
        "[ ]",
        "[[",
        "[]",
        "](",
        "[a](b)",
        "![",
        "![](",
        "[a](",
        "[^1]",
        "()",
        "((",
        "<a ",
        "<",
        "</",
        "<!--",
        "-->",
        "&a",
    ),
    *("&amp;", "&#", "*_", "**", "* ", "_a", "a_", "`a", "``", "` ", "~~", "\\\\", "\\`", "\\[", "|", "| ", "|-", "# "),
    *(" #", "> ", "- ", "1. ", "1)", '"', '" ', "'", "a'", "a ", "a\n", "\n\n", "\n ", " \n", "\r\n", "\n- ", "\n> "),
    *(
        "\n```\n",
        "\n|a|",
        "$",
        "$$",
        "$a",
        "\\(",
        "\\\\(",
        "{",
        "{}",
        "{{",
        "}}",
        "{\\a ",
        "a.",
        "..",
        "a-",
        "--",
        "://",
    ),
    *(
        "http://",
        "http://a.b/",
        "//",
        "/a",
        "?a=",
        "%",
        "%2",
        "a@",
        "@",
        "=",
        "==",
        "a=",
        ": ",
        ", ",
        "; ",
        "0,",
        "1x, ",
    ),
    *("a\u0301", "\u4e00 ", "\u3042", "\U0001f600", "1.", "0.0", "2020-01-01 ", "von ", "by ", "\u00ad", "Aa", "aA"),
)
TEXTS = tuple(Pump(start, unit, end) for unit in _UNITS for start, end in (("", ""), ("x", "\0x")))
"""Pumps for any reader of text.

They consist of each character with a meaning in markdown, URLs, dates or names, and of pairs of these.
"""


# --- pages

_NAMES = """
    a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br
    button canvas caption center cite code col colgroup data datalist dd del desc details dfn dialog dir div dl dt em
    embed fieldset figcaption figure font footer foreignobject form frame frameset h1 h2 h6 head header hgroup hr html i
    iframe image img input ins isindex kbd keygen label legend li link listing main map mark marquee math menu menuitem
    meta meter mi mo mtext nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext
    pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong style sub
    summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr x-y xmp
"""
NAMES = tuple(_NAMES.split())
"""Elements with special parsing rules in HTML, and one element without such rules."""
_CONTEXTS = (
    "", "<p>", "<div>", "<table>", "<table><tr>", "<table><tr><td>", "<table><caption>", "<ul><li>", "<dl><dd>",
    "<select>", "<select><optgroup>", "<a href=x>", "<b>", "<b class=x><i><u>", "<button>", "<nobr>", "<form>", "<svg>",
    "<svg><desc>", "<math>", "<math><mi>", "<template>", "<frameset>", "<ruby>", "<h1>", "<pre>", "<object>", "<head>",
    "<details><summary>", "<noscript>", "</body>", "</html>", "<table><colgroup>", "<center><font size=1>",
)  # fmt: skip
_PAIRED_NAMES = """
    a b p div li dd option optgroup select table tr td form button nobr h1 svg math template ruby rt font i pre
    span object caption colgroup body html frameset br input hr textarea
"""
_PAIRED = tuple(_PAIRED_NAMES.split())


def element_pumps(names: Iterable[str] = NAMES, contexts: Iterable[str] = _CONTEXTS) -> Iterator[Pump]:
    """Yield every element in many contexts: repeated, nested, closed, and closed without being opened."""
    for context, name in product(contexts, names):
        for unit in (f"<{name}>a", f"<{name}>a</{name}>", f"</{name}>", f"<{name} class=b>", f"<{name}/>a</p>"):
            yield Pump(context, unit, "")


def pair_pumps(contexts: Iterable[str] = _CONTEXTS[:8]) -> Iterator[Pump]:
    """Yield pairs of alternating elements: opened, closed in the wrong order, and closed by a third element."""
    for context, one, other in product(contexts, _PAIRED, _PAIRED):
        if one != other:
            yield Pump(context, f"<{one}><{other}>a", "")
            yield Pump(context, f"<{one}><{other}>a</{one}>", "")
            yield Pump(context, f"<{one}>a</{other}>", "")
