"""Characters of TeX's math fonts that are extracted as the letters with the same codes."""

from convert_support.portable import HEIGHT, Sheet, portable
from webquarry_convert.file.pdf import read

SIGNS = "/Subtype/Type1/BaseFont/CMSY10"


ARROWS = "/Subtype/Type1/BaseFont/MSAM7"


def draw(*shown: str) -> str:
    """Draw texts in alternating fonts, beginning with Helvetica."""
    sheet = Sheet().lines(60, 60, ["The mill has a name, and what it is called is written there by hand (i)."])
    texts = " ".join(f"/{('Helvetica', 'Signs')[at % 2]} 10 Tf ({text}) Tj" for at, text in enumerate(shown))
    sheet.drawn.append(f"BT 60 {HEIGHT - 90} Td {texts} ET")
    sheet.drawn.append(f"BT 60 {HEIGHT - 120} Td /Signs 10 Tf (h) Tj ET")  # a run has the font of its first letter
    return read(portable(sheet, fonts={"Signs": SIGNS})).markdown


def test_angle_brackets_around_a_name_are_not_letters() -> None:
    made = draw(r"call \(", "h", "the chief", "i", r"\) of ", "h", "which hill", "i", " he is")
    assert "by hand (i)." in made
    assert made.endswith("call (⟨the chief⟩) of ⟨which hill⟩ he is\n\n⟨\n")


def test_prime_is_not_read_as_a_zero() -> None:
    assert draw("so x", "0", " and 10 are ", "h", "both", "i").endswith("so x′ and 10 are ⟨both⟩\n\n⟨\n")


def test_triangles_before_slide_items_are_not_letters() -> None:
    sheet = Sheet().lines(60, 60, ["I may say what this mill is for, and when it has been made and by whom."])
    for place, text in enumerate(["It mills what is brought.", "It was made of oak."]):
        shown = f"/Arrows 7 Tf (I) Tj /Helvetica 10 Tf ( {text}) Tj"
        sheet.drawn.append(f"BT 60 {HEIGHT - 90 - 14 * place} Td {shown} ET")
    made = read(portable(sheet, fonts={"Arrows": ARROWS})).markdown
    assert made.startswith("I may say")
    assert made.endswith("\n\n- It mills what is brought.\n- It was made of oak.\n")
