"""Lists in HTML that was written by Word or Outlook."""

from webquarry_convert.file.hypertext import convert_hypertext


def item(level: int, mark: str, text: str, style: str = "") -> str:
    """Build a paragraph in the form that Word writes. The marker is for software that does not support Word's lists."""
    shown = f"<span style='mso-list:Ignore'>{mark}<span style='font:7.0pt Times'>&nbsp;&nbsp; </span></span>"
    return (
        f"<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level{level} lfo1;{style}'>"
        f"<![if !supportLists]><span style='font-family:Symbol'>{shown}</span><![endif]>{text}<o:p></o:p></p>\n"
    )


def markdown(*paragraphs: str) -> str:
    return convert_hypertext(f"<body>{''.join(paragraphs)}</body>").markdown


def test_paragraphs_with_a_level_become_nested_lists() -> None:
    body = [item(1, "·", "a <b>b</b>"), item(2, "o", "c"), item(3, "§", "d"), item(1, "·", "e"), "<p>f</p>"]
    assert markdown(*body) == "- a **b**\n  - c\n    - d\n- e\n\nf\n"


def test_numbers_are_counted_and_other_labels_become_text() -> None:
    body = [item(1, "3.", "a"), item(2, "a)", "b"), item(2, "b)", "c"), item(1, "4.", "d")]
    assert markdown(*body) == "3. a\n   - a) b\n   - b) c\n4. d\n"


def test_text_in_between_ends_a_list_and_another_kind_of_marker_begins_one() -> None:
    assert markdown(item(1, "·", "a"), "<p>b</p>", item(2, "·", "c"), item(2, "1.", "d")) == "- a\n\nb\n\n- c\n\n1. d\n"


def test_hidden_item_is_removed() -> None:
    made = convert_hypertext(f"<body>{item(1, '·', 'a')}{item(1, '·', 'bb', 'display:none')}</body>")
    assert made.markdown == "- a\n"
    assert made.hidden > 0
