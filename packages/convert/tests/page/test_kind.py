import pytest

from webquarry_convert.page.content.weights import load_weights
from webquarry_convert.page.head import Places
from webquarry_convert.page.kind import KINDS, collect_signs, estimate_kinds
from webquarry_convert.tree import build_tree

SHIRT = (
    '<script type="application/ld+json">'
    '{"@type": "Product", "brand": {"@type": "Brand"}, "offers": {"@type": "Offer"}}</script>'
)


def found(html: str = "", url: str | None = None) -> set[str]:
    return collect_signs(Places(build_tree(html)), url)


@pytest.mark.parametrize(
    ("html", "sign"),
    [
        ('<script type="application/ld+json">{"@type": "Product"}</script>', "ld=Product"),
        ('<meta property="og:type" content="article">', "og:type=article"),
        ('<meta name="generator" content="Discourse 3.2">', "generator=discourse"),
        ("<body class='single-post archive'>", "body=archive"),
        ("<html id=docs>", "body=docs"),
    ],
)
def test_signs_of_the_page_are_collected(html: str, sign: str) -> None:
    assert sign in found(html)


def test_signs_of_the_url_are_collected() -> None:
    assert {"host=forum", "path=thread", "end=topic", "last=number", "steps=2", "query=page"} <= found(
        url="https://forum.example.com/Threads/thread/topic-12?page=2".replace("/Threads", "")
    )


@pytest.mark.parametrize("url", ["", "x", "http://[", "https://example.com", "https://example.com/" + "a-" * 9999])
def test_any_url_is_accepted(url: str) -> None:
    assert len(found(url=url)) < 50


@pytest.mark.parametrize(
    ("html", "url", "kind"),
    [
        (f'<meta property="og:type" content="product">{SHIRT}', "https://e.org/products/blue-shirt", "product"),
        ("<meta name=generator content=Discourse>", "https://forum.example.com/t/a-question/12", "forum"),
        ("", "https://docs.example.com/reference/api/guide.html", "documentation"),
        ('<meta property="og:type" content="article">', "https://e.org/news/2024/a-thing-has-happened", "article"),
    ],
)  # fmt: skip
def test_learned_weights_classify_simple_pages(html: str, url: str, kind: str) -> None:
    found_chances = estimate_kinds(found(html, url), load_weights()["kinds"])
    assert KINDS[found_chances.index(max(found_chances))] == kind


def test_chances_add_up() -> None:
    assert list(estimate_kinds(["a"], {"": [0.0] * 7, "a": [50.0, *[0.0] * 6]})) == [255, *[0] * 6]
    assert set(estimate_kinds([], {"": [0.0] * 7})) == {255 // 7}
