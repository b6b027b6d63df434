"""Books."""

import random

import pytest

from support.books import epub
from support.packed import packed
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.epub import read

POINT = "<navPoint><navLabel><text>{}</text></navLabel><content src='text/{}.xhtml#a'/></navPoint>"


def test_chapters_are_read_in_the_order_of_the_spine() -> None:
    made = read(epub("<h1>One</h1><p>a</p>", "<h1>Two</h1><p>b</p>", order=(2, 1)))
    assert made.markdown == "# Two\n\nb\n\n# One\n\na\n"
    assert (made.title, made.author, made.language, made.pages) == ("A book", "Ada", "en", None)


def test_elements_of_xml_may_be_closed_as_they_are_opened() -> None:
    assert read(epub('<h1><a id="x"/>One</h1><div class="break"/><p>a<br/>b<i/>c</p>')).markdown == "# One\n\na  \nbc\n"


def test_notes_of_chapters_are_kept_apart() -> None:
    chapter = '<p>a<a epub:type="noteref" href="#n">1</a></p><aside epub:type="footnote" id="n"><p>the note</p></aside>'
    made = read(epub(chapter, chapter))
    assert made.markdown == "a[^1-1]\n\n[^1-1]: the note\n\na[^2-1]\n\n[^2-1]: the note\n"


def test_links_within_the_book_are_text_and_pictures_their_descriptions() -> None:
    made = read(
        epub(
            '<p><a href="2.xhtml#x">next</a> <a href="#far-away">over there and more</a> <a href="https://a.example/">out'
            '</a></p><p><img src="../img/map.png" alt="A map"/><img src="line.png"/></p>'
        )
    )
    assert made.markdown == "next over there and more [out](https://a.example/)\n\n![A map](map.png)\n"


def test_a_chapter_without_a_heading_has_its_name_in_the_contents() -> None:
    contents = POINT.format("Preface", 1) + POINT.format("Two", 2) + POINT.format("Three", 3)
    made = read(epub("<p>a</p>", "<h2>II</h2><p>b</p>", "<p>Three</p>", contents=contents))
    assert made.markdown == "## Preface\n\na\n\n## II\n\nb\n\nThree\n"


def test_the_page_of_contents_names_chapters_too() -> None:
    whole = epub("<p>a</p>")
    archive = Archive(whole)
    parts = {name: archive.read(name) or b"" for name in archive.names}
    nav = b'<item id="v" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/></manifest>'
    parts["OPS/book.opf"] = parts["OPS/book.opf"].replace(b"</manifest>", nav)
    parts["OPS/nav.xhtml"] = b'<nav><ol><li><a href="text/1.xhtml">The <i>first</i></a></li></ol></nav>'
    assert read(packed(parts)).markdown == "## The first\n\na\n"


def test_what_is_hidden_is_left_out_and_counted() -> None:
    made = read(epub('<p>a</p><p style="display:none">secret</p>'))
    assert made.markdown == "a\n"
    assert made.warnings == ("Text of 6 characters is left out: the book hides it from its readers.",)


def test_missing_chapters_are_counted() -> None:
    archive = Archive(epub("<p>a</p>", "<p>b</p>"))
    parts = {name: archive.read(name) or b"" for name in archive.names if not name.endswith("2.xhtml")}
    assert read(packed(parts)).warnings == ("Chapters that the book lists and does not hold are left out: 1.",)


@pytest.mark.parametrize(
    ("encrypted", "reason"), [("OPS/text/1.xhtml", "encrypted"), ("OPS/fonts/a.otf", None)], ids=["text", "font"]
)
def test_chapters_under_a_key_are_refused_and_fonts_are_not(encrypted: str, reason: str | None) -> None:
    rights = (
        '<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:CipherData>'
        f'<e:CipherReference URI="{encrypted}"/></e:CipherData></e:EncryptedData></encryption>'
    )
    body = epub("<p>a</p>", more={"META-INF/encryption.xml": rights})
    if reason is None:
        assert read(body).markdown == "a\n"
    else:
        with pytest.raises(ConversionFailed) as caught:
            read(body)
        assert caught.value.reason == reason


def test_a_chapter_listed_again_and_again_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry_convert.file.epub.book.MAX_MARKUP", 5_000)
    with pytest.raises(ConversionFailed) as caught:
        read(epub("<p>a</p>" * 20, order=(1,) * 20))
    assert caught.value.reason == "limits"


def test_a_book_without_chapters_is_damaged() -> None:
    with pytest.raises(ConversionFailed) as caught:
        read(packed({"mimetype": "application/epub+zip"}))
    assert caught.value.reason == "corrupt"


def test_damaged_books_end_in_an_answer_or_a_failure() -> None:
    archive = Archive(epub('<h1>a</h1><p>b<a href="#n">1</a></p><p id="n">1 c</p>', contents=POINT.format("d", 1)))
    parts = {name: archive.read(name) or b"" for name in archive.names}
    chance = random.Random(3)
    for _ in range(300):
        name = chance.choice([*parts])
        text = bytearray(parts[name])
        at = chance.randrange(len(text))
        if chance.random() < 0.5:
            text[at] = chance.randrange(256)
        else:
            del text[at : at + chance.randint(1, 30)]
        try:
            read(packed({**parts, name: bytes(text)}))
        except ConversionFailed as failed:
            assert failed.reason in ("corrupt", "limits", "encrypted")  # noqa: PT017
