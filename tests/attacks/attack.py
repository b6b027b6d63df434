"""What an attack by content is: what is asked of the server, what the adversary says to it, and how it is held."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from attacks.calling import CallResult, Payer
from attacks.server import Server
from attacks.site import Site
from webquarry.doctor.responses import Response

Aim = Literal["stall", "late", "memory", "share", "end"]
"""What an attack is after. Whatever it is, everything is watched.

stall: the server answers nobody meanwhile; late: a call that does not end; memory: more of it than is bounded; share:
what is another account's; end: a server that does not stop, or keeps what it held.
"""
CLEAR = frozenset(
    {"answer", "not_found", "empty_result", "provider_error", "conversion_failed", "invalid_params"}
    | {"unsupported_type", "file_too_large", "overloaded", "unsafe_target"}
)
"""Outcomes with which hostile content may end: an answer, or an error that says whose fault it is."""
ANSWERED = frozenset({"answer"})
PAGE_DEADLINE_S = 60.0
LATE_S = 4.0
"""After its deadline a call may take so long to say so, on a busy machine."""
CHILD_MB = 450.0
"""A child is ended at 340 MB of its own; its code and libraries count here too."""
PATIENT_MB = 2200.0
"""One that recognises text in pictures."""


class Stage(Protocol):
    """Where a scene is played."""

    @property
    def server(self) -> Server: ...
    @property
    def site(self) -> Site: ...
    @property
    def attacker(self) -> Payer: ...
    @property
    def bystander(self) -> Payer: ...


Scene = Callable[[Stage], Awaitable[CallResult]]
"""Plays an attack that is more than one call. Its outcome is `answer` when it was held; else its note says why not."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page at the site, asked of `markdown_url`. makes: its bytes; kind: its Content-Type; fields: of its head."""

    makes: Callable[[], bytes]
    kind: str = "text/html; charset=utf-8"
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Upload:
    """A file, given to `markdown_file`."""

    makes: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Answers:
    """What the site says to whoever asks it for `/`, which `markdown_url` is made to do."""

    responses: Callable[[], Mapping[str, Response]]


@dataclass(frozen=True, slots=True)
class Wire:
    """A source's answer in its own shape, pumped up. case: of the tapes that are shipped; pump: its name in `pumps`."""

    case: str
    pump: str


@dataclass(frozen=True, slots=True)
class Played:
    """A scene. alone: on a server that nothing else was or will be played on."""

    scene: Scene
    alone: bool = False


Way = Page | Upload | Answers | Wire | Played


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack.

    name: unique, `family: what is special`; tries: one sentence for people; holds: outcomes that mean it was held;
    child_mb: what a child may hold; deadline_s: of each call; renders: whether it needs a browser; settings: of the
    server it is played on.
    """

    name: str
    tries: str
    way: Way
    aim: Aim = "stall"
    holds: frozenset[str] = CLEAR
    child_mb: float = CHILD_MB
    deadline_s: float = PAGE_DEADLINE_S
    renders: bool = False
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def family(self) -> str:
        return self.name.partition(":")[0]
