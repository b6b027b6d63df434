"""Fields of a form. Each field is a parameter with the control that suits its declaration."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from webquarry.core.locale import COUNTRIES, LANGUAGES
from webquarry.core.parsed_text import Codes
from webquarry.endpoints.params import ParamSpec
from webquarry.endpoints.wording import bounds
from webquarry.web.playground.labels import write_hint, write_label

Kind = Literal["text", "url", "number", "choice", "several"]
BOOLEANS: Final = (("true", "Yes"), ("false", "No"))
NOT_SET: Final = ("", "Not set")
CODES: Final[dict[Codes, tuple[str, ...]]] = {
    "country": tuple(sorted(COUNTRIES)),
    "language": LANGUAGES,
}
"""Standard codes that forms suggest, by kind."""
_DAY: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_LITERAL: Final = re.compile(r"[\w \-]+")


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter in a form.

    `options` are the (value, text) pairs of a choice, including "" if it is optional, or the names of a list
    (`several`). `value` is the current value; `picked` contains the value's names. `codes` and `suggestions` are
    suggested for a text field, which also accepts other strings. `has_days` allows the text to be two days, such as
    `2024-01-01 2024-06-30`.
    """

    name: str
    label: str
    kind: Kind
    hint: str
    rules: str
    required: bool
    value: str
    placeholder: str
    options: tuple[tuple[str, str], ...] = ()
    codes: Codes | None = None
    suggestions: tuple[str, ...] = ()
    has_days: bool = False
    min: int | None = None
    max: int | None = None
    max_length: int | None = None
    error: str = ""

    @property
    def picked(self) -> frozenset[str]:
        return frozenset(name.strip() for name in self.value.split(","))


def make_field(spec: ParamSpec, value: str | None, error: str, *, grouped: bool) -> Field:
    """Return the field of a parameter.

    A value of None means the default. A `grouped` field is not required by itself.
    """
    default = write_default(spec)
    options = _list_options(spec)
    is_chosen = bool(options) and not spec.several
    alternatives = _split_pattern(spec)
    return Field(
        name=spec.name,
        label=write_label(spec),
        kind=_choose_kind(spec, is_chosen),
        hint=write_hint(spec),
        rules="" if options or alternatives or spec.codes else bounds(spec),
        required=spec.required and not grouped,
        value=default if value is None else value,
        placeholder=spec.example or "",
        options=(NOT_SET, *options) if is_chosen and not default and not spec.required else options,
        codes=spec.codes,
        suggestions=tuple(each for each in alternatives if _LITERAL.fullmatch(each)),
        has_days=f"{_DAY} {_DAY}" in alternatives,
        min=spec.min,
        max=spec.max,
        max_length=spec.max_length,
        error=error,
    )


def write_default(spec: ParamSpec) -> str:
    """Return the default as text, or "" if there is none."""
    if spec.required or spec.default is None:
        return ""
    return str(spec.default).lower() if isinstance(spec.default, bool) else str(spec.default)


def _choose_kind(spec: ParamSpec, is_chosen: bool) -> Kind:
    if spec.several:
        return "several"
    if is_chosen:
        return "choice"
    return "number" if spec.type == "integer" else "url" if spec.format == "uri" else "text"


def _list_options(spec: ParamSpec) -> tuple[tuple[str, str], ...]:
    values = [value for value, _ in BOOLEANS]
    if spec.type == "boolean" or list(spec.enum or ()) == values:
        return BOOLEANS
    return tuple((name, name) for name in spec.enum or ()) or tuple(
        (name, name.replace("_", " ").capitalize()) for name in spec.several
    )


def _split_pattern(spec: ParamSpec) -> tuple[str, ...]:
    """Return the alternatives of a pattern that is a plain list of them, such as `^(all|today 1-m)$`."""
    pattern = spec.pattern or ""
    inner = pattern.removeprefix("^(").removesuffix(")$")
    return tuple(inner.split("|")) if "|" in inner and len(inner) == len(pattern) - 4 and "(" not in inner else ()
