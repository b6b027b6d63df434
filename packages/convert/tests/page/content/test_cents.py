import pytest

from webquarry_convert.page import to_markdown

PAGE = """<title>Kettle</title><main><article><h1>Kettle</h1><p>The kettle is sold for %s and boils a litre of
water in two minutes, as our readers have seen in a test of eleven kettles.</p></article></main>"""


@pytest.mark.parametrize(
    ("price", "written"),
    [
        ("173<sup>34</sup> <span>Lei</span>", "173.34 Lei"),
        ("$19<sup>99</sup>", "$19.99"),
        ("<span>$</span><span>19</span><sup><small>99</small></sup>", "$19.99"),
        ("19<sup>99 €</sup>", "19.99 €"),
        ("1.299<sup>00</sup> €", "1.299,00 €"),
        ("19,<sup>99</sup> €", "19,99 €"),
        ("$1,299<sup>.99</sup>", "$1,299.99"),
        ("$<strong>769</strong><sup>.00</sup>", "$769.00"),
        ("<b>19</b><sup>99</sup> €", "19.99 €"),
    ],
)
def test_cents_are_separated_from_the_whole_number(price: str, written: str) -> None:
    assert f"sold for {written} and" in to_markdown(PAGE % price)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("10<sup>12</sup> bytes", "10¹² bytes"),
        ("5 €, 2<sup>10</sup> times", "5 €, 2¹⁰ times"),
        ("$5 billion<sup>12</sup>", "$5 billion¹²"),
    ],
)
def test_other_raised_numbers_are_not_cents(text: str, written: str) -> None:
    assert f"sold for {written} and" in to_markdown(PAGE % text)
