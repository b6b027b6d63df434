"""Creation of requests from command-line arguments, which set parameters or name files to upload."""

import sys
from collections.abc import Sequence
from contextlib import suppress

from webquarry.cli.asking import STDIN, Failure, Question, SentFile
from webquarry.cli.catalogue import Entry

Query = Sequence[tuple[str, str]]


def list_questions(
    entry: Entry, query: Query, subjects: Sequence[str], *, file: str | None, fresh: bool
) -> list[Question]:
    """Return a request for each argument, or one request if everything is in `query`. Raises Failure.

    The argument `-` means that standard input is the uploaded file, or contains one argument per line. Repeated
    arguments are requested once.
    """
    if entry.upload:
        paths = list(dict.fromkeys([*([] if file is None else [file]), *subjects]))
        if not paths:
            raise Failure("Specify a file, as the argument or with --file. Use - for standard input.", "invalid_params")
        return [Question(entry, tuple(query), path, file=SentFile(path, entry.upload_max_bytes)) for path in paths]
    words = list(dict.fromkeys(word for subject in subjects for word in _expand(subject)))
    if not words:
        if subjects:
            raise Failure("Standard input has no lines.", "invalid_params")
        _require_subject(entry, query)
        return [Question(entry, tuple(query), fresh=fresh)]
    return [Question(entry, (*query, (_find_parameter(entry, query, word), word)), word, fresh=fresh) for word in words]


def _require_subject(entry: Entry, query: Query) -> None:
    """Raise Failure if the query lacks a subject.

    The endpoint would report this too, but only after a second of loading.
    """
    given = {name for name, _ in query}
    required = {each.name for each in entry.parameters if each.required}
    is_needed = len(entry.subjects) > 1 or not required.isdisjoint(entry.subjects)
    if is_needed and given.isdisjoint(entry.subjects):
        options = " or ".join(f"--{name}" for name in entry.subjects)
        raise Failure(f"Specify the main parameter, as the argument or with {options}.", "invalid_params")


def _expand(subject: str) -> list[str]:
    if subject != STDIN:
        return [subject]
    return [line.strip() for line in sys.stdin if line.strip()]


def _find_parameter(entry: Entry, query: Query, word: str) -> str:
    """Return the name of the first parameter that accepts the argument, or of the first one if all reject it."""
    first = entry.subjects[0]
    if len(entry.subjects) == 1:
        return first
    from webquarry.core.errors import InvalidParams  # importing it takes a second, and few endpoints need it
    from webquarry.endpoints.params import parse
    from webquarry.endpoints.portion import split_surface
    from webquarry.endpoints.registry import load

    params = load().by_name[entry.name].params
    rest = split_surface(query).rest
    for name in entry.subjects:
        with suppress(InvalidParams):
            parse(params, [*rest, (name, word)])
            return name
    return first
