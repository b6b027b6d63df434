"""Parts of a text, which are complete and not too long, and in which no row, link or fence is split."""

import re
import time

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry.excerpts.lines import read_runs
from webquarry.mcp.parts import cut, find_section, read_headings
from webquarry.mcp.prepared import cut_json

LIMIT = 300
HEADER = ("| name | value |", "| --- | --- |")
LINK = "[a link with words](https://example.com/a_(b)/c)"
LINE = st.sampled_from(
    [
        *(
            "# One",
            "## Two",
            "",
            "plain words " * 9,
            "x" * 350,
            f"{LINK} and " * 9,
            "[open ( " * 30,
            "> quoted",
            "- item",
        ),
        *(*HEADER, "| a | [x](y) |", "| b | " + "long " * 80 + "|"),
        *("```py", "```", "~~~~", "~~~~ sql", "> ```", "- ```js", "    code   line", "```` a ` b"),
    ]
)


@given(st.lists(LINE, max_size=50))
def test_any_text_is_cut_into_parts_that_are_short_enough(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert "\n".join(run.text for run in read_runs(text)) == text
    parts = cut(text, LIMIT)
    assert all(0 < len(part) <= LIMIT for part in parts) or parts == (text,)


@given(st.lists(st.text("abc ", min_size=1, max_size=700).map(str.strip), max_size=20), st.integers(200, 400))
def test_no_word_of_plain_text_is_lost_or_doubled(paragraphs: list[str], limit: int) -> None:
    text = "\n\n".join(paragraphs)
    assert "".join("".join(cut(text, limit)).split()) == "".join(text.split())


def test_a_short_text_is_one_part_and_stays_as_it_is() -> None:
    assert cut("# Title\n\ntext\n", LIMIT) == ("# Title\n\ntext\n",)


def test_a_table_continues_below_its_header_with_whole_rows() -> None:
    rows = [f"| row {n} | {n * n} and some words |" for n in range(60)]
    parts = cut("\n".join(["Before.", "", *HEADER, *rows, "", "After."]), LIMIT)
    assert len(parts) > 5
    found = [line for part in parts for line in part.split("\n") if line.startswith("| row")]
    assert found == rows
    for part in parts:
        lines = [line for line in part.split("\n") if line.startswith("|")]
        assert tuple(lines[:2]) == HEADER or not lines


def test_a_fence_continues_with_its_opening_line_and_is_closed() -> None:
    code = [f"line {n:04} = {'x' * 20}" for n in range(50)]
    for opening, closing in (("```python", "```"), ("~~~~", "~~~~"), ("> ```", "> ```")):
        parts = cut("\n".join(["Before.", "", opening, *code, closing, "", "After."]), LIMIT)
        marks = [line for part in parts for line in part.split("\n") if "```" in line or "~~~" in line]
        assert marks == [opening, closing] * (len(marks) // 2)
        assert [line for part in parts for line in part.split("\n") if line.startswith("line")] == code


def test_a_long_paragraph_is_cut_between_links() -> None:
    parts = cut(f"{LINK} word " * 60, LIMIT)
    assert sum(part.count(LINK) for part in parts) == 60
    assert all(part.count("[") == part.count("](") for part in parts)


def test_a_heading_stays_with_its_text() -> None:
    text = "\n\n".join(f"## Section {n}\n\n{'word ' * 30}" for n in range(20))
    for part in cut(text, LIMIT):
        assert not re.search(r"^#+ .*\Z", part, re.MULTILINE)


def test_a_section_ends_at_the_next_heading_of_its_level() -> None:
    text = "# Top\n\na\n\n## First  part\n\nb\n\n### Deep\n\nc\n\n```\n## no heading\n```\n\n## Second\n\nd\n"
    assert find_section(text, "first PART") == text[text.index("## First") : text.index("## Second")].rstrip("\n")
    assert find_section(text, "## Second") == "## Second\n\nd"
    assert find_section(text, "no heading") is None
    assert [heading for _, _, heading in read_headings(text)] == ["Top", "First  part", "Deep", "Second"]


JSON = st.recursive(
    st.integers(-1000, 1000) | st.text('ab\\"\n,é', max_size=300),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text('a",', max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_json_in_pieces_is_the_same_json(value: object) -> None:
    text = orjson.dumps(value).decode()
    parts = cut_json(text, 200)
    assert "".join(parts) == text
    assert all(len(part) <= 200 for part in parts)
    assert not any(re.search(r"(?<!\\)(\\\\)*\\$", part) for part in parts[:-1]), "an escape is cut"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 120_000,
        "`" * 120_000,
        "|\n" * 60_000,
        "- " * 60_000,
        "# \n" * 40_000,
        "](" * 60_000,
        "```\n" * 30_001,
    ],
    ids=["brackets", "ticks", "rows", "items", "headings", "destinations", "fences"],
)
def test_splitting_takes_linear_time(text: str) -> None:
    began = time.process_time()
    assert all(len(part) <= 50_000 for part in cut(text, 50_000))
    find_section(text, "none")
    assert time.process_time() - began < 3
