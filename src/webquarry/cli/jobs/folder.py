"""The directory of a job's results.

    example.com_about.md   a file for each result
    index.ndjson           a line for each ended item, by number; written when the command ends
    .webquarry-job.json    which job the directory belongs to
    .webquarry-job.log     a line for each ended item, in the order of endings

The log is the only file that grows. An incomplete last line, left by a crash, is dropped, and the item's result is
written again. All other files are written completely or not at all.
"""

import fcntl
import secrets
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

import orjson

from webquarry.cli.asking import Failure
from webquarry.cli.exit_codes import BY_CODE, Exit
from webquarry.cli.result_files import spell, write_new

ABOUT: Final = ".webquarry-job.json"
LOG: Final = ".webquarry-job.log"
INDEX: Final = "index.ndjson"
_UNFINISHED: Final = ".*.unfinished"


@dataclass(frozen=True, slots=True)
class About:
    """Which job a directory belongs to.

    `digest` identifies the command's request. `key` is its idempotency key, written before the request is sent, so that
    a command that was killed before it knew `job_id` finds its job.
    """

    digest: str
    key: str
    job_id: str | None = None

    @classmethod
    def of(cls, digest: str, job_id: str | None = None) -> Self:
        return cls(digest, f"cli-{secrets.token_hex(16)}", job_id)


@dataclass(frozen=True, slots=True)
class Entry:
    """An ended item: a line of the log. `fields` are those of the result's line without the result, and `file`."""

    n: int
    ending: int
    state: str
    code: str | None
    fields: Mapping[str, Any]

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        error = fields.get("missing") or fields.get("error") or {}
        return cls(fields["n"], fields["ending"], fields["state"], error.get("code"), fields)

    @property
    def file(self) -> str | None:
        found: str | None = self.fields["file"]
        return found

    @property
    def exit(self) -> Exit:
        """The exit code that the item causes."""
        return Exit.OK if self.file is not None else BY_CODE.get(self.code or "", Exit.FAILED)


class ResultFolder(AbstractContextManager["ResultFolder"]):
    """The directory of a job's results, as this process writes it. One process at a time can open it.

    about: which job it belongs to, or None if it is new. entries: ended items by number. after: the latest ending that
    was written. Opening the directory raises Failure if it cannot be written, is used by another command, or has other
    files.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.about: About | None = None
        self.entries: dict[int, Entry] = {}
        self.after = 0
        self._names: dict[str, int] = {}
        self._log: BinaryIO | None = None

    def __enter__(self) -> Self:
        try:
            self._open()
        except OSError as error:
            raise Failure(f"Can't use {self.path}: {error.strerror}.", "write_failed") from error
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._log is not None:
            self._log.close()

    @property
    def failures(self) -> list[Entry]:
        """Ended items without a file."""
        return [entry for entry in self.entries.values() if entry.file is None]

    def claim(self, digest: str) -> About:
        """Return which job the directory belongs to. It may not have begun, and then gives way to another one.

        Raises Failure if it belongs to the job of another command.
        """
        if self.about is None or (self.about.job_id is None and self.about.digest != digest):
            self._save(About.of(digest))
        if self.about is None or self.about.digest != digest:
            raise Failure(
                f"{self.path} has the results of another job: its inputs, options or server were different. Choose "
                "another directory.",
                "invalid_params",
            )
        return self.about

    def name_job(self, job_id: str) -> None:
        """Record the job that has begun."""
        if self.about is not None and self.about.job_id != job_id:
            self._save(replace(self.about, job_id=job_id))

    def add(self, fields: Mapping[str, Any], subject: str, ending: str, content: bytes | None) -> Entry:
        """Write the result of an item, then its line of the log. `subject` and `ending` make the file's name."""
        n, name = fields["n"], None
        if content is not None:
            name = self._choose_name(n, subject, ending)
            write_new(self.path / name, content, force=True)
        entry = Entry.of({**fields, "file": name})
        if self._log is None:
            raise ValueError("the directory is not open")
        self._log.write(orjson.dumps(entry.fields) + b"\n")
        self._log.flush()
        self._keep(entry)
        return entry

    def write_index(self) -> None:
        """Write the index of all items that have ended so far. Raises Failure if it can't be written."""
        lines = (orjson.dumps(self.entries[n].fields) for n in sorted(self.entries))
        self._write(INDEX, b"".join(line + b"\n" for line in lines))

    def _open(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        is_known = (self.path / ABOUT).exists()
        if not is_known and any(each.name != LOG for each in self.path.iterdir()):
            raise Failure(f"{self.path} has other files. Choose a new or an empty directory.", "invalid_params")
        self._log = (self.path / LOG).open("a+b")
        try:
            fcntl.flock(self._log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Failure(f"Another command writes to {self.path}. Wait until it ends.", "invalid_params") from error
        for left in self.path.glob(_UNFINISHED):
            left.unlink(missing_ok=True)
        if is_known:
            self.about = _read_about(self.path / ABOUT)
            self._read_log(self._log)
        else:
            self._log.truncate(0)

    def _read_log(self, log: BinaryIO) -> None:
        log.seek(0)
        end = 0
        for line in log:
            if not line.endswith(b"\n"):
                break
            end += len(line)
            try:
                self._keep(Entry.of(orjson.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise _make_damaged(self.path / LOG) from error
        log.truncate(end)

    def _keep(self, entry: Entry) -> None:
        self.entries[entry.n] = entry
        self.after = max(self.after, entry.ending)
        if entry.file is not None:
            self._names[entry.file] = entry.n

    def _choose_name(self, n: int, subject: str, ending: str) -> str:
        """Return the file name of an item. An item keeps its name; another one with the same subject gets a number."""
        base = spell(subject) if subject else f"{n:06}"
        name = f"{base}{ending}"
        while self._names.get(name, n) != n:
            base += f"-{n}"
            name = f"{base}{ending}"
        return name

    def _save(self, about: About) -> None:
        self._write(ABOUT, orjson.dumps(asdict(about)))
        self.about = about

    def _write(self, name: str, content: bytes) -> None:
        try:
            write_new(self.path / name, content, force=True)
        except OSError as error:
            raise Failure(f"Can't write {self.path / name}: {error.strerror}.", "write_failed") from error


def _read_about(path: Path) -> About:
    try:
        return About(**orjson.loads(path.read_bytes()))
    except (ValueError, TypeError) as error:
        raise _make_damaged(path) from error


def _make_damaged(path: Path) -> Failure:
    return Failure(f"{path} is damaged. Choose another directory.", "invalid_params")
