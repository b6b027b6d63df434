"""Questions with known answers, generated from the evaluation kits. No model writes or judges the questions.

A fact is a sentence, a list item or a table row of a converted document, as parsed by markdown-it. A question contains
some words of the fact, a third of them inflected, and often a word of the heading above. The question about a row
contains its first cell and the header of another cell.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it import MarkdownIt

LEAST_CHARACTERS = 8_000
FACTS_PER_KIND = 2
_WORD = re.compile(r"[^\W\d_]{4,}|\d[\d.,]+|[\u3400-\u9fff]{2,4}")
_ADDRESS = re.compile(r"\]\(|https?:|\S/\S*/\S")
_SENTENCE_END = re.compile(r"(?<=[.!?。！？])\s*(?=\S)")
_COMMON_WORDS = (
    "this that with from have they were which their there about would these other than then also been into more some "
    "such only over when what your will each most very between during through after before where because under dass "
    "eine einer nicht sich auch wird sind werden oder wurde durch beim dans pour avec sont cette plus leur para como "
    "entre sobre desde esta http https"
)
_COMMON = frozenset(_COMMON_WORDS.split(" "))


@dataclass(frozen=True)
class Question:
    """A question and its answer.

    answer: the text of the fact, which must be shown completely.
    """

    document: str
    kind: str
    text: str
    answer: str


@dataclass(frozen=True)
class _Fact:
    kind: str
    text: str
    heading: str
    label: str = ""
    columns: tuple[str, ...] = ()


def make_questions(document: str, markdown: str) -> list[Question]:
    """Return up to six questions about a document.

    The questions are always the same. Short documents have no questions.
    """
    if len(markdown) < LEAST_CHARACTERS:
        return []
    dice = random.Random(document)
    by_kind: dict[str, list[_Fact]] = {}
    for fact in _list_facts(markdown):
        by_kind.setdefault(fact.kind, []).append(fact)
    whole = normalize(markdown)
    questions = []
    for facts in by_kind.values():
        dice.shuffle(facts)
        made = (_ask(document, fact, dice) for fact in facts if whole.count(normalize(fact.text)) == 1)
        questions += [question for question, _ in zip((q for q in made if q), range(FACTS_PER_KIND), strict=False)]
    return questions


def normalize(text: str) -> str:
    """Return the letters and digits of a text, which do not depend on markup and line breaks."""
    return "".join(re.findall(r"[^\W_]+", text.lower()))


def _list_facts(markdown: str) -> Iterator[_Fact]:
    heading, in_list, is_heading, is_row = "", 0, False, False
    header: list[str] = []
    row: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(markdown):
        match token.type:
            case "heading_open":
                is_heading = True
            case "heading_close":
                is_heading = False
            case "bullet_list_open" | "ordered_list_open":
                in_list += 1
            case "bullet_list_close" | "ordered_list_close":
                in_list -= 1
            case "thead_open":
                header = []
            case "tr_open":
                row, is_row = [], True
            case "tr_close":
                is_row = False
                if header:
                    yield from _read_row(header, row, heading)
                else:
                    header = row
            case "inline" if is_heading:
                heading = token.content
            case "inline" if is_row:
                row.append(token.content)
            case "inline":
                yield from _read_sentences(token.content, "item" if in_list else "sentence", heading)


def _read_sentences(text: str, kind: str, heading: str) -> Iterator[_Fact]:
    for sentence in _SENTENCE_END.split(text.replace("\n", " ")):
        if 60 <= len(sentence) <= 300 and _ADDRESS.search(sentence) is None:
            yield _Fact(kind, sentence.strip(), heading)


def _read_row(header: list[str], row: list[str], heading: str) -> Iterator[_Fact]:
    cells = [cell for cell in row if cell.strip()]
    if 3 <= len(cells) <= 12 and len(header) == len(row) and len(row[0].strip()) >= 3:
        text = " ".join(row)
        if 20 <= len(text) <= 300:
            yield _Fact("row", text, heading, row[0], tuple(name for name in header[1:] if name.strip()))


def _ask(document: str, fact: _Fact, dice: random.Random) -> Question | None:
    if fact.kind == "row":
        if not fact.columns:
            return None
        return Question(document, "row", f"{dice.choice(fact.columns)} {fact.label}", fact.text)
    words = [word for word in _WORD.findall(fact.text) if word.lower() not in _COMMON]
    if len(set(words)) < 5:
        return None
    places = sorted(dice.sample(range(len(words)), min(4, len(words))))
    chosen = [_inflect(words[place], dice) for place in places]
    above = [word for word in _WORD.findall(fact.heading) if word.lower() not in _COMMON]
    if above and dice.random() < 0.5:
        chosen.append(dice.choice(above))
    return Question(document, fact.kind, " ".join(chosen), fact.text)


def _inflect(word: str, dice: random.Random) -> str:
    if not word.isascii() or not word.isalpha() or dice.random() > 1 / 3:
        return word
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else f"{word}s"
