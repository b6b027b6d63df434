"""Recorded sites with their stated icons, the requests to icon services, and the choice by decoded size."""

import asyncio
from collections.abc import Sequence
from io import BytesIO

import pytest
from PIL import Image

from convert_support.kit import KIT
from support.contexts import RunContext
from support.vcr import AT, recorded_exchanges
from webquarry.core.clock import SystemClock
from webquarry.core.errors import EmptyResult, ProviderError
from webquarry.core.settings import Settings
from webquarry.core.types import Deadline, Domain, Wire
from webquarry.endpoints.params import parse
from webquarry.extractors.brand.child.ranking import Measured, Rank, rank
from webquarry.extractors.brand.logo import Logo, LogoParams, run
from webquarry.extractors.brand.sources import named_icons, site_icons
from webquarry.extractors.brand.sources.named_icons import Icon
from webquarry.extractors.brand.sources.untested.icon_services import (
    LOGO_DEV,
    make_duckduckgo_url,
    make_google_url,
    make_logo_dev_url,
)
from webquarry.net import Door
from webquarry.net.player import Player
from webquarry.net.tape import Exchange, Fault
from webquarry.net.transport import Limits, Request, Response
from webquarry.read import counting

SAMPLES = KIT / "upstreams/samples/logo"
STATED = {
    "github.com": [
        ("https://github.com/apple-touch-icon-144.png", 144, "png"),
        ("https://github.com/apple-touch-icon.png", 120, "png"),
        ("https://github.com/apple-touch-icon-114.png", 114, "png"),
        ("https://github.com/apple-touch-icon-precomposed.png", 57, "png"),
        ("https://github.com/favicon.ico", 32, "ico"),
    ],
    "kicktipp.de": [
        ("https://www.kicktipp.de/assets/apple-touch-icon.0879fba1.png", 180, "png"),
        ("https://www.kicktipp.de/assets/favicon.5368f953.ico", 48, "ico"),
        ("https://www.kicktipp.de/favicon.ico", 48, "ico"),
        ("https://www.kicktipp.de/assets/favicon-32x32.cfcd6069.png", 32, "png"),
        ("https://www.kicktipp.de/assets/favicon-16x16.932c575d.png", 16, "png"),
    ],
    "printables.com": [
        ("https://www.printables.com/assets/favicons/apple-touch-icon.png", 180, "png"),
        ("https://www.printables.com/favicon.ico", 48, "ico"),
        ("https://www.printables.com/assets/favicons/favicon-32x32.png", 32, "png"),
        ("https://www.printables.com/assets/favicons/favicon-16x16.png", 16, "png"),
    ],
    "apple.com": [("https://www.apple.com/apple-touch-icon.png", 152, "png")],
}


def drawn(width: int, height: int | None = None, kind: str = "PNG") -> bytes:
    out = BytesIO()
    Image.new("RGB", (width, height or width), (20, 90, 160)).save(out, kind)
    return out.getvalue()


def answer(url: str, body: bytes | str = b"", status: int = 200, content_type: str = "image/png") -> Exchange:
    body = body.encode() if isinstance(body, str) else body
    return Exchange(Request("GET", url), Response(status, {"content-type": content_type}, body, AT, len(body)))


def down(url: str) -> Exchange:
    return Exchange(Request("GET", url), Fault("down"))


def site(head: str, *others: Exchange, host: str = "shop.example.com") -> list[Exchange]:
    return [answer(f"https://{host}/", f"<html><head>{head}</head></html>", content_type="text/html"), *others]


def asked(domain: str, size: int) -> LogoParams:
    return parse(LogoParams, [("domain", domain), ("size", str(size))])


async def logo_of(
    exchanges: Sequence[Exchange], size: int = 128, domain: str = "shop.example.com"
) -> tuple[Logo, RunContext]:
    context = RunContext(Player(exchanges))
    return await run(asked(domain, size), context), context


def wire(body: str | bytes, url: str = "https://shop.example.com/a/") -> Wire:
    return Wire(body.encode() if isinstance(body, str) else body, url, url, 200, {}, AT)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="samples are not beside the checkout")
@pytest.mark.parametrize("domain", STATED)
@pytest.mark.parametrize("size", [16, 48, 128, 256])
async def test_icons_of_a_recorded_site_are_as_stated(domain: str, size: int) -> None:
    file = next(SAMPLES.glob(f"{domain}*.gz"))
    logo, context = await logo_of(recorded_exchanges(file), size, domain)
    found = {(c.url, c.width, c.format) for c in logo.candidates if c.width and c.format not in ("svg", "ico")}
    icons = {c.url for c in logo.candidates if c.format == "ico"}
    assert {one for one in STATED[domain] if one[2] != "ico"} <= found
    assert {url for url, _, kind in STATED[domain] if kind == "ico"} <= icons
    largest = STATED[domain][0]
    if size > 48:
        assert logo.original_url == largest[0]
        assert logo.width == min(size, largest[1])
    assert logo.width is not None
    assert logo.width <= size
    with Image.open(BytesIO(context.pictures[0].body)) as shown:
        assert shown.size == (logo.width, logo.height)
    assert logo.url.endswith(context.pictures[0].name)


def test_icons_are_found_in_every_notation() -> None:
    named = named_icons.read_page(
        wire(
            """<base href="//cdn.example.com/x/"><link rel="Shortcut ICON" href=a.ico>
            <link rel=icon sizes=any mask href=m.svg>
            <link rel=manifest href="m.json"><link rel="apple-touch-icon" href="">
            <link rel=apple-touch-icon-precomposed sizes="57x57 114x114" href=t.png><link rel=icon href="javascript:1">
            <meta property="og:logo" content="/og.png"><meta property="og:image" content="/share.png">
            <script type="application/ld+json">{"@graph":[{"@type":"NewsMediaOrganization","logo":["/l.png",
            {"contentUrl":"/c.png"}]},{"@type":"Product","logo":"/no.png"}]}</script>"""
        )
    )
    cdn = "https://cdn.example.com"
    assert [(icon.source, icon.url) for icon in named.icons] == [
        ("link-icon", f"{cdn}/x/a.ico"),
        ("mask-icon", f"{cdn}/x/m.svg"),
        ("apple-touch-icon", f"{cdn}/x/t.png"),
        ("json-ld", f"{cdn}/l.png"),
        ("json-ld", f"{cdn}/c.png"),
        ("meta-logo", f"{cdn}/og.png"),
        ("og-image", f"{cdn}/share.png"),
    ]
    assert named.icons[2].declared_side == 114
    assert named.manifest == f"{cdn}/x/m.json"


@pytest.mark.parametrize(
    "lost",
    [
        '<link rel="icon" href="http://[">',
        '<meta property="og:logo" content="http://[">',
        '<script type="application/ld+json">{"@type": "Organization", "logo": [7]}</script>',
    ],
)
def test_icon_without_a_url_is_counted(lost: str) -> None:
    with counting() as losses:
        assert not named_icons.read_page(wire(lost)).icons
    assert losses["icon"] + losses["logo"] == 1


def test_manifest_icons_exclude_masks() -> None:
    body = '{"icons":[{"src":"a.png","sizes":"192x192"},{"src":"b.png","purpose":"monochrome"},{"sizes":"1x1"},3,'
    body += '{"src":"/c.png","purpose":"maskable any"}]}'
    with counting() as losses:
        found = named_icons.read_manifest(wire(body, "https://shop.example.com/app/m.json"))
    assert losses["icons[]"] == 2
    assert [icon.url for icon in found] == ["https://shop.example.com/app/a.png", "https://shop.example.com/c.png"]
    with pytest.raises(ProviderError) as caught:
        named_icons.read_manifest(wire("<html>"))
    assert caught.value.reason == "changed"


def test_a_page_with_thousands_of_icons_costs_a_dozen_requests() -> None:
    icons = [Icon(url=f"https://a.example/{n}.png", source="link-icon", sizes=f"{n}x{n}") for n in range(900)]
    fixed = [Icon(url="https://a.example/favicon.ico", source="favicon.ico")]
    chosen = site_icons.choose(icons, fixed, 128)
    assert len(chosen) == site_icons.MAX_ICONS
    assert [icon.declared_side for icon in chosen[:-1]] == list(range(128, 128 + site_icons.MAX_ICONS - 1))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (("link-icon", Measured(128, 128)), ("apple-touch-icon", Measured(180, 180))),
        (("apple-touch-icon", Measured(180, 180)), ("link-icon", Measured(180, 180))),
        (("link-icon", Measured(0, 0, is_scalable=True)), ("link-icon", Measured(129, 129))),
        (("apple-touch-icon", Measured(120, 120)), ("google", Measured(128, 128))),
        (("link-icon", Measured(180, 180)), ("json-ld", Measured(600, 130))),
        (("google", Measured(128, 128)), ("link-icon", Measured(16, 16))),
        (("logo.dev", Measured(128, 128)), ("apple-touch-icon", Measured(120, 120))),
        (("favicon.ico", Measured(16, 16)), ("mask-icon", Measured(0, 0, is_scalable=True))),
        (("apple-touch-icon", Measured(57, 57)), ("og-image", Measured(300, 300))),
    ],
)
def test_icons_with_the_requested_size_come_before_smaller_ones(
    better: tuple[str, Measured], worse: tuple[str, Measured]
) -> None:
    ranked: list[Rank] = [rank(*better, 128), rank(*worse, 128)]
    assert ranked[0] < ranked[1]


async def test_oblong_picture_keeps_its_shape_and_is_not_enlarged() -> None:
    exchanges = site("<link rel=icon href=/w.png>", answer("https://shop.example.com/w.png", drawn(400, 100)))
    logo, _ = await logo_of(exchanges, 64)
    assert (logo.width, logo.height) == (64, 16)
    assert (logo.candidates[0].width, logo.candidates[0].height) == (400, 100)


async def test_services_are_requested_only_if_the_site_has_no_large_icon() -> None:
    icon = answer("https://shop.example.com/i.png", drawn(96))
    logo, context = await logo_of(site("<link rel=icon href=/i.png>", icon), 128)
    assert (logo.source, logo.width) == ("link-icon", 96)
    assert {c.source for c in logo.candidates} == {"link-icon", "apple-touch-icon", "favicon.ico"}
    assert context.kept[0].url == "https://shop.example.com/"


async def test_service_with_a_key_comes_before_the_others() -> None:
    requests: list[Request] = []

    class Listening(Player):
        async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
            requests.append(request)
            return await super().send(request, deadline, limits)

    url = make_logo_dev_url(Domain.parse("shop.example.com"), 128)
    player = Listening(site("", answer(url, drawn(128))))
    context = RunContext(player)
    context.door = Door(Settings(logo_dev_key="pk_made"), context.clock, player)
    logo = await run(asked("shop.example.com", 128), context)
    assert (logo.source, logo.original_url) == ("logo.dev", url)
    assert not any("gstatic" in request.url for request in requests)
    assert [request.secrets for request in requests if "logo.dev" in request.url] == [{"token": "pk_made"}]
    assert context.provider == LOGO_DEV
    assert "pk_made" not in logo.model_dump_json()


def test_services_are_requested_so_that_they_report_unknown_sites() -> None:
    domain = Domain.parse("shop.example.co.uk")
    assert make_logo_dev_url(domain, 200) == "https://img.logo.dev/example.co.uk?size=200&format=png&fallback=404"
    assert make_google_url(domain, 65).endswith("&url=https://shop.example.co.uk&size=128")
    assert make_duckduckgo_url(domain, 65) == "https://icons.duckduckgo.com/ip3/shop.example.co.uk.ico"


async def test_globe_of_a_service_is_not_a_logo() -> None:
    globe = answer(make_google_url(Domain.parse("shop.example.com"), 128), drawn(16))
    with pytest.raises(EmptyResult):
        await logo_of(site("", globe))


async def test_site_that_is_down_is_not_an_empty_result() -> None:
    with pytest.raises(ProviderError) as caught:
        await logo_of([down("https://shop.example.com/"), down("https://www.shop.example.com/")])
    assert caught.value.reason == "down"


async def test_invisible_or_truncated_picture_is_skipped() -> None:
    clear = BytesIO()
    Image.new("RGBA", (128, 128)).save(clear, "PNG")
    host = "https://shop.example.com"
    logo, _ = await logo_of(
        site(
            "<link rel=icon href=/clear.png><link rel=icon href=/cut.png><link rel=icon href=/good.gif>",
            answer(f"{host}/clear.png", clear.getvalue()),
            answer(f"{host}/cut.png", drawn(128)[:120]),
            answer(f"{host}/good.gif", drawn(140, kind="GIF"), content_type="text/html"),
        )
    )
    assert logo.original_url == f"{host}/good.gif"
    assert [c.note for c in logo.candidates[:3]] == [
        "It is invisible.",
        "Its pixel data is incomplete or missing.",
        None,
    ]


def test_late_picture_is_left_out() -> None:
    class Slow(Player):
        async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
            if request.url.endswith(".png"):
                await asyncio.sleep(1)
            return await super().send(request, deadline, limits)

    async def visit() -> str | None:
        context = RunContext(Slow([]))
        icon = Icon(url="https://shop.example.com/a.png", source="link-icon")
        deadline = context.deadline.within(0.01)
        return (await site_icons.fetch_icon(icon, context.net(site_icons.PROVIDER), deadline)).note

    assert asyncio.run(visit()) == "It did not arrive in time."


async def test_icons_that_do_not_arrive_leave_time_for_the_choice_among_the_others() -> None:
    class Stuck(Player):
        async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
            if request.url.endswith("/stuck.png"):
                await asyncio.Event().wait()
            return await super().send(request, deadline, limits)

    head = '<link rel=icon href="/stuck.png"><link rel=icon href="/good.png">'
    context = RunContext(Stuck(site(head, answer("https://shop.example.com/good.png", drawn(64)))))
    context.deadline = Deadline.after(1.5, SystemClock())
    logo = await run(asked("shop.example.com", 64), context)
    assert logo.original_url == "https://shop.example.com/good.png"
    assert context.deadline.remaining_s > 0


async def test_site_that_sends_nothing_is_late_and_needs_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    class Silent(Player):
        async def send(self, request: Request, deadline: Deadline, limits: Limits) -> Response:
            await asyncio.Event().wait()
            raise AssertionError

    context = RunContext(Silent([]))
    context.deadline = Deadline.after(0.3, SystemClock())
    monkeypatch.setattr(context, "isolated", None)
    with pytest.raises(ProviderError) as caught:
        await run(asked("shop.example.com", 64), context)
    assert caught.value.reason == "timeout"
