"""A document's title and its source."""

import pytest

from webquarry_convert.file.document import Document, Sheet
from webquarry_convert.file.titles import choose_title


@pytest.mark.parametrize(
    ("markdown", "title", "expected"),
    [
        ("# A\n", "Own", ("Own", "properties")),
        ("# A\n", None, ("A", "heading")),
        ("text\n\n### A *b* [c](https://a.example/)\n\n# D\n", None, ("A b c", "heading")),
        ("# A\n", "PowerPoint Presentation", ("A", "heading")),
        ("# A\n", "Microsoft Word - notes.doc", ("A", "heading")),
        ("text\n", "notes.doc", ("notes.doc", "properties")),
        ("text\n", "Untitled", (None, None)),
        ("```\n# no\n```\n\n## B\n", None, ("B", "heading")),
        ("````\n```\n# no\n````\n\ntext\n", None, (None, None)),
        ("#hash\n\ntext # no\n", None, (None, None)),
    ],
)
def test_title_is_the_metadata_title_or_the_first_heading(
    markdown: str, title: str | None, expected: tuple[str | None, str | None]
) -> None:
    made = choose_title(Document(markdown, title=title))
    assert (made.title, made.title_source) == expected


def test_sheet_names_are_not_headings() -> None:
    assert choose_title(Document("## Sheet1\n", sheets=(Sheet("Sheet1", 1, 1),))).title is None


def test_title_source_from_the_reader_is_kept() -> None:
    assert choose_title(Document("# A\n", title="A", title_source="heading")).title_source == "heading"
