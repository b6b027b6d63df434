import pytest

from webquarry_convert.page.content.names import Names, collect_words, is_hidden
from webquarry_convert.page.content.wording import Wording, get_first_words
from webquarry_convert.tree import Attributes, Node


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({}, {"<div"}),
        ({"class": "post-body_2 entryContent XX"}, {"<div", "post", "body", "entry", "content", "xx"}),
        ({"id": "mainNav"}, {"<div", "#main", "#nav"}),
        ({"role": "main", "itemprop": "articleBody"}, {"<div", "role=main", "itemprop=article", "itemprop=body"}),
        ({"class": None, "id": ""}, {"<div"}),
    ],
)
def test_words_of_an_element_are_collected(attributes: Attributes, words: set[str]) -> None:
    assert collect_words(Node("div", attributes, -1)) == words


@pytest.mark.parametrize(
    ("attributes", "hidden"),
    [
        ({"hidden": None}, True),
        ({"aria-hidden": "true"}, True),
        ({"aria-hidden": "false"}, False),
        ({"style": "color: red; DISPLAY:none"}, True),
        ({"style": "display: block"}, False),
        ({"style": None}, False),
    ],
)
def test_hidden_elements_are_recognized_by_markup(attributes: Attributes, hidden: bool) -> None:
    assert is_hidden(attributes) is hidden


def test_weights_of_the_words_add_up() -> None:
    names = Names({"post": 5, "body": 7, "<div": -1})
    assert names.weight(Node("div", {"class": "post body other"}, -1)) == 11
    assert names.weight(Node("div", {}, -1)) == -1


def test_elements_with_the_same_class_are_weighed_by_their_other_names() -> None:
    names = Names({"post": 5, "#top": 3, "role=main": 8})
    others: list[Attributes] = [{}, {"id": "top"}, {"role": "main"}, {"id": "top", "role": "main"}, {"role": None}]
    assert [names.weight(Node("div", {"class": "post", **other}, -1)) for other in others] == [5, 8, 13, 16, 5]


def test_only_the_first_words_of_a_text_count() -> None:
    assert get_first_words("Related Posts: © 2020 " + "word " * 99)[:4] == ["related", "posts:", "©", "2020"]
    assert Wording({"related": -3, "word": 100}).weight("related " + "a " * 40 + "word") == -3
