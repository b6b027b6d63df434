import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry_convert.words import count_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("one two", 2),
        ("don't well-known 3.14 1,000", 4),
        ("end. Next", 2),
        ("| --- | * _ |", 0),
        ("日本語です", 5),
        ("Python は3つ", 4),
        ("한국어", 3),
        ("Größe naïve Привет", 3),
        ("𠮷野家", 3),
        ("3.1.4.1.5 a-b-c", 2),
        ("a--b 'quoted' - , .5 e.g.", 5),
    ],
)
def test_words_are_counted_as_a_reader_would(text: str, words: int) -> None:
    assert count_words(text) == words


@given(st.text(alphabet="ab1 '.,-\n_*"))
def test_ascii_words_are_those_of_any_text(text: str) -> None:
    assert count_words(text) == count_words(text + " é") - 1
