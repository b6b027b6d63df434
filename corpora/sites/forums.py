"""Threads from forum software, with a box for each post."""

from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page


def _begin(kind: str, draw: Random) -> tuple[Page, str]:
    page = Page(kind, draw)
    return page, f"{page.words.title()}: {page.words.heading()}"


def _draw_posts(page: Page, hour: bool = True) -> list[tuple[str, str, str, str]]:
    """Draw user, machine-readable date, date and text of each post; some posts quote nothing, some are short."""
    users = page.words.users(page.draw.randint(3, 5))
    posts = []
    for _ in range(page.draw.randint(3, 9)):
        user, day = page.draw.choice(users), page.words.day(hour=hour)
        text = page.words.paragraph(1, 4)
        page.post(user, day.text, text)
        posts.append((user, day.iso, day.text, text))
    return posts


def _write_body(page: Page, text: str, earlier: str = "", quote: Callable[[str], str] = str) -> str:
    extra = ""
    if page.draw.random() < 0.25:
        extra += "<br><br>" + page.says(page.words.sentence())
    if page.draw.random() < 0.2:
        extra += f'<br><a href="https://pics.example/{page.draw.randint(1, 99)}">{page.says(page.words.title())}</a>'
    return (quote(earlier) if earlier and page.draw.random() < 0.4 else "") + escape(text) + extra


def _actions(page: Page, *keys: str) -> str:
    return " ".join(
        f'<a href="/{key}/{page.draw.randint(1, 999)}">{page.around(page.words.label(key))}</a>' for key in keys
    )


def make_xenforo(draw: Random) -> Page:
    page, title = _begin("xenforo", draw)
    posts, word = [], page.words.label
    earlier = ""
    for number, (user, iso, day, text) in enumerate(_draw_posts(page), 1):
        body = _write_body(page, text, earlier, lambda said: (
            f'<blockquote class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-content">{escape(said[:60])}</div></blockquote>'
        ))  # fmt: skip
        signature = (
            f'<aside class="message-signature"><div class="bbWrapper">{page.around(page.words.sentence())}</div></aside>'
            if draw.random() < 0.3
            else ""
        )
        posts.append(
            f'<article class="message message--post js-post" data-author="{user}" id="js-post-{number}"><div class="message-inner">'
            f'<div class="message-cell message-cell--user"><section class="message-user"><div class="message-avatar"><a href="/members/{user}/" class="avatar"><img src="/a/{number}.jpg" alt="{user}"></a></div>'
            f'<div class="message-userDetails"><h4 class="message-name"><a href="/members/{user}/" class="username">{escape(user)}</a></h4><h5 class="userTitle message-userTitle">{page.around(word("member"))}</h5></div>'
            f'<div class="message-userExtras"><dl class="pairs pairs--justified"><dt>{page.around(word("joined"))}</dt><dd>{page.around(str(draw.randint(2003, 2020)))}</dd></dl>'
            f'<dl class="pairs pairs--justified"><dt>{page.around(word("posts"))}</dt><dd>{draw.randint(1000, 9999)}</dd></dl></div></section></div>'
            f'<div class="message-cell message-cell--main"><div class="message-main"><header class="message-attribution"><ul class="message-attribution-main listInline"><li class="u-concealed"><a href="#post-{number}"><time class="u-dt" datetime="{iso}">{day}</time></a></li></ul>'
            f'<ul class="message-attribution-opposite"><li><a href="#post-{number}">#{number}</a></li></ul></header>'
            f'<div class="message-content"><div class="message-userContent"><article class="message-body"><div class="bbWrapper">{body}</div></article></div>{signature}</div>'
            f'<footer class="message-footer"><div class="message-actionBar actionBar">{_actions(page, "report", "like", "reply")}</div></footer></div></div></div></article>'
        )
        earlier = text
    head = f'<div class="p-title"><h1 class="p-title-value">{page.says(title)}</h1></div>'
    page.truth.headings.append(title)
    pages = f'<nav class="pageNavWrapper"><ul class="pageNav-main"><li><a href="page-2">2</a></li></ul><a href="page-2" class="pageNav-jump">{page.around(word("next"))}</a></nav>'
    form = f'<form class="block"><h3>{page.around(word("login"))}</h3><textarea></textarea><button>{page.around(word("reply"))}</button></form>'
    finish(
        page,
        title,
        f'{head}<div class="block block--messages">{pages}<div class="block-body">{"".join(posts)}</div>{pages}</div>{form}',
    )
    return page


def make_phpbb(draw: Random) -> Page:
    page, title = _begin("phpbb", draw)
    word, posts, earlier = page.words.label, [], ""
    for number, (user, iso, day, text) in enumerate(_draw_posts(page), 1):
        body = _write_body(page, text, earlier, lambda said: (
            f'<blockquote><div><cite>someone wrote:</cite>{escape(said[:60])}</div></blockquote>'
        ))  # fmt: skip
        signature = (
            f'<div id="sig{number}" class="signature">{page.around(page.words.sentence())}</div>'
            if draw.random() < 0.4
            else ""
        )
        posts.append(
            f'<div id="p{number}" class="post has-profile bg{number % 2 + 1}"><div class="inner"><dl class="postprofile" id="profile{number}"><dt class="has-profile-rank has-avatar"><div class="avatar-container"></div><a href="./memberlist.php?u={number}" class="username">{escape(user)}</a></dt>'
            f'<dd class="profile-rank">{page.around(word("member"))}</dd><dd class="profile-posts"><strong>{page.around(word("posts"))}:</strong> <a href="#">{draw.randint(1000, 9999)}</a></dd><dd class="profile-joined"><strong>{page.around(word("joined"))}:</strong> {page.around(page.words.day(hour=True).text)}</dd></dl>'
            f'<div class="postbody"><div id="post_content{number}"><h3 class="first"><a href="#p{number}">Re: {escape(title)}</a></h3><ul class="post-buttons"><li><a href="./posting.php?mode=quote" title="q"><span>{page.around(word("quote"))}</span></a></li></ul>'
            f'<p class="author"><a class="unread" href="./viewtopic.php?p={number}#p{number}"><span class="sr-only">{page.around(word("posts"))}</span></a><span class="responsive-hide">{word("by")} <strong><a href="./memberlist.php?u={number}" class="username">{escape(user)}</a></strong> &raquo; </span><time datetime="{iso}">{day}</time></p>'
            f'<div class="content">{body}</div>{signature}</div></div></div></div><hr class="divider">'
        )
        earlier = text
    head = f'<h2 class="topic-title"><a href="./viewtopic.php?t=1">{page.says(title)}</a></h2>'
    page.truth.headings.append(title)
    foot = f'<div class="action-bar bar-bottom"><a href="./posting.php" class="button">{page.around(word("reply"))}</a><div class="pagination">{len(posts)} posts</div></div>'
    finish(page, title, f"{head}{''.join(posts)}{foot}")
    return page


def make_vbulletin(draw: Random) -> Page:
    """Make a thread of version 3, with a table for each post."""
    page, title = _begin("vbulletin", draw)
    word, posts = page.words.label, []
    for number, (user, _, day, text) in enumerate(_draw_posts(page), 1):
        posts.append(
            f'<div align="center"><div class="page"><table class="tborder" id="post{number}" cellpadding="6" width="100%"><tr><td class="thead"><a name="post{number}"><img class="inlineimg" src="i.gif" alt="Old"></a> {day}</td><td class="thead" align="right">#<a href="showpost.php?p={number}"><strong>{number}</strong></a></td></tr>'
            f'<tr valign="top"><td class="alt2" width="175"><div id="postmenu_{number}"><a class="bigusername" href="member.php?u={number}">{escape(user)}</a></div><div class="smallfont">{page.around(word("member"))}</div><div class="smallfont">&nbsp;<br><div>{page.around(word("joined"))}: {draw.randint(2003, 2012)}</div><div>{page.around(word("posts"))}: {draw.randint(1000, 9999)}</div></div></td>'
            f'<td class="alt1" id="td_post_{number}"><div id="post_message_{number}">{_write_body(page, text)}</div><div align="right"><!-- controls -->{_actions(page, "quote", "reply")}</div></td></tr></table></div></div>'
        )
    head = f'<table class="tborder"><tr><td class="tcat"><strong>{page.says(title)}</strong></td></tr></table>'
    finish(page, title, head + "".join(posts))
    return page


def make_smf(draw: Random) -> Page:
    page, title = _begin("smf", draw)
    word, posts = page.words.label, []
    for number, (user, _, day, text) in enumerate(_draw_posts(page), 1):
        posts.append(
            f'<div class="windowbg" id="msg{number}"><div class="post_wrapper"><div class="poster"><h4><a href="?action=profile;u={number}" title="View">{escape(user)}</a></h4><ul class="user_info"><li class="membergroup">{page.around(word("member"))}</li><li class="icons"><img src="i.png" alt="*"></li><li class="postcount">{page.around(word("posts"))}: {draw.randint(1000, 9999)}</li></ul></div>'
            f'<div class="postarea"><div class="keyinfo"><div id="subject_{number}" class="subject_title"><a href="?msg={number}" rel="nofollow">{"Re: " if number > 1 else ""}{escape(title)}</a></div><div class="postinfo"><span class="messageicon"></span><a href="?msg={number}" class="smalltext">« <strong>#{number}</strong> {day} »</a></div></div>'
            f'<div class="post"><div class="inner" id="msg_{number}">{_write_body(page, text)}</div></div></div><div class="moderatorbar"><div class="smalltext reportlinks"><ul class="quickbuttons"><li>{_actions(page, "report")}</li></ul></div></div></div></div><hr class="post_separator">'
        )
    head = f'<div id="display_head" class="information"><h2 class="display_title"><span id="top_subject">{page.says(title)}</span></h2><p>{page.around(word("views"))} 1234</p></div>'
    page.truth.headings.append(title)
    finish(page, title, f'{head}<div id="forumposts"><form>{"".join(posts)}</form></div>')
    return page


def make_discourse(draw: Random) -> Page:
    """Make the view for readers without scripts."""
    page, title = _begin("discourse", draw)
    posts = []
    for number, (user, iso, day, text) in enumerate(_draw_posts(page, hour=False), 1):
        liked = f"{number} {page.words.label('like')}"
        likes = f'<div itemprop="interactionStatistic" itemscope itemtype="http://schema.org/InteractionCounter"><span class="post-likes">{page.around(liked)}</span></div>'
        posts.append(
            f'<div id="post_{number}" itemprop="comment" itemscope itemtype="http://schema.org/Comment" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url" rel="nofollow" href="/u/{user}"><span itemprop="name">{escape(user)}</span></a></span>'
            f'<link itemprop="mainEntityOfPage" href="/t/1"><span class="crawler-post-infos"><time itemprop="datePublished" datetime="{iso}" class="post-time">{day}</time><meta itemprop="dateModified" content="{iso}"><span itemprop="position">{number}</span></span></div>'
            f'<div class="post" itemprop="text"><p>{_write_body(page, text)}</p></div>{likes}</div>'
        )
    head = f'<div id="topic-title"><h1><a href="/t/1">{page.says(title)}</a></h1><div class="topic-category"><a href="/c/1" class="badge-wrapper"><span class="category-name" itemprop="name">{page.around(page.words.title())}</span></a></div></div>'
    page.truth.headings.append(title)
    related = "".join(
        f'<tr class="topic-list-item"><td class="main-link"><a href="/t/{i}" class="title raw-link">{page.around(page.words.heading())}</a></td><td class="posts"><span>{i}</span></td></tr>'
        for i in range(4)
    )
    more = f'<div class="related-topics"><h3>{page.around(page.words.label("related_posts"))}</h3><table class="topic-list"><tbody>{related}</tbody></table></div>'
    finish(
        page,
        title,
        f'<div itemscope itemtype="http://schema.org/DiscussionForumPosting">{head}{"".join(posts)}</div>{more}',
        body=' class="crawler"',
    )
    return page


def make_flarum(draw: Random) -> Page:
    page, title = _begin("flarum", draw)
    posts = "".join(
        f'<article><div class="PostUser"><h3 class="PostUser-name">{escape(user)}</h3></div><ul class="Post-header"><li><time datetime="{iso}">{day}</time></li></ul><div class="Post-body"><p>{_write_body(page, text)}</p></div><aside class="Post-actions"><ul><li>{_actions(page, "like", "reply")}</li></ul></aside></article><hr>'
        for user, iso, day, text in _draw_posts(page)
    )
    page.truth.headings.append(title)
    finish(page, title, f'<div class="container"><h1>{page.says(title)}</h1><div>{posts}</div></div>')
    return page


def make_invision(draw: Random) -> Page:
    page, title = _begin("invision", draw)
    posts = "".join(
        f'<article id="elComment_{number}" class="cPost ipsBox ipsComment"><aside class="ipsComment_author cAuthorPane"><h3 class="cAuthorPane_author"><strong><a href="/profile/{number}-{user}/" class="ipsType_break">{escape(user)}</a></strong></h3><ul class="cAuthorPane_info"><li class="cAuthorPane_photo"><img src="/p/{number}.png" alt="{user}"></li><li>{page.around(page.words.label("member"))}</li><li><a href="/profile/{number}/content/"><i class="fa fa-comment"></i> {draw.randint(1000, 9999)}</a></li></ul></aside>'
        f'<div class="ipsColumn"><div id="comment-{number}_wrap"><div class="ipsComment_meta"><div class="ipsType_reset"><a href="?do=findComment" class="ipsType_blendLinks">{page.words.label("posts")} <time datetime="{iso}" title="{day}" data-short="1 yr">{day}</time></a></div></div><div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_richText"><p>{_write_body(page, text)}</p></div><div class="ipsItemControls"><ul class="ipsComment_controls"><li>{_actions(page, "quote", "share")}</li></ul></div></div></div></div></article>'
        for number, (user, iso, day, text) in enumerate(_draw_posts(page), 1)
    )
    page.truth.headings.append(title)
    finish(
        page,
        title,
        f'<div class="ipsPageHeader"><h1 class="ipsType_pageTitle"><span class="ipsType_break"><span>{page.says(title)}</span></span></h1></div><div data-role="commentFeed">{posts}</div>',
    )
    return page


def make_mybb(draw: Random) -> Page:
    page, title = _begin("mybb", draw)
    posts = "".join(
        f'<a name="pid{number}"></a><div class="post classic" id="post_{number}"><div class="post_author scaleimages"><div class="author_avatar"><a href="member.php?u={number}"><img src="av.png" alt=""></a></div><div class="author_information"><strong><span class="largetext"><a href="member.php?u={number}">{escape(user)}</a></span></strong><br><span class="smalltext">{page.around(page.words.label("member"))}<br></span></div><div class="author_statistics">{page.around(page.words.label("posts"))}: {draw.randint(1000, 9999)}<br>{page.around(page.words.label("joined"))}: {draw.randint(2003, 2020)}</div></div>'
        f'<div class="post_content"><div class="post_head"><div class="float_right" style="vertical-align: top"><strong><a href="?pid={number}">#{number}</a></strong></div><span class="post_date">{day} <span class="post_edit"></span></span></div><div class="post_body scaleimages" id="pid_{number}">{_write_body(page, text)}</div></div><div class="post_controls"><div class="postbit_buttons">{_actions(page, "search", "reply", "report")}</div></div></div>'
        for number, (user, _, day, text) in enumerate(_draw_posts(page), 1)
    )
    head = f'<table class="tborder"><tr><td class="thead"><div><strong>{page.says(title)}</strong></div></td></tr><tr><td id="posts_container"><div id="posts">{posts}</div></td></tr></table>'
    finish(page, title, head)
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "xenforo": make_xenforo,
    "phpbb": make_phpbb,
    "vbulletin": make_vbulletin,
    "smf": make_smf,
    "discourse": make_discourse,
    "flarum": make_flarum,
    "invision": make_invision,
    "mybb": make_mybb,
}
