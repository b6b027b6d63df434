"""Requests to the sources of search results: fields, cookies, tokens, block pages."""

import json
from collections.abc import Awaitable, Callable

import pytest

from support.results import Sources, html, query
from support.world import Told, cookies_of, redirect
from webquarry.core.errors import ProviderError
from webquarry.core.locale import COUNTRIES, Country, Language
from webquarry.core.types import Provider, Wire
from webquarry.extractors.search.model.params import SearchParams
from webquarry.extractors.search.sources import bing, brave_html, browser, duckduckgo, mojeek, serper, startpage
from webquarry.extractors.search.sources.untested import brave_api, google_cse, searxng
from webquarry.net import Net
from webquarry.providers import languages
from webquarry.providers.browser import AGENT
from webquarry.read.html import html_of

US, EN = Country("us"), Language("en")
Fetch = Callable[[SearchParams, Net, int], Awaitable[Wire]]


def asked(q: str, gl: Country = US, hl: Language = EN, *, num: int = 10, page: int = 1) -> SearchParams:
    return SearchParams(q=q, gl=gl, hl=hl, num=num, page=page)


class TestPages:
    @pytest.mark.parametrize(
        ("page", "fields"), [(0, {"q": "a b", "safe": "0"}), (1, {"q": "a b", "safe": "0", "s": "11"})]
    )
    async def test_mojeek_first_page_is_requested_without_its_start(self, page: int, fields: dict[str, str]) -> None:
        world = Sources({"www.mojeek.com": [Told()]})
        await mojeek.fetch(asked("a b", Country("de"), Language("pt-BR")), world.net(mojeek.MOJEEK), page)
        assert query(world.asked[0]) == fields
        assert cookies_of(world.asked[0]) == {"lb": "pt", "arc": "de"}

    @pytest.mark.parametrize(("page", "offset"), [(0, {}), (2, {"offset": "2"})])
    async def test_brave_gets_country_and_language_in_cookies(self, page: int, offset: dict[str, str]) -> None:
        world = Sources({"search.brave.com": [Told()]})
        await brave_html.fetch(asked("a&b", Country("at"), Language("de")), world.net(brave_html.BRAVE_HTML), page)
        [request] = world.asked
        assert query(request) == {"q": "a&b", "source": "web", **offset}
        assert cookies_of(request) == {
            "country": "at",
            "ui_lang": "de-at",
            "useLocation": "0",
            "summarizer": "0",
            "safesearch": "off",
        }
        assert request.headers["Accept-Language"] == "de-AT,de;q=0.9"
        assert request.headers["User-Agent"] == AGENT

    async def test_bing_gets_the_market(self) -> None:
        world = Sources({"www.bing.com": [Told()]}, bing=True)
        await bing.fetch(asked("x", Country("br"), Language("pt-BR")), world.net(bing.BING), 0)
        assert query(world.asked[0]) == {"q": "x", "mkt": "pt-BR", "adlt": "off"}

    @pytest.mark.parametrize(
        ("provider", "fetch", "host", "status"),
        [
            (mojeek.MOJEEK, mojeek.fetch, "www.mojeek.com", 403),
            (brave_html.BRAVE_HTML, brave_html.fetch, "search.brave.com", 429),
            (duckduckgo.DUCKDUCKGO, duckduckgo.fetch, "html.duckduckgo.com", 202),
            (duckduckgo.DUCKDUCKGO, duckduckgo.fetch, "html.duckduckgo.com", 303),
        ],
    )
    async def test_block_page_pauses_the_source_for_ten_minutes(
        self, provider: Provider, fetch: Fetch, host: str, status: int
    ) -> None:
        world = Sources({host: [Told(status)] * 3})
        for _ in range(2):
            with pytest.raises(ProviderError) as caught, world.net(provider) as net:
                await fetch(asked("x"), net, 0)
            assert caught.value.reason == "blocked"
        assert len(world.asked) == 1
        world.clock.advance(601)
        with pytest.raises(ProviderError), world.net(provider) as net:
            await fetch(asked("x"), net, 0)
        assert len(world.asked) == 2

    @pytest.mark.parametrize("status", [404, 410, 500])
    @pytest.mark.parametrize(
        ("provider", "fetch", "host"),
        [
            (mojeek.MOJEEK, mojeek.fetch, "www.mojeek.com"),
            (brave_html.BRAVE_HTML, brave_html.fetch, "search.brave.com"),
            (duckduckgo.DUCKDUCKGO, duckduckgo.fetch, "html.duckduckgo.com"),
            (startpage.STARTPAGE, startpage.fetch, "www.startpage.com"),
            (serper.SERPER, serper.fetch, "google.serper.dev"),
            (searxng.SEARXNG, searxng.fetch, "searx.example"),
        ],
    )
    async def test_missing_page_is_refused_and_not_absent(
        self, provider: Provider, fetch: Fetch, host: str, status: int
    ) -> None:
        world = Sources({host: [Told(status)]}, serper_key="k", searxng_url="https://searx.example")
        with pytest.raises(ProviderError) as caught:
            await fetch(asked("x"), world.net(provider), 0)
        assert caught.value.reason == "refused"


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "rejected the configured key"),
        (403, "rejected the configured key"),
        (429, "no more requests"),
        (500, "status 500"),
    ],
)
async def test_problem_with_a_key_is_explained(status: int, message: str) -> None:
    answer = Told(status, headers={"retry-after": "30"})
    hosts = {"api.search.brave.com": [answer], "www.googleapis.com": [answer]}
    world = Sources(hosts, brave_key="secret-key", google_cse_key="secret-key", google_cse_id="a:b")
    for ask in (
        brave_api.fetch(asked("x", US, EN, num=10), world.net(brave_api.BRAVE_API), 0),
        google_cse.fetch(asked("x"), world.net(google_cse.GOOGLE_CSE), 0),
    ):
        with pytest.raises(ProviderError, match=message) as caught:
            await ask
        assert (caught.value.reason, caught.value.retry_after_s) == ("refused", 30)
        assert "secret" not in caught.value.message


def with_token(token: str) -> Told:
    return html(f'<form><input name="vqd" value="{token}"></form>')


class TestDuckDuckGo:
    @staticmethod
    async def ask(world: Sources, page: int, q: str = "x", country: Country = US) -> Wire:
        with world.net(duckduckgo.DUCKDUCKGO) as net:
            return await duckduckgo.fetch(asked(q, country), net, page)

    async def test_first_page_is_a_form_with_its_region_twice(self) -> None:
        world = Sources({"html.duckduckgo.com": [Told()]})
        await self.ask(world, 0, "a b", Country("gb"))
        [request] = world.asked
        assert (request.method, query(request)) == ("POST", {"q": "a b", "b": "", "kl": "uk-en"})
        assert cookies_of(request) == {"kl": "uk-en"}
        assert request.headers["Referer"] == "https://html.duckduckgo.com/"

    async def test_further_page_is_requested_with_the_token_of_the_first(self) -> None:
        world = Sources({"html.duckduckgo.com": [with_token("4-1"), Told(), Told()]})
        await self.ask(world, 0)
        await self.ask(world, 1)
        await self.ask(world, 2)
        assert [query(request).get("s") for request in world.asked] == [None, "10", "25"]
        assert query(world.asked[1]) == {
            "q": "x",
            "kl": "us-en",
            "vqd": "4-1",
            "nextParams": "",
            "api": "d.js",
            "o": "json",
            "v": "l",
            "s": "10",
            "dc": "11",
        }

    async def test_token_is_requested_if_unknown_or_an_hour_old(self) -> None:
        world = Sources({"html.duckduckgo.com": [with_token("4-1"), Told(), Told(), with_token("4-2"), Told()]})
        await self.ask(world, 1)
        world.clock.advance(3590)
        await self.ask(world, 1)
        world.clock.advance(20)
        await self.ask(world, 1)
        assert [query(request).get("vqd") for request in world.asked] == [None, "4-1", "4-1", None, "4-2"]

    async def test_token_belongs_to_its_query_and_region(self) -> None:
        world = Sources(
            {"html.duckduckgo.com": [with_token("4-1"), with_token("4-2"), Told(), with_token("4-3"), Told()]}
        )
        await self.ask(world, 0)
        await self.ask(world, 1, "y")
        await self.ask(world, 1, "y", Country("de"))
        assert [query(request).get("vqd") for request in world.asked] == [None, None, "4-2", None, "4-3"]

    async def test_first_page_without_token_is_a_changed_response(self) -> None:
        world = Sources({"html.duckduckgo.com": [Told()]})
        with pytest.raises(ProviderError) as caught:
            await self.ask(world, 1)
        assert caught.value.reason == "changed"

    async def test_token_that_causes_a_challenge_is_forgotten(self) -> None:
        world = Sources({"html.duckduckgo.com": [with_token("4-1"), Told(202), with_token("4-2"), Told()]})
        with pytest.raises(ProviderError):
            await self.ask(world, 1)
        world.clock.advance(601)
        await self.ask(world, 1)
        assert [query(request).get("vqd") for request in world.asked] == [None, "4-1", None, "4-2"]

    async def test_the_number_of_tokens_is_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(duckduckgo, "MAX_TOKENS", 2)
        world = Sources({"html.duckduckgo.com": [with_token(str(i)) for i in range(4)]})
        for i in range(4):
            await self.ask(world, 0, f"q{i}")
        assert len(duckduckgo.find_tokens(world.net(duckduckgo.DUCKDUCKGO))) == 2

    @pytest.mark.parametrize(
        ("country", "language", "region"),
        [
            ("us", "en", "us-en"),
            ("us", "es-US", "us-es"),
            ("gb", "en", "uk-en"),
            ("jp", "ja", "jp-jp"),
            ("kr", "ko", "kr-kr"),
            ("tw", "zh-Hant", "tw-tzh"),
            ("hk", "en", "hk-tzh"),
            ("si", "sl", "sl-sl"),
            ("sl", "en", "wt-wt"),
            ("se", "sv", "se-sv"),
            ("ch", "fr", "ch-fr"),
            ("ch", "it", "ch-de"),
            ("es", "ca", "ct-ca"),
            ("es", "es", "es-es"),
            ("no", "nb", "no-no"),
            ("no", "no", "no-no"),
            ("ua", "uk", "ua-uk"),
            ("lu", "fr", "wt-wt"),
        ],
    )
    def test_country_has_its_region(self, country: str, language: str, region: str) -> None:
        assert duckduckgo.find_region(Country(country), Language(language)) == region

    def test_table_has_valid_countries_and_languages(self) -> None:
        assert {country.upper() for country in duckduckgo.REGIONS} <= COUNTRIES
        for country, spoken in duckduckgo.REGIONS.items():
            for language, region in spoken.items():
                assert Language.parse(language) == language
                assert duckduckgo.find_region(Country(country), Language(language)) == region
                assert duckduckgo.speaks(region, Language(language))


HOME = html('<form id="search"><input name="sc" value="token-1"></form>', cookies=("visit=1; path=/; Secure",))


class TestStartpage:
    @staticmethod
    async def ask(world: Sources, page: int = 0, country: Country = US, language: Language = EN) -> Wire:
        with world.net(startpage.STARTPAGE) as net:
            return await startpage.fetch(asked("a b", country, language), net, page)

    async def test_search_is_a_form_with_the_home_pages_token(self) -> None:
        world = Sources({"www.startpage.com": [HOME, Told()]})
        await self.ask(world, 1, Country("de"), Language("de"))
        home, search = world.asked
        assert (home.method, home.url, search.url) == ("GET", "https://www.startpage.com/", startpage.URL)
        assert query(search) == {
            "query": "a b",
            "cat": "web",
            "t": "device",
            "sc": "token-1",
            "with_date": "",
            "abd": "1",
            "abe": "1",
            "qsr": "all",
            "qadf": "none",
            "language": "deutsch",
            "lui": "deutsch",
            "page": "2",
            "segment": "startpage.udog",
        }
        assert cookies_of(search) == {
            "preferences": "languageEEEdeutschN1Nlanguage_uiEEEdeutschN1Nnum_of_resultsEEE10"
            "N1Nsearch_results_regionEEEde_DE",
            "visit": "1",
        }
        assert search.headers["Origin"] == "https://www.startpage.com"

    async def test_first_page_is_not_numbered(self) -> None:
        world = Sources({"www.startpage.com": [HOME, Told()]})
        await self.ask(world)
        assert not query(world.asked[1]).keys() & {"page", "segment"}

    async def test_token_is_used_for_an_hour(self) -> None:
        world = Sources({"www.startpage.com": [HOME, Told(), Told(), HOME, Told()]})
        for wait_s in (0, 3590, 20):
            world.clock.advance(wait_s)
            await self.ask(world)
        assert [request.method for request in world.asked] == ["GET", "POST", "POST", "GET", "POST"]

    @pytest.mark.parametrize(
        "answers", [[redirect("/sp/captcha?x")], [HOME, redirect("https://www.startpage.com/sp/captcha")]]
    )
    async def test_redirect_to_the_captcha_is_a_block_page(self, answers: list[Told]) -> None:
        world = Sources({"www.startpage.com": answers})
        with pytest.raises(ProviderError) as caught:
            await self.ask(world)
        assert (caught.value.reason, caught.value.retry_after_s) == ("blocked", 600)
        assert startpage.find_tokens(world.net(startpage.STARTPAGE)).held("") is None

    @pytest.mark.parametrize(
        ("answers", "reason"),
        [([Told()], "changed"), ([redirect("https://elsewhere.example/")], "refused"), ([HOME, Told(500)], "refused")],
    )
    async def test_other_responses_are_changed_or_refused(self, answers: list[Told], reason: str) -> None:
        with pytest.raises(ProviderError) as caught:
            await self.ask(Sources({"www.startpage.com": answers}))
        assert caught.value.reason == reason

    @pytest.mark.parametrize(
        ("country", "language", "region", "name"),
        [
            ("us", "en", "en_US", "english"),
            ("us", "es", "es_US", "espanol"),
            ("gb", "en", "en-GB_GB", "english"),
            ("tw", "zh-Hant", "zh-TW_TW", "fantizhengwen"),
            ("tw", "zh-TW", "zh-TW_TW", "fantizhengwen"),
            ("cn", "zh", "zh-CN_CN", "jiantizhongwen"),
            ("ch", "rm", "de_CH", None),
            ("lu", "fr", "all", "francais"),
        ],
    )
    def test_region_and_language_are_sent(self, country: str, language: str, region: str, name: str | None) -> None:
        assert startpage.find_region(Country(country), Language(language)) == region
        assert startpage.language_name(Language(language)) == name


class TestKeyed:
    async def test_serper_is_requested_for_ten_rows(self) -> None:
        world = Sources({"google.serper.dev": [Told(body=b"{}")]}, serper_key="secret-key")
        await serper.fetch(asked("é", Country("de"), Language("zh-Hant")), world.net(serper.SERPER), 2)
        [request] = world.asked
        assert json.loads(request.body or b"") == {"q": "é", "gl": "de", "hl": "zh-tw", "num": 10, "page": 3}
        assert request.headers["X-API-KEY"] == "secret-key"

    @pytest.mark.parametrize(
        ("answer", "sentence"),
        [
            (
                Told(400, b'{"message": "Not enough credits"}'),
                "Serper accepts no more requests with the configured key (status 400: Not enough credits)",
            ),
            (
                Told(403, b"{}"),
                "Serper rejected the configured key (status 403). Check WEBQUARRY_SERPER_KEY.",
            ),
        ],
    )
    async def test_serpers_refusal_is_passed_on(self, answer: Told, sentence: str) -> None:
        world = Sources({"google.serper.dev": [answer]}, serper_key="k")
        with pytest.raises(ProviderError) as caught:
            await serper.fetch(asked("x", US, EN), world.net(serper.SERPER), 0)
        assert caught.value.reason == "refused"
        assert caught.value.message.startswith(sentence)

    @pytest.mark.parametrize(
        ("country", "language", "fields"),
        [
            ("us", "en", {"country": "US", "search_lang": "en"}),
            ("jp", "ja", {"country": "JP", "search_lang": "jp"}),
            ("br", "pt-BR", {"country": "BR", "search_lang": "pt-br"}),
            ("gb", "en-GB", {"country": "GB", "search_lang": "en-gb"}),
            ("tw", "zh-Hant", {"country": "TW", "search_lang": "zh-hant"}),
            ("lu", "lb", {"country": "ALL"}),
        ],
    )
    async def test_brave_api_is_requested_with_its_key(
        self, country: str, language: str, fields: dict[str, str]
    ) -> None:
        world = Sources({"api.search.brave.com": [Told(body=b"{}")]}, brave_key="secret-key")
        await brave_api.fetch(
            asked("x", Country(country), Language(language), num=7), world.net(brave_api.BRAVE_API), 3
        )
        [request] = world.asked
        assert query(request) == {
            "q": "x",
            "count": "7",
            "offset": "3",
            "safesearch": "off",
            "text_decorations": "0",
            **fields,
        }
        assert request.headers["X-Subscription-Token"] == "secret-key"

    async def test_key_of_programmable_search_is_in_no_url(self) -> None:
        world = Sources({"www.googleapis.com": [Told(body=b"{}")]}, google_cse_key="secret-key", google_cse_id="a:b")
        wire = await google_cse.fetch(asked("x", US, Language("pt-BR"), page=3), world.net(google_cse.GOOGLE_CSE), 0)
        assert query(world.asked[0]) == {
            "cx": "a:b",
            "q": "x",
            "num": "10",
            "start": "21",
            "gl": "us",
            "hl": "pt-BR",
            "safe": "off",
        }
        assert world.asked[0].secrets == {"key": "secret-key"}
        assert "secret-key" not in wire.url

    async def test_searxng_error_names_the_missing_setting(self) -> None:
        world = Sources({"searx.example": [Told(body=b"{}"), Told(403)]}, searxng_url="https://searx.example/sub/")
        await searxng.fetch(asked("x", Country("at"), Language("de")), world.net(searxng.SEARXNG), 1)
        assert world.asked[0].url.startswith("https://searx.example/sub/search?")
        assert query(world.asked[0]) == {
            "q": "x",
            "format": "json",
            "pageno": "2",
            "language": "de-AT",
            "safesearch": "0",
            "categories": "general",
        }
        with pytest.raises(ProviderError, match=r"search\.formats") as caught:
            await searxng.fetch(asked("x", US, EN), world.net(searxng.SEARXNG), 0)
        assert caught.value.reason == "refused"


class TestCommon:
    @pytest.mark.parametrize(
        ("body", "reason"),
        [
            ("<div class='g-Recaptcha'></div>", "blocked"),
            ("<form action='/sorry/captcha'></form>", "blocked"),
            ("<form action='https://consent.example/save'></form>", "blocked"),
            ("<p>Nothing about robots: captchas are discussed here.</p>", "changed"),
            ("", "changed"),
        ],
    )
    def test_page_without_rows_is_a_block_page_or_changed(self, body: str, reason: str) -> None:
        wire = Wire(body.encode(), "https://a.example/", "", 200, {}, Sources({}).clock.now())
        assert browser.without_rows(wire, html_of(wire), "Made").reason == reason

    @pytest.mark.parametrize(
        ("language", "country", "google", "regional"),
        [
            ("en", "us", "en", "en-US"),
            ("pt-BR", "us", "pt-BR", "pt-BR"),
            ("zh-Hans", "sg", "zh-CN", "zh-SG"),
            ("zh-Hant-HK", "hk", "zh-HK", "zh-HK"),
            ("zh", "tw", "zh-CN", "zh-TW"),
            ("zh-Hant", "us", "zh-TW", "zh-TW"),
            ("sr-Latn", "rs", "sr", "sr-RS"),
            ("es-419", "mx", "es-419", "es-419"),
            ("fil", "ph", "fil", "fil-PH"),
        ],
    )
    def test_languages_have_the_names_of_their_sources(
        self, language: str, country: str, google: str, regional: str
    ) -> None:
        assert languages.google_language(Language(language)) == google
        assert languages.regional(Language(language), Country(country)) == regional
