"""The stages of the content selection, and the explanations of their decisions."""

from itertools import pairwise

import pytest

from convert_support.choice import make_selection
from webquarry_convert.page.content import STAGES, explain_choice
from webquarry_convert.page.content.explanation import MAX_SHOWN, explain_selection
from webquarry_convert.page.content.selection import Change
from webquarry_convert.page.head import Places
from webquarry_convert.tree import build_tree

TEXT = "The old pump holds a litre of oil since the frost came early, and nobody knows how to drain it."
PAGE = f"""<title>Old pumps</title><nav><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></nav>
<div class=post><h1>Old pumps</h1><p>{TEXT}<ul><li>bucket<li>rope</ul></div>"""


def read_fields(html: str, url: str | None = None) -> dict[str, list[str]]:
    """Return the fields of each line in an explanation, by the last field, which is the text."""
    lines = explain_choice(Places(build_tree(html)), url).splitlines()
    return {fields[-1]: fields[:-1] for fields in (line.split("\t") for line in lines)}


def test_each_stage_runs_after_the_stages_that_it_depends_on() -> None:
    names = [stage.name for stage in STAGES]
    assert len(set(names)) == len(names)
    for at, stage in enumerate(STAGES):
        assert set(stage.after) <= set(names[:at]), stage.name
        assert stage.assumes


def test_only_decisions_that_change_something_are_recorded_with_their_stage() -> None:
    selection = make_selection("<p>one<p>two", lambda block: False)
    selection.stage = "first"
    selection.keep(range(2))
    selection.stage = "second"
    selection.keep([0])
    selection.drop([1])
    assert selection.changes == [Change("first", 0, True), Change("first", 1, True), Change("second", 1, False)]
    assert [*selection.kept] == [True, False]


def test_explanation_names_the_stages_that_decided() -> None:
    selection = make_selection(f"<p>{TEXT}<p>two<p>three", lambda block: False, nearness={0: 1.5, 1: 0.25})
    selection.stage = "cut"
    selection.keep([0])
    selection.stage = "copies"
    selection.drop([0])
    assert explain_selection(selection).splitlines() == [
        f"dropped\t1.50\tkept by cut, dropped by copies\tp\t{TEXT[:MAX_SHOWN]}",
        "dropped\t0.25\tunlikely\tp\ttwo",
        "dropped\t-\tnot weighed\tp\tthree",
    ]


def test_explanation_agrees_with_the_conversion() -> None:
    fields = read_fields(PAGE)
    assert fields["Home"] == ["dropped", "-", "not weighed", "li"]
    assert fields["Old pumps"][2] == "kept by cut"
    assert {text for text, (decision, *_) in fields.items() if decision == "kept"} == {
        "Old pumps", TEXT[:MAX_SHOWN], "bucket", "rope",
    }  # fmt: skip


def test_explanation_has_one_line_per_text_in_page_order() -> None:
    html = "".join(f"<p>Line {number}\nand its\trest</p>" for number in range(20))
    lines = explain_choice(Places(build_tree(html)), None).splitlines()
    assert len(lines) == 20
    assert all(int(first.split()[-4]) < int(second.split()[-4]) for first, second in pairwise(lines))


@pytest.mark.parametrize("html", ["", "<img src=a>"])
def test_page_without_text_has_an_empty_explanation(html: str) -> None:
    assert explain_choice(Places(build_tree(html)), None) == ""
