"""Texts in the markup of software that is not used for training: repositories, wikis, help, laws, transcripts."""

from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page


def _write_links(page: Page, least: int = 3, most: int = 6, attributes: str = "") -> str:
    """Write list items that link to other pages."""
    return "".join(
        f'<li{attributes}><a href="/l/{number}">{page.around(page.words.heading())}</a></li>'
        for number in range(page.draw.randint(least, most))
    )


def _write_list(page: Page, tag: str = "ul", inside: str = "{}") -> str:
    items = "".join(f"<li>{inside.format(page.item(0, page.words.sentence()))}</li>" for _ in range(3))
    return f"<{tag}>{items}</{tag}>"


def make_repository(draw: Random) -> Page:
    """Make the front page of a repository: files, readme, and facts in a sidebar."""
    page = Page("repository", draw)
    name, around = draw.choice(("pump", "larder", "loom")) + str(draw.randint(1, 99)), page.around

    def head(level: int, text: str) -> str:
        inner = page.heading(level, text, ' tabindex="-1" class="heading-element" dir="auto"')
        return f'<div class="markdown-heading" dir="auto">{inner}<a id="user-content-{level}" class="anchor" aria-label="Permalink: {escape(text)}" href="#{level}"><svg class="octicon octicon-link"></svg></a></div>'

    files = ""
    for file in ("src", "tests", "Makefile", "LICENSE"):
        cell = f'<div class="react-directory-filename-column"><svg class="octicon"></svg><div class="overflow-hidden"><div class="react-directory-filename-cell"><div class="react-directory-truncate"><a title="{file}" aria-label="{file}, (Directory)" class="Link--primary" href="/tree/{file}">{file}</a></div></div></div></div>'
        files += f'<tr class="react-directory-row undefined"><td class="react-directory-row-name-cell-small-screen" colspan="2">{cell}</td><td class="react-directory-row-name-cell-large-screen" colspan="1">{cell}</td><td class="react-directory-row-commit-cell"><div><div class="react-directory-commit-message"><a class="Link--secondary" href="/commit/1">{escape(page.words.title())}</a></div></div></td><td><div class="react-directory-commit-age"><relative-time datetime="{page.words.day().iso}">{page.words.day().text}</relative-time></div></td></tr>'
    table = f'<table aria-labelledby="folders-and-files" class="Table-module__Box"><thead><tr><th colspan="2"><span>Name</span></th><th><span>Last commit message</span></th><th><div>Last commit date</div></th></tr></thead><tbody>{files}</tbody></table>'
    code = f"git clone https://code.example/{name}\ncd {name}\n  make all"
    block = f'<div class="highlight highlight-source-shell notranslate position-relative overflow-auto" dir="auto"><pre>{page.code(code)}</pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy" class="ClipboardButton btn" value="{escape(code)}"><svg></svg></clipboard-copy></div></div>'
    alert = f'<div class="markdown-alert markdown-alert-note" dir="auto"><p class="markdown-alert-title" dir="auto"><svg class="octicon"></svg>Note</p><p dir="auto">{page.says(page.words.sentence())}</p></div>'
    tasks = "".join(
        f'<li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled="" {draw.choice(("", "checked"))}> {page.says(page.words.sentence())}</li>'
        for _ in range(3)
    )
    rows = [[f"--{draw.choice(('dry', 'deep'))}{i}", page.words.sentence()] for i in range(3)]
    options = f"<markdown-accessiblity-table>{page.table(['Option', 'Meaning'], rows)}</markdown-accessiblity-table>"
    badges = '<p dir="auto"><a href="https://ci.example/1"><img src="https://camo.example/a.svg" alt="Build"></a> <a href="https://ci.example/2"><img src="https://camo.example/b.svg" alt="Coverage"></a></p>'
    readme = f'<article class="markdown-body entry-content container-lg" itemprop="text">{head(1, name)}{badges}<p dir="auto">{page.says(page.words.paragraph())}</p>{alert}{head(2, page.words.heading())}<p dir="auto">{page.says(page.words.sentence())}</p>{block}{head(2, page.words.heading())}{_write_list(page)}{options}{head(3, page.words.heading())}<ul class="contains-task-list">{tasks}</ul></article>'
    tabs = "".join(
        f'<li class="d-inline-flex"><a href="/{tab}" class="UnderlineNav-item"><svg></svg><span data-content="{tab}">{around(tab)}</span></a></li>'
        for tab in ("Issues", "Pull requests", "Actions", "Security", "Insights")
    )
    top = f'<div id="repository-container-header" class="pt-3 hide-full-screen"><div class="d-flex flex-nowrap"><div class="flex-auto min-width-0 width-fit"><span class="author flex-self-stretch" itemprop="author"><a class="url fn" rel="author" href="/o">ottoline</a></span><span class="mx-1">/</span><strong itemprop="name"><a href="/o/{name}">{name}</a></strong><span class="Label Label--secondary v-align-middle">{around("Public")}</span></div><ul class="pagehead-actions"><li><a class="btn btn-sm" href="/login">{around("Notifications")}</a></li><li><a class="btn btn-sm" href="/login">{around("Fork")} <span class="Counter">12</span></a></li></ul></div><nav class="js-repo-nav UnderlineNav"><ul class="UnderlineNav-body list-style-none">{tabs}</ul></nav></div>'
    cell = '<div class="BorderGrid-row"><div class="BorderGrid-cell">{}</div></div>'
    side = "".join(
        cell.format(each)
        for each in (
            f'<h2 class="mb-3 h4">About</h2><p class="f4 my-3">{escape(page.words.sentence())}</p><h3 class="sr-only">{around("Resources")}</h3><div class="mt-2"><a class="Link--muted" href="#readme"><svg></svg> Readme</a></div><h3 class="sr-only">{around("Stars")}</h3><div class="mt-2"><a class="Link--muted" href="/s"><svg></svg><strong>128</strong> {around("stars")}</a></div>',
            f'<h2 class="h4 mb-3"><a href="/releases">{around("Releases")} <span class="Counter">4</span></a></h2>',
            f'<h2 class="h4 mb-3"><a href="/packages">{around("Packages")}</a></h2><div class="text-small color-fg-muted">{around("No packages published")}</div>',
            f'<h2 class="h4 mb-3">{around("Languages")}</h2><ul class="list-style-none"><li class="d-inline"><a href="/l"><svg></svg><span>Python</span> <span>91.2%</span></a></li></ul>',
        )
    )
    files_menu = f'<nav aria-label="Repository files" class="UnderlineNav"><ul role="list"><li><a href="#readme"><span data-component="text">README</span></a></li><li><a href="#mit"><span data-component="text">{around("MIT license")}</span></a></li></ul></nav>'
    main = f'{top}<div class="clearfix container-xl"><div class="Layout Layout--sidebar-position-end"><div class="Layout-main"><react-partial partial-name="repos-overview"><div class="react-container">{table}<div class="OverviewContent-module__Box">{files_menu}<div class="js-snippet-clipboard-copy-unpositioned">{readme}</div></div></div></react-partial></div><div class="Layout-sidebar"><div class="BorderGrid about-margin">{side}</div></div></div></div>'
    finish(page, f"ottoline/{name}: {page.words.sentence()}", main)
    return page


def make_confluence(draw: Random) -> Page:
    page = Page("confluence", draw)
    title, day, by, around = page.words.heading(), page.words.day(), page.words.name(), page.around
    page.truth.headings.append(title)
    page.fact("author and day", by, day.text)
    heads = [page.words.heading() for _ in range(3)]
    contents = "".join(
        f'<li><a href="#h{number}" class="toc-link">{escape(each)}</a></li>' for number, each in enumerate(heads)
    )
    pairs = [
        ("Owner", page.words.name()),
        ("Status", draw.choice(("DONE", "IN REVIEW"))),
        ("Due", page.words.day().text),
    ]
    details = "".join(
        f'<tr><th class="confluenceTh"><p>{label}</p></th><td class="confluenceTd"><p>{f"""<span class="status-macro aui-lozenge aui-lozenge-success">{value}</span>""" if label == "Status" else escape(value)}</p></td></tr>'
        for label, value in pairs
    )
    for pair in pairs:
        page.fact("property", *pair)
    cells = ["Part", "Supplier", "Price"]
    rows = [[page.words.title(), page.words.name(), page.words.price()] for _ in range(3)]
    for row in rows:
        page.row(cells, row)
    table = f'<div class="table-wrap"><table class="confluenceTable"><colgroup><col/><col/><col/></colgroup><tbody><tr>{"".join(f"""<th class="confluenceTh"><p><strong>{cell}</strong></p></th>""" for cell in cells)}</tr>{"".join("<tr>" + "".join(f"""<td class="confluenceTd"><p>{escape(cell)}</p></td>""" for cell in row) + "</tr>" for row in rows)}</tbody></table></div>'
    code = "pump --depth 12 \\\n  --dry"
    panel = f'<div class="code panel pdl" style="border-width: 1px;"><div class="codeHeader panelHeader pdl" style="border-bottom-width: 1px;"><b>{page.says(page.words.title())}</b></div><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: bash; gutter: false; theme: Confluence" data-theme="Confluence">{page.code(code)}</pre></div></div>'
    note = f'<div class="confluence-information-macro confluence-information-macro-warning"><p class="title">{page.says(page.words.title())}</p><span class="aui-icon aui-icon-small aui-iconfont-error confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>{page.says(page.words.sentence())}</p></div></div>'
    expand = f'<div id="expander-1" class="expand-container"><div id="expander-control-1" class="expand-control"><span class="expand-control-icon"><img class="expand-control-image" src="/blank.gif" style="vertical-align:middle;"/></span><span class="expand-control-text">{page.says(page.words.title())}</span></div><div id="expander-content-1" class="expand-content">{page.paragraphs(1, 2)}</div></div>'
    tasks = "".join(
        f'<li class="{draw.choice(("", "checked"))}" data-inline-task-id="{i}"><span class="placeholder-inline-tasks">{page.says(page.words.sentence())}</span></li>'
        for i in range(2)
    )
    columns = "".join(
        f'<div class="cell normal" data-type="normal"><div class="innerCell">{page.paragraphs(1, 1)}</div></div>'
        for _ in range(2)
    )
    comments = ""
    count = draw.randint(0, 2)
    for number in range(count):
        user, text = page.words.name(), page.words.paragraph(1, 2)
        page.truth.content.extend((user, text))
        comments += f'<li id="comment-thread-{number}" class="comment-thread"><div class="comment depth-1" id="comment-{number}"><p class="comment-user-logo"><a class="userLogoLink" href="/u"><img class="userLogo logo" src="/a.png" alt="User icon: {user}"></a></p><div class="comment-header"><h4 class="author"><a href="/u" class="url fn confluence-userlink">{user}</a></h4></div><div class="comment-body"><div class="comment-content wiki-content"><p>{escape(text)}</p></div><div class="comment-actions"><ul class="comment-actions-primary"><li class="first action-reply-comment"><a href="#r">{around("Reply")}</a></li><li class="comment-action-like"><a href="#l">{around("Like")}</a></li></ul><ul class="comment-actions-secondary"><li class="comment-date"><a class="comment-permalink" href="#c">{page.words.day().text}</a></li></ul></div></div></div></li>'
    thread = (
        f'<div id="comments-section" class="pageSection group"><div class="section-header">{page.heading(2, f"{count} Comments", " id=comments-section-title class=section-title")}</div><ol class="comment-threads top-level">{comments}</ol></div>'
        if comments
        else ""
    )
    buttons = "".join(
        f'<li class="ajs-button normal"><a href="/{name}" class="aui-button aui-button-subtle"><span>{around(name)}</span></a></li>'
        for name in ("Edit", "Save for later", "Watch")
    )
    body = f'<div class="toc-macro client-side-toc-macro"><ul style="list-style: none;">{contents}</ul></div><div class="plugin-tabmeta-details"><div class="table-wrap"><table class="confluenceTable"><tbody>{details}</tbody></table></div></div>{page.paragraphs(1, 2)}{page.heading(2, heads[0])}{note}{page.paragraphs(1, 1)}{table}{page.heading(2, heads[1])}{panel}{expand}<ul class="inline-task-list" data-inline-tasks-content-id="1">{tasks}</ul>{page.heading(2, heads[2])}<div class="contentLayout2"><div class="columnLayout two-equal" data-layout="two-equal">{columns}</div></div>'
    labels = f'<div id="likes-and-labels-container"><div id="likes-section" class="no-print"><a class="like-button" href="#">{around("Like")}</a><span class="like-summary">{around("Be the first to like this")}</span></div><div id="labels-section" class="pageSection group"><div class="labels-section-content content-column"><ul class="label-list"><li class="no-labels-message">{around("No labels")}</li></ul></div></div></div>'
    tree = f'<div class="ia-fixed-sidebar"><div class="acs-side-bar-space-info"><div class="space-information-container"><div class="name"><a href="/s">{around(page.words.title())}</a></div></div></div><div class="ia-secondary-container tf-tree"><div class="ia-secondary-header"><h5 class="ia-secondary-header-title page-tree">{around("Page tree")}</h5></div><div class="plugin_pagetree"><ul class="plugin_pagetree_children_list">{_write_links(page, 4, 9)}</ul></div></div></div>'
    main = f'{tree}<div id="main" class="aui-page-panel"><div id="main-header"><div id="navigation" class="content-navigation view"><ul class="ajs-menu-bar">{buttons}</ul></div><div id="title-heading" class="pagetitle with-breadcrumbs"><h1 id="title-text" class="with-breadcrumbs"><a href="/display/x">{page.says(title)}</a></h1></div></div><div id="content" class="page view"><div class="page-metadata"><ul><li class="page-metadata-modification-info">Created by <span class="author"><a href="/u" class="url fn confluence-userlink">{by}</a></span>, last modified on <a class="last-modified" href="/diff">{day.text}</a></li></ul></div><div id="main-content" class="wiki-content">{body}</div>{labels}{thread}</div></div>'
    finish(page, title, main)
    return page


def make_help_article(draw: Random) -> Page:
    page = Page("help-article", draw)
    title, day, by, around = page.words.heading(), page.words.day(), page.words.name(), page.around
    page.fact("author", by)
    steps = "".join(
        f'<li>{page.item(0, page.words.sentence())}<br><img src="/hc/{i}.png" alt="step"></li>'
        for i in range(draw.randint(3, 5))
    )
    callout = f'<div class="callout callout--info"><h4 class="callout__title">{page.says("Before you begin")}</h4><p>{page.says(page.words.sentence())}</p></div>'
    rows = [[page.words.title(), page.words.sentence()] for _ in range(3)]
    file = f"{page.words.title()}.pdf"
    page.says(file)
    comments = ""
    for number in range(draw.randint(0, 2)):
        user, when, text = page.words.name(), page.words.day(), page.words.paragraph(1, 2)
        page.post(user, when.text, text)
        comments += f'<li id="comment_{number}" class="comment"><div class="comment-wrapper"><div class="comment-info"><div class="comment-author"><div class="avatar comment-avatar"><img src="/a.png" alt="" class="user-avatar"></div><div class="comment-meta"><span title="{user}"><a href="/u">{user}</a></span><div class="meta-group"><time datetime="{when.iso}" class="meta-data">{when.text}</time></div></div></div><section class="comment-body"><p>{escape(text)}</p></section></div><div class="comment-actions-container"><div class="comment-vote vote" role="group"><button class="vote-up" aria-label="up"></button><span class="vote-sum">0</span></div></div></div></li>'
    thread = (
        f'<div class="article-comments"><section class="comments"><header class="comment-overview">{page.heading(2, page.words.label("comments"), " class=comment-heading")}</header><ul id="comments" class="comment-list">{comments}</ul><p class="comment-callout">{around("Please sign in to leave a comment.")}</p></section></div>'
        if comments
        else ""
    )
    aside = f'<aside class="article-sidebar"><div class="collapsible-sidebar"><button type="button" class="collapsible-sidebar-toggle"></button><span id="section-articles-title" class="collapsible-sidebar-title sidenav-title">{around("Articles in this section")}</span><div class="collapsible-sidebar-body"><ul>{_write_links(page, 3, 8)}</ul><a href="/s" class="article-sidebar-item">{around("See more")}</a></div></div></aside>'
    foot = f'<footer><div class="article-footer"><div class="article-share"><ul class="share"><li><a href="https://x.example/share" class="share-facebook">{around("Facebook")}</a></li></ul></div></div><div class="article-votes"><h2 class="article-votes-question" id="article-votes-label">{around("Was this article helpful?")}</h2><div class="article-votes-controls" role="group"><button type="button" class="button article-vote article-vote-up">{around("Yes")}</button><button type="button" class="button article-vote article-vote-down">{around("No")}</button></div><small class="article-votes-count"><span class="article-vote-label">{around("3 out of 5 found this helpful")}</span></small></div><div class="article-more-questions">{around("Have more questions?")} <a href="/new">{around("Submit a request")}</a></div><div class="article-return-to-top"><a href="#t">{around("Return to top")}</a></div></footer>'
    others = f'<div class="article-relatives"><section class="related-articles"><h2 class="related-articles-title">{around("Related articles")}</h2><ul>{_write_links(page, 3, 5)}</ul></section></div>'
    main = f'<div class="container"><div class="sub-nav"><nav aria-label="Current location"><ol class="breadcrumbs"><li title="x"><a href="/hc">{around("Help Centre")}</a></li></ol></nav></div><div class="article-container" id="article-container">{aside}<article id="main-content" class="article"><header class="article-header">{page.heading(1, title, f""" title="{escape(title)}" class="article-title" """)}<div class="article-author"><div class="avatar article-avatar"><img src="/a.png" alt="" class="user-avatar"></div><div class="article-meta"><a href="/u">{by}</a><div class="meta-group"><span class="meta-data">Updated <time datetime="{day.iso}">{day.text}</time></span></div></div></div><button class="article-subscribe">{around("Follow")}</button></header><section class="article-info"><div class="article-content"><div class="article-body">{page.paragraphs(1, 2)}{callout}<h2 id="h_01">{page.heading(2, page.words.heading()).removeprefix("<h2>")}<ol>{steps}</ol>{page.heading(2, page.words.heading())}{page.table(["Setting", "Meaning"], rows)}{page.paragraphs(1, 1)}</div><div class="article-attachments"><ul class="attachments"><li class="attachment-item"><svg></svg><a href="/f.pdf" target="_blank">{file}</a><div class="attachment-meta meta-group"><span class="attachment-meta-item meta-data">200 KB</span><a href="/f.pdf" class="attachment-meta-item meta-data">{around("Download")}</a></div></li></ul></div></div></section>{foot}{others}{thread}</article></div></div>'
    finish(page, title, main)
    return page


def make_doxygen(draw: Random) -> Page:
    page = Page("doxygen", draw)
    name = f"Pump{draw.randint(1, 99)}"
    title = f"larder::{name} Class Reference"
    page.says(title)
    page.truth.headings.append(title)
    members = [
        (draw.choice(("int", "bool", "std::string")), f"start{i}", page.words.sentence(), page.words.sentence())
        for i in range(draw.randint(2, 4))
    ]
    rows, details = [], []
    for kind, member, brief, about in members:
        page.fact("member", kind, f"larder::{name}::{member}", "depth")
        page.fact("parameter", "depth", about)
        page.says(brief)
        page.truth.headings.append(f"{member}()")
        returns = page.words.sentence()
        rows.append(
            f'<tr class="memitem:{member}" id="r_{member}"><td class="memItemLeft" align="right" valign="top">{kind}&#160;</td><td class="memItemRight" valign="bottom"><a class="el" href="#{member}">{member}</a> (int depth)</td></tr><tr class="memdesc:{member}"><td class="mdescLeft">&#160;</td><td class="mdescRight">{escape(brief)} <br /></td></tr><tr class="separator:{member}"><td class="memSeparator" colspan="2">&#160;</td></tr>'
        )
        details.append(
            f'<a id="{member}" name="{member}"></a><h2 class="memtitle"><span class="permalink"><a href="#{member}">&#9670;&#160;</a></span>{member}()</h2><div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">{kind} larder::{name}::{member} </td><td>(</td><td class="paramtype">int&#160;</td><td class="paramname"><span class="paramname"><em>depth</em></span></td><td>)</td><td></td></tr></table></div><div class="memdoc"><p>{page.says(page.words.sentence())}</p><dl class="params"><dt>Parameters</dt><dd><table class="params"><tr><td class="paramname">depth</td><td>{escape(about)}</td></tr></table></dd></dl><dl class="section return"><dt>Returns</dt><dd>{page.says(returns)}</dd></dl></div></div>'
        )
    code = f"{name} pump;\nif (pump.start(3) < 0) {{\n  return 1;\n}}"
    lines = "".join(
        f'<div class="line"><a id="l{number:05}" name="l{number:05}"></a>{line.replace("return", """<span class="keywordflow">return</span>""")}</div>\n'
        for number, line in enumerate(page.code(code).split("\n"), 1)
    )
    tabs = f'<div id="main-nav"><ul class="sm"><li><a href="i.html"><span>{page.around("Main Page")}</span></a></li><li><a href="a.html"><span>{page.around("Classes")}</span></a></li></ul></div><div id="nav-path" class="navpath"><ul><li class="navelem"><b>larder</b></li><li class="navelem"><a class="el" href="#">{name}</a></li></ul></div>'
    body = f'<p>{page.says(page.words.sentence())} <a href="#details">More...</a></p><div class="textblock"><code>{page.says(f"#include <larder/{name.lower()}.h>")}</code></div><table class="memberdecls"><tr class="heading"><td colspan="2">{page.heading(2, "Public Member Functions", " class=groupheader", "<a id=pub-methods name=pub-methods></a>{}")}</td></tr>{"".join(rows)}</table><a name="details" id="details"></a>{page.heading(2, "Detailed Description", " class=groupheader")}<div class="textblock">{page.paragraphs()}<div class="fragment">{lines}</div><!-- fragment --><dl class="section note"><dt>Note</dt><dd>{page.says(page.words.sentence())}</dd></dl></div>{page.heading(2, "Member Function Documentation", " class=groupheader")}{"".join(details)}<hr/>The documentation for this class was generated from the following file:<ul><li>larder/{name.lower()}.h</li></ul>'
    main = f'{tabs}<div class="header"><div class="summary"><a href="#pub-methods">Public Member Functions</a> &#124; <a href="#l">{page.around("List of all members")}</a></div><div class="headertitle"><div class="title">{escape(title)}</div></div></div><div class="contents">{body}</div>'
    finish(page, title, main)
    return page


def make_exported_notes(draw: Random) -> Page:
    """Make an exported page of notes, in which each item is a separate list."""
    page = Page("exported-notes", draw)
    title = page.words.heading()
    pairs = [
        (
            "Status",
            "status",
            f'<span class="status-value"><div class="status-dot"></div>{page.says("In progress")}</span>',
        )
    ]
    page.fact("property", "Status", "In progress")
    owner, due, tags = page.words.name(), page.words.day(), [page.words.title() for _ in range(2)]
    page.fact("property", "Owner", owner)
    page.fact("property", "Due", due.text)
    for tag in tags:
        page.fact("property", "Tags", tag)
    pairs += [
        ("Owner", "person", f'<span class="user"><img src="/u.png" class="icon user-icon"/>{owner}</span>'),
        ("Due", "date", f"<time>@{due.text}</time>"),
        (
            "Tags",
            "multi_select",
            "".join(f'<span class="selected-value select-value-color-blue">{tag}</span>' for tag in tags),
        ),
    ]
    properties = "".join(
        f'<tr class="property-row property-row-{kind}"><th><span class="icon property-icon"><svg></svg></span>{label}</th><td>{value}</td></tr>'
        for label, kind, value in pairs
    )
    bullets = "".join(
        f'<ul id="b{i}" class="bulleted-list"><li style="list-style-type:disc">{page.item(0, page.words.sentence())}<ul class="bulleted-list"><li style="list-style-type:circle">{page.item(1, page.words.sentence())}</li></ul></li></ul>'
        for i in range(2)
    )
    numbers = "".join(
        f'<ol type="1" id="n{i}" class="numbered-list" start="{i + 1}"><li>{page.item(0, page.words.sentence())}</li></ol>'
        for i in range(3)
    )
    todos = "".join(
        f'<ul id="t{i}" class="to-do-list"><li><div class="checkbox checkbox-{draw.choice(("on", "off"))}"></div> <span class="to-do-children-unchecked">{page.says(page.words.sentence())}</span><div class="indented"></div></li></ul>'
        for i in range(2)
    )
    callout = f'<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex"><div style="font-size:1.5em"><span class="icon">💡</span></div><div style="width:100%"><p id="c">{page.says(page.words.sentence())}</p></div></figure>'
    toggle = f'<ul id="g" class="toggle"><li><details open=""><summary>{page.says(page.words.title())}</summary><p id="gp">{page.says(page.words.sentence())}</p></details></li></ul>'
    bookmark = f'<figure id="k"><a href="https://elsewhere.example/{draw.randint(1, 99)}" class="bookmark source"><div class="bookmark-info"><div class="bookmark-text"><div class="bookmark-title">{page.says(page.words.title())}</div><div class="bookmark-description">{page.says(page.words.sentence())}</div></div><div class="bookmark-href"><img src="/f.ico" class="icon bookmark-icon"/>https://elsewhere.example/</div></div></a></figure>'
    columns = "".join(
        f'<div id="c{i}" style="width:50%" class="column">{page.paragraphs(1, 1)}</div>' for i in range(2)
    )
    code = "def start(depth):\n    return depth > 3"
    block = f'<pre id="p" class="code code-wrap"><code class="language-Python" style="white-space:pre-wrap;word-break:break-all">{page.code(code).replace("def", """<span class="token keyword">def</span>""")}</code></pre>'
    heads, rows = ["Name", "Phase"], [[page.words.title(), page.words.title()] for _ in range(3)]
    for row in rows:
        page.row(heads, row)
    base = "".join(
        f'<tr id="r{i}"><td class="cell-title"><a href="/r/{i}">{row[0]}</a></td><td class="cell-a1"><span class="selected-value select-value-color-red">{row[1]}</span></td></tr>'
        for i, row in enumerate(rows)
    )
    data = f'<div id="d" class="collection-content"><h4 class="collection-title">{page.says(page.words.title())}</h4><table class="collection-content"><thead><tr>{"".join(f"""<th><span class="icon property-icon"><svg></svg></span>{head}</th>""" for head in heads)}</tr></thead><tbody>{base}</tbody></table></div>'
    body = f'<p id="1" class="">{page.says(page.words.paragraph())}</p>{callout}{page.heading(2, page.words.heading(), " class=")}{bullets}<p id="2" class="">{page.says(page.words.sentence())}</p>{numbers}{page.heading(2, page.words.heading(), " class=")}{todos}{toggle}{block}{bookmark}<div id="cl" class="column-list">{columns}</div>{data}'
    main = f'<article id="a1" class="page sans"><header><div class="page-header-icon undefined"><span class="icon">🔧</span></div>{page.heading(1, title, " class=page-title")}<p class="page-description"></p><table class="properties"><tbody>{properties}</tbody></table></header><div class="page-body">{body}</div></article>'
    page.html = f'<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>{escape(title)}</title><style>.a{{}}</style></head><body>{main}<span class="sans" style="font-size:14px;padding-top:2em"></span></body></html>'
    return page


def make_statute(draw: Random) -> Page:
    """Make a law whose numbers are in separate elements, positioned by a style sheet."""
    page = Page("statute", draw)
    title, around = f"{page.words.title()} Act 19{draw.randint(60, 99)}", page.around
    parts = []
    for part in range(1, draw.randint(2, 3) + 1):
        name = page.words.heading()
        page.fact("part", f"Part {part}", name)
        page.truth.headings.append(f"Part {part} {name}")
        lines = [
            f'<h2 class="LegClearFix LegPart"><span class="LegPartNo">Part {part}</span><span class="LegPartTitle">{escape(name)}</span></h2>'
        ]
        for section in range(1, draw.randint(2, 4) + 1):
            number, head = f"{part}{section}", page.words.heading()
            page.fact("section", number, head)
            page.truth.headings.append(f"{number} {head}")
            lines.append(
                f'<h3 class="LegClearFix LegP1Container"><span class="LegDS LegP1No">{number}</span><span class="LegDS LegP1GroupTitle">{escape(head)}</span></h3>'
            )
            for level, mark in ((2, "(1)"), (3, "(a)"), (3, "(b)"), (2, "(2)")):
                text = page.words.sentence()
                page.fact("paragraph", mark, text)
                lines.append(
                    f'<p class="LegClearFix LegP{level}Container"><span class="LegDS LegLHS LegP{level}No">{mark}</span><span class="LegDS LegRHS LegP{level}Text">{escape(text)}</span></p>'
                )
        parts.append(f'<div class="LegPart">{"".join(lines)}</div>')
    tools = f'<div id="tools"><div id="whatVersion" class="section"><div class="title"><h2>{around("What Version")}</h2></div><ul class="toolList"><li><a href="/v">{around("Latest available (Revised)")}</a></li><li><a href="/e">{around("Original (As enacted)")}</a></li></ul></div></div>'
    tabs = f'<ul id="legSubNav"><li id="legTocLink"><a href="/c">{around("Table of Contents")}</a></li><li id="legResourcesLink"><a href="/r">{around("More Resources")}</a></li></ul>'
    note = f'<div class="LegAnnotations"><p class="LegAnnotationsHeading">Annotations:</p><div class="LegCommentary"><p class="LegCommentaryItem"><span class="LegCommentaryType">F1</span><span class="LegCommentaryText">{escape(page.words.sentence())}</span></p></div></div>'
    main = f'<div id="layout2" class="legComplete">{page.heading(1, title, " id=pageTitle class=pageTitle")}{tabs}<div class="interface">{tools}<div id="content"><div id="viewLegContents"><div class="LegSnippet"><p class="LegLongTitle">{page.says(page.words.paragraph())}</p>{"".join(parts)}{note}</div></div></div></div><p class="backToTop"><a href="#top">{around("Back to top")}</a></p></div>'
    finish(page, title, main)
    return page


def make_guidance(draw: Random) -> Page:
    """Make a page of government guidance."""
    page = Page("guidance", draw)
    title, around = page.words.heading(), page.around
    by, first, last = page.words.title(), page.words.day(), page.words.day()
    pairs = [("From:", by), ("Published", first.text), ("Last updated", last.text)]
    for label, value in pairs:
        page.fact("metadata", label, value)
    metadata = "".join(
        f'<dt class="gem-c-metadata__term">{label}</dt><dd class="gem-c-metadata__definition">{f"""<a class="govuk-link" href="/o">{value}</a>""" if label == "From:" else value}</dd>'
        for label, value in pairs
    )
    heads = [page.words.heading() for _ in range(4)]
    contents = "".join(
        f'<li class="gem-c-contents-list__list-item"><span class="gem-c-contents-list__list-item-dash" aria-hidden="true"></span><a class="gem-c-contents-list__link govuk-link" href="#h{i}">{escape(head)}</a></li>'
        for i, head in enumerate(heads)
    )
    phone = f"0300 123 {draw.randint(1000, 9999)}"
    page.fact("phone", "Telephone", phone)
    page.truth.headings.append("Customer services")
    contact = f'<div class="contact" role="group" aria-label="Contact"><div class="content"><h3>{page.says("Customer services")}</h3><p>Telephone: {phone}<br>{page.says("Monday to Friday, 8am to 6pm")}<br><a href="/charges">{page.says("Find out about call charges")}</a></p></div></div>'
    summary = []
    for _ in range(3):
        key, value = page.words.title(), page.words.price()
        page.fact("summary", key, value)
        summary.append(
            f'<div class="govuk-summary-list__row"><dt class="govuk-summary-list__key">{key}</dt><dd class="govuk-summary-list__value">{value}</dd></div>'
        )
    rows = [[page.words.title(), page.words.price()] for _ in range(3)]
    details = f'<details class="gem-c-details govuk-details"><summary class="govuk-details__summary"><span class="govuk-details__summary-text">{page.says(page.words.title())}</span></summary><div class="govuk-details__text">{page.paragraphs(1, 1)}</div></details>'
    warning = f'<div class="govuk-warning-text"><span class="govuk-warning-text__icon" aria-hidden="true">!</span><strong class="govuk-warning-text__text"><span class="govuk-visually-hidden">Warning</span>{page.says(page.words.sentence())}</strong></div>'
    steps = "".join(f"<li><p>{page.item(0, page.words.sentence())}</p></li>" for _ in range(3))
    body = f'{page.paragraphs(1, 1)}{page.heading(2, heads[0])}{_write_list(page)}<div class="govuk-inset-text">{page.says(page.words.sentence())}</div>{page.heading(2, heads[1])}<dl class="govuk-summary-list">{"".join(summary)}</dl>{warning}{page.heading(2, heads[2])}{page.table(["Band", "Fee"], rows)}{details}{page.heading(2, heads[3])}<ol class="steps">{steps}</ol><div class="call-to-action"><p>{page.says(page.words.sentence())}</p></div>{contact}'
    history = f'<section class="gem-c-published-dates" id="full-publication-update-history"><h2 class="govuk-heading-s">Updates to this page</h2><span class="gem-c-published-dates__change-item">Published {first.text}</span><br>Last updated {last.text} <a href="#history" class="govuk-link">+ show all updates</a></section>'
    feedback = f'<div class="gem-c-feedback govuk-!-display-none-print"><div class="gem-c-feedback__prompt"><h2 class="gem-c-feedback__prompt-question">{around("Is this page useful?")}</h2><button class="govuk-button">{around("Yes")}</button><button class="govuk-button">{around("No")}</button><button class="govuk-button">{around("Report a problem with this page")}</button></div></div>'
    side = f'<div class="govuk-grid-column-one-third"><div class="gem-c-contextual-sidebar"><nav class="gem-c-related-navigation" role="navigation"><h2 class="gem-c-related-navigation__main-heading">{around("Related content")}</h2><ul class="gem-c-related-navigation__link-list">{_write_links(page)}</ul></nav></div></div>'
    main = f'<div class="govuk-width-container"><div class="govuk-main-wrapper"><div class="govuk-grid-row"><div class="govuk-grid-column-two-thirds"><div class="gem-c-heading"><span class="govuk-caption-xl gem-c-heading__context">Guidance</span>{page.heading(1, title, " class=gem-c-heading__text")}</div><p class="gem-c-lead-paragraph">{page.says(page.words.sentence())}</p></div></div><div class="metadata-logo-wrapper"><div class="gem-c-metadata"><dl class="gem-c-metadata__list">{metadata}</dl></div></div><div class="gem-c-single-page-notification-button"><button>{around("Get emails about this page")}</button></div><div class="govuk-grid-row"><div class="govuk-grid-column-two-thirds"><nav class="gem-c-contents-list" role="navigation"><h2 class="gem-c-contents-list__title">{around("Contents")}</h2><ol class="gem-c-contents-list__list">{contents}</ol></nav><div class="gem-c-print-link"><button>{around("Print this page")}</button></div><div class="gem-c-govspeak govuk-govspeak"><div class="govspeak">{body}</div></div>{history}</div>{side}</div></div></div>{feedback}'
    finish(page, title, main)
    return page


def make_podcast(draw: Random) -> Page:
    """Make a podcast episode with notes, chapters and transcript."""
    page = Page("podcast", draw)
    title, day, around = page.words.heading(), page.words.day(), page.around
    page.fact("day", day.text)
    chapters = []
    for number in range(draw.randint(3, 5)):
        clock, text = f"{number * 7:02}:{draw.randint(10, 59)}", page.words.title()
        page.fact("chapter", clock, text)
        chapters.append(f'<li><a href="#t={number}">({clock})</a> - {text}</li>')
    said = []
    speakers = draw.sample(("Ada Birkett", "Tomas Lindqvist", "Mairead Dunne", "Pedro Silva"), 2)
    for number in range(draw.randint(5, 12)):
        clock, speaker, text = f"{number * 3}:{draw.randint(10, 59)}", speakers[number % 2], page.words.paragraph(1, 3)
        page.post(speaker, clock, text)
        said.append(f"<cite>{speaker}:</cite> <time>{clock}</time> <p>{escape(text)}</p>")
    services = "".join(
        f'<li><a href="https://x.example/{i}"><img src="/b{i}.svg" alt=""><span>{around(name)}</span></a></li>'
        for i, name in enumerate(("Apple Podcasts", "Spotify", "Overcast", "RSS feed"))
    )
    player = f'<div class="episode-player"><audio preload="none" src="/e.mp3"></audio><button class="play" aria-label="Play"></button><div class="player-time"><span>{around("00:00")}</span><span>|</span><span>48:12</span></div><button>{around("Share episode")}</button></div>'
    guest = speakers[0]
    people = f'<div class="episode-people">{page.heading(3, "Guest")}<div class="person"><img src="/g.jpg" alt="{guest}"><div><strong>{guest}</strong><p>{page.says(page.words.sentence())}</p></div></div></div>'
    others = "".join(
        f'<article class="episode-card"><a href="/e/{i}"><h4>{around(page.words.heading())}</h4></a><p>{around(page.words.sentence())}</p></article>'
        for i in range(3)
    )
    main = f'<article class="episode"><header class="episode-header"><div class="episode-art"><img src="/art.jpg" alt="cover"></div><div class="episode-meta"><span>Episode {draw.randint(2, 200)}</span><time datetime="{day.iso}">{day.text}</time><span>48 min</span></div>{page.heading(1, title, " class=episode-title")}</header>{player}<ul class="subscribe-links">{services}</ul><section class="show-notes">{page.heading(2, "Show notes")}{page.paragraphs()}<ul>{"".join(chapters)}</ul></section>{people}<section class="transcript" id="transcript">{page.heading(2, "Transcript")}<div class="transcript-body">{"".join(said)}</div></section></article><section class="more-episodes"><h2>{around("More episodes")}</h2>{others}</section>'
    finish(page, title, main)
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "repository": make_repository,
    "confluence": make_confluence,
    "help-article": make_help_article,
    "doxygen": make_doxygen,
    "exported-notes": make_exported_notes,
    "statute": make_statute,
    "guidance": make_guidance,
    "podcast": make_podcast,
}
