"""Threads from software other than forums: questions and answers, comment trees, mailing list archives, issues."""

from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page


def make_questions(draw: Random) -> Page:
    page = Page("questions", draw)
    title, word = page.words.heading(), page.words.label
    answers, posts = word("answers"), []
    for number, user in enumerate(page.words.users(draw.randint(3, 4))):
        day, text = page.words.day(hour=True), page.words.paragraph(2, 4)
        page.truth.content.extend((user, day.text, text))
        code = f"def f{number}(x):\n    if x:\n        return x * {draw.randint(2, 99)}\n\n    return None"
        comments = "".join(
            f'<li class="comment"><div class="comment-score"><span>{draw.randint(1, 9)}</span></div><div class="comment-text"><span class="comment-copy">{page.says(page.words.sentence())}</span> – <a href="/u/9" class="comment-user">{escape(page.words.user())}</a> <span class="comment-date"><span title="x">{page.words.day().text}</span></span></div></li>'
            for _ in range(draw.randint(0, 2))
        )
        posts.append(
            f'<div class="{"answer" if number else "question"}" data-id="{number}"><div class="votecell"><button aria-label="Up vote"></button><div class="js-vote-count" itemprop="upvoteCount">{draw.randint(1, 99)}</div><button aria-label="Down vote"></button></div>'
            f'<div class="postcell"><div class="s-prose js-post-body" itemprop="text"><p>{escape(text)}</p><pre class="lang-py s-code-block"><code>{page.code(code)}</code></pre></div>'
            f'<div class="post-menu">{page.around(word("share"))} <a href="/f">{page.around(word("report"))}</a></div><div class="user-info"><div class="user-action-time">answered <span title="{day.iso}" class="relativetime">{day.text}</span></div><div class="user-details"><a href="/users/1">{escape(user)}</a><span class="reputation-score">1,204</span></div></div></div>'
            f'<ul class="comments-list">{comments}</ul></div>'
        )
    tags = "".join(f'<a href="/tagged/{i}" class="post-tag">{page.words.title()}</a>' for i in range(3))
    page.truth.headings.append(title)
    main = f'<div id="question-header"><h1 itemprop="name"><a href="/q/1">{page.says(title)}</a></h1></div>{posts[0]}<div class="tags">{tags}</div><div id="answers">{page.heading(2, f"{len(posts) - 1} {answers}")}{"".join(posts[1:])}</div>'
    finish(page, title, main)
    return page


def make_comment_tree(draw: Random) -> Page:
    """Make a tree that is expressed by the width of an empty cell, or by nested lists."""
    page = Page("comment-tree", draw)
    title, nested = page.words.heading(), draw.random() < 0.5
    rows = []
    for number in range(draw.randint(4, 10)):
        user, day, text = page.words.user(), page.words.day(), page.words.paragraph(1, 4)
        page.post(user, day.text, text)
        by = f'<a href="user?id={user}" class="author">{escape(user)}</a> <span class="age" title="{day.iso}"><a href="item?id={number}">{day.text}</a></span>'
        reply = f'<a href="reply?id={number}">{page.around(page.words.label("reply"))}</a>'
        if nested:
            rows.append(
                f'<li id="c{number}"><div class="comment"><div class="voters"><a class="upvoter"></a></div><div class="details"><div class="byline">{by} | {reply}</div><div class="comment_text"><p>{escape(text)}</p></div></div></div>'
                + ("<ol>" if number % 2 == 0 else "</li></ol></li>")
            )
        else:
            rows.append(
                f'<tr class="athing comtr" id="{number}"><td><table border="0"><tr><td class="ind" indent="{number % 3}"><img src="s.gif" height="1" width="{number % 3 * 40}"></td><td valign="top" class="votelinks"><a href="vote"><div class="votearrow"></div></a></td><td class="default"><div style="margin-top:2px"><span class="comhead">{by} <span class="navs">| <a href="#{number}">{page.around(page.words.label("next"))}</a></span></span></div><br><div class="comment"><div class="commtext c00">{escape(text)}</div><div class="reply"><p><font size="1"><u>{reply}</u></font></p></div></div></td></tr></table></td></tr>'
            )
    tree = (
        f'<ol class="comments">{"".join(rows)}</ol>'
        if nested
        else f'<table class="comment-tree">{"".join(rows)}</table>'
    )
    top = f'<div class="story"><span class="titleline"><a href="https://elsewhere.example/x">{page.says(title)}</a></span></div>'
    finish(page, title, top + tree)
    return page


def make_mail_archive(draw: Random) -> Page:
    page = Page("mail-archive", draw)
    title, user, day = page.words.heading(), page.words.name(), page.words.day(hour=True)
    texts = [page.words.sentence() for _ in range(draw.randint(3, 6))]
    page.post(user, day.text, texts[0])
    quoted = page.words.sentence()
    body = f"{escape(texts[0])}\n\n&gt; {escape(quoted)}\n\n" + "\n\n".join(page.says(text) for text in texts[1:])
    page.says(quoted)
    if draw.random() < 0.5:
        around = " ".join(f'<a href="{i}.html">{page.around(page.words.title())}</a>' for i in range(4))
        main = f'<h1>{page.says("[list] " + title)}</h1><b>{escape(user)}</b> <a href="mailto:x">x at lists.example</a><br><i>{day.text}</i><p><ul><li>{page.around(page.words.label("previous"))} (by thread): <a href="1.html">{page.around(page.words.title())}</a></li><li>Messages sorted by: {around}</li></ul><hr><!--beginarticle--><pre>{body}</pre><!--endarticle--><hr>'
        page.truth.headings.append("[list] " + title)
    else:
        page.fact("head", "Subject", title)
        main = f'<pre><b>From:</b> {escape(user)} &lt;x@lists.example&gt;\n<b>Date:</b> {day.text}\n<b>Subject:</b> {escape(title)}\n</pre><pre>{body}</pre><hr><pre><a href="r.html">{page.around(page.words.label("reply"))}</a></pre>'
    finish(page, title, main)
    return page


def make_issue(draw: Random) -> Page:
    page = Page("issue", draw)
    title, word = page.words.heading(), page.words.label
    posts = []
    for number, user in enumerate(page.words.users(draw.randint(2, 5))):
        day, text = page.words.day(), page.words.paragraph(1, 3)
        page.post(user, day.text, text)
        steps = [page.words.sentence() for _ in range(draw.randint(2, 3))]
        listed = "".join(f"<li>{page.item(0, step)}</li>" for step in steps)
        posts.append(
            f'<div class="TimelineItem js-timeline-item"><div class="avatar-parent"><a href="/{user}"><img class="avatar" src="a.png" alt="@{user}"></a></div><div class="timeline-comment-group"><div class="timeline-comment-header"><h3 class="f5 text-normal"><strong><a class="author Link--primary" href="/{user}">{escape(user)}</a></strong> commented <a href="#issuecomment-{number}" class="Link--secondary js-timestamp"><relative-time datetime="{day.iso}" class="no-wrap">{day.text}</relative-time></a></h3><span class="Label">{page.around(word("member"))}</span></div>'
            f'<div class="edit-comment-hide"><table class="d-block"><tbody class="d-block"><tr class="d-block"><td class="d-block comment-body markdown-body js-comment-body"><p dir="auto">{escape(text)}</p><ul dir="auto">{listed}</ul></td></tr></tbody></table><div class="reactions">👍 {draw.randint(1, 9)}</div></div></div></div>'
        )
    label = f'<div class="discussion-sidebar-item"><div class="text-bold">{page.around("Assignees")}</div><span>{page.around("No one assigned")}</span></div>'
    page.truth.headings.append(title)
    main = f'<div class="gh-header"><h1 class="gh-header-title"><bdi class="js-issue-title">{page.says(title)}</bdi> <span class="f1-light">#{draw.randint(10, 999)}</span></h1><span class="State">{page.around(word("closed"))}</span></div><div class="discussion">{"".join(posts)}</div><div class="Layout-sidebar">{label}</div>'
    finish(page, title, main)
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "questions": make_questions,
    "comment-tree": make_comment_tree,
    "mail-archive": make_mail_archive,
    "issue": make_issue,
}
