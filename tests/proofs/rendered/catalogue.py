"""The pages: fifty of eight kinds, each of which creates its text in a different way."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from proofs.rendered.stories import Story, story

Kind = Literal["plain", "built", "slow", "restless", "crash", "scroll", "shadow", "frames"]

PAGES_FOLDER = Path(__file__).with_name("pages")
BUILT_FOLDER = Path(__file__).with_name("built")


@dataclass(frozen=True, slots=True)
class Page:
    """file: the served file; reasons: possible error reasons of a page without text; encoding: of the response."""

    name: str
    kind: Kind
    file: Path
    reasons: frozenset[str] = frozenset()
    encoding: str = "utf-8"

    @property
    def story(self) -> Story:
        return story(self.name)

    @property
    def has_text(self) -> bool:
        return not self.reasons


def _made(kind: Kind, *names: str, fails: tuple[str, ...] = (), encoding: str = "utf-8") -> tuple[Page, ...]:
    return tuple(
        Page(f"{kind}-{name}", kind, PAGES_FOLDER / f"{kind}-{name}.html", frozenset(fails), encoding) for name in names
    )


def _built(kind: Kind, with_: str, *names: str) -> tuple[Page, ...]:
    return tuple(Page(f"{with_}-{name}", kind, BUILT_FOLDER / with_ / "output" / f"{name}.html") for name in names)


PAGES: tuple[Page, ...] = (
    *_made("plain", "markup", "nodes", "modules", "fetch", "xhr", "write", "hash"),
    *_made("plain", "worker", "socket", "events", "storage"),
    *_made("plain", "charset", encoding="shift_jis"),
    *_built("built", "react", "article", "lazy", "fetched", "hydrated"),
    *_built("built", "preact", "widget"),
    *_built("built", "vue", "template", "async"),
    *_built("built", "svelte", "runes", "awaited"),
    *_built("built", "typescript", "routes"),
    *_made("slow", "answer", "steps", "script", "document", "timer", "lines"),
    *_made("restless", "poll", "timers", "animation", "history", "events"),
    *_made("crash", "memory", "nesting", fails=("down",)),
    *_made("crash", "loop", "promises", "request", fails=("timeout",)),
    *_made("scroll", "observer", "listener", "box", "sections"),
    *_made("shadow", "nested", "slots", "closed"),
    *_built("shadow", "lit", "reader"),
    *_made("frames", "same", "foreign", "srcdoc", "written"),
)
