"""Accents that are drawn over their letters, and apostrophes that look like accents."""

from convert_support.portable import HEIGHT, Sheet, portable
from webquarry_convert.file.pdf import read


def draw(shown: str) -> Sheet:
    """Draw a text. shown: the operands of the `TJ` operator."""
    return Sheet(drawn=[f"BT /Helvetica 10 Tf 72 {HEIGHT - 72} Td [{shown}] TJ ET"])


def test_accent_over_a_letter_is_joined_to_it() -> None:
    sheet = draw(r"(J) (a) 440 (\264) -110 (n, Zoe) 440 (\250) -110 ( and Fac) 410 (\270) -80 (ade)")
    assert read(portable(sheet)).markdown == "Ján, Zoë and Façade\n"


def test_accent_next_to_a_letter_stays_separate() -> None:
    assert read(portable(draw(r"(don\264t ask for a cafe\250)"))).markdown == "don´t ask for a cafe¨\n"


def test_accent_drawn_before_its_letter_is_joined_to_it() -> None:
    sheet = draw(r"(C) 110 (\264) 440 (omo el m) 110 (\264) 440 (as, l) 110 (`) 440 (a)")
    assert read(portable(sheet)).markdown == "Cómo el más, là\n"


def test_accent_extracted_after_its_word_is_joined_to_it() -> None:
    sheet = draw(r"(mussen) 2506 (\250) -2173 ( sie gehen)")
    assert read(portable(sheet)).markdown == "müssen sie gehen\n"


def test_accent_of_the_next_word_does_not_join_two_words() -> None:
    sheet = draw(r"(montones de ) 110 (\264) 440 (ordenes)")
    assert read(portable(sheet)).markdown == "montones de órdenes\n"
