"""Posts and accounts as markdown: a thread as continuous text, a timeline as posts with dates and counts."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from webquarry.extractors.social.model.microblog.names import make_profile_url
from webquarry.extractors.social.model.microblog.result import (
    Author,
    Media,
    PlainPost,
    Poll,
    Post,
    Profile,
    QuotedPost,
    Replies,
    SourceName,
    Timeline,
    Tweet,
    UnavailablePost,
)
from webquarry.render import Bold, Line, Link, Md, Piece

TITLES: Final[dict[SourceName, str]] = {
    "fxtwitter": "FxTwitter",
    "x_api": "X API",
    "syndication": "X's embedded posts",
    "vxtwitter": "vxTwitter",
}
_KINDS: Final = {"photo": "Picture", "video": "Video", "gif": "Moving picture"}
_COUNTED: Final = (("like", "likes"), ("repost", "reposts"), ("reply", "replies"), ("quote", "quotes"),
                   ("view", "views"), ("bookmark", "bookmarks"))  # fmt: skip
_ONE: Final = {"reply": "replies"}


def render_profile(r: Profile) -> str:
    verified = {True: f"yes, {r.verification_type}" if r.verification_type else "yes", False: "no", None: None}
    based = {True: "", False: " (may be hidden by a proxy)", None: ""}[r.based_in_accurate]
    since = f" since {r.verified_since:%Y-%m-%d}" if r.verified_since else ""
    page = Md(f"{r.name} (@{r.handle})").quote(*_lines(r.bio))
    page.table(
        "",
        ("Followers", "Following", "Posts", "Posts with media", "Likes"),
        [tuple(map(_write_number, (r.followers, r.following, r.post_count, r.media_count, r.likes_count)))],
    )
    page.facts(
        [
            ("Verified", f"{verified[r.verified]}{since}" if r.verified is not None else None),
            ("Protected", "yes: only approved followers can see its posts" if r.protected else None),
            ("Based in", f"{r.based_in_country}{based}" if r.based_in_country else None),
            ("Location (self-reported)", r.location),
            ("Website", r.website),
            ("Joined", r.joined_at.date() if r.joined_at else None),
            ("Handle changed", _write_times(r.username_changes)),
            ("Account number", r.id),
        ]
    )
    return _end(page, r.warnings, r.provider, r.url)


def render_timeline(r: Timeline) -> str:
    page = Md(f"Posts by @{r.handle}")
    page.paragraph(_tell_count(r.count, "post", with_replies=r.with_replies))
    for post in r.tweets:
        _add_post(page, post)
    _add_next(page, r.next_cursor, r.unavailable_count)
    return _end(page, r.warnings, r.provider, make_profile_url(r.handle))


def render_tweet(r: Tweet) -> str:
    page = Md(f"{'Thread' if r.thread else 'Post'} by {_name(r.author)}")
    page.facts(
        [
            ("Posted", r.created_at),
            ("Answers", _answers(r)),
            ("Author's followers", _write_number(r.author.followers if r.author else None)),
        ]
    )
    if not r.thread:
        _add_body(page, r)
    page.table(
        "Counts" if r.thread else "Figures",
        ("Likes", "Reposts", "Replies", "Quotes", "Views", "Bookmarks"),
        [tuple(map(_write_number, (r.likes, r.reposts, r.replies, r.quotes, r.views, r.bookmarks)))],
    )
    if r.thread:
        page.heading(f"Thread ({len(r.thread)} posts)")
        for place, post in enumerate(r.thread, 1):
            mark = ", the requested post" if post.id == r.id and r.id != r.thread[0].id else ""
            page.heading(f"{place}. {_write_when(post.created_at)}{mark}", 3)
            _add_body(page, post)
            page.paragraph((_write_counts(post), Link("post", post.url)))
    elif r.parent is not None:
        page.heading(f"In reply to {_name(r.parent.author)}")
        _add_body(page, r.parent)
    if r.article is None or r.article.markdown is None:
        return _end(page, r.warnings, r.provider, r.url)
    body = r.article.markdown.removeprefix("# ")
    heading = "## Article: " if r.article.title else "## Article\n\n"
    return f"{page.text()}\n{heading}{body}\n\n{_end(Md(''), r.warnings, r.provider, r.url)}"


def render_replies(r: Replies) -> str:
    page = Md(f"Replies to post {r.id}" if r.tweet is None else f"Replies to a post by {_name(r.tweet.author)}")
    if r.tweet is not None:
        _add_body(page, r.tweet)
        page.paragraph((_write_when(r.tweet.created_at), "·", _write_counts(r.tweet), Link("post", r.tweet.url)))
    page.heading("Replies")
    page.paragraph(_tell_count(r.count, "reply", with_replies=False) + f" Ordered by {r.ranking_applied}.")
    for post in r.replies:
        _add_post(page, post)
    _add_next(page, r.next_cursor, r.unavailable_count)
    return _end(page, r.warnings, r.provider, r.tweet.url if r.tweet else None)


def _add_post(page: Md, post: Post) -> None:
    """Add a post of a list: date, author, the reason why it is listed, its content and its counts."""
    why = ", pinned" if post.pinned else ""
    if post.reposted_by is not None:
        why += f", reposted by @{post.reposted_by.handle}"
    page.heading(f"{_write_when(post.created_at)}, {_name(post.author)}{why}", 3)
    answers = _answers(post)
    if answers is not None:
        page.paragraph(("Answers", answers))
    _add_body(page, post)
    page.paragraph((_write_counts(post), Link("post", post.url)))


def _add_body(page: Md, post: Post) -> None:
    """Add text, media, links, poll, quoted post and readers' notes."""
    for line in _lines(post.text):
        page.paragraph(line)
    for shown in post.media:
        page.paragraph(_write_medium(shown))
    for card in post.links:
        page.paragraph(("Link:", Link(card.title or card.url, card.url), card.description))
    if post.poll is not None:
        _add_poll(page, post.poll)
    if post.article is not None and post.article.markdown is None:
        page.paragraph(("Article:", Bold(post.article.title or "without a title"), post.article.preview_text))
    if post.quoted_tweet is not None:
        page.quote(*_quote(post.quoted_tweet))
    if post.community_note is not None:
        page.paragraph((Bold("Readers added:"), post.community_note))


def _add_poll(page: Md, poll: Poll) -> None:
    page.table(
        "",
        ("Choice", "Votes", "Share, %"),
        [(choice.label, _write_number(choice.count), choice.percentage) for choice in poll.choices],
    )
    page.facts([("Votes", _write_number(poll.total_votes)), ("Ends", poll.ends_at)])


def _add_next(page: Md, cursor: str | None, unavailable: int) -> None:
    if unavailable:
        page.paragraph(f"{unavailable} more on this page are unavailable (deleted or withheld).")
    page.facts([("Next page, as cursor", cursor)])


def _end(page: Md, warnings: Iterable[str], provider: SourceName, url: str | None) -> str:
    for warning in warnings:
        page.paragraph(warning)
    return page.source(f"{TITLES[provider]}, {url}" if url else TITLES[provider]).text()


def _quote(quoted: QuotedPost | UnavailablePost) -> Iterator[Line]:
    if isinstance(quoted, UnavailablePost):
        reason = f" ({quoted.reason})" if quoted.reason not in (None, "unavailable") else ""
        yield f"The quoted post is not available{reason}."
        return
    yield (Bold(_name(quoted.author)), _write_when(quoted.created_at), Link("post", quoted.url))
    yield from _lines(quoted.text)
    for shown in quoted.media:
        yield _write_medium(shown)


def _write_medium(shown: Media) -> Line:
    seconds = f"({shown.duration_seconds:g} s)" if shown.duration_seconds is not None else None
    return (Link(_KINDS[shown.type], shown.url), seconds, shown.alt_text)


def _answers(post: PlainPost) -> Piece:
    answered = post.replying_to
    if answered is None:
        return None
    return Link(f"@{answered.handle}" if answered.handle else "a post", answered.url)


def _write_counts(post: Post) -> str | None:
    counts = []
    for one, many in _COUNTED:
        count: int | None = getattr(post, many)
        if count is not None:
            counts.append(f"{count:,} {one if count == 1 else many}")
    return " · ".join(counts) or None


def _tell_count(count: int, noun: str, *, with_replies: bool) -> str:
    many = _ONE.get(noun, f"{noun}s")
    line = f"{count} {noun if count == 1 else many} on this page" if count else f"No {many} on this page"
    return f"{line}, including the account's replies." if with_replies else f"{line}."


def _write_times(count: int | None) -> str | None:
    return f"{count} time{'' if count == 1 else 's'}" if count else None


def _write_number(count: int | None) -> str | None:
    return None if count is None else f"{count:,}"


def _write_when(instant: datetime | None) -> str:
    return f"{instant:%Y-%m-%d %H:%M} UTC" if instant else "Date unknown"


def _name(author: Author | None) -> str:
    if author is None:
        return "an account that the provider does not name"
    return f"{author.name} (@{author.handle})" if author.name != author.handle else f"@{author.handle}"


def _lines(text: str | None) -> list[str]:
    return [line for line in (text or "").split("\n") if line.strip()]
