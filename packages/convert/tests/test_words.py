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
def test_fast_count_of_ascii_words_agrees_with_the_general_count(text: str) -> None:
    assert count_words(text) == count_words(text + " é") - 1


@given(st.text(alphabet="ab1 '’.,-_é字かЖ𠮷\u0301\n"))
def test_few_non_ascii_characters_are_counted_like_many(text: str) -> None:
    """Words in mostly ASCII texts are counted by a different method."""
    assert (
        count_words(text)
        == count_words(f"{text}\n{'plain words ' * 500}") - 1000
        == count_words(f"{text}\n{'é ' * 99}") - 99
    )
