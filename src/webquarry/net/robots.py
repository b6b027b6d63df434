"""Parser for robots.txt (RFC 9309): the longest matching rule of the most specific group, allow before disallow.

Two kinds of lines that the standard does not define are also read: `Crawl-delay`, which belongs to a group, and
`Sitemap`.
"""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import unquote, urlsplit

from webquarry.core.clock import Clock
from webquarry.core.urls import MAX_URL

MAX_BYTES = 512 * 1024
FRESH_S = 3600.0
MAX_ORIGINS = 2048
MAX_RULES = 5000
MAX_SITEMAPS = 500
MEANS_ABSENT = frozenset(range(400, 500)) - {429}
"""Statuses of /robots.txt that allow everything (section 2.3.1.3). The status 429 does not."""
_LINE = re.compile(r"\s*([A-Za-z-]+)\s*:\s*([^#]*)")
_SECONDS = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,5})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Rule:
    allow: bool
    pattern: str

    def matches(self, path: str) -> bool:
        """Return whether the rule matches `path`. `*` matches any characters, and a final `$` matches the end of the
        path.

        Takes linear time. The pattern is untrusted text, so no regex is built from it.
        """
        pattern, anchored = (self.pattern[:-1], True) if self.pattern.endswith("$") else (self.pattern, False)
        first, *rest = pattern.split("*")
        if not path.startswith(first):
            return False
        if not rest:
            return not anchored or len(path) == len(first)
        at = len(first)
        last = rest.pop() if anchored else ""
        for piece in rest:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        return len(path) - at >= len(last) and path.endswith(last)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in a robots.txt for one user agent.

    `crawl_delay_s` is the number of seconds between requests that the site asks for, or None. `sitemaps` lists the URLs
    of sitemaps as written; they are the same for all agents.
    """

    rules: tuple[Rule, ...] = ()
    crawl_delay_s: float | None = None
    sitemaps: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str, agent: str) -> Self:
        """Parse the rules of the groups for `agent` (a product token, any case), otherwise of the groups for `*`.

        At most `MAX_RULES` rules and `MAX_SITEMAPS` sitemaps are read. Takes time linear in the size of the text.
        """
        reading = _Reading(agent.lower())
        for line in text.removeprefix("\ufeff").splitlines():
            if match := _LINE.match(line):
                reading.take(match[1].lower(), match[2].strip())
        group = reading.group
        return cls(tuple(group.rules), group.crawl_delay_s, tuple(reading.sitemaps))

    def allows(self, url: str) -> bool:
        parts = urlsplit(url)
        path = _plain(parts.path + (f"?{parts.query}" if parts.query else ""))
        matching: Sequence[Rule] = [rule for rule in self.rules if rule.matches(path)]
        return path == "/robots.txt" or not matching or max((len(r.pattern), r.allow) for r in matching)[1]


@dataclass(slots=True)
class _Group:
    """The directives for one user agent."""

    rules: list[Rule] = field(default_factory=list)
    crawl_delay_s: float | None = None

    def take(self, name: str, value: str) -> None:
        if name == "crawl-delay":
            if _SECONDS.fullmatch(value) and self.crawl_delay_s is None:
                self.crawl_delay_s = float(value)
        elif value and len(self.rules) < MAX_RULES:
            self.rules.append(Rule(name == "allow", _plain(value)))


class _Reading:
    """The parser's state between two lines."""

    def __init__(self, agent: str) -> None:
        self._agent = agent
        self._groups: dict[str, _Group] = {}
        self._named: set[str] = set()  # the names in the current group that apply: the agent, `*`, or both
        self._in_rules = False
        self.sitemaps: dict[str, None] = {}

    @property
    def group(self) -> _Group:
        return self._groups.get(self._agent) or self._groups.get("*") or _Group()

    def take(self, name: str, value: str) -> None:
        if name == "user-agent":
            self._name(value.lower())
        elif name in ("allow", "disallow", "crawl-delay"):
            self._in_rules = True
            for agent in self._named:
                self._groups[agent].take(name, value)
        elif name == "sitemap" and value and len(value) <= MAX_URL and len(self.sitemaps) < MAX_SITEMAPS:
            self.sitemaps[value] = None

    def _name(self, agent: str) -> None:
        if self._in_rules:
            self._named, self._in_rules = set(), False
        if agent in (self._agent, "*"):
            self._named.add(agent)
            self._groups.setdefault(agent, _Group())


class RobotsCache:
    """Rules by origin, cached for an hour."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._held: OrderedDict[str, tuple[float, Rules]] = OrderedDict()

    def get(self, origin: str) -> Rules | None:
        held = self._held.get(origin)
        return held[1] if held and held[0] > self._clock.monotonic() else None

    def keep(self, origin: str, rules: Rules) -> None:
        self._held[origin] = (self._clock.monotonic() + FRESH_S, rules)
        self._held.move_to_end(origin)
        if len(self._held) > MAX_ORIGINS:
            self._held.popitem(last=False)


def _plain(path: str) -> str:
    """Decode percent-encoding, so that rules and paths are compared in the same form."""
    return unquote(path, errors="replace")
