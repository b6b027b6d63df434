"""Results of the learned weights on generated pages of each kind."""

import pytest

from webquarry_convert.page import to_markdown

URL = "https://example.com/dir/page"
TEXT = [
    "The harbour was quiet that morning, and the boats that usually left at six were still at their moorings.",
    "According to the keeper of the lighthouse, nobody had seen a fog like this one in more than twenty years.",
    "By noon the wind had turned, the fog lifted within minutes, and the first boats went out to the banks.",
    "In the evening the market was full again; prices, said the traders, were lower than on any day this year.",
]
ARTICLE = "<h1>Fog over the harbour</h1>" + "".join(f"<p>{text}</p>" for text in TEXT)
MENU = "<ul><li><a href=/1>Home</a></li><li><a href=/2>News</a></li><li><a href=/3>Sport</a></li></ul>"
COOKIES = (
    "<div id=cookie-banner class=cookie-consent><p>We use cookies to improve your experience. By using our site you "
    "agree to our privacy policy.</p><button>Accept all cookies</button></div>"
)
RELATED = (
    "<div class=related-posts><h3>Related articles</h3>"
    + "".join(f"<div class=card><a href=/r{n}>Ten things to know about the number {n}</a></div>" for n in range(5))
    + "</div>"
)
FOOT = "<div class=footer><p>© 2024 Example Media Ltd. All rights reserved.</p><a href=/terms>Terms of use</a></div>"


def page(main: str, title: str = "Fog over the harbour") -> str:
    return (
        f"<html><head><title>{title}</title></head><body><header><div class=menu>{MENU}</div></header>{COOKIES}"
        f"{main}{RELATED}{FOOT}</body></html>"
    )


@pytest.mark.parametrize("wrapping", ["<main>{}</main>", "<article>{}</article>", "<div class=content>{}</div>", "{}"])
def test_only_the_article_is_kept(wrapping: str) -> None:
    markdown = to_markdown(page(wrapping.format(ARTICLE)), URL)
    assert all(text in markdown for text in TEXT)
    assert not any(word in markdown for word in ("Sport", "cookies", "Ten things", "All rights"))


@pytest.mark.parametrize("holder", ["aside", "form", "section role=dialog", "div aria-hidden=true"])
def test_content_in_an_unlikely_element_is_kept(holder: str) -> None:
    markdown = to_markdown(page(f"<{holder}>{ARTICLE}</{holder.split()[0]}>"), URL)
    assert all(text in markdown for text in TEXT)


@pytest.mark.parametrize("holder", ["nav", "footer"])
def test_content_in_a_menu_is_kept(holder: str) -> None:
    markdown = to_markdown(f"<body><{holder}>{ARTICLE}</{holder}><p>Share</p></body>", URL)
    assert all(text in markdown for text in TEXT)


def test_all_posts_of_a_thread_are_kept() -> None:
    posts = "".join(
        f"<div class=post><div class=post-author>user{n}</div>"
        f"<div class=post-body><p>{TEXT[n % 4]} ({n})</p></div></div>"
        for n in range(12)
    )
    markdown = to_markdown(
        page(f"<div class=topic><h1>Fog?</h1>{posts}</div>", "Fog? - Forum"), "https://forum.example.com/t/fog/12"
    )
    assert all(f"({n})" in markdown for n in range(12))


def test_content_in_scripts_without_spaces_is_kept() -> None:
    text = "今天早上港口很安静，平时六点出发的船仍然停泊在码头。灯塔看守人说，二十多年来没有人见过这样的大雾。"
    markdown = to_markdown(
        page(f"<div class=article><h1>港口的大雾</h1><p>{text}</p><p>{text[::-1]}</p></div>", "港口的大雾"), URL
    )
    assert text in markdown
    assert "cookies" not in markdown


@pytest.mark.parametrize("html", ["<p>x", "<td>x", "<a href=y>x</a>", "<h1>x</h1>", "<li>x", "x"])
def test_single_text_is_kept_in_any_element(html: str) -> None:
    assert "x" in to_markdown(html)
