import csv
import io
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.effort import assert_linear, effort
from webquarry_convert.file.document import Sheet
from webquarry_convert.file.sheets.csv import read
from webquarry_convert.file.sheets.csv.delimiter import find_delimiter
from webquarry_convert.file.sheets.csv.encoding import decode_text
from webquarry_convert.file.sheets.csv.fields import MAX_QUOTED, read_filled_records, read_records
from webquarry_convert.file.sheets.table import build_row

TABLE = "Name,City,Sum\nAnna,Rome,1\nBert,Paris,2\n"


def lines(body: bytes, name: str = "") -> list[str]:
    return read(body, name).markdown.splitlines()


def test_the_first_record_is_the_header() -> None:
    assert lines(b"a,b\n1,2\n") == ["| a | b |", "| --- | --- |", "| 1 | 2 |"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^", ":"])
def test_delimiter_is_detected(delimiter: str) -> None:
    text = TABLE.replace(",", delimiter)
    assert find_delimiter(text, ",") == delimiter
    assert lines(text.encode())[0] == "| Name | City | Sum |"


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;b\n1,5;2,5\n1,25;3\n", ";"),  # the commas are decimal separators
        ("10:30\n11:45\n", ","),  # the colons belong to times
        ("http://a\nhttp://b\n", ","),
        ('"a;b;c",1\n"d;e;f",2\n', ","),  # the semicolons are in quoted fields
        ("one\ntwo\n", ","),
        ("a, b; c\nd e\nf\n", ","),
        ("Title of it all\n\na;b;c\n1;2;3\n4;5;6\n", ";"),
    ],
)
def test_delimiter_splits_lines_evenly(text: str, delimiter: str) -> None:
    assert (find_delimiter(text, ",") or ",") == delimiter


def test_file_may_declare_its_delimiter() -> None:
    assert lines(b"sep=:\r\na:b,c\r\n1:2\r\n") == ["| a | b,c |", "| --- | --- |", "| 1 | 2 |"]


def test_file_name_decides_if_the_text_shows_no_delimiter() -> None:
    assert lines(b"a, b\tc\n", name="table.tsv")[0] == "| a, b | c |"
    assert lines(b"a, b\tc\n")[0] == "| a | b c |"
    assert lines(b"a,b\nc,d\n", name="table.tsv")[0] == "| a | b |"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_is_read_with_and_without_a_mark(encoding: str) -> None:
    text = "Größe,氏名\n1,山田\n"
    assert decode_text(text.encode(encoding)) == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", "Größe,Straße\nKöln,Düsseldorf\n"),
        ("cp1251", "Имя,Город,Сумма\nИван Петров,Москва,1200\nАнна Смирнова,Казань,3400\n"),
        ("koi8-r", "Имя,Город,Сумма\nИван Петров,Москва,1200\nАнна Смирнова,Казань,3400\n"),
        ("cp932", "氏名,都市,金額\n山田太郎,東京,1200\n佐藤花子,大阪,3400\n"),
        ("gb18030", "姓名,城市,金额\n王小明,北京,1200\n李红,上海,3400\n"),
        ("cp949", "이름,도시,금액\n김철수,서울,1200\n이영희,부산,3400\n"),
        ("cp1253", "Όνομα,Πόλη\nΓιώργος,Αθήνα\nΜαρία,Θεσσαλονίκη\n"),
        ("cp1255", "שם,עיר\nדוד כהן,ירושלים\nשרה לוי,תל אביב\n"),
        ("cp1256", "الاسم,المدينة\nمحمد علي,القاهرة\nفاطمة حسن,الرياض\n"),
    ],
)
def test_older_encodings_are_guessed(encoding: str, text: str) -> None:
    assert decode_text((text * 3).encode(encoding)) == text * 3


@pytest.mark.parametrize("encoding", ["mac-roman", "cp850"])
def test_encodings_of_older_systems_are_recognized_by_their_letters(encoding: str) -> None:
    text = "Name;Stadt\nMüller;Düren\nGärtner;Gießen\nRené;Besançon\n"
    assert decode_text(text.encode(encoding)) == text


def test_signs_around_words_do_not_indicate_an_older_system() -> None:
    text = "Name,Remark\nAda,“bright” – isn’t\nGrace,“quick”…\nAlan,‘early’\n"
    assert decode_text(text.encode("cp1252")) == text


def test_cell_that_mentions_an_encoding_does_not_declare_it() -> None:
    text = 'code,note\n"<meta charset=iso-8859-1>",größer\n'
    assert decode_text(text.encode()) == text


def test_quoted_fields_may_contain_delimiters_breaks_and_quotes() -> None:
    assert list(read_records('a,"b, ""c""\nd",e\n"",f\n', ",")) == [["a", 'b, "c"\nd', "e"], ["", "f"]]


def test_quote_within_a_field_is_text() -> None:
    assert list(read_records('5" pipe,a\n"John "Joe" Doe",b\n', ",")) == [['5" pipe', "a"], ['John "Joe" Doe', "b"]]


def test_unclosed_quote_affects_only_its_field() -> None:
    assert list(read_records('a,b\n"open,1\nx,2\n"y",3\n', ",")) == [["a", "b"], ['"open', "1"], ["x", "2"], ["y", "3"]]
    assert len(lines(b'a,b\n"unclosed,1\n' + b"x,2\n" * 1000)) == 1003


def test_quoted_fields_have_a_maximum_length() -> None:
    long = "x\n" * MAX_QUOTED
    assert len(list(read_records(f'"{long}",1\n', ","))) > MAX_QUOTED / 2


@pytest.mark.parametrize("piece", ['""x,', '"x,\n', '"a"b,', '"', '""', '"\n', ',"', '" '])
def test_quotes_take_linear_time(piece: str) -> None:
    def prepared(count: int) -> Callable[[], object]:
        text = piece * count
        return lambda: deque(read_records(text, ","), maxlen=0)

    assert_linear(prepared, 16_000)


@given(
    st.lists(st.lists(st.text('ab,"\n ;é', max_size=6), min_size=2, max_size=4), min_size=1, max_size=6),
)
def test_quoted_fields_are_read_back(rows: list[list[str]]) -> None:
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    assert list(read_records(text.getvalue(), ",")) == rows


@given(st.binary(max_size=300))
def test_any_bytes_are_converted(body: bytes) -> None:
    assert isinstance(read(body).markdown, str)


def test_size_of_the_table_is_returned() -> None:
    assert read(b"\n,,\na,b,c\n,,\nd,,\n").sheets == (Sheet("", rows=3, columns=3),)
    assert read(b"").sheets == (Sheet("", rows=0, columns=0),)


@pytest.mark.parametrize(
    "text",
    [
        "Lorem, ipsum\ndolor sit\namet consectetur\n",
        '"the first long remark of somebody, who says much"\n"and another one that says nothing at all, at length"\n',
        "first name of it, last name of it, city\n",
        "remark,number\nthis is a long remark of somebody here,1\nand this is no shorter than that one was,2\n",
    ],
)
def test_table_of_words_is_recognized(text: str) -> None:
    assert read(text.encode()).markdown


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Café;5 €\nŒuf;1 €\nœuf;12 €\n".encode("iso8859-15"), "| œuf | 12 € |"),
        ("Prix;€ 5\nPâté;€ 7\n".encode("iso8859-15"), "| Pâté | € 7 |"),
        ("Name;Stück\nÄpfel;5\nBirnen – rot;7\n".encode("cp1252"), "| Birnen – rot | 7 |"),
    ],
)
def test_amounts_in_euros_identify_latin_9(body: bytes, expected: str) -> None:
    assert expected in read(body).markdown


@given(st.text(st.sampled_from('";\n\ta '), max_size=20), st.sampled_from(";\t "))
def test_empty_records_are_counted_but_not_written(text: str, delimiter: str) -> None:
    def keep(records: Iterable[tuple[int, list[str]]]) -> list[tuple[int, list[str]]]:
        return [(at, texts) for at, fields in records if (texts := build_row(fields)[1])]

    assert keep(read_filled_records(text, delimiter)) == keep(enumerate(read_records(text, delimiter)))


@pytest.mark.parametrize("unit", ["\n", ",\n", '""\n', " \n"])
def test_millions_of_empty_records_take_little_time(unit: str) -> None:
    """A quoted field that contains only line breaks and exceeds the maximum length is read as empty records."""

    def prepare(size: int) -> Callable[[], object]:
        return partial(read, f'a,b\nc,"{unit * (size // len(unit))}"\nd,e\n'.encode())

    assert_linear(prepare, 200_000)
    assert effort(prepare(2_000_000)) < 1.0
