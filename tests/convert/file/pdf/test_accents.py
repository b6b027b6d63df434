"""Accents that are drawn over their letters, and apostrophes that look like them."""

from support.portable import HEIGHT, Sheet, portable
from webquarry_convert.file.pdf import read


def draw(shown: str) -> Sheet:
    """shown: elements of the operator that moves between what it shows."""
    return Sheet(drawn=[f"BT /Helvetica 10 Tf 72 {HEIGHT - 72} Td [{shown}] TJ ET"])


def test_an_accent_over_a_letter_is_part_of_it() -> None:
    sheet = draw(r"(J) (a) 440 (\264) -110 (n, Zoe) 440 (\250) -110 ( and Fac) 410 (\270) -80 (ade)")
    assert read(portable(sheet)).markdown == "Ján, Zoë and Façade\n"


def test_an_accent_behind_a_letter_stays() -> None:
    assert read(portable(draw(r"(don\264t ask for a cafe\250)"))).markdown == "don´t ask for a cafe¨\n"
