"""What an attack is: where it starts, what the adversary says to it, what it is after, and how it is held."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from webquarry.doctor.responses import Response

Aim = Literal["private", "answer", "flood", "memory", "late", "endless", "poison", "fault"]
"""What it means that an attack succeeds.

private: a connection reaches what is not public; answer: something forbidden or broken is taken for an answer; flood:
the client swallows far more than it reads of one answer; memory: it grows by far more than it keeps; late: it is still
busy when its deadline has passed; endless: it asks again and again; poison: what one site said is taken for the answer
of a later request; fault: the client fails with what is no error of the service, which counts as success whatever the
aim.
"""
Way = Literal["fetch", "page", "proxy"]
"""fetch: an address that a caller gives is fetched; page: it is rendered by the browser; proxy: the bytes of `raw` come
to the browser's proxy, as a page would make the browser send them."""

REFUSED = frozenset({"unsafe_target", "invalid_params"})
"""An address that may not be visited, or is none."""
BROKEN = frozenset({"down"})
ANSWERED = frozenset({"answer"})

SITE = "site.example"
SITE_ADDRESS = "93.184.215.14"
"""Public by any rule; in the doctor's network it is the adversary's site."""
PRIVATE = "private.example"
PRIVATE_ADDRESS = "127.0.0.1"

Names = Mapping[str, Sequence[Sequence[str]]]
"""Addresses of names, one list for each time a name is asked for, the last for all later ones."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    name: unique, `family: what is special`; tries: one sentence for people; asks: the addresses asked for, in turn, of
    one client, with `{port}` for the port on which the private target really listens on loopback; aim: see `Aim`;
    holds: outcomes of the last one that mean the attack was held (`answer`, an error's reason or else its code; of
    `proxy` the status); says: what the site says, by path; names: what its names stand for, beside the usual two;
    marks: of an attack that tries many things at once, what each of them says when it reaches the private target: they
    are judged one by one; raw: of way `proxy`, what a connection says, with `{auth}` for the field that authorises it;
    deadline_s: of each ask.
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
    """What a client made of an attack: the outcome of its last ask, and the bodies of all that were answered.

    note: what there is to say about it; fault: an exception that is no error of the service, in a few words.
    """

    outcome: str
    bodies: tuple[bytes, ...] = ()
    note: str = ""
    fault: str | None = None
