import pytest

from webquarry.convert.page.words import count_words


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
    ],
)
def test_words_are_counted_as_a_reader_would(text: str, words: int) -> None:
    assert count_words(text) == words
