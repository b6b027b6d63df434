"""Forms: the fields of an endpoint's form, and the request that a filled-in form describes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from webquarry.core.errors import InvalidParams
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import FORMAT, ParamSpec, parse
from webquarry.endpoints.portion import PORTION, split_surface
from webquarry.endpoints.variants import choose_variant, list_specs
from webquarry.pipeline.call import read_portion
from webquarry.web.playground.fields import Field, make_field, write_default

Pairs = Sequence[tuple[str, str]]
SANDBOX: Final = "sandbox"
PICK: Final = "one-of-"
"""Prefix of form fields that select one of several parameters."""
AMONG: Final = "."
"""Separator between a parameter and one of its names in the name of a check box: `parts.logo`."""
RESERVED: Final = frozenset({SANDBOX, "csrf", "do", "file"})
"""The playground's form fields that are not parameters."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Parameters of which exactly one is used.

    `name` is the form field that selects a parameter; `picked` is the selected parameter.
    """

    name: str
    picked: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """An endpoint's form in the playground.

    `choices` are groups of parameters; exactly one in each group is used. `fields` are all other parameters, with
    `format` last. `error` refers to the whole form. `question` contains the parameters in the form of a URL query.
    """

    choices: tuple[OneOf, ...]
    fields: tuple[Field, ...]
    question: Pairs
    error: str = ""

    @property
    def codes(self) -> frozenset[str]:
        """Return the kinds of codes that the fields suggest."""
        fields = (*self.fields, *(field for group in self.choices for field in group.fields))
        return frozenset(field.codes for field in fields if field.codes)


def read_filled(extractor: Extractor, filled: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the request of a filled-in form: each group's picked parameter, and all values that differ from the
    defaults.

    Unknown names are kept, so that they are refused later.
    """
    left_out = {
        name
        for at, group in enumerate(extractor.params.one_of)
        for name in group
        if name != filled.get(f"{PICK}{at}", name)
    }
    known = {spec.name: spec for spec in (*list_specs(extractor), FORMAT, *PORTION)}
    question = []
    for name, text in _join_checked(filled, known).items():
        if name in left_out or name in RESERVED or name.startswith(PICK):
            continue
        value = text.strip()
        if name not in known or _is_given(known[name], value):
            question.append((name, value))
    return question


def check(extractor: Extractor, question: Pairs) -> InvalidParams | None:
    """Return the error of an invalid request, or None."""
    try:
        surface = split_surface(question)
        parse(extractor.params, choose_variant(extractor, surface.rest)[2])
        read_portion(extractor, "both", surface.portion)
    except InvalidParams as error:
        return error
    return None


def build(extractor: Extractor, question: Pairs, error: InvalidParams | None = None) -> Form:
    """Return the form filled with a request, with the error next to its field."""
    given = dict(question)
    grouped = {name for group in extractor.params.one_of for name in group}
    message = error.message if error else ""
    at_field = error.parameter if error else None
    found = {
        spec.name: make_field(
            spec,
            given.get(spec.name),
            message if spec.name == at_field else "",
            grouped=spec.name in grouped,
        )
        for spec in (*list_specs(extractor), FORMAT, *PORTION)
    }
    choices = tuple(
        OneOf(
            f"{PICK}{at}",
            next((name for name in group if name in given), group[0]),
            tuple(found[name] for name in group),
        )
        for at, group in enumerate(extractor.params.one_of)
    )
    fields = tuple(field for name, field in found.items() if name not in grouped)
    return Form(choices, fields, question, "" if at_field in found else message)


def encode(question: Pairs, *, sandbox: bool = False) -> str:
    """Return the request as the query of a playground URL."""
    return urlencode([*question, *([(SANDBOX, "true")] if sandbox else [])])


def _join_checked(filled: Mapping[str, str], known: Mapping[str, ParamSpec]) -> dict[str, str]:
    """Return the form with each parameter's check boxes joined into one value, in the declared order."""
    boxes = {f"{spec.name}{AMONG}{name}": spec.name for spec in known.values() for name in spec.several}
    joined = {name: text for name, text in filled.items() if name not in boxes}
    for box, name in boxes.items():
        if box in filled:
            joined[name] = ",".join(filter(None, (joined.get(name), box.rpartition(AMONG)[2])))
    return joined


def _is_given(spec: ParamSpec, value: str) -> bool:
    """Return whether a field has a value other than its default.

    An empty value counts only if the parameter gives it a meaning that is not the default.
    """
    if value == "":
        return spec.empty is not None and write_default(spec) != ""
    return value != write_default(spec)
