"""Parts of a PDF that would take unlimited time are rejected or dropped, and the rest of the file is read."""

import zlib

import pytest

from convert_support.portable import Sheet, portable, streams_from
from webquarry_convert.errors import ConversionError
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.source import heavy_pages
from webquarry_convert.file.pdf.source.forms import MAX_FIELDS

WIDE = "0 65535 500 "
CID_FONT = (
    "/Subtype/Type0/BaseFont/Foo/Encoding{encoding}/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/Foo"
    "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/W[{widths}]>>]{more}"
)


def drawn(number: int, operator: str, *, step: float = 0.01) -> str:
    """Draw nested frames, from the outermost to the innermost."""
    return "\n".join(
        f"{at * step:.4f} {at * step:.4f} {580 - 2 * at * step:.4f} {700 - 2 * at * step:.4f} re {operator}"
        for at in range(number)
    )


@pytest.mark.parametrize("operator", ["S", "f", "B"])
def test_page_with_many_frames_still_gives_its_text(operator: str) -> None:
    sheet = Sheet().lines(72, 90, ["Rivers rise in hills.", "They end in seas."])
    sheet.drawn.append(drawn(20_000, operator))
    found = read(portable(Sheet().text(72, 90, "A page of text alone."), sheet))
    assert found.markdown.index("A page of text alone.") < found.markdown.index("Rivers rise in hills.")
    assert "They end in seas." in found.markdown
    assert found.warnings[0] == "Only plain text is extracted from page 2 because of their complex drawings."
    is_judged = found.warnings[1:] == ()  # text is not covered by content that consists only of lines
    assert is_judged == (operator == "S")


def test_frames_in_repeated_forms_are_counted() -> None:
    sheet = Sheet(drawn=["/Frames Do"] * 150).text(72, 72, "a")
    form = ("/Type/XObject/Subtype/Form/BBox[0 0 600 700]", drawn(150, "f").encode())
    body = portable(sheet, streams=[form]).replace(b"/XObject<</Picture", b"/XObject<</Frames 22 0 R/Picture")
    assert read(body).warnings


def test_huge_page_is_also_limited() -> None:
    sheet = Sheet(box="0 0 14400 14400", drawn=["0 0 14000 13000 re f"] * 400).text(72, 72, "a")
    assert read(portable(sheet)).warnings


def test_many_separate_areas_are_read_normally() -> None:
    sheet = Sheet().text(72, 72, "a")
    sheet.drawn.append("\n".join(f"{at % 100 * 6} {at // 100 * 7} 4 5 re f" for at in range(10_000)))
    assert read(portable(sheet)).warnings == ()


@pytest.mark.parametrize(
    "widths",
    [
        WIDE * 2_000,
        f"1 [500 600] {WIDE * 2_000}",
        f"{WIDE}% a comment\n" * 2_000,
    ],
    ids=["ranges", "after a list", "with comments"],
)
def test_repeated_character_widths_are_rejected(widths: str) -> None:
    font = CID_FONT.format(encoding="/Identity-H", widths=widths, more="")
    refuse(portable(Sheet().text(72, 72, "a"), fonts={"X": font}))


def test_character_widths_in_packed_objects_are_counted() -> None:
    packed = zlib.compress(f"30 0 [{WIDE * 2_000}]".encode())
    entries = "/Type/ObjStm/N 1/First 5/Filter/FlateDecode"
    refuse(portable(Sheet().text(72, 72, "a"), streams=[(entries, packed)]))


def test_lists_of_objects_do_not_count_as_character_widths() -> None:
    tree = " ".join(f"{at} {at * 7} 0 R" for at in range(5_000))
    index = " ".join(f"{at * 9} 2" for at in range(5_000))
    lists = f"/Lists[<</Nums[{tree}]>><</Index[{index}]>>[{tree}]]"
    assert read(portable(Sheet().text(72, 72, "word"), catalog=lists)).markdown == "word\n"


@pytest.mark.parametrize("section", ["cidrange", "bfrange"])
def test_repeated_character_maps_are_rejected(section: str) -> None:
    ranges = "<0000> <ffff> <00410042>\n" if section == "bfrange" else "<0000> <ffff> 0\n"
    text = f"begincmap 100 begin{section}\n{ranges * 100}end{section} endcmap".encode()
    refuse(portable(Sheet().text(72, 72, "a"), streams=[("", text)]))


def test_deeply_nested_marked_content_is_rejected() -> None:
    opened = ["/P <</MCID 1>> BDC", "/Artifact BMC"] * 101
    with pytest.raises(ConversionError, match="200 deep"):
        read(portable(Sheet(drawn=opened).text(72, 72, "word")))


def test_consecutive_marked_content_is_read() -> None:
    drawn = ["/P <</MCID 1>> BDC", "/Artifact BMC", "EMC", "EMC"] * 2_000
    assert read(portable(Sheet(drawn=drawn).text(72, 72, "word"))).markdown == "word\n"


def test_font_with_each_width_once_is_accepted() -> None:
    widths = " ".join(f"{at} [{at % 900}]" for at in range(0, 60_000, 2)) + " " + WIDE
    font = CID_FONT.format(encoding="/Identity-H", widths=widths, more="")
    assert read(portable(Sheet().text(72, 72, "word"), fonts={"X": font})).markdown == "word\n"


def test_thousands_of_fields_are_dropped_and_the_text_is_kept() -> None:
    sheet = Sheet().text(72, 72, "word")
    for at in range(MAX_FIELDS + 1):
        sheet.field(60, 60, 200, 700, f"f{at}", "value")
    found = read(portable(sheet))
    assert found.markdown.startswith("word")
    assert found.warnings == ("The document has more than 3,000 form fields, so their values are omitted.",)


def refuse(body: bytes) -> None:
    with pytest.raises(ConversionError) as caught:
        read(body)
    assert caught.value.reason == "limits"
    assert "the same characters" in str(caught.value)


def locked(entry: bytes, number: int) -> bytes:
    """Build an encrypted file that opens without a password, and in which a character map repeats an entry."""
    text = b"begincmap 1 beginnotdefrange endnotdefrange 1 begincidrange " + entry * number + b"endcidrange endcmap"
    sheet = Sheet().text(72, 72, "Not so secret")
    sheet.drawn.append("BT /X 10 Tf 72 600 Td <00410042> Tj ET")
    font = CID_FONT.format(encoding=f" {streams_from(sheet)} 0 R", widths="0 [500]", more="")
    packed = zlib.compress(text)
    streams = [("/Type/CMap/CMapName/M/Filter/FlateDecode", packed)]
    return portable(sheet, fonts={"X": font}, streams=streams, password="")


@pytest.mark.parametrize("name", [b"/Encrypt", b"/E#6ecrypt", b"/#45#6E#63#72#79#70#74"])
def test_character_maps_in_an_encrypted_file_are_counted(name: bytes) -> None:
    body = locked(b"<0000> <ffff> 0 ", 1_000)
    with pytest.raises(ConversionError) as refused:
        read(body.replace(b"/Encrypt", name))
    assert refused.value.reason == "limits"


def test_encrypted_file_with_a_normal_map_is_read() -> None:
    assert "Not so secret" in read(locked(b"<0041> <005a> 1 ", 1)).markdown


def test_simple_page_is_not_examined_for_heavy_drawings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heavy_pages._Work, "measure", lambda work: pytest.fail("each path was measured"))
    sheet = Sheet().lines(72, 72, ["l " * 40] * 40)
    for at in range(3_000):
        sheet.text(72 + at % 50 * 9, 100 + at // 50 * 10, "a")
    sheet.drawn.append("0 0 m 600 700 l S\n" * 30 + "1 0 0 1 0 0 cm\n" * 4_000)
    assert read(portable(sheet)).warnings == ()
