"""Content that a file shows only elsewhere or as an image.

Such content is rejected or named in a warning, and is never returned as the file's text.
"""

import pytest

from convert_support.portable import Sheet, portable
from webquarry_convert.errors import ConversionFailed
from webquarry_convert.file.pdf import read

NOTICE = [
    "Please wait...",
    "If this message is not eventually replaced by the proper contents of the document,",
    "your PDF viewer may not be able to display this type of document.",
]
DYNAMIC = "/NeedsRendering true/AcroForm<</Fields[]/XFA[(template)(x)]>>"
PROSE = ["A page with some lines of text that a reader can", "read, and a picture beside them."]


def test_dynamic_form_with_only_a_notice_is_rejected() -> None:
    with pytest.raises(ConversionFailed, match="XFA") as caught:
        read(portable(Sheet().lines(72, 60, NOTICE), catalog=DYNAMIC))
    assert caught.value.reason == "unsupported_type"


def test_dynamic_form_with_text_is_read() -> None:
    long = [f"Line {at} of a form that was filled in and saved with all its pages." for at in range(50)]
    assert "Line 49" in read(portable(Sheet().lines(72, 40, long), catalog=DYNAMIC)).markdown


def test_a_form_without_dynamic_pages_is_read() -> None:
    still = DYNAMIC.replace("/NeedsRendering true", "")
    assert "Please wait" in read(portable(Sheet().lines(72, 60, NOTICE), catalog=still)).markdown


def test_page_without_text_counts_as_unread_if_its_picture_is_large() -> None:
    assert read(portable(Sheet().picture(200, 200))).unread == (1,)
    assert read(portable(Sheet().picture(40, 40))).unread == ()


def test_large_picture_next_to_text_is_named_in_a_warning() -> None:
    with_picture = portable(Sheet().lines(72, 60, NOTICE), Sheet().lines(72, 300, PROSE).picture(300, 300))
    assert read(with_picture).warnings == ("Large images on page 2 are omitted, including any text in them.",)
    small = portable(Sheet().lines(72, 60, PROSE).picture(60, 60))
    assert read(small).warnings == ()
