"""Kinds of defects that were found on real pages.

Each is on a generated page with everything that surrounds the content.
"""

import pytest

from webquarry_convert.page import to_markdown

ADDRESS = "https://example.com/here/page"


def convert(body: str, title: str = "A page - Example", head: str = "") -> str:
    page = (
        f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head><body><header class="site-header">'
        '<a href="/">Example</a><nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Shop</a></li></ul></nav>'
        "</header>"
        f'{body}<footer class="site-footer"><p>Copyright 2024 Example. All rights reserved.</p></footer></body></html>'
    )
    return to_markdown(page, ADDRESS)


def make_post(number: int, name: str, day: str, text: str) -> str:
    return (
        f'<article class="message" id="p{number}"><div class="message-user"><a class="avatar" href="/u/{number}">'
        f'<img src="/avatars/{number}.jpg" alt="{name}"></a><h4><a href="/u/{number}" class="username">{name}</a></h4>'
        f'</div><div class="message-main"><header><time datetime="2024-05-0{number}">{day}</time></header>'
        f'<div class="bbWrapper">{text}</div><footer><a href="/report/{number}">Report</a></footer></div></article>'
    )


THREAD = "".join(
    [
        "<h1>Ice on the inside of the greenhouse</h1>",
        make_post(1, "pia_w", "1 May 2024, 07:15", "Since last week there is ice on the glass each morning, although "
                  "the heater runs all night. What should I look at first?"),
        make_post(2, "old_gardener", "1 May 2024, 18:40", "Thanks."),
        make_post(3, "marrow", "2 May 2024, 06:02", "Look at the vents. Mine had a gap of a finger's width at the "
                  "hinge, and no heater warms the whole county."),
        '<div class="modal" id="report_dialog"><h2>Report this post</h2><p>Choose a reason and send it to us.</p>'
        "<textarea></textarea><button>Send</button></div>",
    ]
)  # fmt: skip


def test_posts_keep_their_author_and_date() -> None:
    written = convert(THREAD, "Ice on the inside of the greenhouse | Example")
    at = [
        written.index(text)
        for text in ("Ice on the inside", "pia_w", "1 May 2024, 07:15", "Since last week", "old_gardener", "18:40",
                     "marrow", "2 May 2024", "Look at the vents")
    ]  # fmt: skip
    assert at == sorted(at)


def test_short_posts_among_others_are_kept() -> None:
    assert "\nThanks.\n" in convert(THREAD)


def test_portraits_and_dialogs_of_threads_are_dropped() -> None:
    written = convert(THREAD)
    assert "avatars" not in written
    assert "Choose a reason" not in written


PRODUCT = (
    '<script type="application/ld+json">{"@type":"Product","name":"Moor boot","sku":"MB-20481","offers":'
    '{"@type":"Offer","price":"89.00","priceCurrency":"EUR"}}</script><div class="crumbs"><a href="/x">Boots</a></div>'
    '<div class="top"><h1>Moor boot</h1><div class="zq"><span>€89.00</span></div>'
    '<div class="yy">Art. MB-20481</div></div>'
    '<div class="text"><p>A light boot of oiled wool and rubber for wet paths. It dries in an hour beside the stove, '
    "and the sole can be sewn on again when it is worn.</p></div>"
    '<div class="section"><h3>Details</h3><div class="row"><div class="l">Upper</div>'
    '<div class="v">Oiled wool</div></div>'
    '<div class="row"><div class="l">Sole</div><div class="v">Rubber, sewn</div></div>'
    '<div class="row"><div class="l">Weight</div><div class="v">610 g</div></div></div>'
)


def test_stated_name_price_and_number_are_kept() -> None:
    written = convert(PRODUCT, "Moor boot | Example")
    for fact in ("# Moor boot", "€89.00", "MB-20481"):
        assert fact in written


def test_rows_with_label_and_value_become_items() -> None:
    assert "- **Upper**: Oiled wool\n- **Sole**: Rubber, sewn\n- **Weight**: 610 g" in convert(PRODUCT)


def test_label_without_a_space_is_separated_from_its_value() -> None:
    prose = "A gardener inherits forty trees and a debt, and has one summer to understand both."
    written = convert(f"<main><h1>The orchard</h1><div><span>About</span><span>{prose}</span></div></main>")
    assert f"About: {prose}" in written


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ('<a class="author" href="/ib">Ib</a><time>4 May</time>', "[Ib](https://example.com/ib) 4 May"),
        ('<span class="name">limit</span><span class="type">integer</span>', "limit integer"),
        ('<span class="price">€344.00</span><span class="tax">VAT included</span>', "€344.00 VAT included"),
        ('<a href="/u">rosa</a><span class="badge">Mod</span>', "[rosa](https://example.com/u) Mod"),
        ('<span class="row-label">Serves</span><span class="row-value">four of us</span>', "Serves: four of us"),
        ('<b class="method">POST</b><span class="path">/v1/mills</span>', "**POST** /v1/mills"),
        ('<span class="amount">250</span><span class="unit">g</span> of flour', "250 g of flour"),
        ('<span>Phone</span><a href="tel:+442071234">+44 20 71234</a>', "Phone: [+44 20 71234](tel:+442071234)"),
        (
            '<b>Write to</b><a href="mailto:ib@o.example">ib@o.example</a>',
            "**Write to**: [ib@o.example](mailto:ib@o.example)",
        ),
        ('<a href="/q">Ask</a><a href="tel:+4420">Call us</a>', "[Ask](https://example.com/q) [Call us](tel:+4420)"),
        (
            '<span class="fact"><i>Size: </i><u>4 cm</u></span><span class="fact"><i>Age: </i><u>9</u></span>',
            "*Size:* 4 cm *Age:* 9",
        ),
        ('<span class="half">exam</span><span class="half">ple</span>', "example"),
        ('<span class="c1">exam</span><span class="c2">ple</span>', "example"),
        ('<b class="big">exam</b><b class="red">ple</b>', "**example**"),
        ('<b class="price">19</b><b class="price-cents">99</b>', "**1999**"),
        ('<b class="whole">19</b><b class="cents">99</b>', "**1999**"),
        ('<span class="dropcap">T</span><span class="rest">his</span>', "This"),
        ("<span>Web</span><span>Quarry</span>", "WebQuarry"),
        ('<span class="key">中国</span><span class="word">北京</span>', "中国北京"),
    ],
)
def test_texts_without_a_space_between_them_are_separated(markup: str, written: str) -> None:
    prose = "<p>A gardener inherits forty trees and a debt, and has one summer to understand both of them.</p>"
    assert f"\n\n{written}\n\n" in convert(f"<main><h1>The orchard</h1>{prose}<p>{markup}</p>{prose}</main>")


def test_names_and_values_in_a_list_without_classes_are_separated() -> None:
    rows = "<li><span>Montag</span><span>geschlossen</span></li><li><span>Dienstag</span><span>9:00 – 17:30</span></li>"
    assert "- Montag: geschlossen\n- Dienstag: 9:00 – 17:30" in convert(f"<main><h1>Hours</h1><ul>{rows}</ul></main>")
    words = "<li><span>Apple</span><span>tree</span></li><li><span>Web</span>Quarry</li>"
    assert "- Appletree\n- WebQuarry" in convert(f"<main><h1>Words</h1><ul>{words}</ul></main>")


def test_name_and_boxed_value_are_written_on_one_line() -> None:
    value = "Oiled wool from the hills, with a rubber sole of two layers."
    row = f'<div class="attribute"><strong class="type">Upper</strong> <div class="value">{value}</div></div>'
    prose = "<p>A light boot of oiled wool and rubber for wet paths. It dries in an hour beside the stove.</p>"
    assert f"**Upper**: {value}" in convert(f"<main><h1>Moor boot</h1>{prose}{row}{prose}</main>")


def test_colon_of_a_term_is_not_doubled() -> None:
    terms = "<dl><dt>Parameters:</dt><dd>speed of the mill in turns</dd></dl>"
    assert "- **Parameters:** speed" in convert(f"<main><h1>Turning</h1><p>How it turns.</p>{terms}</main>")


def test_label_in_an_item_is_separated_from_its_number() -> None:
    rows = (
        "<li><span>Art number</span><span>20481</span><div></div></li>"
        "<li><span>EAN code</span><span>4006381333931</span></li>"
    )
    prose = "<p>A light boot of oiled wool and rubber for wet paths. It dries in an hour beside the stove.</p>"
    written = convert(f"<main><h1>Moor boot</h1>{prose}<ul>{rows}</ul>{prose}</main>")
    assert "- Art number: 20481\n- EAN code: 4006381333931" in written


RECIPE = (
    '<script type="application/ld+json">{"@type":"Recipe","name":"Plum cake","recipeIngredient":'
    '["250 g flour","1 kg plums","2 eggs","80 g sugar"]}</script><h1>Plum cake</h1>'
    "<p>A flat cake for the week in which the plums fall. It keeps for three days under a cloth.</p>%s<h2>Method</h2>"
    "<ol>"
    "<li>Mix the meal and the sugar to a soft dough and let it rest for half an hour in a cool place.</li>"
    "<li>Lay the halved fruit on it and bake until brown at the edges, which takes about forty minutes.</li></ol>"
)


def test_ingredients_in_rows_of_a_form_are_kept() -> None:
    rows = "".join(
        f'<div class="fl"><input type="checkbox"><div>{amount}</div><div><a href="/i">{name}</a></div></div>'
        for amount, name in (("250 g", "flour"), ("1 kg", "plums"), ("2", "eggs"), ("80 g", "sugar"))
    )
    written = convert(RECIPE % f'<form class="shop"><h2>Ingredients</h2>{rows}</form>')
    for part in ("250 g", "flour", "1 kg", "plums", "eggs", "80 g", "sugar"):
        assert part in written


def test_ingredients_of_a_widget_come_from_the_data() -> None:
    long = "<p>" + "The plums should be ripe enough to give under the thumb, and the oven hot before they go in. " * 20
    written = convert(RECIPE % f'<div id="widget"></div>{long}</p>')
    assert "- 250 g flour\n- 1 kg plums\n- 2 eggs\n- 80 g sugar" in written


BLOG_RECIPE = (
    '<script type="application/ld+json">{"@graph":[{"@type":"Article","headline":"Plum cake in August"},'
    '{"@type":"Recipe","name":"Plum cake","recipeIngredient":["250 g flour","1 kg plums (ripe)","2 eggs (optional)"]}'
    "]}</script><article><h1>Plum cake in August</h1>"
    + "<p>The tree behind the house gave more plums than we could eat, so we baked on four days of the week.</p>" * 3
    + "%s</article>"
)


def test_ingredients_of_a_recipe_in_an_article_are_kept() -> None:
    card = (
        '<div class="promo-card"><a href="/print">Print</a><a href="/pin">Pin</a><ul class="links">'
        '<li><a href="/s/1"><span>250</span> <span>g</span> flour</a></li>'
        '<li><a href="/s/2"><span>1</span> <span>kg</span> plums <em>ripe</em></a></li>'
        '<li><a href="/s/3"><span>2</span> eggs <em>optional</em></a></li></ul></div>'
    )
    written = convert(BLOG_RECIPE % card)
    for part in ("250 g flour", "1 kg plums", "2 eggs"):
        assert written.count(part) == 1


def test_widget_ingredients_of_a_recipe_in_an_article_come_from_the_data() -> None:
    assert "- 250 g flour\n- 1 kg plums (ripe)\n- 2 eggs" in convert(BLOG_RECIPE % '<div id="widget"></div>')


def test_noise_on_shop_pages_is_dropped() -> None:
    written = convert(
        f"<main>{PRODUCT}<div class='error-state'><h3>Oops! Something went wrong</h3><p>Please try again.</p></div>"
        "<div class='bis'><h3>Notify me when it is back</h3><input type=email><button>Send</button></div></main>"
    )
    assert "Oops" not in written
    assert "Notify me" not in written


def test_language_pickers_above_code_are_dropped() -> None:
    written = convert(
        "<main><h1>Squares</h1><p>The program below prints the first ten squares, one on each line.</p><div>"
        "<ul class=menu><li>Bash</li><li>C</li><li>Go</li><li>Python</li></ul>"
        '<pre><code class="language-python">print(1)</code></pre></div><p>It needs no library, only a shell.</p></main>'
    )
    assert "Bash" not in written
    assert "```python\nprint(1)\n```" in written


def test_other_stories_on_chinese_and_japanese_pages_are_dropped() -> None:
    written = convert(
        "<article><h1>用一行命令查看端口</h1><p>想知道哪个程序占用了端口，可以用系统自带的命令，不需要安装任何软件。</p>"
        "<pre><code>ss -ltnp</code></pre><div class='box'><h3>相关推荐</h3><div><a href='/1'>端口转发入门</a>"
        "<p>热门 2.1万阅读 本文介绍端口转发的基本用法</p></div></div></article>"
        "<section><h2>関連記事</h2><ul><li><a href='/2'>ポートの開け方</a></li></ul></section>"
    )
    assert "ss -ltnp" in written
    for noise in ("相关推荐", "端口转发", "関連記事", "ポートの開け方"):
        assert noise not in written


def test_rows_of_listings_keep_their_facts() -> None:
    titles = ("Wintering a late swarm", "Sugar or fondant?", "For sale: two hives of last summer", "Wax moths")
    rows = "".join(
        f'<div class="row"><a class="avatar" href="/u/{n}"><img src="/avatar/{n}.jpg" alt=""></a><div>'
        f'<a href="/t/{n}">{title}</a><div class="by">keeper{n}</div><div class="on">{n} Oct 2024</div></div></div>'
        for n, title in enumerate(titles, start=1)
    )
    written = convert(f"<h1>Beekeeping</h1><div class='rows'>{rows}</div>", "Beekeeping - Example")
    for n, title in enumerate(titles, start=1):
        assert f"[{title}](https://example.com/t/{n})" in written
        assert f"{n} Oct 2024" in written
    assert "avatar" not in written


def test_formulas_in_attributes_and_in_mathml_are_written() -> None:
    written = convert(
        r'<main><h1>Sums</h1><p>Let <span class="math" data-math="k \in N">&nbsp;</span> be even; then it ends.</p>'
        "<p>It is <math><msup><mi>y</mi><mn>3</mn></msup><mo>+</mo><msub><mi>c</mi><mn>0</mn></msub></math> and at "
        "most <math><mfrac><mn>1</mn><mi>n</mi></mfrac></math> in all cases that matter here.</p></main>"
    )
    assert r"Let $k \in N$ be even" in written
    assert r"It is $y^{3}+c_{0}$ and at most $\frac{1}{n}$" in written


def test_custom_code_elements_become_code_blocks() -> None:
    written = convert(
        "<main><h1>Speed</h1><p>The function below halves the speed of a loom that runs too fast for its threads.</p>"
        '<code-block lang="kotlin">fun speed(rpm: Int): Int {\n    return rpm / 2\n}</code-block></main>'
    )
    assert "```kotlin\nfun speed(rpm: Int): Int {\n    return rpm / 2\n}\n```" in written
