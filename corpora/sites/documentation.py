"""Documentation from common generators."""

from collections.abc import Callable, Mapping
from html import escape
from random import Random

from corpora.sites.furniture import finish
from corpora.sites.page import Page

_KEYWORDS = ("def", "return", "if", "for", "in", "const", "await")


def _draw_code(page: Page) -> str:
    """Draw a program with blank lines, indentation, characters that markdown and HTML escape, and long spaces."""
    draw = page.draw
    name = draw.choice(("load", "mill", "sift", "fold"))
    lines = [f"def {name}(grain: list[int], *, fine=False):", f'    """Keep <b> & "{draw.randint(1, 99)}"."""', ""]
    lines += [
        f"    if grain[{i}] > {draw.randint(1, 9)}:\n        return {{'x_y': grain_{i} * {i}}}"
        for i in range(draw.randint(1, 3))
    ]
    lines += ["", f"    # {'-' * 8}  done", "    return None"]
    return "\n".join(lines)


def _colour(page: Page, code: str, line: str = "{}") -> str:
    """Wrap words in spans, as highlighters do."""
    shown = []
    for text in page.code(code).split("\n"):
        words = [f'<span class="k">{word}</span>' if word in _KEYWORDS else word for word in text.split(" ")]
        shown.append(line.format(" ".join(words)))
    return "\n".join(shown)


def _write_code(page: Page, manner: str) -> str:
    code = _draw_code(page)
    if manner == "pygments":
        return f'<div class="highlight-python notranslate"><div class="highlight"><pre><span></span>{_colour(page, code)}\n</pre></div></div>'
    count = code.count("\n") + 1
    if manner == "table":
        numbers = "\n".join(f'<span class="normal">{i}</span>' for i in range(1, count + 1))
        return f'<div class="highlight"><table class="highlighttable"><tbody><tr><td class="linenos"><div class="linenodiv"><pre><span></span>{numbers}</pre></div></td><td class="code"><div><pre id="__code_1"><span></span><button class="md-clipboard" title="Copy"></button><code>{_colour(page, code)}\n</code></pre></div></td></tr></tbody></table></div>'
    if manner == "prism":
        lines = _colour(
            page, code, '<span class="token-line" style="color:#393A34"><span class="token plain">{}</span><br></span>'
        ).replace("\n", "")
        return f'<div class="language-python codeBlockContainer_x1"><div class="codeBlockContent_y2"><pre tabindex="0" class="prism-code language-python"><code class="codeBlockLines_z3">{lines}</code></pre><div class="buttonGroup__q"><button type="button" aria-label="Copy code to clipboard"><span>{page.around("Copy")}</span></button></div></div></div>'
    if manner == "shiki":
        gutter = "".join(f'<span class="line-number">{i}</span><br>' for i in range(1, count + 1))
        inside = _colour(page, code, '<span class="line">{}</span>')
        return f'<div class="language-py line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">py</span><pre class="shiki vp-code"><code>{inside}</code></pre><div class="line-numbers-wrapper" aria-hidden="true">{gutter}</div></div>'
    if manner == "rows":
        rows = "".join(
            f'<tr><td class="blob-num" data-line-number="{i}"></td><td class="blob-code">{line}</td></tr>'
            for i, line in enumerate(_colour(page, code).split("\n"), 1)
        )
        return f'<div class="file"><table class="highlight tab-size"><tbody>{rows}</tbody></table></div>'
    raise ValueError(manner)


def _menu(page: Page, name: str) -> str:
    rows = "".join(
        f'<li><a href="{i}.html">{page.around(page.words.title())}</a></li>' for i in range(page.draw.randint(6, 20))
    )
    return f'<div class="{name}"><p class="caption">{page.around("Contents")}</p><ul>{rows}</ul></div>'


def make_sphinx(draw: Random) -> Page:
    page = Page("sphinx", draw)
    title = page.words.heading()
    mark = '{}<a class="headerlink" href="#x" title="Link to this heading">¶</a>'
    note = f'<div class="admonition {draw.choice(("note", "warning"))}"><p class="admonition-title">Note</p><p>{page.says(page.words.sentence())}</p></div>'
    parts = []
    for _ in range(draw.randint(2, 4)):
        name, kind, about = (
            draw.choice(("path", "depth", "encoding")) + str(draw.randint(1, 99)),
            draw.choice(("str", "int | None")),
            page.words.sentence(),
        )
        page.fact("parameter", name, kind, about)
        call = f"larder.read{draw.randint(1, 999)}"
        page.says(call)
        parts.append(
            f'<section id="s">{page.heading(2, page.words.heading(), inside=mark)}{page.paragraphs(1, 1)}{_write_code(page, draw.choice(("pygments", "pygments", "table")))}'
            f'<dl class="py function"><dt class="sig sig-object py" id="r"><span class="sig-prename descclassname"><span class="pre">larder.</span></span><span class="sig-name descname"><span class="pre">{call.removeprefix("larder.")}</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="n"><span class="pre">{name}</span></span></em><span class="sig-paren">)</span><a class="headerlink" href="#r">¶</a></dt><dd><p>{page.says(page.words.sentence())}</p><dl class="field-list simple"><dt class="field-odd">Parameters<span class="colon">:</span></dt><dd class="field-odd"><p><strong>{name}</strong> (<em>{kind}</em>) – {escape(about)}</p></dd></dl></dd></dl></section>'
        )
    main = f'<div class="document"><div class="documentwrapper"><div class="body" role="main"><section id="top">{page.heading(1, title, inside=mark)}{page.paragraphs(1, 2)}{note}{"".join(parts)}</section></div></div>{_menu(page, "sphinxsidebar")}</div><div class="related" role="navigation"><h3>{page.around("Navigation")}</h3><ul><li><a href="n.html">{page.around(page.words.label("next"))}</a></li></ul></div>'
    finish(page, title, main)
    return page


def make_mkdocs(draw: Random) -> Page:
    page = Page("mkdocs", draw)
    title = page.words.heading()
    mark = '{}<a class="headerlink" href="#x" title="Permanent link">&para;</a>'
    table = [
        [f"--{draw.choice(('dry', 'fast', 'deep'))}{i}", draw.choice(("bool", "path")), page.words.sentence()]
        for i in range(3)
    ]
    nested = "".join(
        f"<li>{page.item(0, page.words.sentence())}<ul><li>{page.item(1, page.words.sentence())}</li><li>{page.item(1, page.words.sentence())}</li></ul></li>"
        for _ in range(2)
    )
    one, two = _write_code(page, "table"), _write_code(page, "table")
    tabs = f'<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked id="t1" name="t" type="radio"><input id="t2" name="t" type="radio"><div class="tabbed-labels"><label for="t1">Linux</label><label for="t2">Windows</label></div><div class="tabbed-content"><div class="tabbed-block">{one}</div><div class="tabbed-block">{two}</div></div></div>'
    details = f'<details class="tip"><summary>{page.says(page.words.title())}</summary><p>{page.says(page.words.sentence())}</p></details>'
    page.says("Linux")
    main = f'<div class="md-main__inner md-grid">{_menu(page, "md-sidebar md-sidebar--primary")}<div class="md-content" data-md-component="content"><article class="md-content__inner md-typeset"><a href="edit" title="Edit this page" class="md-content__button md-icon"><svg></svg></a>{page.heading(1, title, inside=mark)}{page.paragraphs()}{page.heading(2, page.words.heading(), inside=mark)}{tabs}{page.heading(2, page.words.heading(), inside=mark)}{page.table(["Option", "Type", "Meaning"], table)}<ul>{nested}</ul>{details}</article></div>{_menu(page, "md-sidebar md-sidebar--secondary")}</div>'
    finish(page, title, main)
    return page


def make_docusaurus(draw: Random) -> Page:
    page = Page(draw.choice(("docusaurus", "vitepress")), draw)
    manner = "prism" if page.kind == "docusaurus" else "shiki"
    page.kind = "docusaurus"
    title = page.words.heading()
    mark = '{}<a href="#x" class="hash-link" aria-label="Direct link to heading" title="Direct link to heading">​</a>'
    sections = "".join(
        f"{page.heading(draw.choice((2, 3)), page.words.heading(), ' class=anchor', mark)}{page.paragraphs(1, 2)}{_write_code(page, manner)}"
        for _ in range(draw.randint(2, 4))
    )
    note = f'<div class="theme-admonition theme-admonition-tip alert alert--success"><div class="admonitionHeading_x"><span class="admonitionIcon_x"><svg></svg></span>tip</div><div class="admonitionContent_x"><p>{page.says(page.words.sentence())}</p></div></div>'
    steps = "".join(f"<li>{page.item(0, page.words.sentence())}</li>" for _ in range(3))
    foot = f'<nav class="pagination-nav"><a class="pagination-nav__link" href="/n"><div class="pagination-nav__sublabel">{page.around(page.words.label("next"))}</div><div class="pagination-nav__label">{page.around(page.words.title())}</div></a></nav>'
    main = f'<div class="docMainContainer_x"><div class="row"><div class="col docItemCol_y"><article><div class="theme-doc-markdown markdown"><header>{page.heading(1, title)}</header>{page.paragraphs()}{note}<ol>{steps}</ol>{sections}</div><footer class="theme-doc-footer"><a href="/edit">{page.around("Edit this page")}</a></footer></article>{foot}</div><div class="col col--3">{_menu(page, "tableOfContents_z")}</div></div></div>{_menu(page, "theme-doc-sidebar-container")}'
    finish(page, title, main)
    return page


def make_javadoc(draw: Random) -> Page:
    page = Page("javadoc", draw)
    name = f"Class {draw.choice(('Mill', 'Kiln', 'Loom'))}{draw.randint(1, 99)}"
    heads = ["Modifier and Type", "Method", "Description"]
    rows, details = [], []
    for number in range(draw.randint(2, 5)):
        method, about, result = f"turn{number}(int speed)", page.words.sentence(), page.words.sentence()
        kind = draw.choice(("void", "boolean", "String"))
        page.row(heads, [kind, method, about])
        page.fact("parameter", "speed", result)
        colour = "even-row-color" if number % 2 else "odd-row-color"
        rows.append(
            f'<div class="col-first {colour}"><code>{kind}</code></div><div class="col-second {colour}"><code><a href="#t{number}" class="member-name-link">turn{number}</a>(int speed)</code></div><div class="col-last {colour}"><div class="block">{escape(about)}</div></div>'
        )
        details.append(
            f'<li><section class="detail" id="t{number}">{page.heading(3, f"turn{number}")}<div class="member-signature"><span class="modifiers">public</span>&nbsp;<span class="return-type">{kind}</span>&nbsp;<span class="element-name">turn{number}</span><wbr><span class="parameters">(int&nbsp;speed)</span></div><div class="block">{page.says(page.words.sentence())}</div><dl class="notes"><dt>Parameters:</dt><dd><code>speed</code> - {escape(result)}</dd></dl></section></li>'
        )
    table = f'<div class="summary-table three-column-summary">{"".join("<div class=" + chr(34) + "table-header col" + chr(34) + f">{head}</div>" for head in heads)}{"".join(rows)}</div>'
    main = f'<div class="header">{page.heading(1, name, " class=title")}</div><section class="class-description"><div class="type-signature"><span class="modifiers">public class </span><span class="element-name">{name.removeprefix("Class ")}</span></div><div class="block">{page.says(page.words.paragraph())}</div></section><section class="summary"><h2>Method Summary</h2>{table}</section><section class="details"><h2>Method Details</h2><ul class="member-list">{"".join(details)}</ul></section>'
    page.truth.headings += ["Method Summary", "Method Details"]
    finish(page, name, main)
    return page


def make_manual(draw: Random) -> Page:
    """Make a manual page of one of two programs."""
    page = Page("manual", draw)
    name = draw.choice(("sift", "mill", "churn"))
    about, options, manner = page.words.sentence(), [], draw.random() < 0.5
    for letter in draw.sample("abcdefgh", 4):
        text = page.words.sentence()
        page.truth.content.extend((f"-{letter}", text))
        if manner:
            options.append(
                f'<dt id="{letter}"><a class="permalink" href="#{letter}"><code class="Fl">-{letter}</code></a> <var class="Ar">file</var></dt><dd>{escape(text)}</dd>'
            )
        else:
            options.append(
                f'<p style="margin-left:11%;"><b>&minus;{letter}</b> <i>file</i></p>\n<p style="margin-left:22%;">{escape(text)}</p>'
            )
    if manner:
        main = f'<table class="head"><tr><td class="head-ltitle">{page.around(name.upper() + "(1)")}</td><td class="head-vol">{page.around("General Commands Manual")}</td></tr></table><div class="manual-text"><section class="Sh">{page.heading(1, "NAME", " class=Sh")}<p class="Pp"><code class="Nm">{name}</code> — <span class="Nd">{page.says(about)}</span></p></section><section class="Sh">{page.heading(1, "OPTIONS", " class=Sh")}<dl class="Bl-tag">{"".join(options)}</dl></section></div>'
    else:
        main = f'<h1 align="center">{name}</h1>\n<a href="#N">NAME</a><br>\n<a href="#O">OPTIONS</a><br>\n<hr>\n{page.heading(2, "NAME")}\n<p style="margin-left:11%;">{name} &minus; {page.says(about)}</p>\n{page.heading(2, "OPTIONS")}\n{"".join(options)}<hr>'
        page.truth.headings.append(name)
    finish(page, name, main)
    return page


def make_reference(draw: Random) -> Page:
    """Make an API reference: boxes of name, type and meaning, with code next to them."""
    page = Page("reference", draw)
    title = page.words.heading()
    ends = []
    for _ in range(draw.randint(2, 3)):
        rows = []
        for number in range(draw.randint(2, 5)):
            name, kind, text = (
                f"{draw.choice(('grain', 'limit', 'cursor'))}_{number}{draw.randint(1, 9)}",
                draw.choice(("string", "integer", "array of objects")),
                page.words.sentence(),
            )
            page.fact("parameter", name, kind)
            need = draw.choice(("required", "optional"))
            rows.append(
                f'<li class="param"><div class="param-head"><span{page.classed("name")}>{name}</span><span{page.classed("type")}>{kind}</span><span{page.classed("need")}>{need}</span></div><div class="param-text"><p>{page.says(text)}</p></div></li>'
            )
        path = f"/v1/mills/{draw.randint(100, 999)}"
        page.fact("endpoint", "POST", path)
        code = f'{{\n  "id": "m_{draw.randint(1, 999)}",\n  "list": [1, 2],\n\n  "a_b_c": null\n}}'
        ends.append(
            f'<section class="endpoint">{page.heading(2, page.words.heading())}<div class="endpoint-line"><span class="method">POST</span><span class="path">{path}</span></div>{page.paragraphs(1, 1)}<h3>Parameters</h3><ul class="params">{"".join(rows)}</ul><div class="sample"><div class="bar"><span>{page.around("Response")}</span><button>{page.around("Copy")}</button></div><pre><code class="language-json">{page.code(code)}</code></pre></div></section>'
        )
        page.truth.headings.append("Parameters")
    finish(page, title, f"{page.heading(1, title)}{''.join(ends)}")
    return page


def make_source(draw: Random) -> Page:
    """Make a source file in a repository, whose lines are rows of a table."""
    page = Page("source", draw)
    name = f"{draw.choice(('mill', 'kiln'))}{draw.randint(1, 99)}.py"
    main = f'<div class="file-header"><div class="file-info">{page.says(name)}</div><div class="file-actions"><a href="/raw">{page.around("Raw")}</a> <a href="/blame">{page.around("Blame")}</a></div></div>{_write_code(page, "rows")}'
    finish(page, name, main)
    return page


KINDS: Mapping[str, Callable[[Random], Page]] = {
    "sphinx": make_sphinx,
    "mkdocs": make_mkdocs,
    "docusaurus": make_docusaurus,
    "javadoc": make_javadoc,
    "manual": make_manual,
    "reference": make_reference,
    "source": make_source,
}
