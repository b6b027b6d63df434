"""Declaration of an attack by content: the request, the adversary's response, and the accepted outcomes."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from attacks.calling import CallResult, Payer
from attacks.server import Server
from attacks.site import Site
from webquarry.doctor.responses import Response

Aim = Literal["stall", "late", "memory", "share", "end"]
"""Goal of an attack. All effects are watched, whatever the goal.

stall: the server becomes unresponsive; late: a request exceeds its deadline; memory: memory use exceeds its bound;
share: another account is affected; end: a server does not stop, or does not release its memory."""
CLEAR = frozenset(
    {"answer", "not_found", "empty_result", "provider_error", "conversion_failed", "invalid_params"}
    | {"unsupported_type", "file_too_large", "overloaded", "unsafe_target"}
)
"""Outcomes allowed for hostile content: a result, or an error that names the side at fault."""
ANSWERED = frozenset({"answer"})
PAGE_DEADLINE_S = 60.0
LATE_S = 4.0
"""Allowance in seconds after the deadline for the response to arrive on a busy machine."""
CHILD_MB = 450.0
"""Maximum for a child. It is killed at 340 MB of its own memory; its code and libraries count here too."""
PATIENT_MB = 2200.0
"""Maximum for a child that recognizes text in pictures."""


class Stage(Protocol):
    """The environment of a scene."""

    @property
    def server(self) -> Server: ...
    @property
    def site(self) -> Site: ...
    @property
    def attacker(self) -> Payer: ...
    @property
    def bystander(self) -> Payer: ...


Scene = Callable[[Stage], Awaitable[CallResult]]
"""Plays an attack of several requests. Its outcome is `answer` if the server withstood it; otherwise its note gives the
reason."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the site, requested from `markdown_url`.

    makes: returns its bytes; kind: its Content-Type; fields: its further header fields.
    """

    makes: Callable[[], bytes]
    kind: str = "text/html; charset=utf-8"
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Upload:
    """A file, uploaded to `markdown_file`."""

    makes: Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Answers:
    """The site's responses by path. `markdown_url` is made to request `/`."""

    responses: Callable[[], Mapping[str, Response]]


@dataclass(frozen=True, slots=True)
class Wire:
    """A source's response, enlarged in its own shape. case: one of the shipped tapes; pump: a name in `pumps`."""

    case: str
    pump: str


@dataclass(frozen=True, slots=True)
class Played:
    """A scene. alone: whether it needs a server without any other attack."""

    scene: Scene
    alone: bool = False


Way = Page | Upload | Answers | Wire | Played


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack.

    name: unique, `family: special feature`; tries: one sentence for people; holds: outcomes of a withstood attack;
    child_mb: maximum memory of a child in MB; deadline_s: of each request; renders: whether it needs a browser;
    settings: the server's settings.
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
