"""Chunks: every block in order, about as large as requested, and no text without its position."""

from hypothesis import given
from hypothesis import strategies as st

from support.markdown import MARKDOWN
from webquarry.excerpts.blocks import split
from webquarry.excerpts.chunking import chunk
from webquarry.excerpts.job import MOST_CHUNKS, divide
from webquarry.excerpts.tokens import estimate


@given(MARKDOWN, st.integers(100, 1000))
def test_chunks_have_every_block_once_besides_the_overlap(markdown: str, size: int) -> None:
    outline = split(markdown)
    at = 0
    for each in chunk(outline, size):
        assert each.first + each.repeated == at
        assert each.last >= at
        at = each.last + 1
    assert at == len(outline.blocks)


def test_chunks_have_about_the_requested_size() -> None:
    text = "\n\n".join(f"## Part {n}\n\n" + "Some words of this part. " * 30 for n in range(40))
    outline = split(text)
    sizes = [estimate(each.write(outline)) for each in chunk(outline, 400)]
    assert max(sizes) <= 420
    assert sum(sizes) / len(sizes) > 200


def test_a_chunk_ends_before_a_heading_rather_than_after_it() -> None:
    text = "\n\n".join(f"## Part {n}\n\n" + "Some words of this part. " * 30 for n in range(40))
    outline = split(text)
    assert not any(each.write(outline).rstrip().split("\n")[-1].startswith("#") for each in chunk(outline, 400))


def test_rows_have_the_head_of_their_table_in_every_chunk() -> None:
    rows = [f"| dish {n} | {'x' * 50} |" for n in range(90)]
    outline = split("\n".join(["# Menu", "", "| dish | how |", "| --- | --- |", *rows]))
    chunks = [each.write(outline) for each in chunk(outline, 250)]
    assert len(chunks) > 3
    assert all("| dish | how |\n| --- | --- |\n" in text for text in chunks)
    shown = [line for text in chunks for line in text.split("\n")]
    assert [row for row in rows if row not in shown] == []
    assert not any(text.startswith("…") for text in chunks)


def test_chunks_larger_than_a_reply_may_be_are_left_out() -> None:
    escaped = "\x01"  # six bytes in JSON
    fitting, beyond = (divide((escaped * size).encode(), size=8000, page_starts=[]) for size in (1_000_000, 1_700_000))
    assert (fitting.facts.is_too_large, beyond.facts.is_too_large) == (False, True)
    assert 6_000_000 < len(fitting.pieces[0]) <= MOST_CHUNKS
    assert beyond.pieces == (b'{"chunks":[]}',)
