import pytest

from convert_support.effort import effort
from support.clock import ManualClock
from webquarry.net import robots
from webquarry.net.robots import RobotsCache, Rule, Rules


def _allows(text: str, path: str, agent: str = "Webquarry") -> bool:
    return Rules.parse(text, agent).allows(f"https://example.com{path}")


@pytest.mark.parametrize(
    ("rules", "path", "allowed"),
    [
        ("", "/a", True),
        ("Disallow: /", "/a", False),
        ("Disallow: /", "/robots.txt", True),
        ("Disallow:", "/a", True),
        ("Disallow: /a", "/abc", False),
        ("Disallow: /a", "/b/a", True),
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("Allow: /a/b\nDisallow: /a", "/a/c", False),
        ("Disallow: /x\nAllow: /x", "/x", True),
        ("Disallow: /*.pdf$", "/doc/a.pdf", False),
        ("Disallow: /*.pdf$", "/doc/a.pdf?x", True),
        ("Disallow: /*/private/*/x", "/a/private/b/x9", False),
        ("Disallow: /*/private/*/x", "/a/private/x", True),
        ("Disallow: /a*b$", "/ab", False),
        ("Disallow: /a*ab$", "/ab", True),
        ("Disallow: /$", "/", False),
        ("Disallow: /$", "/a", True),
        ("Disallow: *", "/a", False),
        ("Disallow: /s?q=", "/s?q=1", False),
        ("Disallow: /%7Ejoe", "/~joe/x", False),
        ("Disallow: /ü", "/%C3%BC", False),
        ("disallow : /a # why", "/a", False),
        ("Crawl-delay: 3\nDisallow: /a", "/a", False),
    ],
)
def test_rules_match_as_in_the_standard(rules: str, path: str, allowed: bool) -> None:
    assert _allows(f"User-agent: *\n{rules}", path) == allowed


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("User-agent: webquarry\nDisallow: /", False),
        ("User-agent: other\nDisallow: /", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: WEBQUARRY\nAllow: /", True),
        ("User-agent: other\nUser-agent: webquarry\nDisallow: /", False),
        ("User-agent: webquarry\nDisallow: /b\nUser-agent: webquarry\nDisallow: /a", False),
        ("Disallow: /", True),
        ("\ufeffUser-agent: *\r\nDisallow: /\r\n", False),
        ("<html>no robots at all</html>", True),
    ],
)
def test_group_of_the_agent_is_found(text: str, allowed: bool) -> None:
    assert _allows(text, "/a") == allowed


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2.5", 2.5),
        ("User-agent: *\nDisallow: /a\ncrawl-delay:10 # slow", 10.0),
        ("User-agent: *\nCrawl-delay: 1\nCrawl-delay: 9", 1.0),
        ("User-agent: *\nCrawl-delay: 5\nUser-agent: webquarry\nCrawl-delay: 2", 2.0),
        ("User-agent: *\nCrawl-delay: 5\nUser-agent: webquarry\nDisallow: /a", None),
        ("User-agent: other\nCrawl-delay: 5", None),
        *((f"User-agent: *\nCrawl-delay: {text}", None) for text in ("-1", "soon", "nan", "1e9", "", "9" * 400, "٣")),
    ],
)
def test_crawl_delay_belongs_to_its_group(text: str, delay: float | None) -> None:
    assert Rules.parse(text, "Webquarry").crawl_delay_s == delay


def test_agents_after_a_crawl_delay_begin_a_group() -> None:
    text = "User-agent: *\nCrawl-delay: 5\nUser-agent: other\nDisallow: /"
    assert _allows(text, "/a")
    assert not _allows(text, "/a", "other")


def test_sitemaps_are_listed_once_wherever_they_are_written() -> None:
    first, second = "https://example.com/a.xml", "/b.xml"
    text = f"Sitemap: {first}\nUser-agent: other\nsitemap:{second}\nUser-agent: *\nDisallow: /a\nSITEMAP: {first}"
    rules = Rules.parse(text, "Webquarry")
    assert rules.sitemaps == (first, second)
    assert not _allows(text, "/a", "other"), "a sitemap does not end a list of agents"


def test_sitemaps_beyond_the_limit_are_not_read() -> None:
    text = "".join(f"Sitemap: https://example.com/{n}\n" for n in range(2000)) + f"Sitemap: /{'a' * 5000}\n"
    assert len(Rules.parse(text, "Webquarry").sitemaps) == robots.MAX_SITEMAPS


@pytest.mark.parametrize(
    "line", ["Sitemap: /{n}\n", "Crawl-delay: {n}\n", "User-agent: *\nCrawl-delay: {n}\n", "a:" * 50]
)
def test_long_files_are_read_in_linear_time(line: str) -> None:
    text = "".join(line.format(n=n) for n in range(robots.MAX_BYTES // len(line)))
    assert effort(lambda: Rules.parse(text, "Webquarry")) < 1


@pytest.mark.parametrize("name", ["webquarry", "*", "other"])
def test_rules_shared_by_agents_are_stored_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counted(allow: bool, pattern: str) -> Rule:
        made.append(pattern)
        return Rule(allow, pattern)

    monkeypatch.setattr(robots, "Rule", counted)
    rules = Rules.parse(f"User-agent: {name}\n" * 2000 + "Disallow: /a\n" * 2000, "Webquarry").rules
    assert len(made) == len(rules) == (0 if name == "other" else 2000)


def test_rules_beyond_the_limit_are_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "MAX_RULES", 10)
    rules = Rules.parse("User-agent: *\n" + "".join(f"Disallow: /{i}\n" for i in range(30)), "Webquarry").rules
    assert [rule.pattern for rule in rules] == [f"/{i}" for i in range(10)]


def test_hostile_pattern_costs_little() -> None:
    text = "User-agent: *\n" + ("Disallow: /" + "*a" * 500 + "$\n") * 200
    assert effort(lambda: _allows(text, "/" + "a" * 3000 + "b")) < 1
    assert _allows(text, "/" + "a" * 3000 + "b")


def test_rules_are_kept_for_an_hour() -> None:
    clock = ManualClock()
    cache = RobotsCache(clock)
    cache.keep("https://example.com", Rules())
    clock.advance(3599)
    assert cache.get("https://example.com") == Rules()
    clock.advance(2)
    assert cache.get("https://example.com") is None
