"""Authors' names that have the same position in each post."""

from convert_support.choice import list_kept, make_kinds, make_selection
from webquarry_convert.page.content.records import keep_records

FORUM = make_kinds(forum=255)


def read_posts(posts: list[tuple[str, str]]) -> list[str]:
    """Return the kept texts of posts with a rank and a name, if only the posts' own texts were selected before."""
    markup = "".join(
        f'<div class="post"><h4 class="author"><a href="/members/{name}/">{name}</a></h4>'
        f'<h5 class="author">Member</h5><p class="body">{text}</p></div>'
        for name, text in posts
    )
    selection = make_selection(f"<body><main>{markup}</main></body>", lambda block: block.tokens > 2, kinds=FORUM)
    keep_records(selection)
    return list_kept(selection)


def test_consecutive_posts_by_one_author_all_keep_the_name() -> None:
    kept = read_posts([("rosa", "It leaks again."), ("rosa", "Still leaks today."), ("ibsen", "Look at it.")])
    assert [text for text in kept if text in ("rosa", "ibsen")] == ["rosa", "rosa", "ibsen"]


def test_rank_that_is_the_same_in_all_posts_is_dropped() -> None:
    kept = read_posts([("rosa", "It leaks again."), ("ibsen", "Look at it."), ("rosa", "Now it holds.")])
    assert kept.count("Member") == 1


def test_name_before_a_verb_and_a_colon_is_an_author_but_a_label_is_not() -> None:
    markup = "".join(
        f'<li><div class="comment-author"><b>{name}</b> <span>says:</span></div>'
        f'<div class="author-rank"><b>Rank:</b></div><p class="body">{text}</p>'
        for name, text in [("rosa", "It leaks again."), ("ibsen", "Look at it.")]
    )
    selection = make_selection(f"<ol>{markup}</ol>", lambda block: block.tokens > 2, kinds=FORUM)
    keep_records(selection)
    texts = [block.text for block in selection.blocks.all]
    assert [text for text, keeps in zip(texts, selection.kept, strict=True) if not keeps] == ["Rank:", "Rank:"]


def test_display_name_is_recognized_as_a_name() -> None:
    markup = "".join(
        f'<article><a href="/@{name}"><strong class="display-name__html">{name}</strong></a><p>{text}</p></article>'
        for name, text in [("rosa", "It leaks again."), ("ibsen", "Look at it.")]
    )
    selection = make_selection(f"<body>{markup}</body>", lambda block: block.tokens > 2, kinds=FORUM)
    keep_records(selection)
    assert all(selection.kept)


def test_unmarked_name_before_a_rank_is_recognized() -> None:
    markup = "".join(
        f"<h2>{day} May 2025</h2><dl><dt><strong>{name}</strong></dt><dd class=usertitle>Member</dd></dl><p>{text}</p>"
        for name, day, text in [("rosa", 3, "It leaks again."), ("ibsen", 4, "Look at it.")]
    )
    selection = make_selection(f"<body>{markup}</body>", lambda block: block.text.endswith("."), kinds=FORUM)
    keep_records(selection)
    assert list_kept(selection) == ["rosa", "It leaks again.", "ibsen", "Look at it."]


def test_posts_of_the_same_day_all_keep_their_date() -> None:
    """The boxes of the authors differ, so the dates have different positions."""
    markup = "".join(
        f'<div class="post{number % 2}"><h4 class="author">{name}</h4><time>3 May 2025</time><p>{text}</p></div>'
        for number, (name, text) in enumerate(
            [("rosa", "It leaks again."), ("ibsen", "Look at it."), ("ada", "Now it holds."), ("kim", "How so then?")]
        )
    )
    selection = make_selection(
        f"<body>{markup}</body>",
        lambda block: block.text[-1] in ".?",
        kinds=FORUM,
        days=lambda block: block.text == "3 May 2025",
    )
    keep_records(selection)
    assert list_kept(selection).count("3 May 2025") == 4
