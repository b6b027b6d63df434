import pytest

from convert_support.packed import packed
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file import readers
from webquarry_convert.file.document import Document, RecognisedPage, Sheet
from webquarry_convert.file.format import import_function
from webquarry_convert.file.formats import FORMATS
from webquarry_convert.file.limits import MAX_FILE
from webquarry_convert.file.readers import convert, make_encodable
from webquarry_convert.file.sheets import csv

FULL = Document(
    markdown="# A\n",
    title="A",
    author="B",
    language="de",
    pages=2,
    sheets=(Sheet("S", 1, 2, is_hidden=True),),
    recognised=(RecognisedPage(1, 0.5),),
    unread=(2,),
    warnings=("W.",),
)


def test_type_is_returned_with_the_document() -> None:
    kind, document = convert(b"a,b\n1,2\n")
    assert kind == "csv"
    assert "| 1 | 2 |" in document.markdown


def test_text_with_lone_surrogates_is_repaired() -> None:
    broken = Document("a\ud800b", title="\udfff", sheets=(Sheet("\ud800", 1, 1),), warnings=("\ud800",))
    assert make_encodable(broken) == Document("a?b", title="?", sheets=(Sheet("?", 1, 1),), warnings=("?",))
    assert make_encodable(FULL) is FULL


@pytest.mark.parametrize("name", ["a.TSV", "a.csv", ""])
def test_reader_of_delimited_text_gets_the_file_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv, "read", lambda _body, name: Document(name))
    assert convert(b"a,b\n", name, kind="csv")[1].markdown == name


@pytest.mark.parametrize("kind", FORMATS)
def test_every_type_has_a_reader(kind: str) -> None:
    assert callable(import_function(FORMATS[kind].reader))


def test_oversized_content_is_rejected() -> None:
    with pytest.raises(ConversionFailed) as caught:
        convert(b"a" * (MAX_FILE + 1))
    assert caught.value.reason == "limits"


def test_damaged_file_raises_the_readers_error() -> None:
    types = '<Types><Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>'
    with pytest.raises(ConversionFailed) as caught:
        convert(packed({"[Content_Types].xml": types, "word/document.xml": "<w:document"}))
    assert caught.value.reason == "corrupt"


def test_known_type_is_not_detected_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "detect", lambda body, name: pytest.fail("detected again"))
    kind, document = convert(b"Name,Score\nAda,12\n", kind="csv")
    assert (kind, "| Ada | 12 |" in document.markdown) == ("csv", True)


def test_unknown_type_is_detected_again() -> None:
    assert convert(b"Name,Score\nAda,12\nGrace,15\n", "scores.csv", kind="made up")[0] == "csv"
