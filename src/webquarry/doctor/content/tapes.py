"""Answers of sources, in the true shape of each wire and pumped up: made from the tapes that are shipped."""

import base64
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import orjson

from webquarry.doctor.content.pumps import PUMPS
from webquarry.doctor.content.site import SMALL_PAGE
from webquarry.registry import API_PREFIX, load
from webquarry.sandbox import cases
from webquarry.sandbox.cases import Case

HONEST_PAGE: Final = "http://honest.example/"
"""A page among the tapes that is as it should be."""
_BODIES = ("body", "json", "base64", "body_file")
_NO_SOURCE = frozenset({"markdown_file", "markdown_url"})
"""Endpoints to which anything is given: other attacks are theirs."""
_ANY_HOST = frozenset({"agent_ready", "domain_registration"})
"""Endpoints whose question says which host is asked."""


@dataclass(frozen=True, slots=True)
class Tapes:
    """A folder of tapes, and the settings with which all sources are asked."""

    folder: Path
    settings: Mapping[str, str]

    @classmethod
    def written(cls, folder: Path, pump: str) -> "Tapes":
        """Every case that has an answer, each of its bodies pumped up, and the honest page."""
        folder.mkdir(parents=True)
        for at, case in enumerate(seeds()):
            for path in sorted(case.folder.glob("*.request.json")):
                stem = f"{at:03d}{path.name.partition('.')[0]}"
                (folder / f"{stem}.request.json").write_bytes(path.read_bytes())
                told = path.with_name(path.name.replace(".request.", ".response."))
                _write_answer(folder, stem, orjson.loads(told.read_bytes()), pump, case)
        _write_honest(folder)
        settings = {name.upper(): str(value) for case in seeds() for name, value in case.settings.items()}
        return cls(folder, settings)


@lru_cache(maxsize=1)
def seeds() -> tuple[Case, ...]:
    """The cases that are pumped up: those that end in an answer, of each set of asked hosts the longest."""
    chosen: dict[tuple[str, ...], tuple[int, Case]] = {}
    for case in cases():
        if case.data is None or case.endpoint in _NO_SOURCE or not case.exchanges:
            continue
        hosts = {exchange.request.url.split("/")[2] for exchange in case.exchanges}
        asked = (case.endpoint, *(() if case.endpoint in _ANY_HOST else sorted(hosts)))
        size = sum(path.stat().st_size for path in case.folder.iterdir() if path.is_file())
        if asked not in chosen or chosen[asked][0] < size:
            chosen[asked] = (size, case)
    return tuple(case for _, case in chosen.values())


def question(case: str) -> tuple[str, Mapping[str, str]]:
    """Path and query of what is asked in a case."""
    endpoint, _, _ = case.partition("/")
    paths = {extractor.name: API_PREFIX + extractor.path for extractor in load()}
    return paths[endpoint], next(known.params for known in seeds() if known.name == case)


def _write_answer(folder: Path, stem: str, told: dict[str, Any], pump: str, case: Case) -> None:
    body = _body(told, case)
    if body and _is_read(told):
        told = {name: value for name, value in told.items() if name not in _BODIES}
        told["headers"] = {**told.get("headers", {}), **_kind_of(body)}
        told["body_file"] = f"{stem}.body"
        (folder / told["body_file"]).write_bytes(PUMPS[pump](body))
    elif "body_file" in told:
        name = f"{stem}.{told['body_file']}"
        (folder / name).write_bytes(body)
        told = {**told, "body_file": name}
    (folder / f"{stem}.response.json").write_bytes(orjson.dumps(told))


def _body(told: Mapping[str, Any], case: Case) -> bytes:
    if "json" in told:
        return json.dumps(told["json"]).encode()
    if "body_file" in told:
        return (case.folder / Path(told["body_file"]).name).read_bytes()
    if "base64" in told:
        return base64.b64decode(told["base64"])
    return str(told.get("body", "")).encode()


def _is_read(told: Mapping[str, Any]) -> bool:
    """Whether its body is what a reader reads: a refusal on the way is left as it is."""
    return int(told.get("status", 0)) == 200


def _kind_of(body: bytes) -> dict[str, str]:
    """The type that a tape leaves to its `json`."""
    return {"content-type": "application/json"} if body[:1] in (b"{", b"[") else {}


def _write_honest(folder: Path) -> None:
    asked = {"method": "GET", "url": HONEST_PAGE}
    told = {
        "status": 200,
        "headers": {"content-type": "text/html; charset=utf-8"},
        "fetched_at": "2026-01-01T00:00:00Z",
        "body_file": "honest.html",
    }
    (folder / "honest.html").write_bytes(SMALL_PAGE)
    (folder / "honest.request.json").write_bytes(orjson.dumps(asked))
    (folder / "honest.response.json").write_bytes(orjson.dumps(told))


def wires() -> Iterator[tuple[str, str]]:
    """Every case with every pump, by their names."""
    for pump in PUMPS:
        for case in seeds():
            yield case.name, pump
