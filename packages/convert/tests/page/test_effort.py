"""The work for a page grows linearly, whatever its values, elements or texts contain."""

from collections.abc import Callable
from functools import partial

import pytest

from convert_support.pumps import Pump, judge
from webquarry_convert.page import to_markdown
from webquarry_convert.page.head.refresh import find_refresh
from webquarry_convert.tree import build_tree

PUMPS = [
    Pump('<p>a<img src="/blank', "0", '.q">'),
    Pump('<p>a<img src="/', "1x1_", '.q">'),
    Pump('<p>a<img src=a.png width="0', " ", 'x">'),
    Pump('<p>a<img srcset="', "a", ' x y">'),
    Pump('<p>a<img srcset="', "a 1x ", '">'),
    Pump('<p>a<img class="', "_share", '" src=a.png>'),
    Pump("<title>a", " ", "b</title><p>a"),
    Pump("<title>", "a [", "</title><p>a"),
    Pump("<select>", "<option>a", ""),
    Pump("<table>", "<tr><td>a<td>b", ""),
    Pump("<p>a", "[", ""),
    Pump("<p>a", "\r", ""),
    Pump("<p>a", "<script ", ""),
    Pump("<p>a", '[a b="', ""),
    Pump("<p>a", '[row a="b"]', ""),
    Pump("<p>a", "[/a_b]", ""),
    Pump("<p>a<div class='", "callout-", "note'>b"),
    Pump("<p>a<a data-cfemail=", "4a", ">b</a>"),
    Pump("<p>a", "<a href='javascript:linkTo_UnCryptMailto(\"nbjmup+b\")'>b</a>", ""),
    Pump("<p>a", "<x-y><template shadowrootmode=open><slot>", ""),
    Pump("<p>a", "<x-y><template shadowrootmode=open><slot></slot></template>b</x-y>", ""),
    Pump("<p>a", "<div role=tablist><i role=tab>b</i></div><div role=tabpanel>c</div>", ""),
    Pump("<div role=tablist><i role=tab>b</i></div>", "<div role=tabpanel>c", ""),
    Pump("<p>a", "<div hidden>b</div>", ""),
    Pump("<p>a", "<h2>b</h2><form></form>", ""),
    Pump("<table><tr><td>", "<a href=b>c</a>", "<td>d</table>"),
    Pump("<p>a", "<div><span class=name>b</span><span class=value>c</span></div>", ""),
    Pump("<dl><dt class=sig-object>a", "<em>b</em>, ", "<dd>c</dl>"),
    Pump("<p>a<script>window.__INITIAL_STATE__=x('", "\\'", "</script>"),
]


@pytest.mark.parametrize("pump", PUMPS, ids=str)
def test_work_grows_linearly_with_the_page(pump: Pump) -> None:
    found = judge(
        lambda size: partial(to_markdown, pump.text(size), "https://example.com/"),
        pump,
        size=2000,
        largest=128_000,  # larger trees cost more per element once, between 64,000 and 128,000 characters
        longest_s=0.4,
    )
    assert found is None


def test_many_long_refreshes_are_read_quickly() -> None:
    def prepared(size: int) -> Callable[[], object]:
        tree = build_tree(f'<meta http-equiv=refresh content="0{" " * (size // 10)}x">' * 10)
        return partial(find_refresh, tree, "https://example.com/", 5)

    assert judge(prepared, "refresh", size=2000, largest=32_000, longest_s=0.4) is None
