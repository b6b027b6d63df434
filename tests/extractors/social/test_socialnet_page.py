import json
from html import escape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from convert_support.kit import KIT
from support.damage import JUNK, damaged_json, damaged_text
from support.world import NOW, House, Told, World, query_of, redirect
from webquarry.core.errors import Absent, ExtractionError, InvalidParams, ProviderError
from webquarry.core.types import Wire
from webquarry.endpoints.params import parse
from webquarry.extractors.social.model.socialnet.result import SocialnetPage, SocialnetPageParams
from webquarry.extractors.social.model.socialnet.slug import PageSlug, PageUrl
from webquarry.extractors.social.socialnet_page import extractor, render
from webquarry.extractors.social.sources.socialnet import ads_library, page_html
from webquarry.extractors.social.sources.socialnet.figures import find_figures

SAMPLES = KIT / "upstreams/samples/socialnet-page"
URL = "https://www.facebook.com/example/"
PAGE_ID, PROFILE_ID = "110000000000001", "100000000000001"

needs_samples = pytest.mark.skipif(not SAMPLES.exists(), reason="the samples are not here")


def params(slug: str = "example") -> SocialnetPageParams:
    return parse(SocialnetPageParams, [("slug", slug)])


def wire(body: str, status: int = 200, url: str = URL) -> Wire:
    return Wire(body.encode("utf-8", "replace"), url, URL, status, {}, NOW)


def card(kind: str, text: str | None, page_id: str | None = None, **members: Any) -> dict[str, Any]:
    renderer = {"context_item": {"title": {"text": text}, **members}, "associated_page_id": page_id}
    node = {"timeline_context_item": {"renderer": renderer, "timeline_context_list_item_type": f"INTRO_CARD_{kind}"}}
    return {"node": node}


CATEGORY = card("INFLUENCER_CATEGORY", "Page · Tea Room", PAGE_ID)


def state(*cards: Any, kind: str = "PAGE", **more: Any) -> dict[str, Any]:
    user = {"profile_type_name_for_content": kind, "id": PROFILE_ID}
    views = [{"view_style_renderer": {"user": user, "view": {"profile_tile_items": {"nodes": list(cards)}}}}]
    return {"data": {"profile_tile_sections": {"edges": [{"node": {"profile_tile_views": {"nodes": views}}}]}, **more}}


def page(
    *values: Any, title: str | None = "Example", description: str = "Example. 12 followers", more: str = ""
) -> str:
    head = f'<meta property="og:title" content="{escape(title)}">' if title is not None else "<title>Facebook</title>"
    scripts = "".join(f'<script type="application/json" data-sjs>{json.dumps(value)}</script>' for value in values)
    return f'<!doctype html>{head}<meta property="og:description" content="{escape(description)}">{more}{scripts}'


def read(*cards: Any, description: str = "Example. 12 followers", **more: Any) -> SocialnetPage:
    return page_html.read(wire(page(state(*cards, **more), description=description)), params())


def library(count: Any, record: Any = None, *, captcha: bool = False) -> str:
    info = {"page_info": record}
    fields = {"ad_library_main": {"search_results_connection": {"count": count}}, "ad_library_page_info": info}
    return page({"x": fields, "xfb_ad_library_is_captcha_required": captcha}, title=None)


class TestSlug:
    @pytest.mark.parametrize(
        "text",
        [
            "example", "@Example", "example/", "https://www.facebook.com/Example", "facebook.com/example/posts/1?x=1",
            "https://m.facebook.com/example/about", "https://web.facebook.com/example#x", "https://fb.com/example",
            "http://de-de.facebook.com/EXAMPLE/", "https://www.facebook.com/pg/example/community/",
            "https://www.facebook.com/@example",
        ],
    )  # fmt: skip
    def test_every_form_of_a_name_is_normalized(self, text: str) -> None:
        assert PageSlug.parse(text) == "example"

    @pytest.mark.parametrize(
        "text",
        [
            "1234567890", "https://www.facebook.com/1234567890/", "https://www.facebook.com/pages/A-Name/1234567890",
            "https://www.facebook.com/people/Some-Name/1234567890/", "https://www.facebook.com/p/Some-Name-1234567890/",
            "https://www.facebook.com/profile.php?id=1234567890&sk=about", "Some-Name-1234567890",
            "https://www.facebook.com/pages/category/Cafe/Some-Name-1234567890/", "facebook.com/Чай-1234567890",
        ],
    )  # fmt: skip
    def test_every_form_with_an_id_becomes_the_id(self, text: str) -> None:
        assert PageSlug.parse(text) == "1234567890"

    @pytest.mark.parametrize(
        "text",
        [
            "a b", "a/b", "", "@", "..", "https://www.facebook.com/", "https://www.facebook.com/sharer.php?u=x",
            "https://www.facebook.com/profile.php?id=x", "https://www.facebook.com/login/", "https://example.com/example",
            "https://l.facebook.com/l.php?u=x", "https://facebook.com.example.com/example", "watch", "chai-чай",
            "https://www.facebook.com/groups/1234567890/", "https://www.facebook.com/events/1234567890/",
        ],
    )  # fmt: skip
    def test_other_text_is_refused_with_the_right_form(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"https://www\.facebook\.com/name"):
            PageSlug.parse(text)

    def test_address_of_a_group_is_reported_as_a_group(self) -> None:
        with pytest.raises(InvalidParams, match="a group"):
            parse(SocialnetPageParams, [("url", "https://www.facebook.com/groups/1/")])

    def test_name_is_refused_as_an_address(self) -> None:
        with pytest.raises(ValueError, match="must be the URL of a page"):
            PageUrl.parse("example")

    def test_both_ways_of_naming_have_one_identity(self) -> None:
        assert extractor.identity is not None
        by_url = parse(SocialnetPageParams, [("url", "m.facebook.com/Example/about?x=1")])
        assert extractor.identity(by_url) == extractor.identity(params("@example")) == {"slug": "example"}

    @given(st.text(max_size=60) | st.from_regex(r"https://www\.facebook\.com/[\w/.?=%-]{0,40}", fullmatch=True))
    def test_any_text_is_a_name_or_an_error(self, text: str) -> None:
        try:
            slug = PageSlug.parse(text)
        except ValueError:
            return
        assert PageSlug.parse(slug) == slug == PageSlug.parse(slug.url)


class TestFigures:
    @pytest.mark.parametrize(
        ("text", "counts"),
        [
            ("Example, Springfield. 216 followers · 13 talking about this · 42 were here. Text", (216, None, 13, 42)),
            ("Example. 61,828,042 likes · 1,649,246 talking about this · 9 were here.", (None, 61828042, 1649246, 9)),
            ("Example. 43M followers", (43_000_000, None, None, None)),
            ("Example, St. Louis. 1.2K followers · 3 likes", (1200, None, None, None)),
            ("Example, Köln. Gefällt 3.246 Mal · 25 sprechen darüber · 1.141 waren hier", (None, 3246, 25, 1141)),
            ("Example. 1,2 Mio. Follower · 25 sprechen darüber", (1_200_000, None, 25, None)),
            ("Example. 12 345 J’aime · 25 en parlent · 7 personnes étaient ici", (None, 12345, 25, 7)),
            ("Example. 12\u202f345 abonnés", (12345, None, None, None)),
            ("Example. 1.141 Me gusta · 25 personas están hablando de esto · 9 estuvieron aquí", (None, 1141, 25, 9)),
            ("Example. 12 тыс. подписчиков · 25 человек обсуждают это", (12000, None, 25, None)),
            ("Example. 1.2万位粉丝", (12000, None, None, None)),
            ("Example. いいね！3,246件 · 25人が話題にしています", (None, 3246, 25, None)),
            ("Example. 팔로워 3,246명", (3246, None, None, None)),
            ('Example. 3.246 "Mi piace" · 25 persone ne parlano · 9 sono state qui', (None, 3246, 25, 9)),
            ("Example. Piace a 3.246 persone · 25 ne parlano", (None, 3246, 25, None)),
            ("Example. 3,2 mil seguidores · 1 like", (3200, None, None, None)),
            ("Example, 12 Main St 5. 216 followers · 1 was here", (216, None, None, 1)),
            ("Example. 1 like · 1 talking about this", (None, 1, 1, None)),
            ("Example. Leaves since 1999", (None, None, None, None)),
            ("Example. 7 followers. We have 900 likes · 500 were here", (7, None, None, 500)),
        ],
    )  # fmt: skip
    def test_figures_are_numbers_in_any_language(self, text: str, counts: tuple[int | None, ...]) -> None:
        found = find_figures(text, "Example")
        kinds = ("followers", "likes", "talking_about", "were_here")
        assert tuple(found[kind].count if kind in found else None for kind in kinds) == counts

    def test_words_and_numbers_in_the_name_are_not_counts(self) -> None:
        found = find_figures("Route 66 Followers, Tulsa. 3,246 likes", "Route 66 Followers")
        assert {kind: figure.count for kind, figure in found.items()} == {"likes": 3246}

    @given(st.text(alphabet="0123456789., ·likesfowr\u2019\u00a0KM", max_size=300))
    def test_any_text_gives_counts_or_none(self, text: str) -> None:
        assert all(figure.count >= 0 for figure in find_figures(text, "").values())


class TestSamples:
    @needs_samples
    def test_recorded_page_has_the_values_in_its_notes(self) -> None:
        body = (SAMPLES / "page-logged-out-2026-09-18.abridged.html").read_text()
        found = page_html.read(wire(body), params("dentalcareonyellowbluff"))
        assert (found.name, found.category) == ("Dental Care on Yellow Bluff", "Dentist & Dental Office")
        assert found.address == "12517 Yellow Bluff Rd, Jacksonville, FL, United States, Florida"
        assert (found.phone, found.email) == ("(904) 204-7496", "DCYellowBluff@mydentalmail.com")
        assert found.website == "https://dentalcareonyellowbluff.com/"
        assert (found.hours_status, found.rating_percent, found.review_count) == ("Open now", 56, 9)
        assert (found.followers, found.likes, found.talking_about, found.were_here) == (216, None, 13, 42)
        assert (found.page_id, found.profile_id) == ("110553491632253", "100083249286551")

    @needs_samples
    def test_login_in_place_of_the_page_is_blocked(self) -> None:
        with pytest.raises(ProviderError) as caught:
            page_html.read(wire((SAMPLES / "page-login-wall.synthetic.html").read_text()), params())
        assert caught.value.reason == "blocked"


class TestPage:
    def test_ids_of_page_and_profile_are_distinguished(self) -> None:
        found = read(CATEGORY)
        assert (found.page_id, found.profile_id) == (PAGE_ID, PROFILE_ID)
        assert found.ad_library_url is not None
        assert f"view_all_page_id={PAGE_ID}" in found.ad_library_url

    def test_profile_id_never_replaces_the_page_id(self) -> None:
        found = read(card("WEBSITE", "example.com"))
        assert (found.page_id, found.profile_id, found.ad_library_url) == (None, PROFILE_ID, None)

    def test_id_of_another_page_is_ignored(self) -> None:
        other, own = {"id": "9", "name": "Other"}, {"id": "110000000000009", "name": "Example"}
        assert read(CATEGORY, delegate_page=other).page_id == PAGE_ID
        assert read(CATEGORY, delegate_page=own).page_id == "110000000000009"

    @pytest.mark.parametrize(("kind", "what"), [("USER", "person"), ("GROUP", "group")])
    def test_item_that_is_not_a_page_is_absent_with_a_reason(self, kind: str, what: str) -> None:
        with pytest.raises(Absent, match=what):
            read(CATEGORY, kind=kind)

    def test_vertical_bar_can_be_part_of_the_name(self) -> None:
        body = page(state(CATEGORY), title="Tea | Leaf", description="Tea | Leaf, Springfield. 5 likes")
        found = page_html.read(wire(body), params())
        assert (found.name, found.likes) == ("Tea | Leaf", 5)
        with_city = page(state(CATEGORY), title="Tea | Leaf | Springfield IL", description="Tea | Leaf, Springfield.")
        assert page_html.read(wire(with_city), params()).name == "Tea | Leaf"

    def test_rounded_followers_replace_missing_exact_counts(self) -> None:
        context = {"content": [{"text": {"text": "43M followers"}}, {"text": {"text": "12 following"}}]}
        found = read(CATEGORY, description="Example. Text", profile_social_context=context)
        assert (found.followers, found.likes, found.counts_rounded) == (43_000_000, None, True)
        assert read(CATEGORY, profile_social_context=context).followers == 12

    def test_pictures_are_read_from_their_nodes(self) -> None:
        cover = {"photo": {"image": {"uri": "https://cdn.example.com/cover.jpg"}}}
        found = read(
            CATEGORY, cover_photo=cover, delegate_page={"profile_picture_uri": "https://cdn.example.com/p.jpg"}
        )
        assert found.cover_url == "https://cdn.example.com/cover.jpg"
        assert found.picture_url == "https://cdn.example.com/p.jpg"

    def test_website_has_no_redirect_and_no_tracking(self) -> None:
        link = (
            "https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.com%2Fa%3Fb%3D1%26fbclid%3Dx%26utm_medium%3Dy&h=AT0"
        )
        assert read(card("WEBSITE", "x.example", url=link)).website == "https://example.com/a?b=1"
        assert read(card("WEBSITE", "example.com/teas")).website == "https://example.com/teas"
        assert read(card("WEBSITE", "call us", url="javascript:x")).website is None

    @pytest.mark.parametrize(
        ("text", "percent", "reviews"),
        [
            ("56% recommend (9 reviews)", 56, 9),
            ("Not yet rated (4 Reviews)", None, 4),
            ("94 % empfehlen (1.202 Bewertungen)", 94, 1202),
            ("Rated by nobody", None, None),
        ],
    )
    def test_rating_is_read(self, text: str, percent: int | None, reviews: int | None) -> None:
        found = read(card("RATING", text))
        assert (found.rating_percent, found.review_count) == (percent, reviews)

    @pytest.mark.parametrize(
        ("answer", "reason"),
        [
            (wire(page(title=None)), "blocked"),
            (wire(page(title="Facebook")), "blocked"),
            (wire(""), "blocked"),
            (wire(page(state(CATEGORY)), url="https://www.facebook.com/login/?next=x"), "blocked"),
            (wire(page({"__dr": "CometErrorRoot.react"}, title=None)), "blocked"),
            (wire("<script>x('/__rd_verify_a?challenge=1')</script>", 403), "blocked"),
            (wire("Sorry, something went wrong", 400), "refused"),
            (wire("", 429), "refused"),
            (wire(page()), "changed"),
            (wire(page({"data": {"profile_tile_sections": []}})), "changed"),
        ],
    )
    def test_block_pages_and_refusals_are_reported(self, answer: Wire, reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            page_html.read(answer, params())
        assert caught.value.reason == reason

    @pytest.mark.parametrize(
        "answer",
        [
            wire("", 404),
            wire("<title>Page Not Found | Facebook</title>"),
            wire(page({"props": {"title": "This content isn\u2019t available right now"}}, title=None)),
            wire(page({"props": {"title": "This content isn't available right now"}})),
            wire(page(state(CATEGORY)), url="https://www.facebook.com/groups/example/"),
        ],
    )
    def test_missing_page_is_absent(self, answer: Wire) -> None:
        with pytest.raises(Absent):
            page_html.read(answer, params())

    @given(JUNK, JUNK)
    def test_any_page_id_is_digits_or_none(self, page_id: Any, profile_id: Any) -> None:
        body = page(
            state(card("RATING", "x", page_id), delegate_page={"id": page_id}, userID=profile_id, user=profile_id)
        )
        found = page_html.read(wire(body), params())
        assert found.profile_id == PROFILE_ID
        assert found.page_id is None or found.page_id.isdigit()

    @given(st.data())
    def test_damaged_page_is_a_page_or_a_clear_error(self, data: st.DataObject) -> None:
        link = {"entity": {"external_url": "https://maps.example.com/"}}
        cards = (
            CATEGORY,
            card("ADDRESS", "x", ranges=[link]),
            card("WEBSITE", "example.com"),
            card("RATING", "5% (1)"),
        )
        whole = state(*cards, card("OTHER_ACCOUNT", "a", url="https://example.com/a"), delegate_page={"id": "1"})
        body = damaged_text(data, page(damaged_json(data, whole)))
        try:
            found = page_html.read(wire(body), params())
        except ExtractionError:
            return
        SocialnetPage.model_validate_json(found.model_dump_json())
        assert render(found)


class TestAds:
    @pytest.mark.parametrize(
        ("answer", "runs"),
        [
            (wire(library(12)), True),
            (wire(library(12, captcha=True)), None),
            (wire(library(0, {"page_is_deleted": False})), False),
            (wire(library(0, {"page_is_deleted": True})), None),
            (wire(library(0)), None),
            (wire(library(None)), None),
            (wire(page(title=None)), None),
            (wire(library(12), 403), None),
        ],
    )
    def test_zero_ads_is_accepted_only_for_a_known_page(self, answer: Wire, runs: bool | None) -> None:
        assert ads_library.read(answer) is runs

    async def test_ads_are_requested_by_the_page_id(self) -> None:
        answers = {"/example/": [Told(200, page(state(CATEGORY)).encode())], "/ads/": [Told(200, library(3).encode())]}
        world = World(answers)
        with House(world).net(page_html.SOCIALNET_PAGE_HTML) as net:
            found, _ = await page_html.ask(params(), net)
        assert (found.runs_ads, found.warnings) == (True, [])
        first, second = world.requests("/")
        assert (first.method, first.url) == ("GET", URL)
        assert first.headers["Accept-Language"].startswith("en-US")
        assert not any(name.lower().startswith("sec-") for name in first.headers)
        assert query_of(second)["view_all_page_id"] == PAGE_ID

    @pytest.mark.parametrize("answer", [Told(403, b"no"), Told(200, b""), redirect("/login/"), None])
    async def test_page_is_complete_without_the_ads_library(self, answer: Told | None) -> None:
        answers = {"/example/": [Told(200, page(state(CATEGORY)).encode())]}
        house = House(World(answers | ({"/ads/": [answer]} if answer else {})))
        for _ in range(6):
            with house.net(page_html.SOCIALNET_PAGE_HTML, 60) as net:
                found, _ = await page_html.ask(params(), net)
            assert (found.runs_ads, len(found.warnings)) == (None, 1)
            if answer is None:
                return


def linked(*urls: str) -> dict[str, Any]:
    ranges = [{"entity": {"url": f"https://l.facebook.com/l.php?u={url}", "external_url": url}} for url in urls]
    node = card("OTHER_ACCOUNT", "madeteas")
    node["node"]["timeline_context_item"]["renderer"]["context_item"]["title"]["ranges"] = ranges
    return node


def test_other_accounts_are_read_from_the_links_in_titles() -> None:
    found = read(CATEGORY, linked("https://x.com/MadeTeas", "https://youtube.com/@MadeTeas"), linked())
    assert [link.platform for link in found.social_links] == ["x.com", "youtube.com"]


@pytest.mark.parametrize(
    ("text", "percent", "reviews"),
    [
        ("100% recommend (1.2K Reviews)", 100, 1_200),
        ("12 Reviews (95%)", 95, 12),
        ("%94 öneriyor (12 Yorum)", 94, 12),
        ("Rating 4.5 of 5", None, None),
    ],
)
def test_rating_and_reviews_are_distinguished_in_any_order(text: str, percent: int | None, reviews: int | None) -> None:
    found = read(card("RATING", text))
    assert (found.rating_percent, found.review_count) == (percent, reviews)
