"""Responses within a token budget: never above it, in order, deterministic, and with whole rows, items and fences."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.effort import assert_linear
from support.markdown import HOSTILE, MARKDOWN
from webquarry.excerpts.blocks import split
from webquarry.excerpts.ranking import rank
from webquarry.excerpts.selection import outline_within, select
from webquarry.excerpts.tokens import estimate, estimate_milli
from webquarry.excerpts.writing import write

QUESTION = st.sampled_from(["plain words", "item", "nested word", "文字 long", "é", "?", "link sentence One", "\0"])
BUDGET = st.integers(50, 3000)


def answer(markdown: str, question: str | None, budget: int) -> str:
    outline = split(markdown)
    chosen = outline_within(outline, budget) if question is None else select(outline, rank(outline, question), budget)
    assert list(chosen) == sorted(set(chosen))
    return write(outline, chosen)


@given(MARKDOWN, QUESTION | st.none(), BUDGET)
def test_no_excerpt_has_more_tokens_than_its_budget(markdown: str, question: str | None, budget: int) -> None:
    assert estimate(answer(markdown, question, budget)) <= budget


@given(MARKDOWN, QUESTION | st.none(), BUDGET)
def test_the_same_question_has_the_same_answer(markdown: str, question: str | None, budget: int) -> None:
    assert answer(markdown, question, budget) == answer(markdown, question, budget)


@given(MARKDOWN, QUESTION | st.none(), BUDGET)
def test_an_answer_has_only_lines_of_the_document_in_its_order(
    markdown: str, question: str | None, budget: int
) -> None:
    outline = split(markdown)
    chosen = outline_within(outline, budget) if question is None else select(outline, rank(outline, question), budget)
    at = 0
    text = write(outline, chosen)
    for number in chosen:
        block = outline.text(outline.blocks[number])
        assert block in markdown
        at = text.index(block, at) + len(block)


@given(st.text(max_size=400), st.integers(0, 400))
def test_dividing_a_text_never_lowers_its_estimate(text: str, at: int) -> None:
    assert estimate_milli(text) <= estimate_milli(text[:at]) + estimate_milli(text[at:])


@given(MARKDOWN)
def test_all_blocks_together_are_the_document(markdown: str) -> None:
    outline = split(markdown)
    text = write(outline, tuple(range(len(outline.blocks))))
    words = [word for word in text.split() if word.strip("`~>")]
    assert words == [word for word in markdown.split() if word.strip("`~>")]


def test_a_question_finds_its_block_under_its_headings() -> None:
    text = "# Guide\n\nIntro.\n\n## Oven\n\nHeat it to 230 degrees.\n\n## Dough\n\nKnead it for ten minutes.\n"
    assert answer(text, "how hot should the ovens be", 200) == (
        "# Guide\n\n…\n\n## Oven\n\nHeat it to 230 degrees.\n\n…\n"
    )


def test_a_question_without_a_match_gets_the_beginning() -> None:
    text = "\n\n".join(f"Paragraph {n} has some words in it." for n in range(100))
    assert answer(text, "zebra", 200).startswith("Paragraph 0 has some words in it.\n\nParagraph 1")


def test_rows_of_a_long_table_are_shown_below_its_head() -> None:
    rows = [f"| dish{n} | {n} | {'x' * 50} |" for n in range(80)]
    text = "\n".join(["| dish | minutes | how |", "| --- | --- | --- |", *rows])
    shown = answer(text, "dish57", 400)
    assert shown.startswith("| dish | minutes | how |\n| --- | --- | --- |\n| … |\n")
    assert rows[57] in shown.split("\n")
    assert estimate(shown) <= 400


def test_a_part_of_a_fence_is_opened_and_closed() -> None:
    lines = [f"line_{n} = {'value' * 10}" for n in range(100)]
    text = "\n".join(["Before.", "", "~~~ py", *lines, "~~~", "", "After."])
    shown = answer(text, "line_77", 600).rstrip("\n").split("\n")
    inside = shown[shown.index("~~~ py") + 1 : shown.index("~~~")]
    assert lines[77] in inside
    assert set(inside) <= {*lines, "…"}


def test_an_unclosed_fence_is_closed() -> None:
    assert "```\n" in answer("```\ncode that matters\n", "code", 200).removeprefix("```")


def test_without_a_question_each_section_gets_its_beginning() -> None:
    sections = [f"## Part {n}\n\n" + "\n\n".join(f"Sentence {n}.{m} of it." for m in range(50)) for n in range(5)]
    shown = answer("# Whole\n\n" + "\n\n".join(sections), None, 300)
    for n in range(5):
        assert f"## Part {n}" in shown
        assert f"Sentence {n}.0 of it." in shown
    assert estimate(shown) <= 300


def test_without_a_question_no_item_or_fence_is_cut() -> None:
    fence = "```\n" + "code\n" * 1000 + "```"
    items = [f"- item {n}\n\n  more of {n}" for n in range(100)]
    shown = answer("\n\n".join([fence, *items]), None, 200)
    assert "```" not in shown
    for n in range(100):
        assert (f"- item {n}\n" in shown) == (f"more of {n}\n" in shown)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Die Öfen der Bäckereien", "Bäckerei"),
        ("les économies régionales", "economie regionale"),
        ("las ciudades más grandes", "ciudad grande"),
        ("many countries agreed", "country agreeing"),
        ("北京是中国的首都", "中国首都"),
        ("ﬁne dining", "FINE"),
        ("costs 1,200 euro", "1,200"),
        ("東京タワーの高さ", "高さ"),
    ],
)
def test_inflected_words_are_found(text: str, question: str) -> None:
    stop = {"Die": "die der das und ist nicht ", "les": "les des est une dans ", "las": "las de los es una en "}
    rest = "\n\n".join(["# Other", stop.get(text.split(" ")[0], "the of and is in ") * 20, text, "nothing else here"])
    outline = split(rest)
    best = rank(outline, question).best_first()[0]
    assert outline.text(outline.blocks[best]) == text


def test_a_word_within_another_does_not_count() -> None:
    assert rank(split("concatenate\n\nwildcat"), "cat").scores == {}


def test_blocks_below_a_matching_heading_rank_above_others() -> None:
    outline = split("# Doc\n\nEat bread.\n\n## Opening hours\n\nMonday to Friday.\n\n## Address\n\nMain street.")
    best = rank(outline, "opening hours").best_first()
    assert [outline.text(outline.blocks[number]) for number in best] == ["Monday to Friday."]


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("question", ["a b c", "文字"], ids=["words", "pairs"])
def test_answers_take_time_in_proportion_to_the_text(unit: str, question: str) -> None:
    def prepare(size: int) -> Callable[[], object]:
        text = unit * (size // len(unit))
        return lambda: (answer(text, question, 2000), answer(text, None, 2000))

    assert_linear(prepare, 30_000)


@pytest.mark.parametrize(
    "text", ["aaaa" * 30_000, "文" * 60_000, "a" + "́" * 60_000], ids=["one word", "one sign", "marks"]
)
def test_repeated_signs_take_time_in_proportion(text: str) -> None:
    def prepare(size: int) -> Callable[[], object]:
        return lambda: answer(text[:size], f"{text[:40]} {text[:3]}", 500)

    assert_linear(prepare, len(text) // 6)
