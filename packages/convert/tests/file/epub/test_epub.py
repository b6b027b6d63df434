import random
from collections.abc import Callable

import pytest

from convert_support.books import epub
from convert_support.effort import assert_linear
from convert_support.packed import packed
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.archive import Archive
from webquarry_convert.file.epub import read

POINT = "<navPoint><navLabel><text>{}</text></navLabel><content src='text/{}.xhtml#a'/></navPoint>"


def test_chapters_are_read_in_the_order_of_the_spine() -> None:
    made = read(epub("<h1>One</h1><p>a</p>", "<h1>Two</h1><p>b</p>", order=(2, 1)))
    assert made.markdown == "# Two\n\nb\n\n# One\n\na\n"
    assert (made.title, made.author, made.language, made.pages) == ("A book", "Ada", "en", None)


def test_self_closing_elements_are_read_as_in_xml() -> None:
    assert read(epub('<h1><a id="x"/>One</h1><div class="break"/><p>a<br/>b<i/>c</p>')).markdown == "# One\n\na  \nbc\n"


def test_note_labels_differ_between_chapters() -> None:
    chapter = '<p>a<a epub:type="noteref" href="#n">1</a></p><aside epub:type="footnote" id="n"><p>the note</p></aside>'
    made = read(epub(chapter, chapter))
    assert made.markdown == "a[^1-1]\n\n[^1-1]: the note\n\na[^2-1]\n\n[^2-1]: the note\n"


def test_definition_list_in_a_separate_chapter_is_read_as_notes() -> None:
    text = '<p>a<a id="b1" href="2.xhtml#n1"><sup>1</sup></a></p>'
    note = '<dl id="n1"><dt>[<a href="1.xhtml#b1">←1</a>]</dt><dd><p>the note</p><p>more</p></dd></dl>'
    assert read(epub(text, f"<h1>Notes</h1>{note}")).markdown == (
        "a[^1-1]\n\n[^1-1]: the note\n\n    more\n\n# Notes\n"
    )


def test_note_marks_in_brackets_are_recognized() -> None:
    mark = '<a role="doc-noteref" href="#n"><span>[</span>1<span>]</span></a>'
    chapter = f'<p>a {mark}.</p><aside role="doc-footnote" id="n"><p>the note</p></aside>'
    assert read(epub(chapter)).markdown == "a [^1-1].\n\n[^1-1]: the note\n"


def test_links_within_the_book_become_text_and_pictures_become_descriptions() -> None:
    made = read(
        epub(
            '<p><a href="2.xhtml#x">next</a> <a href="#far-away">over there and more</a> <a href="https://a.example/">out'
            '</a></p><p><img src="../img/map.png" alt="A map"/><img src="line.png"/></p>'
        )
    )
    assert made.markdown == "next over there and more [out](https://a.example/)\n\n![A map](map.png)\n"


def test_chapter_without_a_heading_gets_its_title_from_the_contents() -> None:
    contents = POINT.format("Preface", 1) + POINT.format("Two", 2) + POINT.format("Three", 3)
    made = read(epub("<p>a</p>", "<h2>II</h2><p>b</p>", "<p>Three</p>", contents=contents))
    assert made.markdown == "## Preface\n\na\n\n## II\n\nb\n\n## Three\n"


def test_contents_page_also_provides_chapter_titles() -> None:
    whole = epub("<p>a</p>")
    archive = Archive(whole)
    parts = {name: archive.read(name) or b"" for name in archive.names}
    nav = b'<item id="v" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/></manifest>'
    parts["OPS/book.opf"] = parts["OPS/book.opf"].replace(b"</manifest>", nav)
    parts["OPS/nav.xhtml"] = b'<nav><ol><li><a href="text/1.xhtml">The <i>first</i></a></li></ol></nav>'
    assert read(packed(parts)).markdown == "## The first\n\na\n"


def test_sections_of_a_chapter_get_headings_where_they_begin() -> None:
    chapter = '<p>The end of one.</p><p><a id="a"/><b>Two</b></p><p>b</p><div><p><span id="c"/>c</p></div>'
    nested = "<navPoint><navLabel><text>Later</text></navLabel><content src='text/1.xhtml#c'/></navPoint></navPoint>"
    contents = POINT.format("Two", 1).replace("</navPoint>", nested)
    made = read(epub(chapter, contents=contents))
    assert made.markdown == "The end of one.\n\n## Two\n\nb\n\n### Later\n\nc\n"


def test_notes_in_a_separate_chapter_move_to_their_references() -> None:
    one = '<p>a<sup><a id="r1" href="3.xhtml#n1">1</a></sup> b<a href="3.xhtml#n2" epub:type="noteref">*</a></p>'
    two = '<p>c<a href="3.xhtml#n3"><sup>1</sup></a> <a href="3.xhtml#n4">2</a></p>'
    items = '<ol><li id="n1"><p>First. <a href="1.xhtml#r1">↩</a></p></li></ol><p><a id="n2"/>* Second.</p>'
    notes = f'<h1>Notes</h1>{items}<p id="n3">1. Third.</p><p id="n4">2. not raised</p>'
    assert read(epub(one, two, notes)).markdown == (
        "a[^1-1] b[^1-2]\n\n[^1-1]: First.\n\n[^1-2]: \\* Second.\n\n"
        "c[^2-1] 2\n\n[^2-1]: Third.\n\n# Notes\n\n2\\. not raised\n"
    )


def test_marks_without_an_available_note_are_separated_from_the_text() -> None:
    notes, text = '<p id="n">1. Note.</p>', '<p>a<sup><a href="1.xhtml#n">1</a><a href="9.xhtml#n">2</a></sup></p>'
    assert read(epub(notes, text)).markdown == "1\\. Note.\n\na[1][2]\n"


def test_printed_page_numbers_are_dropped() -> None:
    assert read(
        epub('<p>a</p><span epub:type="pagebreak" title="2">2</span><p role="doc-pagebreak">3</p>')
    ).markdown == ("a\n")


def test_many_notes_take_linear_time() -> None:
    def prepare(size: int) -> Callable[[], object]:
        marks = "".join(f'<sup><a href="2.xhtml#n{at}">{at}</a></sup>' for at in range(size))
        body = epub(f"<p>{marks}</p>", "<div>" + "".join(f'<p id="n{at}">{at}. x</p>' for at in range(size)) + "</div>")
        return lambda: read(body)

    assert_linear(prepare, 300)


def test_hidden_content_is_removed_and_counted() -> None:
    made = read(epub('<p>a</p><p style="display:none">secret</p>'))
    assert made.markdown == "a\n"
    assert made.warnings == ("Hidden text in the book is omitted: 6 characters.",)


def test_missing_chapters_are_counted() -> None:
    archive = Archive(epub("<p>a</p>", "<p>b</p>"))
    parts = {name: archive.read(name) or b"" for name in archive.names if not name.endswith("2.xhtml")}
    assert read(packed(parts)).warnings == ("Chapters that are listed but missing from the book: 1.",)


@pytest.mark.parametrize(
    ("encrypted", "reason"), [("OPS/text/1.xhtml", "encrypted"), ("OPS/fonts/a.otf", None)], ids=["text", "font"]
)
def test_encrypted_chapters_are_rejected_but_encrypted_fonts_are_allowed(encrypted: str, reason: str | None) -> None:
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


def test_chapter_listed_too_often_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webquarry_convert.file.epub.book.MAX_MARKUP", 5_000)
    with pytest.raises(ConversionFailed) as caught:
        read(epub("<p>a</p>" * 20, order=(1,) * 20))
    assert caught.value.reason == "limits"


def test_book_without_chapters_is_rejected_as_damaged() -> None:
    with pytest.raises(ConversionFailed) as caught:
        read(packed({"mimetype": "application/epub+zip"}))
    assert caught.value.reason == "corrupt"


def test_damaged_books_give_a_document_or_a_clear_error() -> None:
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
