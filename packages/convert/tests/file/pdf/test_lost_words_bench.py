"""The benchmark for lost words counts all lost words and no others."""

from pathlib import Path

from bench.lost_words import measure

from convert_support.portable import Sheet, portable

LINES = ["The river rises in the hills and runs", "through broad meadows until it meets the sea."]


def test_words_of_a_complete_page_do_not_count_as_lost(tmp_path: Path) -> None:
    path = tmp_path / "river.pdf"
    path.write_bytes(portable(Sheet().lines(72, 72, LINES)))
    found = measure(path)
    assert (found.lost, found.told, found.error) == (0, 0, "")
    assert found.words > 10


def test_missing_word_without_a_warning_counts_as_lost(tmp_path: Path) -> None:
    path = tmp_path / "small.pdf"
    sheet = Sheet().lines(72, 72, LINES)
    sheet.drawn.append("q 0 0 1 1 re W n BT /Helvetica 2 Tf 10 2 Td (unreadable) Tj ET Q")
    path.write_bytes(portable(sheet))
    found = measure(path)
    assert (found.lost, found.told, found.sample) == (1, 0, "unreadable")


def test_missing_words_with_a_warning_count_as_reported(tmp_path: Path) -> None:
    path = tmp_path / "titles.pdf"
    sheets = [Sheet().text(72, 40, "Meadow Mills").lines(72, 72, [*LINES, page]) for page in ("One", "Two", "Three")]
    path.write_bytes(portable(*sheets))
    found = measure(path)
    assert found.lost == 0
    assert found.told >= 4
