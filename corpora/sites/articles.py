"""Articles from publishing software: blogs, news, live blogs, interviews, recipes, an encyclopedia, formulas."""

import json
from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page


def _write_related(page: Page) -> str:
    rows = "".join(
        f'<article class="card"><a href="/r/{i}"><h4>{page.around(page.words.heading())}</h4></a></article>'
        for i in range(page.draw.randint(3, 5))
    )
    return f'<section class="related"><h3>{page.around(page.words.label("related_posts"))}</h3>{rows}</section>'


def make_wordpress(draw: Random) -> Page:
    page = Page("wordpress", draw)
    title, day, by = page.words.heading(), page.words.day(), page.words.name()
    page.fact("day", day.text)
    page.fact("author", by)
    caption, quote = page.words.sentence(), page.words.sentence()
    rows = [[page.words.title(), page.words.price()] for _ in range(3)]
    blocks = [
        f'<figure class="wp-block-image size-large"><img src="/w/1.jpg" alt=""><figcaption class="wp-element-caption">{page.says(caption)}</figcaption></figure>',
        f'<blockquote class="wp-block-quote"><p>{page.says(quote)}</p></blockquote>',
        f'<div class="wp-block-columns"><div class="wp-block-column">{page.paragraphs(1, 1)}</div><div class="wp-block-column">{page.paragraphs(1, 1)}</div></div>',
        f'<figure class="wp-block-table">{page.table([page.words.title(), "Sum"], rows)}</figure>',
        f'<pre class="wp-block-code"><code>{page.code("a = 1" + chr(10) * 2 + "  b < 2")}</code></pre>',
        f'<div class="wp-block-group">{page.heading(2, page.words.heading(), " class=wp-block-heading")}{page.paragraphs(1, 2)}</div>',
    ]
    draw.shuffle(blocks)
    comments = []
    for number in range(draw.randint(0, 3)):
        user, when, text = page.words.user(), page.words.day(hour=True), page.words.paragraph(1, 2)
        page.post(user, when.text, text)
        comments.append(
            f'<li id="comment-{number}" class="comment"><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><img class="avatar" src="g.png" alt=""><b class="fn"><a href="http://x.example" class="url" rel="ugc">{escape(user)}</a></b> <span class="says">says:</span></div><div class="comment-metadata"><a href="#comment-{number}"><time datetime="{when.iso}">{when.text}</time></a></div></footer><div class="comment-content"><p>{escape(text)}</p></div><div class="reply"><a class="comment-reply-link" href="#respond">{page.around(page.words.label("reply"))}</a></div></article></li>'
        )
    thread = (
        f'<div id="comments" class="comments-area"><h2 class="comments-title">{len(comments)} {page.words.label("comments")}</h2><ol class="comment-list">{"".join(comments)}</ol></div>'
        if comments
        else ""
    )
    tags = "".join(f'<a href="/tag/{i}" rel="tag">{page.words.title()}</a> ' for i in range(3))
    main = f'<article class="post type-post hentry"><header class="entry-header">{page.heading(1, title, " class=entry-title")}<div class="entry-meta"><span class="posted-on"><time class="entry-date published" datetime="{day.iso}">{day.text}</time></span><span class="byline"> <span class="author vcard"><a class="url fn n" href="/author/1">{by}</a></span></span></div></header><div class="entry-content">{page.paragraphs(1, 2)}{"".join(blocks)}</div><footer class="entry-footer">{tags}</footer></article>{_write_related(page)}{thread}'
    finish(page, title, main)
    return page


def make_ghost(draw: Random) -> Page:
    page = Page("ghost", draw)
    title, day, by = page.words.heading(), page.words.day(), page.words.name()
    page.fact("author", by)
    about = page.words.sentence()
    callout = f'<div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">{page.says(page.words.sentence())}</div></div>'
    asked = page.heading(4, page.words.heading(), ' class="kg-toggle-heading-text"', "<span>{}</span>")
    toggle = f'<div class="kg-card kg-toggle-card" data-kg-toggle-state="close"><div class="kg-toggle-heading">{asked}<button class="kg-toggle-card-icon"></button></div><div class="kg-toggle-content"><p>{page.says(page.words.sentence())}</p></div></div>'
    signup = f'<div class="kg-card kg-signup-card"><h2>{page.around(page.words.label("newsletter"))}</h2><form><input type="email"><button>{page.around(page.words.label("register"))}</button></form></div>'
    main = f'<article class="gh-article post"><header class="gh-article-header gh-canvas"><a class="gh-article-tag" href="/tag">{page.words.title()}</a>{page.heading(1, title, " class=gh-article-title")}<p class="gh-article-excerpt">{page.says(about)}</p><div class="gh-article-meta"><h4 class="gh-article-author-name"><a href="/author">{by}</a></h4><div class="byline-meta-content"><time datetime="{day.iso}">{day.text}</time><span>5 min read</span></div></div></header><section class="gh-content gh-canvas">{page.paragraphs()}{callout}{page.heading(2, page.words.heading())}{page.paragraphs()}{toggle}{signup}{page.paragraphs(1, 1)}</section></article>{_write_related(page)}'
    finish(page, title, main)
    return page


def make_hashed(draw: Random) -> Page:
    """Make an article with meaningless class names, whose paragraphs and headings cannot be recognized by other
    marks.
    """
    page = Page("hashed", draw)
    title, day, by = page.words.heading(), page.words.day(), page.words.name()
    page.fact("author", by)
    k = [f"{draw.choice('abcdefgh')}{draw.choice('klmnop')}" for _ in range(8)]
    bar = f'<div class="{k[0]} {k[1]}"><div class="{k[2]}"><button>{page.around("Follow")}</button></div><div class="{k[3]}"><span>{draw.randint(2, 9)} min read</span><span>·</span><span data-testid="storyPublishDate">{day.text}</span></div><div class="{k[4]}"><div role="button">{draw.randint(100, 999)}</div><button>{page.around("Listen")}</button><button>{page.around(page.words.label("share"))}</button></div></div>'
    parts = "".join(
        f'{page.heading(2, page.words.heading())}<p class="{k[5]} {k[6]}">{page.says(page.words.paragraph())}</p><p class="{k[5]} {k[6]}">{page.says(page.words.paragraph())}</p>'
        for _ in range(draw.randint(2, 4))
    )
    main = f'<article><div class="{k[1]}"><div><h1 class="{k[7]}">{page.says(title)}</h1><div class="{k[2]}"><a href="/@x"><img alt="{by}" src="a.png"></a><a href="/@x">{by}</a></div>{bar}<p>{page.says(page.words.paragraph())}</p>{parts}</div></div></article>{_write_related(page)}'
    page.truth.headings.append(title)
    finish(page, title, main)
    return page


def make_live_blog(draw: Random) -> Page:
    page = Page("live-blog", draw)
    title = page.words.heading()
    entries = []
    for number in range(draw.randint(4, 9)):
        clock, by, text = f"{draw.randint(8, 22)}:{draw.randint(10, 59)}", page.words.name(), page.words.paragraph(1, 3)
        head = page.words.heading()
        page.post(by, clock, text)
        entries.append(
            f'<article class="block liveblog-entry" id="block-{number}"><p class="block-time"><a href="#block-{number}"><time datetime="2025-05-05T{clock}:00Z">{clock}</time></a></p>{page.heading(2, head, " class=block-title")}<div class="byline"><span>{by}</span></div><div class="block-elements"><p>{escape(text)}</p></div><ul class="block-share"><li><a href="#fb">{page.around("Facebook")}</a></li></ul></article>'
        )
    points = "".join(f"<li>{page.item(0, page.words.sentence())}</li>" for _ in range(3))
    finish(
        page,
        title,
        f'{page.heading(1, title)}<div class="standfirst"><ul>{points}</ul></div><div class="liveblog" data-live="true">{"".join(entries)}</div>{_write_related(page)}',
    )
    return page


def make_interview(draw: Random) -> Page:
    page = Page("interview", draw)
    title, asker, guest = page.words.heading(), "Quarry", page.words.name()
    turns = []
    bold = draw.random() < 0.5
    for _ in range(draw.randint(4, 8)):
        question, answer = page.words.sentence(), page.words.paragraph()
        if bold:
            turns.append(f"<p><strong>{page.says(question)}</strong></p><p>{page.says(answer)}</p>")
        else:
            page.fact("turn", guest, answer)
            turns.append(f"<p><b>{asker}:</b> {page.says(question)}<br><b>{guest}:</b> {escape(answer)}</p>")
    pull = (
        f'<aside class="pullquote"><p>{page.around(page.words.sentence())}</p></aside>' if draw.random() < 0.3 else ""
    )
    finish(
        page,
        title,
        f'<article>{page.heading(1, title)}<p class="lead">{page.says(page.words.sentence())}</p>{turns[0]}{pull}{"".join(turns[1:])}</article>{_write_related(page)}',
    )
    return page


def make_recipe(draw: Random) -> Page:
    page = Page("recipe", draw)
    title, word = page.words.title(), page.words.label
    goods = draw.sample(("flour", "plums", "Zucker", "beurre", "eggs", "Hefe", "sel", "cinnamon"), 5)
    rows = []
    for good in goods:
        amount, unit = str(draw.choice((1, 2, 250, 500))), draw.choice(("g", "ml", "EL", ""))
        page.fact("ingredient", *(piece for piece in (amount, unit, good) if piece))
        rows.append(
            f'<li class="wprm-recipe-ingredient"><span class="wprm-checkbox-container"><input type="checkbox"></span><span class="amount">{amount}</span>{" " if draw.random() < 0.5 else ""}<span class="unit">{unit}</span> <span class="name">{good}</span></li>'
        )
    for label, value in (("Prep time", f"{draw.randint(10, 50)} min"), ("Servings", str(draw.randint(11, 19)))):
        page.fact("time", label, value)
    times = "".join(
        f'<div class="recipe-block"><span class="recipe-label">{fact.pieces[0]}</span><span class="recipe-value">{fact.pieces[1]}</span></div>'
        for fact in page.truth.facts
        if fact.kind == "time"
    )
    steps = "".join(f'<li><div class="step-text">{page.item(0, page.words.sentence())}</div></li>' for _ in range(4))
    energy = [("Energy", f"{draw.randint(200, 900)} kcal"), ("Fat", f"{draw.randint(2, 40)} g")]
    for pair in energy:
        page.fact("nutrient", *pair)
    nutrients = "".join(
        f'<span class="nutrition"><span class="nutrition-label">{a}: </span><span class="nutrition-value">{b}</span></span>'
        for a, b in energy
    )
    data = {"@type": "Recipe", "name": title, "recipeIngredient": goods}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>' if draw.random() < 0.5 else ""
    jump = f'<a class="jump" href="#recipe">{page.around("Jump to Recipe")}</a><button>{page.around("Print Recipe")}</button>'
    main = f'<article>{page.heading(1, title)}{jump}{page.paragraphs()}<div id="recipe"><div class="recipe-times">{times}</div>{page.heading(3, word("ingredients"))}<ul>{"".join(rows)}</ul>{page.heading(3, word("method"))}<ol>{steps}</ol><div class="nutrients">{nutrients}</div></div></article>{_write_related(page)}'
    finish(page, title, main, head=head)
    return page


def make_encyclopedia(draw: Random) -> Page:
    page = Page("encyclopedia", draw)
    title = page.words.title()
    pairs = [
        ("Height", f"{draw.randint(10, 99)} m"),
        ("Opened", str(draw.randint(1700, 1990))),
        ("Owner", page.words.name()),
    ]
    for pair in pairs:
        page.fact("label and value", *pair)
    box = f'<table class="infobox vcard"><tbody><tr><th colspan="2" class="infobox-above">{title}</th></tr><tr><td colspan="2" class="infobox-image"><img src="i.jpg" alt=""></td></tr>{"".join(f"<tr><th scope=row class=infobox-label>{a}</th><td class=infobox-data>{b}</td></tr>" for a, b in pairs)}</tbody></table>'
    edit = '<span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="?edit">edit</a><span class="mw-editsection-bracket">]</span></span>'
    names = [page.words.heading() for _ in range(3)]
    toc = "".join(
        f'<li><a href="#s{i}"><span class="tocnumber">{i}</span> <span class="toctext">{escape(name)}</span></a></li>'
        for i, name in enumerate(names)
    )
    sections = "".join(
        f'<div class="mw-heading mw-heading2"><h2 id="s{i}">{page.says(name)}</h2>{edit}</div><p>{page.says(page.words.sentence())}<sup id="cite_ref-{i}" class="reference"><a href="#cite_note-{i}"><span class="cite-bracket">[</span>{i}<span class="cite-bracket">]</span></a></sup> {page.says(page.words.sentence())}</p>'
        for i, name in enumerate(names)
    )
    page.truth.headings += [title, *names]
    heads = ["Year", "Visitors", "Income"]
    table = page.table(
        heads,
        [[str(1990 + i), str(draw.randint(1000, 9999)), page.words.price()] for i in range(4)],
        ' class="wikitable sortable"',
    )
    notes = "".join(
        f'<li id="cite_note-{i}"><span class="mw-cite-backlink"><b><a href="#cite_ref-{i}">^</a></b></span> <span class="reference-text">{page.says(page.words.sentence())}</span></li>'
        for i in range(3)
    )
    links = "".join(f'<li><a href="/w/{i}">{page.around(page.words.title())}</a></li>' for i in range(8))
    main = f'<h1 id="firstHeading" class="firstHeading"><span class="mw-page-title-main">{page.says(title)}</span></h1><div id="bodyContent"><div id="siteSub">{page.around("From the free book of mills")}</div><div class="mw-content-ltr mw-parser-output">{box}<p><b>{title}</b> {page.says(page.words.sentence())}</p><div id="toc" class="toc" role="navigation"><h2>{page.around("Contents")}</h2><ul>{toc}</ul></div>{sections}{table}<h2>References</h2><ol class="references">{notes}</ol><div role="navigation" class="navbox"><ul>{links}</ul></div></div><div id="catlinks"><ul><li><a href="/c">{page.around(page.words.title())}</a></li></ul></div></div>'
    page.truth.headings.append("References")
    finish(page, title, main)
    return page


def make_formulas(draw: Random) -> Page:
    """Make formulas in the markup of KaTeX, MathJax 2 and 3, MathML with and without its source, and attributes."""
    page = Page("formulas", draw)
    title = page.words.heading()
    paragraphs = []
    for manner in draw.sample(
        ("katex", "mathjax2", "mathml", "attribute", "dollars", "parentheses", "picture", "assistive"), 5
    ):
        a, b = draw.choice("abcxyz"), draw.randint(2, 99)
        tex = draw.choice((rf"{a}_{{{b}}} + \alpha", rf"\sqrt{{{a}}} < {b}", rf"\frac{{{a}}}{{{b}}}"))
        drawn = f"<math><semantics><mrow><mi>{a}</mi><mn>{b}</mn></mrow><annotation encoding='application/x-tex'>{{}}</annotation></semantics></math>"
        if manner == "katex":
            formula = f'<span class="katex"><span class="katex-mathml">{drawn.format(page.formula(tex))}</span><span class="katex-html" aria-hidden="true"><span class="base">{a}{b}</span></span></span>'
        elif manner == "mathjax2":
            page.formula(tex)
            formula = f'<span class="MathJax_Preview">{a}{b}</span><span class="MathJax" role="presentation"><nobr>{a}{b}</nobr></span><script type="math/tex">{tex}</script>'
        elif manner == "mathml":
            page.formula(f"{a}_{{{b}}}^{{2}}")
            formula = f"<math><msubsup><mi>{a}</mi><mn>{b}</mn><mn>2</mn></msubsup></math>"
        elif manner == "attribute":
            formula = f'<span class="math-inline" data-{draw.choice(("math", "tex", "latex"))}="{page.formula(tex)}">{a}{b}</span>'
        elif manner == "dollars":
            formula = f"${page.formula(tex)}$"
        elif manner == "parentheses":
            formula = rf'<span class="math inline">\({page.formula(tex)}\)</span>'
        elif manner == "picture":
            formula = f'<img class="tex" src="/math/1.svg" alt="{page.formula(tex)}">'
        else:
            formula = f'<mjx-container class="MathJax" jax="SVG"><svg><title>{a}</title></svg><mjx-assistive-mml>{drawn.format(page.formula(tex))}</mjx-assistive-mml></mjx-container>'
        paragraphs.append(f"<p>{page.says(page.words.sentence())} {formula} {page.says(page.words.sentence())}</p>")
    finish(page, title, f"<article>{page.heading(1, title)}{page.paragraphs()}{''.join(paragraphs)}</article>")
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "wordpress": make_wordpress,
    "ghost": make_ghost,
    "hashed": make_hashed,
    "live-blog": make_live_blog,
    "interview": make_interview,
    "recipe": make_recipe,
    "encyclopedia": make_encyclopedia,
    "formulas": make_formulas,
}
