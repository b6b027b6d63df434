"""Texts that repeat the same phrase."""

import pytest

from webquarry_convert.page import to_markdown

PAGE = """<title>Pears</title><main><article>%s<p>The pears of this orchard ripen in October, and keep until the spring
when they are laid on straw, as all who have tried it say.</p></article></main>"""


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ('<h1><a href="/p">Winter pears</a>Winter pears</h1>', "# [Winter pears](/p)"),
        ("<h1>Winter pears <span class=wide>Winter pears</span></h1>", "# Winter pears"),
        (
            "<h1><span aria-hidden=true><span>Winter</span><span>pears</span></span><span>Winter pears</span></h1>",
            "# Winter pears",
        ),
        ("<p><span><b>Sold by weight</b><i>Sold by weight</i><b>Sold by weight</b></span></p>", "**Sold by weight**"),
    ],
)
def test_adjacent_copies_are_kept_once(markup: str, written: str) -> None:
    assert to_markdown(PAGE % markup).startswith(f"{written}\n\n")


@pytest.mark.parametrize(
    "text", ["Again and again and", "Winter pears Winter pears", "<b>100</b><b>100</b> km", "<b>one</b><i>one</i>"]
)
def test_short_texts_and_repetitions_within_one_part_are_kept(text: str) -> None:
    shown = text.replace("<b>", "").replace("</b>", "").replace("<i>", "").replace("</i>", "")
    assert to_markdown(PAGE % f"<p>{text}</p>").replace("*", "").startswith(f"{shown}\n\n")
