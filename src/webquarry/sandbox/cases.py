"""Cases: parameters, the exchanges they need, and the endpoint's result for them.

<endpoint>/<case>/  tape.toml     note = the origin of the sample, and what the case shows
                                  [params], [settings] that its source requires, file = the name of an uploaded file in
                                  the folder, each [[exchange]] (`net.tape`), and at the end the output of
                                  `tape accept`: [accepted], the version of the reader and the digest of the
                                  expectation, and [error] if the case ends with one
                    01.html …     bodies
                    data.json  page.md   the expectation of a case with a result

The cases of the endpoints' examples and the cases in `MORE` are in this folder and part of the package; all other cases
are in the repository, below `tests/tapes`. An expectation changes only together with its endpoint's `version`, so that
cached results of the previous version are not served.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import orjson

from webquarry.core.errors import ServiceError
from webquarry.core.toml import Value, write_table, write_values
from webquarry.core.types import File
from webquarry.net.tape import TAPE, Exchange, read_exchanges, read_tape

SHIPPED = Path(__file__).parent
KEPT = SHIPPED.parents[2] / "tests" / "tapes"
"""Folder in a checkout, which an installed package does not have."""
IN_PARTS = "markdown_url/long"
"""Case whose result tools return in parts. It demonstrates this in every sandbox."""
TAPED_BASE_URL: Final = "http://127.0.0.1:8080"
"""Address of the service in expectations, the same as in the default settings."""
MORE = (
    IN_PARTS,
    "markdown_url/coffee",
    "markdown_url/brew_home",
    "markdown_url/coffee_origins",
    "markdown_url/report",
)
"""Cases of the package besides the examples: pages that the web search finds, and a document with pages."""
SHOWN = 5
ERROR = "error"
FILES = ("data.json", "page.md")
EXPECTED = (*FILES, ERROR)
ACCEPTED = "accepted"
PLAYED: Final[Mapping[str, Any]] = {"untested_sources": True}
"""Settings with which all cases are played. They also enable untested sources."""
_BESIDE = frozenset({"note", "params", "settings", "file", ERROR, ACCEPTED})
_MARK = "\n# What `webquarry tape accept` wrote:\n"


@dataclass(frozen=True)
class Case:
    """A case, read from its folder on demand. Raises ValueError, which names the file, if the case is invalid."""

    folder: Path

    @property
    def endpoint(self) -> str:
        return self.folder.parent.name

    @property
    def name(self) -> str:
        return f"{self.endpoint}/{self.folder.name}"

    @property
    def ships(self) -> bool:
        """Whether the package contains the case."""
        return SHIPPED in self.folder.parents

    @property
    def note(self) -> str:
        """The origin of the sample and the purpose of the case, in markdown."""
        return str(self._tape.get("note", ""))

    @property
    def params(self) -> Mapping[str, str]:
        params: dict[str, str] = self._table("params")
        for name, value in params.items():
            if not isinstance(value, str):
                raise ValueError(f"{self.folder / TAPE}: the parameter {name} must be a string.")
        return params

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings for this case, in addition to the defaults and to `PLAYED`."""
        return self._table("settings")

    @cached_property
    def file(self) -> File | None:
        """The file to upload, or None."""
        if "file" not in self._tape:
            return None
        path = self.folder / Path(str(self._tape["file"])).name
        try:
            return File(path.name, path.read_bytes())
        except OSError as exc:
            raise ValueError(f"{self.folder / TAPE}: its file {path.name} can't be read: {exc.strerror}.") from exc

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        return tuple(read_exchanges(self.folder, self._tape))

    @property
    def data(self) -> Any:
        """Expected `data`, or None for a case that ends with an error."""
        path = self.folder / "data.json"
        return orjson.loads(path.read_bytes()) if path.exists() else None

    @property
    def markdown(self) -> str | None:
        path = self.folder / "page.md"
        return path.read_text("utf-8") if path.exists() else None

    @property
    def rendering(self) -> str | None:
        """Expected markdown as rendered by the endpoint, without the run's last line (the time of the fetch)."""
        if self.markdown is None:
            return None
        body, mark, last = self.markdown.rstrip("\n").rpartition("\n\n")
        return f"{body}\n" if mark and last.startswith("*Fetched ") else self.markdown

    @property
    def error(self) -> Any:
        """Expected `{"status", "code"}`, and `reason` if there is one; None for a case with a result."""
        return self._tape.get(ERROR)

    @property
    def accepted(self) -> Any:
        """The `{"version", "digest"}` of the current expectation, or None."""
        return self._tape.get(ACCEPTED)

    def expected(self) -> dict[str, bytes]:
        """Return the expectation by names in `EXPECTED`: files unchanged, the error as its table."""
        files = {name: path.read_bytes() for name in FILES if (path := self.folder / name).exists()}
        return files if self.error is None else {**files, ERROR: write_values(self.error).encode()}

    def accept(
        self, made: Mapping[str, bytes], version: int, *, unreleased: bool = False, turned: bool = False
    ) -> tuple[str, ...]:
        """Store a result as the expectation. Return the names of the changed parts, in the order of `EXPECTED`.

        `made` is the content by names in `EXPECTED`. `unreleased`: no server has used this version yet, so its
        expectation may change. `turned`: a result may become an error, and vice versa. Raises ValueError if a result
        would become an error, or vice versa, without `turned`, or if the expectation would change although this version
        of the reader was accepted.
        """
        stands, before = self.accepted, self.expected()
        mark: dict[str, Value] = {"version": version, "digest": digest(made)}
        if before and not turned:
            self._check_kind(before, made)
        if stands is not None and stands["version"] == version and stands != mark and not unreleased:
            raise ValueError(
                f"The result of {self.name} has changed. Increase the endpoint's version, which is {version}."
            )
        self._write(made)
        self._keep(made.get(ERROR), mark)
        changed = [name for name in EXPECTED if before.get(name) != made.get(name)]
        return tuple([*changed, ACCEPTED] if stands != mark else changed)

    def _check_kind(self, before: Mapping[str, bytes], made: Mapping[str, bytes]) -> None:
        """Raise ValueError if a result has become an error, or vice versa."""
        if (ERROR in before) != (ERROR in made):
            now = "ends in an error" if ERROR in made else "has an answer"
            raise ValueError(f"{self.name} {now} now. If this is intended, use --turned.")

    def _write(self, made: Mapping[str, bytes]) -> None:
        """Write the files of an expectation, and remove files that it does not have."""
        for name in FILES:
            path = self.folder / name
            if name in made:
                path.write_bytes(made[name])
            else:
                path.unlink(missing_ok=True)

    def _keep(self, error: bytes | None, mark: Mapping[str, Value]) -> None:
        """Write the end of `tape.toml`, and leave everything above its mark unchanged."""
        path = self.folder / TAPE
        above, _, _ = path.read_text("utf-8").partition(_MARK)
        table = "" if error is None else f"\n[{ERROR}]\n{error.decode()}"
        path.write_text(f"{above.rstrip()}\n{_MARK}{table}{write_table(ACCEPTED, mark)}", "utf-8")
        self.__dict__.pop("_tape", None)

    @cached_property
    def _tape(self) -> dict[str, Any]:
        try:
            file = (self.folder / TAPE).stat()
        except OSError:  # the reader reports the error
            return read_tape(self.folder, _BESIDE)
        return _read_once(self.folder, file.st_mtime_ns, file.st_size)

    def _table(self, name: str) -> dict[str, Any]:
        table = self._tape.get(name, {})
        if not isinstance(table, dict):
            raise ValueError(f"{self.folder / TAPE}: {name} must be a table.")
        return table


@lru_cache(maxsize=1024)
def _read_once(folder: Path, _changed_ns: int, _size: int) -> dict[str, Any]:
    """Return the contents of `tape.toml`, cached until it changes, because several properties read it."""
    return read_tape(folder, _BESIDE)


def write_head(note: str, params: Mapping[str, str], settings: Mapping[str, Value], file: str | None) -> str:
    """Return the beginning of a case's `tape.toml`, before its exchanges."""
    top: dict[str, Value] = {"note": f"{note.strip()}\n"} if note.strip() else {"note": ""}
    if file is not None:
        top["file"] = file
    return f"{write_values(top)}{write_table('params', params)}{write_table('settings', settings)}"


def expected_answer(data: Any, markdown: str) -> dict[str, bytes]:
    """Return the parts of a result's expectation, by names in `EXPECTED`."""
    return {"data.json": _pretty(data), "page.md": markdown.encode()}


def expected_error(error: ServiceError) -> dict[str, bytes]:
    """Return the parts of an error's expectation, by names in `EXPECTED`."""
    table: dict[str, Value] = {"status": error.status, "code": error.code}
    return {ERROR: write_values({**table, "reason": error.reason} if error.reason else table).encode()}


def digest(files: Mapping[str, bytes]) -> str:
    """Return a combined digest of these files."""
    return hashlib.sha256(b"\0".join(name.encode() + b"\0" + files[name] for name in sorted(files))).hexdigest()


def _pretty(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def cases(endpoint: str | None = None) -> tuple[Case, ...]:
    """Return the cases of all endpoints or of one endpoint, ordered by name."""
    paths = [path for folder in (SHIPPED, KEPT) for path in folder.glob(f"{endpoint or '*'}/*/{TAPE}")]
    return tuple(sorted((Case(path.parent) for path in paths), key=lambda case: (case.endpoint, case.folder.name)))


def list_questions(endpoint: str) -> tuple[Mapping[str, str], ...]:
    """Return the distinct parameters of all requests for which the endpoint has a result."""
    return tuple({tuple(case.params.items()): case.params for case in _list_answered(endpoint)}.values())


def questions(endpoint: str) -> tuple[str, ...]:
    """Return requests for which the endpoint has a result, as URL queries: the shortest first, at most `SHOWN`."""
    known = {
        "&".join(f"{name}={value}" for name, value in case.params.items()): None for case in _list_answered(endpoint)
    }
    return tuple(sorted(filter(None, known), key=lambda question: (question.count("&"), len(question)))[:SHOWN])


def _list_answered(endpoint: str) -> Iterator[Case]:
    return (case for case in cases(endpoint) if (case.folder / "data.json").exists())


def settings() -> dict[str, Any]:
    """Return the settings of all cases, so that the sandbox has a source for every endpoint."""
    return {**PLAYED, **{name: value for case in cases() for name, value in case.settings.items()}}


def world() -> tuple[Exchange, ...]:
    """Return every exchange of every case, for the sandbox's player."""
    return tuple(exchange for case in cases() for exchange in case.exchanges)
