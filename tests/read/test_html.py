"""Any untrusted HTML is parsed into typed values, and missing parts are counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.effort import assert_linear
from support.results import page
from support.world import NOW
from webquarry.read import Wire, counting
from webquarry.read.html import MAX_ROWS, absolute, html_of, plain_text

BASE = "https://site.example/a/b"


def served(body: bytes, content_type: str) -> Wire:
    return Wire(body, BASE, BASE, 200, {"content-type": content_type}, NOW)


class TestText:
    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("<p>one<b>two</b></p>", "onetwo"),
            ("<p>one</p><p>two</p>", "one two"),
            ("one<br>two<img>three", "one two three"),
            ("<ul><li>one<li>two</ul>three", "one two three"),
            ("one&nbsp;&#8239;two\n\tthree", "one two three"),
            ("a<script>b()</script><style>c{}</style><template>d</template><noscript>e</noscript>f", "af"),
            ("&lt;b&gt; &amp;amp;", "<b> &amp;"),
            ("<table><tr><td>1<td>2</table>", "1 2"),
            ("", ""),
        ],
    )
    def test_text_is_the_visible_text_on_one_line(self, markup: str, text: str) -> None:
        assert html_of(page(f"<div>{markup}</div>")).plain == text
        assert plain_text(markup) == text

    def test_parts_can_be_left_out(self) -> None:
        row = html_of(page('<p><i class=d>May 2 -</i> Said <i class="d e">x</i>so.</p>'))
        assert row.text("p", without=".d") == "Said so."

    def test_blank_is_none_and_counted(self) -> None:
        with counting() as losses:
            root = html_of(page("<p>&nbsp;</p>"))
            assert (root.text("p"), root.text("h1"), root.attribute("p", "id"), root.link("p")) == (None,) * 4
            assert root.each("li") == []
            assert not root.has("h2")
        assert losses == {"p": 1, "h1": 1, "p/@id": 1, "p/@href": 1, "li": 1}

    def test_raw_text_of_a_script_is_as_written(self) -> None:
        script = html_of(page("<script>a  <b>\n</script>")).first("script")
        assert script is not None
        assert script.raw == "a  <b>\n"
        assert html_of(page("<title> T&amp;t </title>")).text("title") == "T&t"


class TestRows:
    def test_rows_within_rows_are_not_searched(self) -> None:
        root = html_of(page("<div class=r>1<div class=r>2<p><div class=r>3</div></div></div><div class=r>4</div>"))
        assert [row.plain for row in root.rows("div.r")] == ["1 2 3", "4"]
        assert [row.plain for row in root.each("div.r")] == ["1 2 3", "2 3", "3", "4"]
        assert [row.plain for row in root.rows("div.r")[0].rows("div.r")] == ["1 2 3"]

    def test_rows_are_limited_and_their_absence_is_counted(self) -> None:
        root = html_of(page("<i>x</i>" * (MAX_ROWS + 50)))
        assert len(root.rows("i")) == MAX_ROWS
        with counting() as losses:
            assert root.rows("b") == []
        assert losses == {"b": 1}

    def test_rows_are_in_order_and_limited(self) -> None:
        rows = html_of(page("".join(f"<li>{i}</li>" for i in range(MAX_ROWS + 50)))).each("li")
        assert [row.plain for row in rows] == [str(i) for i in range(MAX_ROWS)]

    def test_row_only_sees_its_own_elements(self) -> None:
        first, second = html_of(page("<div class=r><a>1</a></div><div class=r><a>2</a><b>x</b></div>")).each(".r")
        assert (first.text("a"), second.text("a"), first.has("b"), second.has("b")) == ("1", "2", False, True)


class TestLinks:
    @pytest.mark.parametrize(
        ("link", "url"),
        [
            ("c?d=1#e", "https://site.example/a/c?d=1#e"),
            ("//other.example/x", "https://other.example/x"),
            (" https://other.example/a b\n", "https://other.example/a%20b"),
            ("http://bücher.example/ü", "http://bücher.example/ü"),
            ("javascript:alert(1)", None),
            ("java\nscript:alert(1)", None),
            ("data:text/html,x", None),
            ("mailto:a@b.example", None),
            ("https://user:secret@other.example/", None),
            ("https://[::1", None),
            ("https://other.example/" + "x" * 5000, None),
        ],
    )
    def test_link_is_an_absolute_web_address_or_none(self, link: str, url: str | None) -> None:
        assert absolute(link, BASE) == url

    def test_relative_links_honour_the_pages_base(self) -> None:
        root = html_of(page('<base href="/z/"><a href="c">x</a><img src="d.png">', BASE))
        assert (root.link("a"), root.link("img", "src")) == (
            "https://site.example/z/c",
            "https://site.example/z/d.png",
        )

    def test_invalid_base_is_ignored(self) -> None:
        assert (
            html_of(page('<base href="javascript:x"><a href="c">x</a>', BASE)).link("a") == "https://site.example/a/c"
        )


class TestBytes:
    @pytest.mark.parametrize(
        ("body", "content_type"),
        [
            ("é漢".encode(), "text/html"),
            ("é漢".encode(), "text/html; charset=no-such-thing"),
            ("\ufeffé漢".encode(), "text/html; charset=iso-8859-1"),
            ("\ufeffé漢".encode("utf-16-le"), "text/html"),
            ("é漢".encode("gb18030"), 'text/html; charset="GB2312"'),
        ],
    )
    def test_bytes_are_read_by_their_charset(self, body: bytes, content_type: str) -> None:
        assert html_of(served(body, content_type)).plain == "é漢"

    def test_latin_1_is_decoded_like_in_browsers(self) -> None:
        assert html_of(served(b"\x93\xe9\x94", "text/html; charset=ISO-8859-1")).plain == "“é”"

    @given(st.binary(max_size=300), st.sampled_from(["", "text/html; charset=utf-16", "x; charset=punycode"]))
    def test_any_bytes_are_a_page(self, body: bytes, content_type: str) -> None:
        root = html_of(served(body, content_type))
        root.plain.encode()
        root.link("a")
        root.each("div")

    @given(st.text(max_size=200))
    def test_any_text_is_plain_text(self, text: str) -> None:
        assert " ".join(plain_text(text).split()) == plain_text(text)

    @pytest.mark.parametrize("piece", ["<div>", "<b>x", "<a href=x>y</a>", "</p>", "<p>x", "&nbsp;"])
    def test_time_grows_with_size(self, piece: str) -> None:
        def read(pieces: int) -> str:
            root = html_of(page(piece * pieces))
            root.each("div a")
            return root.plain

        assert_linear(lambda size: lambda: read(size), 20_000)
