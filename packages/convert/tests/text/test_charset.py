import pytest
from hypothesis import given
from hypothesis import strategies as st

from webquarry_convert.text.charset import decode, find_codec

GERMAN = "<p>Die Größe der Straße überrascht: schöne Häuser, süße Äpfel und Plätze für jeden Bürger.</p>"
FRENCH = "<p>L'été dernier, où êtes-vous allés ? Très près de la forêt, à côté du château. Ça coûte cher, hélas !</p>"
POLISH = "<p>Zażółć gęślą jaźń. Przepraszam, czy mogę prosić o więcej herbaty? Łódź i Kraków są piękne.</p>"
RUSSIAN = "<p>Съешь же ещё этих мягких французских булок, да выпей чаю. Москва является столицей России.</p>"
JAPANESE = "<p>日本語の文章です。これは文字コードの判定のための例文であり、漢字とかなが混ざっています。</p>"
CHINESE = "<p>这是一个用于检测字符编码的中文页面，内容包括新闻、体育和财经，每天更新。</p>"
TAIWANESE = "<p>這是一個用於檢測字元編碼的中文頁面，內容包括新聞、體育和財經，每天更新。</p>"
KOREAN = "<p>이것은 문자 인코딩을 감지하기 위한 한국어 페이지입니다. 오늘 서울의 날씨는 맑습니다.</p>"
GREEK = "<p>Αυτή είναι μια ελληνική σελίδα για την ανίχνευση της κωδικοποίησης.</p>"


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("UTF-8", "utf-8"),
        ("utf8", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("latin1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("iso-8859-9", "cp1254"),
        ("tis-620", "cp874"),
        ("gb2312", "gb18030"),
        ("GBK", "gb18030"),
        ("x-gbk", "gb18030"),
        ("shift_jis", "cp932"),
        ("x-sjis", "cp932"),
        ("Windows-31J", "cp932"),
        ("ks_c_5601-1987", "cp949"),
        ("euc-kr", "cp949"),
        ("big5", "big5hkscs"),
        ("iso-8859-8-i", "iso8859-8"),
        (' "koi8-r" ', "koi8-r"),
        ("utf-7", None),
        ("rot13", None),
        ("idna", None),
        ("no-such-charset", None),
        ("a\0b", None),
        ("ü", None),
        ("", None),
    ],
)
def test_labels_have_the_same_meaning_as_in_browsers(label: str, codec: str | None) -> None:
    assert find_codec(label) == codec


@pytest.mark.parametrize(
    ("text", "codec", "label", "name"),
    [
        (GERMAN + "€ „“", "cp1252", "iso-8859-1", "windows-1252"),
        (POLISH, "iso8859-2", "iso-8859-2", "iso-8859-2"),
        (RUSSIAN, "koi8-r", "koi8-r", "koi8-r"),
        (JAPANESE + "①髙", "cp932", "x-sjis", "shift_jis"),
        (JAPANESE, "iso2022_jp", "iso-2022-jp", "iso-2022-jp"),
        (CHINESE + "镕", "gb18030", "gb2312", "gb18030"),
        (TAIWANESE, "big5hkscs", "big5", "big5"),
        (KOREAN + "똠방각하", "cp949", "ks_c_5601-1987", "euc-kr"),
    ],
)
@pytest.mark.parametrize("where", ["header", "meta", "http-equiv"])
def test_declared_encoding_is_read(text: str, codec: str, label: str, name: str, where: str) -> None:
    markup = {
        "header": "",
        "meta": f"<meta charset='{label}'>",
        "http-equiv": f'<META http-equiv=Content-Type content="text/html; charset={label}">',
    }[where]
    header = f"text/html; charset={label}" if where == "header" else "text/html"
    assert decode((markup + text).encode(codec), header) == (markup + text, name)


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "cp1252"),
        (FRENCH, "cp1252"),
        (f'<html lang="pl">{POLISH}', "cp1250"),
        (POLISH, "cp1250"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"),
        (TAIWANESE, "big5"),
        (KOREAN, "cp949"),
        (GREEK, "cp1253"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
    ],
)
def test_undeclared_encoding_is_guessed(text: str, codec: str) -> None:
    assert decode((text * 3).encode(codec)).text == text * 3


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_byte_order_mark_takes_precedence_over_the_header(codec: str) -> None:
    assert decode(GERMAN.encode(codec), "text/html; charset=koi8-r").text == GERMAN


def test_header_takes_precedence_over_the_markup() -> None:
    body = f'<meta charset="utf-8">{RUSSIAN}'.encode("cp1251")
    assert decode(body, "text/html; charset=windows-1251").encoding == "windows-1251"


def test_plausible_header_takes_precedence_over_valid_utf8() -> None:
    assert decode("é".encode(), "text/html; charset=iso-8859-1").text == "Ã©"


@pytest.mark.parametrize("label", ["euc-jp", "shift_jis", "utf-16be"])
def test_impossible_header_is_ignored(label: str) -> None:
    assert decode((RUSSIAN * 20).encode(), f"text/html; charset={label}") == (RUSSIAN * 20, "utf-8")


def test_encoding_of_a_page_wrongly_declared_as_utf8_is_guessed() -> None:
    assert decode(RUSSIAN.encode("cp1251"), "text/html; charset=utf-8").text == RUSSIAN


def test_few_broken_bytes_do_not_change_the_encoding() -> None:
    body = (RUSSIAN * 5).encode() + b"\xff" + RUSSIAN.encode()
    assert decode(body, "text/html; charset=utf-8") == (RUSSIAN * 5 + "\ufffd" + RUSSIAN, "utf-8")
    assert decode(body).encoding == "utf-8"


def test_encoding_in_an_xml_declaration_is_used() -> None:
    body = f'<?xml version="1.0" encoding="koi8-r"?>{RUSSIAN}'.encode("koi8-r")
    assert decode(body).encoding == "koi8-r"


def test_utf16_declared_in_readable_markup_means_utf8() -> None:
    assert decode(f'<meta charset="utf-16">{GERMAN}'.encode()).encoding == "utf-8"


def test_declaration_in_a_comment_does_not_count() -> None:
    assert decode(f'<!-- <meta charset="koi8-r"> -->{GERMAN}'.encode()).encoding == "utf-8"


def test_unknown_label_is_skipped() -> None:
    assert decode(f'<meta charset="none"><meta charset="koi8-r">{RUSSIAN}'.encode("koi8-r")).encoding == "koi8-r"


@given(st.binary(max_size=300), st.text(max_size=60))
def test_any_bytes_are_decoded_to_text_without_nul(body: bytes, header: str) -> None:
    assert "\0" not in decode(body, header).text
    assert "\0" not in decode(body, f"text/html; charset={header}").text
