import pytest

from webquarry_convert.page import to_markdown
from webquarry_convert.page.content.stray_lines import is_stray_line


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Loading...", "h3"),
        ("Loading…", "div"),
        ("Loading", "div"),
        ("Loading more comments…", "li"),
        ("Wird geladen …", "p"),
        ("Chargement en cours...", "h2"),
        ("読み込み中...", "span"),
        ("Please Login or Register to create posts and topics.", "div"),
        ("You must be logged in to reply to this topic.", "p"),
        ("You must log in or register to post here.", "div"),
        ("Bitte melde dich an, um zu antworten.", "p"),
        ("Connectez-vous pour commenter", "p"),
        ("Inicia sesión para responder", "p"),
        ("Copy code", "div"),
        ("Advertisement", "div"),
    ],
)
def test_user_interface_lines_are_recognized(text: str, tag: str) -> None:
    assert is_stray_line(text, tag)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Loading", "h2"),
        ("Loading dock", "p"),
        ("Loading a lorry takes an hour, and longer in the rain...", "p"),
        ("Log in to create a project.", "li"),
        ("Sign in to add a device", "p"),
        ("Please bring a rope to the yard.", "p"),
        ("Copy", "li"),
        ("Loading...", "pre"),
        ("Advertisement", "li"),
    ],
)
def test_text_about_the_same_subject_is_kept(text: str, tag: str) -> None:
    assert not is_stray_line(text, tag)


def test_headings_above_loading_notices_are_dropped() -> None:
    shelves = "".join(f"<li><a href=/s/{number}>Shelf {number}</a> {number}0 crowns</li>" for number in range(1, 7))
    markdown = to_markdown(
        "<title>Shelves</title><main><h1>Shelves</h1>"
        "<p>Shelves of pine, cut to the length that you need and oiled twice.</p>"
        "<h2>New</h2><div class=card><h3>Loading...</h3></div><div class=card><h3>Loading...</h3></div>"
        f"<h2>All shelves</h2><ul>{shelves}</ul><h2>Trending</h2><div class=spinner>Loading…</div></main>"
    )
    assert "Loading" not in markdown
    assert [line for line in markdown.splitlines() if line.startswith("#")] == ["# Shelves", "## All shelves"]
