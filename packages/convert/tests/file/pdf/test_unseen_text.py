"""Text that readers of a PDF cannot see is removed and counted. All visible text is kept."""

import time

import pytest

from convert_support.portable import HEIGHT, Sheet, portable, streams_from
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.source.pdfium import File
from webquarry_convert.file.pdf.source.suspects import Hints

PROSE = ["The river rises in the hills and runs through broad", "meadows until it meets the sea in spring."]
SHOWN = " ".join(PROSE)
WARNING = "Hidden text in the document is omitted: 15 characters."
SECRET = "BT /Helvetica 10 Tf 72 500 Td (Secret words here) Tj ET"
ABOVE = "60 490 200 30 re f"
FORM = "/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</Helvetica 3 0 R>>>>"
BLENDS = "/Multiply<</BM/Multiply>>/Light<</ca 0.4>>/Solid<</ca 0.99>>"


def draw(*operators: str, shown: bool = True) -> bytes:
    sheet = Sheet().lines(72, 60, PROSE) if shown else Sheet()
    sheet.drawn += operators
    body = portable(sheet, streams=[(FORM, SECRET.encode())])
    resources = b"/XObject<</Form %d 0 R" % streams_from(sheet)
    return body.replace(b"/XObject<<", b"/ExtGState<<" + BLENDS.encode() + b">>" + resources)


def with_layer(state: str, *operators: str, form: str = FORM) -> bytes:
    sheet = Sheet().lines(72, 60, PROSE)
    sheet.drawn += operators
    catalog = f"/OCProperties<</OCGs[90 0 R]/D<<{state}>>>>"
    body = portable(sheet, catalog=catalog, streams=[(form, SECRET.encode())])
    named = b"/Properties<</Layer 90 0 R>>/XObject<</Form %d 0 R" % streams_from(sheet)
    body = body.replace(b"/XObject<<", named)
    return body.replace(b"trailer", b"90 0 obj\n<</Type/OCG/Name(Layer)>>\nendobj\ntrailer")


HIDDEN = {
    "below a black box": [SECRET, f"0 g {ABOVE}"],
    "below a white box": [SECRET, f"1 g {ABOVE}"],
    "below a box that is as good as solid": [SECRET, f"/Solid gs 0 g {ABOVE}"],
    "below a thick line": [SECRET, "30 w 60 505 m 260 505 l S"],
    "below a picture": [SECRET, "q 200 0 0 30 60 490 cm /Picture Do Q"],
    "in a form below a box": ["/Form Do", f"0 g {ABOVE}"],
    "white on the page": [f"1 g {SECRET}"],
    "as good as white on the page": [f"0.98 g {SECRET}"],
    "white on a white box on a black one": [f"0 g {ABOVE} 1 g {ABOVE}", SECRET],
    "red on red": [f"1 0 0 rg {ABOVE}", SECRET],
    "grey on a grey picture": ["q 200 0 0 30 60 490 cm /Picture Do Q", f"0.502 g {SECRET}"],
    "in letters of a point": [SECRET.replace("10 Tf", "1 Tf")],
    "in letters made small by a matrix": [f"q 0.1 0 0 0.1 72 500 cm {SECRET} Q".replace("72 500 Td", "0 0 Td")],
    "invisible": [f"BT 3 Tr {SECRET[3:]}"],
    "invisible on a small picture": ["q 200 0 0 30 60 490 cm /Picture Do Q", f"BT 3 Tr {SECRET[3:]}"],
    "as a shape that nothing is drawn through": [f"q BT 7 Tr {SECRET[3:]} Q"],
}
SEEN = {
    "on a white box": [f"1 g {ABOVE} 0 g {SECRET}"],
    "white on a black box": [f"0 g {ABOVE} 1 g {SECRET}"],
    "white on a picture": ["q 200 0 0 30 60 490 cm /Picture Do Q", f"1 g {SECRET}"],
    "below a highlight that multiplies": [SECRET, f"/Multiply gs 1 1 0 rg {ABOVE}"],
    "below a see-through box": [SECRET, f"/Light gs 1 1 0 rg {ABOVE}"],
    "within a frame": [SECRET, "60 490 200 30 re S"],
    "beside a box": [SECRET, "0 g 60 512 200 30 re f"],
    "below a box that is clipped away": [SECRET, f"q 0 0 5 5 re W n 0 g {ABOVE} Q"],
    "in light grey": [f"0.8 g {SECRET}"],
    "in letters of two points": [SECRET.replace("10 Tf", "2 Tf")],
    "in a form": ["/Form Do"],
}


@pytest.mark.parametrize("operators", HIDDEN.values(), ids=HIDDEN.keys())
def test_hidden_text_is_removed_and_counted(operators: list[str]) -> None:
    document = read(draw(*operators))
    assert document.markdown.split() == SHOWN.split()
    assert WARNING in document.warnings


@pytest.mark.parametrize("operators", SEEN.values(), ids=SEEN.keys())
def test_visible_text_is_kept(operators: list[str]) -> None:
    document = read(draw(*operators))
    assert "Secret words here" in document.markdown
    assert not any("Hidden text" in warning for warning in document.warnings)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_blacked_out_word_is_removed_from_its_line(turn: int) -> None:
    body = draw("BT /Helvetica 10 Tf 72 500 Td (The code is 12345678 and nothing else) Tj ET 0 g 127 495 47 15 re f")
    document = read(body.replace(b"/MediaBox", b"/Rotate %d/MediaBox" % turn))
    assert "12345678" not in document.markdown
    assert "The code is and nothing else" in document.markdown
    assert any("8 characters" in warning for warning in document.warnings)


def test_hidden_letter_leaves_a_gap() -> None:
    text = "BT /Helvetica 10 Tf 72 500 Td (Table 4.) Tj 1 g (—) Tj 0 g (Rivers) Tj ET"
    assert "Table 4. Rivers" in read(draw(text)).markdown


@pytest.mark.parametrize("colour", ["1 g", "1 1 1 rg", "0 0 0 0 k", "/DeviceRGB cs 1 1 1 sc"])
def test_white_words_in_a_black_line_are_removed(colour: str) -> None:
    text = f"BT /Helvetica 10 Tf 72 500 Td (The mill ) Tj {colour} (grinds secrets ) Tj 0 g (is shut.) Tj ET"
    document = read(draw(text).replace(b"/Image", b"/Other"))
    assert "secrets" not in document.markdown
    assert "The mill is shut." in document.markdown


def test_text_below_a_thick_line_is_removed() -> None:
    assert "Secret" not in read(draw(*HIDDEN["below a thick line"]).replace(b"/Image", b"/Other")).markdown


def test_marked_content_is_examined_only_on_layers_that_may_be_off() -> None:
    text = f"/P <</MCID 0>> BDC {SECRET} EMC"
    tested: list[int] = []
    with File(with_layer("/OFF[90 0 R]", text, f"/OC /Layer BDC {SECRET} EMC")) as file:
        tested += file.look_at(1, Hints(has_layers=True, has_invisible=False, has_colours=False)).doubtful
    assert len(tested) == 1


@pytest.mark.parametrize(
    "operator", [f"/OC /Layer BDC {SECRET} EMC", f"/OC /Layer BDC q {SECRET} Q EMC", "/OC /Layer BDC /Form Do EMC"]
)
def test_text_on_a_visible_layer_is_read(operator: str) -> None:
    off = read(with_layer("/OFF[90 0 R]", operator))
    assert off.markdown.split() == SHOWN.split()
    assert off.warnings == (WARNING,)
    assert "Secret words here" in read(with_layer("/ON[90 0 R]", operator)).markdown


def test_form_on_a_hidden_layer_is_removed() -> None:
    form = f"{FORM}/OC 90 0 R"
    assert "Secret" not in read(with_layer("/OFF[90 0 R]", "/Form Do", form=form)).markdown
    assert "Secret" not in read(with_layer("/BaseState/OFF", "/Form Do", form=form)).markdown
    assert "Secret" in read(with_layer("", "/Form Do", form=form)).markdown


@pytest.mark.parametrize("is_below", [False, True])
def test_ocr_text_on_a_scan_is_kept(is_below: bool) -> None:
    lines = [f"BT {'' if is_below else '3 Tr'} /Helvetica 10 Tf 72 {700 - 12 * at} Td ({line}) Tj ET"
             for at, line in enumerate(PROSE)]  # fmt: skip
    picture = f"q 612 0 0 {HEIGHT} 0 0 cm /Picture Do Q"
    document = read(draw(*([*lines, picture] if is_below else [picture, *lines]), shown=False))
    assert document.markdown.split() == SHOWN.split()


def test_copy_below_a_box_is_removed_and_copy_above_it_is_kept() -> None:
    document = read(draw(SECRET, f"0.5 g {ABOVE}", f"0 g {SECRET}"))
    assert document.markdown.count("Secret words here") == 1


def measure(count: int) -> float:
    """Return the CPU seconds for a page with `count` texts below `count` boxes."""
    texts = [f"BT /Helvetica 4 Tf {20 + at % 20 * 28} {20 + at // 20 % 120 * 5} Td (Word) Tj ET" for at in range(count)]
    boxes = [f"{20 + at % 20 * 28} {20 + at // 20 % 120 * 5} 14 4 re f" for at in range(count)]
    body = draw(*texts, *boxes)
    start = time.process_time()
    assert read(body).markdown.split() == SHOWN.split()
    return time.process_time() - start


def test_many_texts_below_many_boxes_take_linear_time() -> None:
    measure(200)
    small = min(measure(1_000) for _ in range(2))
    assert measure(4_000) < 4 * 2.5 * small
