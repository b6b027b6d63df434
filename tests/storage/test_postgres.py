import pytest

from webquarry.storage.postgres import number_placeholders


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT 1", ("SELECT 1", ())),
        ("SELECT :a, :b, :a", ("SELECT $1, $2, $1", ("a", "b"))),
        ("SELECT :a::text, x.a FROM x", ("SELECT $1::text, x.a FROM x", ("a",))),
        ("VALUES (:ab, :a)", ("VALUES ($1, $2)", ("ab", "a"))),
    ],
)
def test_names_become_numbers_in_the_order_in_which_they_appear(
    sql: str, expected: tuple[str, tuple[str, ...]]
) -> None:
    assert number_placeholders(sql) == expected
