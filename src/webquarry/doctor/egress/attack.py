"""Declaration of an attack: its requests, the adversary's responses, its aim, and outcomes that count as blocked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from webquarry.doctor.responses import Response

Aim = Literal["private", "answer", "flood", "memory", "late", "endless", "poison", "fault"]
"""Aim of an attack: what it achieves if it succeeds.

private: a connection reaches a non-public target; answer: something forbidden or broken is accepted as a response;
flood: the client accepts far more of a response than it reads; memory: the client grows by far more than it keeps;
late: the client is busy after its deadline; endless: the client sends requests again and again; poison: data of one
site is accepted as the response to a later request; fault: the client fails with an exception that is not an error of
the service. Such a fault counts as success whatever the aim.
"""
Way = Literal["fetch", "page", "proxy"]
"""How the attack starts.

fetch: a URL from a caller is fetched; page: the URL is rendered by the browser; proxy: the bytes in `raw` are sent to
the browser's proxy, as a page could make the browser do.
"""

REFUSED = frozenset({"unsafe_target", "invalid_params"})
"""Outcomes for a URL that is forbidden or invalid."""
BROKEN = frozenset({"down"})
ANSWERED = frozenset({"answer"})

SITE = "site.example"
SITE_ADDRESS = "93.184.215.14"
"""A public address, which belongs to the adversary's site in the doctor's network."""
PRIVATE = "private.example"
PRIVATE_ADDRESS = "127.0.0.1"

Names = Mapping[str, Sequence[Sequence[str]]]
"""Addresses by name: one list per lookup. The last list also answers all later lookups."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    - `name`: unique, `family: peculiarity`
    - `tries`: a sentence for people
    - `asks`: URLs requested in turn by one client; `{port}` is the private target's real port on loopback
    - `aim`: see `Aim`
    - `holds`: outcomes of the last request that mean the attack was blocked: `answer`, or an error's reason, or its
      code if it has no reason; for `proxy`, the status
    - `responses`: the site's responses by path
    - `names`: addresses of names, in addition to the usual two
    - `marks`: for an attack that tries many things at once, the text that each of them sends if it reaches the private
      target, so that they are judged separately
    - `raw`: for `proxy`, the bytes sent on a connection; `{auth}` is the field with credentials
    - `deadline_s`: deadline of each request in seconds
    """

    name: str
    tries: str
    asks: tuple[str, ...] = (f"http://{SITE}/",)
    aim: Aim = "private"
    holds: frozenset[str] = REFUSED
    responses: Mapping[str, Response] = field(default_factory=dict)
    names: Names = field(default_factory=dict)
    marks: Mapping[str, str] = field(default_factory=dict)
    way: Way = "fetch"
    raw: str = ""
    deadline_s: float = 10.0

    @property
    def family(self) -> str:
        return self.name.partition(":")[0]


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of an attack for the client: the outcome of its last request, and the bodies of all responses.

    `note` is a comment. `fault` describes an exception that is not an error of the service.
    """

    outcome: str
    bodies: tuple[bytes, ...] = ()
    note: str = ""
    fault: str | None = None
