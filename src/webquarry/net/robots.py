"""Parser for robots.txt (RFC 9309): the longest matching rule of the most specific group, allow before disallow."""

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import unquote, urlsplit

from webquarry.core.clock import Clock

MAX_BYTES = 512 * 1024
FRESH_S = 3600.0
MAX_ORIGINS = 2048
MAX_RULES = 5000
MEANS_ABSENT = frozenset(range(400, 500)) - {429}
"""Statuses of /robots.txt that allow everything (section 2.3.1.3). 429 is not one of them."""
_LINE = re.compile(r"\s*([A-Za-z-]+)\s*:\s*([^#]*)")


@dataclass(frozen=True, slots=True)
class Rule:
    allow: bool
    pattern: str

    def matches(self, path: str) -> bool:
        """Return whether the rule matches `path`. `*` matches any characters, and `$` at the end matches the end.

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
    """The rules of one robots.txt for one agent."""

    rules: tuple[Rule, ...] = ()

    @classmethod
    def parse(cls, text: str, agent: str) -> Self:
        """Parse the rules of the groups for `agent` (a product token, any case), or else those for `*`.

        At most `MAX_RULES` are read. Takes time linear in the size of the text.
        """
        own, others = agent.lower(), "*"
        groups: dict[str, list[Rule]] = {}
        named: set[str] = set()  # names (of the agent and `*`) that the current group contains
        in_rules = False
        for line in text.removeprefix("\ufeff").splitlines():
            if not (match := _LINE.match(line)):
                continue
            name, value = match[1].lower(), match[2].strip()
            if name == "user-agent":
                named, in_rules = (set() if in_rules else named), False
                if value.lower() in (own, others):
                    named.add(value.lower())
                    groups.setdefault(value.lower(), [])
            elif name in ("allow", "disallow"):
                in_rules = True
                for rules in (groups[group] for group in named if value):
                    if len(rules) < MAX_RULES:
                        rules.append(Rule(name == "allow", _plain(value)))
        return cls(tuple(groups.get(own, groups.get(others, []))))

    def allows(self, url: str) -> bool:
        parts = urlsplit(url)
        path = _plain(parts.path + (f"?{parts.query}" if parts.query else ""))
        matching: Sequence[Rule] = [rule for rule in self.rules if rule.matches(path)]
        return path == "/robots.txt" or not matching or max((len(r.pattern), r.allow) for r in matching)[1]


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
