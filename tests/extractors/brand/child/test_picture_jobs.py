"""Untrusted images: the parts of an SVG that may be shown, and damaged bytes, which no decoder may fail on."""

import asyncio
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree  # type: ignore[import-untyped]  # it has no stubs of its own
from PIL import Image, PngImagePlugin

from support.damage import damaged_text
from webquarry.extractors.brand.child import picture_job
from webquarry.extractors.brand.child.picture_reply import CHOOSE, Fault, PictureReply, Size, SvgChosen
from webquarry.extractors.brand.child.svg_job import NotSvg, sanitise
from webquarry.extractors.brand.child.svg_rules import ELEMENTS
from webquarry.workers.job import ReplyError
from webquarry.workers.parcel import Parcel

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


def test_hostile_svg_is_sanitized() -> None:
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
def test_invalid_or_too_large_svg_is_refused(markup: str) -> None:
    with pytest.raises(NotSvg):
        sanitise(markup.encode())


@given(st.data())
def test_damaged_svg_is_shown_harmless_or_not_at_all(data: st.DataObject) -> None:
    try:
        shown, _, _ = sanitise(damaged_text(data, HOSTILE).encode("utf-8", "replace"))
    except NotSvg:
        return
    choose(shown)
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


PNG = drawn("PNG", 30)


def choose(body: bytes) -> Parcel[PictureReply]:
    """Return the job's reply, which must match its declaration."""
    made = picture_job.choose(body, pictures=[{"source": "link-icon", "length": len(body)}], size=32)
    asyncio.run(accept(made))
    return made


async def accept(made: Parcel[PictureReply]) -> None:
    """Raise ReplyError if the service would reject the reply."""
    await CHOOSE.knowing(pictures=len(made.facts.measured), size=32).read(made.facts.model_dump(), made.pieces)


HARMFUL = [
    b"<html/>",
    b"<svg><script>1</script></svg>",
    b'<svg onload="x"></svg>',
    b'<svg ONLOAD="x"/>',
    b"<svg onload></svg>",
    b"<svg/onload=x></svg>",
    b"<svg onload='x'/>",
    b'<svg><image href="https://a.example/"/></svg>',
    b'<svg><use href="https://a.example/#a"/></svg>',
    b'<svg><use xlink:href="&#106;avascript:x"/></svg>',
    b'<svg><rect fill="url(https://a.example/)"/></svg>',
    b'<svg><rect fill="&#117;rl(https://a.example/)"/></svg>',
    b"<svg><style>@import 'a'</style></svg>",
    b"<svg><style>&#64;import 'a'</style></svg>",
    b'<svg xmlns="http://www.w3.org/1999/xhtml"/>',
    b"<svg><foreignObject/></svg>",
    b"<svg><!-- a --></svg>",
    b"<?xml version='1.0'?><svg/>",
    b"<!DOCTYPE svg><svg/>",
    b"<svg><![CDATA[a]]></svg>",
    b"<svg><g></svg></g>",
    b"<svg>",
    b"<svg></svg></svg>",
    b"<svg/><",
    b"<svg>\xff</svg>",
    b"<svg>" + b"<g>" * 500 + b"</g>" * 500 + b"</svg>",
]


@pytest.mark.parametrize("svg", HARMFUL)
async def test_svg_that_the_job_never_writes_is_refused(svg: bytes) -> None:
    chosen = SvgChosen(
        measured=[Size(width=1, height=1, format="svg")],
        needs_services=False,
        fits=True,
        chosen=0,
        reason="x",
        media_type="image/svg+xml",
        width=None,
        height=None,
    )
    await accept(Parcel(chosen, (b'<svg xmlns="http://www.w3.org/2000/svg"><rect x1="2"/></svg>',)))
    with pytest.raises(ReplyError):
        await accept(Parcel(chosen, (svg,)))


@pytest.mark.parametrize(
    ("change", "piece"),
    [
        ({}, b""),
        ({}, b"<svg/>"),
        ({}, b"GIF89a"),
        ({"width": 31}, None),
        ({"width": "30"}, None),
        ({"chosen": 1}, None),
        ({"chosen": None}, None),
        ({"chosen": -1}, None),
        ({"media_type": "text/html"}, None),
        ({"media_type": "image/svg+xml"}, None),
        ({"measured": []}, None),
        ({"measured": [{"fault": "It is none."}]}, None),
        ({"reason": "a\nb"}, None),
        ({"url": "https://a.example/"}, None),
    ],
)
async def test_file_that_is_not_a_picture_is_refused(change: dict[str, Any], piece: bytes | None) -> None:
    made = picture_job.choose(PNG, pictures=[{"source": "link-icon", "length": len(PNG)}], size=32)
    await accept(made)
    job, pieces = CHOOSE.knowing(pictures=1, size=32), made.pieces if piece is None else (piece,)
    with pytest.raises(ReplyError):
        await job.read({**made.facts.model_dump(), **change}, pieces)


async def test_png_with_more_than_it_needs_is_refused() -> None:
    made = picture_job.choose(PNG, pictures=[{"source": "link-icon", "length": len(PNG)}], size=32)
    shown = made.pieces[0]
    text = b"\0\0\0\1tEXta" + b"\0" * 4
    for crafted in (shown + b"<script>", shown[:-1], shown[:33] + text + shown[33:]):
        with pytest.raises(ReplyError):
            await accept(Parcel(made.facts, (crafted,)))


@given(st.data(), st.sampled_from(["PNG", "ICO", "GIF", "JPEG", "WEBP", "BMP"]))
def test_damaged_picture_is_shown_or_reported(data: st.DataObject, kind: str) -> None:
    body = bytearray(drawn(kind))
    for _ in range(data.draw(st.integers(1, 8))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    body = body[: data.draw(st.integers(1, len(body)))]
    made = choose(bytes(body))
    if made.facts.chosen is None:
        assert isinstance(made.facts.measured[0], Fault)
    else:
        with Image.open(BytesIO(made.pieces[0])) as shown:
            assert max(shown.size) <= 32


def test_fitting_png_is_shown_without_other_chunks() -> None:
    found = PngImagePlugin.PngInfo()
    found.add_text("Comment", "<script>alert(1)</script>")
    out = BytesIO()
    Image.new("RGB", (30, 30), "red").save(out, "PNG", pnginfo=found)
    body = out.getvalue() + b"<script>behind</script>"
    made = choose(body)
    assert b"script" not in made.pieces[0]
    with Image.open(BytesIO(made.pieces[0])) as shown:
        assert shown.getpixel((3, 3)) == (255, 0, 0)


def test_picture_that_declares_an_enormous_size_is_not_decoded() -> None:
    body = bytearray(drawn("PNG"))
    body[16:24] = (60_000).to_bytes(4, "big") * 2
    made = picture_job.choose(bytes(body), pictures=[{"source": "link-icon", "length": len(body)}], size=32)
    assert isinstance(made.facts.measured[0], Fault)
