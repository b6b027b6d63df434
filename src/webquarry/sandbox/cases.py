"""The cases: parameters, the exchanges they need, and what the endpoint makes of them.

<endpoint>/<case>/  params.json  01.request.json  01.response.json …  note.md
                    settings.json           settings without which its source is not asked
                    upload/<name>           the file of a call whose endpoint takes one
                    data.json  page.md      what is expected, or
                    error.json              {"status", "code", "reason"}
                    accepted.json           {"version", "digest"}: which reader's version made the expectation

An expectation changes only together with its endpoint's `version`, so that cached answers of the older reader are left.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

from webquarry.errors import ServiceError
from webquarry.net.tape import Exchange, read_exchanges
from webquarry.types import File

FOLDER = Path(__file__).parent
SHOWN = 5
EXPECTED = ("data.json", "page.md", "error.json")
ACCEPTED = "accepted.json"


@dataclass(frozen=True)
class Case:
    """One case, read from its folder when asked."""

    folder: Path

    @property
    def endpoint(self) -> str:
        return self.folder.parent.name

    @property
    def name(self) -> str:
        return f"{self.endpoint}/{self.folder.name}"

    @cached_property
    def params(self) -> Mapping[str, str]:
        params: dict[str, str] = orjson.loads((self.folder / "params.json").read_bytes())
        return params

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """Settings that it is played with, beside the defaults."""
        given: dict[str, Any] = self._json("settings.json") or {}
        return given

    @cached_property
    def file(self) -> File | None:
        """The file that is uploaded; None where the endpoint takes none."""
        for path in sorted(self.folder.glob("upload/*")):
            return File(path.name, path.read_bytes())
        return None

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        return tuple(read_exchanges(self.folder))

    @property
    def data(self) -> Any:
        """Expected `data`; None for a case that ends in an error."""
        return self._json("data.json")

    @property
    def markdown(self) -> str | None:
        path = self.folder / "page.md"
        return path.read_text("utf-8") if path.exists() else None

    @property
    def rendering(self) -> str | None:
        """Expected markdown as the endpoint renders it: without the run's last line, which says when it was fetched."""
        if self.markdown is None:
            return None
        body, mark, last = self.markdown.rstrip("\n").rpartition("\n\n")
        return f"{body}\n" if mark and last.startswith("*Fetched ") else self.markdown

    @property
    def error(self) -> Any:
        """Expected `{"status", "code", "reason"}`; None for a case that has an answer."""
        return self._json("error.json")

    @property
    def accepted(self) -> Any:
        """`{"version", "digest"}` of the expectation that stands; None before the first."""
        return self._json(ACCEPTED)

    def expected(self) -> dict[str, bytes]:
        """The expectation as its files hold it, by file name."""
        return {name: path.read_bytes() for name in EXPECTED if (path := self.folder / name).exists()}

    def accept(self, made: Mapping[str, bytes], version: int, *, unreleased: bool = False) -> tuple[str, ...]:
        """Write what was made as what is expected; the names of the files that differ from before, in their order.

        made: content by file name of `EXPECTED`. unreleased: no server has used this version yet, so that it may change
        what it stands behind. ValueError when an expectation would change that this version of the reader already
        stands behind.
        """
        mark = {"version": version, "digest": digest(made)}
        stands = self.accepted
        if stands is not None and stands["version"] == version and stands != mark and not unreleased:
            raise ValueError(f"{self.name} changes: raise the endpoint's version, which is {version}.")
        before = self.expected()
        for name in EXPECTED:
            (self.folder / name).unlink(missing_ok=True)
        for name, content in made.items():
            (self.folder / name).write_bytes(content)
        (self.folder / ACCEPTED).write_bytes(_pretty(mark))
        changed = [name for name in EXPECTED if before.get(name) != made.get(name)]
        return tuple([*changed, ACCEPTED] if stands != mark else changed)

    def _json(self, name: str) -> Any:
        path = self.folder / name
        return orjson.loads(path.read_bytes()) if path.exists() else None


def expected_answer(data: Any, markdown: str) -> dict[str, bytes]:
    """The files of an expectation that is an answer."""
    return {"data.json": _pretty(data), "page.md": markdown.encode()}


def expected_error(error: ServiceError) -> dict[str, bytes]:
    """The files of an expectation that is an error."""
    return {"error.json": _pretty({"status": error.status, "code": error.code, "reason": error.reason})}


def digest(files: Mapping[str, bytes]) -> str:
    """One text for the content of all these files."""
    return hashlib.sha256(b"\0".join(name.encode() + b"\0" + files[name] for name in sorted(files))).hexdigest()


def _pretty(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def cases(endpoint: str | None = None) -> tuple[Case, ...]:
    """All cases, or those of one endpoint, in the order of their names."""
    pattern = f"{endpoint or '*'}/*/params.json"
    return tuple(Case(path.parent) for path in sorted(FOLDER.glob(pattern)))


def questions(endpoint: str) -> tuple[str, ...]:
    """Parameters with which the endpoint has an answer, as in the query of an address; the shortest first, `SHOWN` at
    most."""
    known = {"&".join(f"{name}={value}" for name, value in case.params.items()): None for case in _answered(endpoint)}
    return tuple(sorted(filter(None, known), key=lambda question: (question.count("&"), len(question)))[:SHOWN])


def _answered(endpoint: str) -> Iterator[Case]:
    return (case for case in cases(endpoint) if (case.folder / "data.json").exists())


def settings() -> dict[str, Any]:
    """The settings of all cases: with them the sandbox has a source for every endpoint."""
    return {name: value for case in cases() for name, value in case.settings.items()}


def world() -> tuple[Exchange, ...]:
    """Every exchange of every case: what the sandbox's player knows."""
    return tuple(exchange for case in cases() for exchange in case.exchanges)
