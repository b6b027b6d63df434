"""Forms: the fields of an endpoint's form, and the request of a filled-in form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import urlencode

from webquarry.core.errors import InvalidParams
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT, ParamSpec, parse, specs, split_format
from webquarry.endpoints.wording import bounds

Pairs = Sequence[tuple[str, str]]
Kind = Literal["text", "url", "number", "choice"]
SANDBOX: Final = "sandbox"
PICK: Final = "one-of-"
"""Prefix of form fields that select one of several parameters."""
RESERVED: Final = frozenset({SANDBOX, "csrf", "do", "file"})
"""Form fields of the playground besides parameters."""
BOOLEANS: Final = ("true", "false")


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter in a form.

    `options` are those of a choice, with "" if it is optional. `value` is its current value.
    """

    name: str
    kind: Kind
    hint: str
    rules: str
    required: bool
    value: str
    placeholder: str
    options: tuple[str, ...] = ()
    min: int | None = None
    max: int | None = None
    max_length: int | None = None
    error: str = ""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Parameters of which exactly one is used. `name` is the field that selects one; `picked` is the selected one."""

    name: str
    picked: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """A form. `choices` are the groups from which one is picked.

    `fields` are all others, with `format` last. `error` concerns the whole form. `question` is its request, as in the
    URL.
    """

    choices: tuple[OneOf, ...]
    fields: tuple[Field, ...]
    question: Pairs
    error: str = ""


def read_filled(extractor: Extractor, filled: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the request of a filled-in form: each group's picked parameter, and values other than defaults.

    Unknown names are kept, so that they are refused later.
    """
    left_out = {
        name
        for at, group in enumerate(extractor.params.one_of)
        for name in group
        if name != filled.get(f"{PICK}{at}", name)
    }
    known = {spec.name: spec for spec in (*specs(extractor.params), FORMAT)}
    question = []
    for name, text in filled.items():
        if name in left_out or name in RESERVED or name.startswith(PICK):
            continue
        value = text.strip()
        if name not in known or _is_given(known[name], value):
            question.append((name, value))
    return question


def check(extractor: Extractor, question: Pairs) -> InvalidParams | None:
    """Return an error message for an invalid request, or None."""
    try:
        parse(extractor.params, split_format(question)[0])
    except InvalidParams as error:
        return error
    return None


def build(extractor: Extractor, question: Pairs, error: InvalidParams | None = None) -> Form:
    """Return the form filled with a request, with an error at its field."""
    given = dict(question)
    grouped = {name for group in extractor.params.one_of for name in group}
    message = error.message if error else ""
    at_field = error.parameter if error else None
    found = {
        spec.name: _field(spec, given.get(spec.name), message if spec.name == at_field else "", spec.name in grouped)
        for spec in (*specs(extractor.params), FORMAT)
    }
    choices = tuple(_choose(at, group, given, found) for at, group in enumerate(extractor.params.one_of))
    fields = tuple(field for name, field in found.items() if name not in grouped)
    return Form(choices, fields, question, "" if at_field in found else message)


def encode(question: Pairs, *, sandbox: bool = False) -> str:
    """Return the request as the query of a playground URL."""
    return urlencode([*question, *([(SANDBOX, "true")] if sandbox else [])])


def _is_given(spec: ParamSpec, value: str) -> bool:
    """Return whether a field has a value other than its default.

    A default does not count. An empty value counts only if the parameter gives it a meaning that is not the default.
    """
    if value == "":
        return spec.empty is not None and _default(spec) != ""
    return value != _default(spec)


def _default(spec: ParamSpec) -> str:
    if spec.required or spec.default is None:
        return ""
    return str(spec.default).lower() if isinstance(spec.default, bool) else str(spec.default)


def _choose(at: int, group: Sequence[str], given: Mapping[str, str], found: Mapping[str, Field]) -> OneOf:
    """Return a group of fields of which exactly one is filled: the first given one is chosen, else the first."""
    chosen = next((name for name in group if name in given), group[0])
    return OneOf(f"{PICK}{at}", chosen, tuple(found[name] for name in group))


def _find_kind(spec: ParamSpec, options: Sequence[str]) -> Kind:
    if spec.format == "uri":
        return "url"
    if options:
        return "choice"
    return "number" if spec.type == "integer" else "text"


def _field(spec: ParamSpec, value: str | None, error: str, grouped: bool) -> Field:
    default = _default(spec)
    options = spec.enum or (BOOLEANS if spec.type == "boolean" else ())
    return Field(
        name=spec.name,
        kind=_find_kind(spec, options),
        hint=spec.description,
        rules="" if options else bounds(spec),
        required=spec.required and not grouped,
        value=default if value is None else value,
        placeholder=spec.example or "",
        options=("", *options) if options and not (default or spec.required) else options,
        min=spec.min,
        max=spec.max,
        max_length=spec.max_length,
        error=error,
    )
