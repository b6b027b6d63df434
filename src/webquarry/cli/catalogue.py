"""The data about endpoints that the command line needs, read from `catalogue.json`.

The file is generated from the declarations by `webquarry endpoints --catalogue`. Loading the declarations takes a
second, and help, completion and requests to a server don't need more than this file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("catalogue.json")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an endpoint, or a field of a request for a job.

    `rules` states its bounds and its default in words, such as `1 to 100; default 10`. `within` is the object of a
    request's body that has the field, or "" for the body itself.
    """

    name: str
    type: str
    description: str
    required: bool = False
    rules: str = ""
    choices: tuple[str, ...] = ()
    within: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """The data that the command line needs about an endpoint.

    `path`: includes the API's prefix. `section`: title of its group. `notes`: paragraphs of the help. `parameters`:
    excludes the parameters that all endpoints take. `subjects`: parameters that a positional argument can set.
    `upload`: description of the file to upload, or "" if the endpoint takes no file.
    """

    name: str
    path: str
    title: str
    section: str
    notes: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    subjects: tuple[str, ...]
    providers: tuple[str, ...]
    deadline_s: float
    upload: str = ""
    upload_max_bytes: int = 0


@cache
def read_catalogue() -> Mapping[str, Entry]:
    """Return the endpoints by name, in the order of the documentation."""
    return {row["name"]: _read_entry(row) for row in _read_file()["endpoints"]}


def read_common_parameters() -> tuple[Parameter, ...]:
    """Return the parameters that all endpoints take: the format, and the parameters that select a portion of the
    response.
    """
    return _read_parameters(_read_file()["common_parameters"])


def read_job_fields() -> tuple[Parameter, ...]:
    """Return the fields of a request for a job, without its endpoint, inputs and shared parameters."""
    return _read_parameters(_read_file()["job_fields"])


def read_crawl_fields() -> tuple[Parameter, ...]:
    """Return the fields of a request for a crawl, without its starts."""
    return _read_parameters(_read_file()["crawl_fields"])


@cache
def _read_file() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(FILE.read_bytes())
    return content


def _read_entry(row: dict[str, Any]) -> Entry:
    lists = {name: tuple(row[name]) for name in ("notes", "subjects", "providers")}
    fields: dict[str, Any] = {**row, **lists, "parameters": _read_parameters(row["parameters"])}
    return Entry(**fields)


def _read_parameters(rows: list[dict[str, Any]]) -> tuple[Parameter, ...]:
    return tuple(Parameter(**{**row, "choices": tuple(row.get("choices", ()))}) for row in rows)
