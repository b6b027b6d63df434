"""Characters beyond the first 65,536 of Unicode: how they are detected in files, and how long restoring them takes."""

import zlib
from collections.abc import Callable
from functools import partial

import pytest

from convert_support.effort import assert_linear
from convert_support.portable import HEIGHT, Sheet, portable, streams_from
from webquarry_convert.file.pdf import read
from webquarry_convert.file.pdf.source import content
from webquarry_convert.file.pdf.source.pdfium import File
from webquarry_convert.file.pdf.source.supplementary import may_draw_supplementary
from webquarry_convert.file.pdf.words.supplementary_letters import restore_letters

TABLE = "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 3 beginbfchar {} endbfchar endcmap"
LETTERS = {"A": "\U0001d453", "B": "\U0001d6fd", "C": "\U0001f33e"}


def printed(sheet: Sheet, *, is_packed: bool = False) -> bytes:
    """Build a file whose font `Signs` maps to `LETTERS`."""
    codes = " ".join(f"<{ord(drawn):02X}> <{text.encode('utf-16-be').hex()}>" for drawn, text in LETTERS.items())
    table = TABLE.format(codes).encode()
    stream = ("/Filter/FlateDecode", zlib.compress(table)) if is_packed else ("", table)
    fonts = {"Signs": f"/Subtype/Type1/BaseFont/Naskh/ToUnicode {streams_from(sheet)} 0 R"}
    return portable(sheet, streams=[stream], fonts=fonts)


def draw(*shown: str, y: float = 90) -> str:
    """Draw texts in alternating fonts, beginning with Helvetica."""
    texts = " ".join(f"/{('Helvetica', 'Signs')[at % 2]} 10 Tf ({text}) Tj" for at, text in enumerate(shown))
    return f"BT 60 {HEIGHT - y} Td {texts} ET"


@pytest.mark.parametrize("is_packed", [False, True])
def test_letters_of_formulas_and_emoji_are_inserted_at_their_positions(*, is_packed: bool) -> None:
    sheet = Sheet().lines(60, 60, ["The bigger one of both is what counts, in this mill and in any other one."])
    sheet.drawn.append(draw(r"We say max\(", "A", r"\(2\), ", "B", r"\) and mean it ", "C"))
    made = read(printed(sheet, is_packed=is_packed)).markdown
    assert made.endswith("We say max(f(2), β) and mean it \U0001f33e\n")


def test_files_without_such_letters_are_recognized_by_their_bytes() -> None:
    sheet = Sheet().text(60, 60, "The mill is old.")
    assert not may_draw_supplementary(portable(sheet))
    assert may_draw_supplementary(printed(sheet))
    assert not may_draw_supplementary(
        b"1 0 obj <</Length 9>> stream\nbegincmap <D835DC58>"
    )  # the stream has no end marker


@pytest.mark.parametrize("shown", [("", "AB"), ("a", "A"), ("word ", "C")])
def test_work_grows_linearly_with_the_letters_on_a_page(shown: tuple[str, str]) -> None:
    def prepare(size: int) -> Callable[[], None]:
        body = printed(Sheet(drawn=[draw(*shown * 20, y=50 + row % 700) for row in range(size // 40)]))
        file = File(body)
        return partial(
            restore_letters, next(content.read_batches(body, file.find_slants, 1, is_tagged=False, is_form=False)), file
        )

    assert_linear(prepare, 2000)
