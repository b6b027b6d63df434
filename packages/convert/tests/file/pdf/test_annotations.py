"""Annotations on a page are read or counted in a warning. Attached files are listed."""

import pytest

from convert_support.kit import KIT
from convert_support.portable import HEIGHT, Sheet, portable, streams_from
from webquarry_convert.file.pdf import read

CASES = KIT / "evals/files/cases"


def note(kind: str, text: str, y: float, *, flags: int = 4) -> str:
    rect = f"72 {HEIGHT - y - 20} 300 {HEIGHT - y}"
    return f"<</Type/Annot/Subtype/{kind}/F {flags}/Rect[{rect}]/Contents({text})/DA(/Helv 10 Tf)>>"


def test_text_annotation_is_read_at_its_position() -> None:
    sheet = Sheet().text(72, 100, "The mill is old.").text(72, 300, "It has two wheels.")
    sheet.notes.append(note("FreeText", "Sold in May", 200))
    assert read(portable(sheet)).markdown == "The mill is old.\n\nSold in May\n\nIt has two wheels.\n"


@pytest.mark.parametrize("flags", [1, 2, 32])
def test_hidden_text_annotation_is_not_read(flags: int) -> None:
    sheet = Sheet().text(72, 100, "The mill is old.")
    sheet.notes += [note("FreeText", "Hidden", 200, flags=flags), note("FreeText", "Shown", 300)]
    assert read(portable(sheet)).markdown == "The mill is old.\n\nShown\n"


def test_remarks_are_counted() -> None:
    sheet = Sheet().text(72, 100, "The mill is old.")
    sheet.notes += [note("Text", "How old?", 100), note("Highlight", "Since when?", 100), note("Highlight", "", 100)]
    document = read(portable(sheet))
    assert document.markdown == "The mill is old.\n"
    assert document.warnings == ("Annotations on the pages are omitted: 2.",)


def test_attached_files_are_listed_in_a_warning() -> None:
    sheet = Sheet().text(72, 100, "The mill is old.")
    number = streams_from(sheet)
    named = f"/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F(data.csv)/UF(data.csv)/EF<</F {number} 0 R>>>>]>>>>"
    document = read(portable(sheet, catalog=named, streams=[("/Type/EmbeddedFile", b"a,b\n")]))
    assert document.warnings == ("Attached files are omitted: data.csv.",)


@pytest.mark.skipif(not CASES.is_dir(), reason="the evaluation kit is not there")
def test_evaluation_contract_loses_no_text_silently() -> None:
    document = read((CASES / "f07_annotations.pdf").read_bytes())
    assert "FREETEXT on the page" in document.markdown
    assert any("Annotations on the pages are omitted: 2" in text for text in document.warnings)
    assert any("data.csv" in text for text in document.warnings)
