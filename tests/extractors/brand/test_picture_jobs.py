"""Foreign pictures: what may be shown of an SVG, and that no bytes break the readers."""

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree  # type: ignore[import-untyped]  # it has no stubs of its own
from PIL import Image, PngImagePlugin

from support.damage import damaged_text
from webquarry.extractors.brand import picture_job
from webquarry.extractors.brand.svg_job import ELEMENTS, NotSvg, sanitise

NS = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:ev="http://www.w3.org/2001/xml-events"'
)
HOSTILE = f"""<?xml version="1.0"?><?xml-stylesheet href="https://evil.example/a.css"?>
<!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>"><!ENTITY e SYSTEM "file:///etc/passwd">]>
<svg {NS} viewBox="0 0 40 20" onload="alert(1)" ev:event="load">
<script>alert(2)</script><script xlink:href="https://evil.example/a.js"/><!-- alert(3) -->
<style>@import "https://evil.example/b.css"; .a{{fill:red}}</style><style>.b{{fill:blue}}</style>
<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(4)"/></foreignObject>
<image xlink:href="https://evil.example/pixel.png"/><use xlink:href="https://evil.example/c.svg#a"/>
<use xlink:href="data:image/svg+xml;base64,AAAA"/><a href="javascript:alert(5)"><rect width="1" height="1"/></a>
<rect fill="url(https://evil.example/d.svg#p)" style="background:url('//evil.example/e.png')" OnClick="alert(6)"/>
<animate attributeName="href" values="javascript:alert(7)"/><set attributeName="onload" to="alert(8)"/>
<rect id="a" style="fill:\\75 rl(https://evil.example/f)" filter="url(#f)" width="3" height="3"/>
<use href="#a"/><text>&x;&e;one<tspan>two</tspan>three</text><feImage href="https://evil.example/g.png"/>
</svg>"""


def test_nothing_of_a_hostile_svg_runs_or_leads_elsewhere() -> None:
    shown, width, height = sanitise(HOSTILE.encode())
    text = shown.decode()
    assert (width, height) == (40, 20)
    for word in (
        "script",
        "alert",
        "evil",
        "import",
        "foreignObject",
        "iframe",
        "onload",
        "OnClick",
        "data:",
        "<!",
        "<?",
    ):
        assert word not in text, word
    assert "passwd" not in text
    assert ".b{fill:blue}" in text
    assert 'filter="url(#f)"' in text
    assert '<use href="#a"' in text
    assert "<tspan>two</tspan>three" in text


@pytest.mark.parametrize(
    "markup",
    [
        "<html><body><svg></svg></body></html>",
        "<svg xmlns='http://www.w3.org/2000/svg'><g>",
        "<svg xmlns='http://www.w3.org/2000/svg'>" + "<g>" * 150 + "</g>" * 150 + "</svg>",
        "<svg xmlns='http://www.w3.org/2000/svg'><g id='a'><use href='#a'/></g><use href='#a'/></svg>",
    ],
)
def test_svg_that_is_none_or_beyond_bounds_is_refused(markup: str) -> None:
    with pytest.raises(NotSvg):
        sanitise(markup.encode())


@given(st.data())
def test_damaged_svg_is_shown_harmless_or_not_at_all(data: st.DataObject) -> None:
    try:
        shown, _, _ = sanitise(damaged_text(data, HOSTILE).encode("utf-8", "replace"))
    except NotSvg:
        return
    for element in etree.fromstring(shown).iter():
        assert etree.QName(element).localname in ELEMENTS
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert "evil" not in value or etree.QName(name).localname != "href"
            assert "url(" not in value.replace("url(#", "")


def drawn(kind: str, size: int = 40) -> bytes:
    out = BytesIO()
    Image.new("RGB", (size, size), "red").save(out, kind)
    return out.getvalue()


@given(st.data(), st.sampled_from(["PNG", "ICO", "GIF", "JPEG", "WEBP", "BMP"]))
def test_damaged_picture_is_shown_or_told(data: st.DataObject, kind: str) -> None:
    body = bytearray(drawn(kind))
    for _ in range(data.draw(st.integers(1, 8))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    body = body[: data.draw(st.integers(1, len(body)))]
    made = picture_job.choose(bytes(body), pictures=[{"source": "link-icon", "length": len(body)}], size=32)
    if made.facts["chosen"] is None:
        assert "fault" in made.facts["measured"][0]
    else:
        with Image.open(BytesIO(made.pieces[0])) as shown:
            assert max(shown.size) <= 32


def test_png_that_fits_is_shown_without_what_else_it_holds() -> None:
    found = PngImagePlugin.PngInfo()
    found.add_text("Comment", "<script>alert(1)</script>")
    out = BytesIO()
    Image.new("RGB", (30, 30), "red").save(out, "PNG", pnginfo=found)
    body = out.getvalue() + b"<script>behind</script>"
    made = picture_job.choose(body, pictures=[{"source": "link-icon", "length": len(body)}], size=32)
    assert b"script" not in made.pieces[0]
    with Image.open(BytesIO(made.pieces[0])) as shown:
        assert shown.getpixel((3, 3)) == (255, 0, 0)


def test_picture_that_says_it_is_enormous_is_not_decoded() -> None:
    body = bytearray(drawn("PNG"))
    body[16:24] = (60_000).to_bytes(4, "big") * 2
    made = picture_job.choose(bytes(body), pictures=[{"source": "link-icon", "length": len(body)}], size=32)
    assert made.facts["measured"][0]["fault"]
