"""Answers to questions within a token budget, compared with fixed-size chunks and Crawl4AI's BM25 filter.

Questions and answers are generated from the evaluation kits (`bench.excerpt_questions`): pages, PDFs and office
documents. An answer counts if all letters and digits of the fact are shown. The parameters of `webquarry.excerpts`, the
weights of the token estimate, and the size of the chunks were chosen on one half of the documents. The figures are for
the other half.

    python -m bench.excerpts                                  # half an hour, most of it the conversion
    python -m bench.excerpts --documents FILE                 # keep the converted documents, or read kept ones
    python -m bench.excerpts --peers /path/to/python          # has crawl4ai, bpe-openai and mistral-common
"""

import argparse
import hashlib
import json
import lzma
import math
import re
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

from bench.excerpt_questions import Question, make_questions, normalize
from bench.table import show
from webquarry.excerpts.blocks import split
from webquarry.excerpts.job import choose
from webquarry.excerpts.ranking import rank
from webquarry.excerpts.selection import select
from webquarry.excerpts.tokens import estimate
from webquarry.excerpts.writing import write

KIT = Path(__file__).parents[2] / "shared" / "evals"
BUDGETS = (500, 1000, 2000)
CHUNKS = (100, 200, 400)
GOAL = 0.90
TIMED_CHARACTERS = 200_000
FILE_TYPES = frozenset({".pdf", ".docx", ".doc", ".odt", ".xlsx", ".xls", ".ods", ".pptx", ".odp"})
MOST_FILE_BYTES = 3_000_000
LEAST_CHARACTERS = 2000
_WORD = re.compile(r"\w+")
_PEER = """
import json, re, sys
from crawl4ai.content_filter_strategy import BM25ContentFilter
import bpe_openai
from mistral_common.tokens.tokenizers.mistral import MistralTokenizer
tekken = MistralTokenizer.v3(is_tekken=True).instruct_tokenizer.tokenizer
o200k = bpe_openai.get_encoding("o200k_base")
for line in sys.stdin:
    asked = json.loads(line)
    if "html" in asked:
        found = BM25ContentFilter(user_query=asked["query"]).filter_content(asked["html"])
        answer = [re.sub(r"<[^>]+>", " ", part) for part in found]
    else:
        answer = [len(o200k.encode(asked["text"])), len(tekken.encode(asked["text"], bos=False, eos=False))]
    print(json.dumps([str(part) for part in answer]), flush=True)
"""

Documents = Mapping[str, str]
Answer = Callable[[Question, int], str]


def measure(keep: Path | None, peers: str | None) -> None:
    if not KIT.exists():
        print("\nNot measured: the evaluation kits are not there (../shared/evals).")
        return
    documents = _read_documents(keep)
    questions = [question for name, text in documents.items() for question in make_questions(name, text)]
    chosen_on = [question for question in questions if _is_first_half(question.document)]
    reported = [question for question in questions if not _is_first_half(question.document)]
    size = max(CHUNKS, key=lambda size: _recall(_FixedChunks(documents, size), chosen_on, 1000)["all"])
    answers: dict[str, Answer] = {
        "ours": _Ours(documents),
        f"chunks of {size} tokens, BM25": _FixedChunks(documents, size),
    }
    if peers is not None:
        answers["Crawl4AI's BM25 filter"] = _Crawl4AI(documents, peers)
    _show_recall(answers, reported)
    if peers is not None:
        _show_tokens({name: text for name, text in documents.items() if not _is_first_half(name)}, peers)
    _show_time(documents)


def _show_recall(answers: Mapping[str, Answer], questions: Sequence[Question]) -> None:
    rows = []
    for budget in BUDGETS:
        for name, answer in answers.items():
            found = _recall(answer, questions, budget)
            rows.append([budget, name, *(found[kind] for kind in ("all", "sentence", "item", "row", "tokens"))])
    kinds = Counter(question.kind for question in questions)
    counted = ", ".join(f"{count} {kind}s" for kind, count in kinds.items())
    show(
        "Recall of the answer",
        ["budget", "method", "all", "sentences", "items", "rows", "tokens used"],
        rows,
        f"{len(questions)} questions: {counted}. Asked at 1,000 tokens: {GOAL}, and ahead of both peers.",
    )


def _recall(answer: Answer, questions: Sequence[Question], budget: int) -> dict[str, float]:
    asked: Counter[str] = Counter()
    found: Counter[str] = Counter()
    tokens = []
    for question in questions:
        shown = answer(question, budget)
        tokens.append(estimate(shown))
        is_found = normalize(question.answer) in normalize(shown)
        for kind in ("all", question.kind):
            asked[kind] += 1
            found[kind] += is_found
    return {**{kind: found[kind] / asked[kind] for kind in asked}, "tokens": statistics.mean(tokens)}


class _Ours:
    def __init__(self, documents: Documents) -> None:
        self._outline = cache(lambda name: split(documents[name]))

    def __call__(self, question: Question, budget: int) -> str:
        outline = self._outline(question.document)
        shown = write(outline, select(outline, rank(outline, question.text), budget))
        if estimate(shown) > budget:
            raise AssertionError(f"{question}: {estimate(shown)} tokens")
        return shown


class _FixedChunks:
    """Chunks of a fixed number of tokens that overlap by a tenth, sorted by BM25 score (k1 1.2, b 0.75) over words."""

    def __init__(self, documents: Documents, size: int) -> None:
        self._size = size
        self._chunks = cache(lambda name: self._divide(documents[name]))

    def __call__(self, question: Question, budget: int) -> str:
        chunks, words = self._chunks(question.document)
        average = sum(map(len, words)) / len(words)
        scores = [0.0] * len(chunks)
        for term in set(_WORD.findall(question.text.lower())):
            counts = [chunk.count(term) for chunk in words]
            containing = sum(count > 0 for count in counts)
            rarity = math.log(1 + (len(chunks) - containing + 0.5) / (containing + 0.5))
            for number, count in enumerate(counts):
                length = 0.25 + 0.75 * len(words[number]) / average
                scores[number] += rarity * count * 2.2 / (count + 1.2 * length)
        ranked = sorted(range(len(chunks)), key=lambda number: -scores[number])
        return _fill((chunks[number] for number in ranked), budget)

    def _divide(self, text: str) -> tuple[list[str], list[list[str]]]:
        words = text.split(" ")
        sizes = [estimate(word) if len(word) > 40 else max(1, len(word) / 4) for word in words]
        chunks, at = [], 0
        while at < len(words):
            end, taken = at, 0.0
            while end < len(words) and (end == at or taken + sizes[end] <= self._size):
                taken += sizes[end]
                end += 1
            chunks.append(" ".join(words[at:end]))
            at = end if end >= len(words) else max(at + 1, end - max(1, (end - at) // 10))
        return chunks, [_WORD.findall(chunk.lower()) for chunk in chunks]


class _Crawl4AI:
    """The filter with its default settings, on the same content as HTML. Its parts are in the document's order."""

    def __init__(self, documents: Documents, python: str) -> None:
        reader = MarkdownIt("commonmark").enable("table")
        self._html = cache(lambda name: f"<html><body>{reader.render(documents[name])}</body></html>")
        self._process = _start_peer(python)
        self._found = cache(lambda name, query: _ask_peer(self._process, html=self._html(name), query=query))

    def __call__(self, question: Question, budget: int) -> str:
        return _fill(self._found(question.document, question.text), budget)


def _fill(parts: Iterator[str] | Sequence[str], budget: int) -> str:
    """Return the first parts that fit into the budget."""
    shown, left = [], budget
    for part in parts:
        tokens = estimate(part)
        if tokens > left:
            break
        left -= tokens
        shown.append(part)
    return "\n\n".join(shown)


def _show_tokens(documents: Documents, python: str) -> None:
    process = _start_peer(python)
    rows = []
    counts = [(estimate(text), *map(int, _ask_peer(process, text=text))) for text in documents.values()]
    for number, name in enumerate(("o200k", "Tekken"), 1):
        errors = sorted(abs(count[0] / count[number] - 1) for count in counts)
        total = sum(count[0] for count in counts) / sum(count[number] for count in counts) - 1
        within = sum(error <= 0.12 for error in errors) / len(errors)
        rows.append([name, total, statistics.median(errors), errors[int(0.9 * len(errors))], within])
    show(
        "Error of the token estimate",
        ["tokenizer", "in all", "median of documents", "90 % of documents", "share within 12 %"],
        rows,
        f"{len(documents)} documents of the half that the weights were not fitted to.",
    )


def _show_time(documents: Documents) -> None:
    body = "\n\n".join(documents.values())[:TIMED_CHARACTERS].encode()
    best = math.inf
    for _ in range(20):
        began = time.process_time()
        choose(body, query="maximum temperature of the oil", max_tokens=1000, page_starts=[], marks_pages=False)
        best = min(best, time.process_time() - began)
    show("Time for 200 KB", ["CPU ms, best of 20"], [[1000 * best]], "Asked: at most 8 ms, in a child process.")


def _start_peer(python: str) -> "subprocess.Popen[str]":
    return subprocess.Popen([python, "-c", _PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _ask_peer(process: "subprocess.Popen[str]", **asked: str) -> list[str]:
    if process.stdin is None or process.stdout is None:
        raise TypeError("the peer was started without pipes")
    process.stdin.write(json.dumps(asked) + "\n")
    process.stdin.flush()
    found: list[str] = json.loads(process.stdout.readline())
    return found


def _is_first_half(name: str) -> bool:
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


def _read_documents(keep: Path | None) -> dict[str, str]:
    """Return markdown by name, converted or read from the kept documents."""
    if keep is not None and keep.exists():
        return {row["id"]: row["markdown"] for row in map(json.loads, keep.open())}
    documents = {name: text for name, text in (*_convert_pages(), *_convert_files()) if len(text) >= LEAST_CHARACTERS}
    if keep is not None:
        keep.write_text("".join(json.dumps({"id": name, "markdown": text}) + "\n" for name, text in documents.items()))
    return documents


def _convert_pages() -> Iterator[tuple[str, str]]:
    """Yield every second page of the kit."""
    from webquarry_convert.page import to_markdown

    for data in sorted((KIT / "web" / "data").glob("*.jsonl.xz")):
        with lzma.open(data, "rt") as lines:
            for number, line in enumerate(lines):
                if number % 2 == 0:
                    page = json.loads(line)
                    yield f"{data.stem}:{page['id']}", to_markdown(page["html"], page["url"])


def _convert_files() -> Iterator[tuple[str, str]]:
    from webquarry.convert.file import to_markdown
    from webquarry_convert.errors import ConversionFailed

    found = [*(KIT / "files" / "dev" / "docs").iterdir(), *(KIT / "files" / "more").rglob("*")]
    for path in sorted(path for path in found if path.suffix.lower() in FILE_TYPES):
        if path.stat().st_size <= MOST_FILE_BYTES:
            try:
                yield path.name, to_markdown(str(path))
            except ConversionFailed:
                continue


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--documents", type=Path)
    parser.add_argument("--peers")
    chosen = parser.parse_args()
    measure(chosen.documents, chosen.peers)


if __name__ == "__main__":
    main()
