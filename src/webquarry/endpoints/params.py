"""Parameters as text: their specifications (`specs`), and validation of a query into `Params` (`parse`).

Every error is one `InvalidParams` that names the parameter and the rule.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from webquarry.core.errors import InvalidParams
from webquarry.core.parsed_text import Codes, ParsedText, Url
from webquarry.core.spelling import find_meant
from webquarry.core.types import Domain
from webquarry.endpoints.declare import FORMATS, Format, Params

Kind = Literal["string", "integer", "boolean"]
P = TypeVar("P", bound=Params)

_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_AROUND = (
    "".join(sign for sign in map(chr, range(0x3001)) if sign.isspace())
    + "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
"""Characters stripped from both ends of a value, because pasted text often contains them: spaces, zero-width spaces and
directional marks.
"""
_BOOLEANS = ("true", "false")


@dataclass(frozen=True, slots=True)
class ParamSpec:
    """A parameter as every interface shows it. A rule that does not apply is None.

    `format` is the text's format (`uri`, `domain`). `pattern` is in ECMA-262 syntax; `rule` is the same in words.
    `empty` is the meaning of an empty value. `several` are the names allowed in a comma-separated list. `codes` is the
    kind of standard code that the text is, or begins with.
    """

    name: str
    type: Kind
    description: str
    required: bool
    default: str | int | bool | None = None
    enum: tuple[str, ...] | None = None
    min: int | None = None
    max: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
    rule: str | None = None
    empty: str | None = None
    example: str | None = None
    several: tuple[str, ...] = ()
    codes: Codes | None = None


FORMAT = ParamSpec(
    name="format",
    type="string",
    description="Fields to return: `json` returns `data`, `markdown` returns `markdown`, `both` returns both.",
    required=False,
    default="both",
    enum=FORMATS,
)


@lru_cache(maxsize=256)
def specs(params: type[Params]) -> tuple[ParamSpec, ...]:
    """Return the declared parameters in order, without the common `format`."""
    return tuple(_spec(name, info) for name, info in params.model_fields.items())


def parse(params: type[P], given: Sequence[tuple[str, str]], also: Sequence[str] = ()) -> P:
    """Return the typed parameters for a query given as pairs of text.

    Raises InvalidParams for an unknown, repeated or missing parameter, an empty value, a wrong type, bound, length,
    pattern or choice, or unless exactly one of each `one_of` group is given. `also` are additional names that errors
    may suggest.
    """
    known = {spec.name: spec for spec in specs(params)}
    values = {name: _value(known[name], text) for name, text in single(given, known, also).items()}
    for group in params.one_of:
        present = [name for name in group if name in values]
        if len(present) != 1:
            found = "none was set" if not present else f"{_names(present)} were set"
            raise InvalidParams(f"Exactly one of {_names(group)} is required; {found}.")
    for name, spec in known.items():
        if spec.required and name not in values:
            raise InvalidParams(f"Parameter '{name}' is required: {spec.description}", parameter=name)
    try:
        return params.model_validate(values)
    except ValidationError as exc:
        raise _explain(exc, known) from exc


def split_format(given: Sequence[tuple[str, str]]) -> tuple[list[tuple[str, str]], Format]:
    """Return the query without `format`, and the requested format."""
    rest = [(name, text) for name, text in given if name != FORMAT.name]
    chosen = [text for name, text in given if name == FORMAT.name]
    if len(chosen) > 1:
        raise InvalidParams(f"Parameter 'format' was sent {len(chosen)} times; send it once.")
    if not chosen:
        return rest, "both"
    for known in FORMATS:
        if chosen[0].strip() == known:
            return rest, known  # type: ignore[return-value]  # FORMATS contains the values of Format
    raise InvalidParams(f"Parameter 'format' must be one of {', '.join(FORMATS)}.")


def single(given: Sequence[tuple[str, str]], known: Mapping[str, Any], also: Sequence[str] = ()) -> dict[str, str]:
    """Return each parameter's trimmed value. Raises InvalidParams for a repeated or unknown parameter."""
    seen: dict[str, str] = {}
    for name, text in given:
        if name not in known:
            meant = find_meant(name, [*known, FORMAT.name, *also])
            hint = f"did you mean '{meant}'?" if meant else f"{_name_known(known)}."
            raise InvalidParams(f"Unknown parameter '{shown(name)}'; {hint}")
        if name in seen:
            raise InvalidParams(f"Parameter '{name}' was sent more than once; send it once.")
        seen[name] = text.strip(_AROUND)
    return seen


def _name_known(known: Mapping[str, Any]) -> str:
    return (
        f"valid parameters are {_names([*known, FORMAT.name])}"
        if known
        else f"the only valid parameter is '{FORMAT.name}'"
    )


def _value(spec: ParamSpec, text: str) -> str | int | bool:
    if text == "" and spec.empty is None:
        remedy = "it needs a value" if spec.required else "omit it or set a value"
        raise InvalidParams(f"Parameter '{spec.name}' is empty; {remedy}.", parameter=spec.name)
    if _CONTROL.search(text):
        raise InvalidParams(f"Parameter '{spec.name}' must not contain control characters.", parameter=spec.name)
    if spec.type == "integer":
        if not _INTEGER.fullmatch(text):
            raise InvalidParams(f"Parameter '{spec.name}' must be a whole number{_range(spec)}.", parameter=spec.name)
        return int(text)
    if spec.type == "boolean" or spec.enum == _BOOLEANS:  # the specification may have either form
        word = text.lower()
        if word not in _BOOLEANS:
            raise InvalidParams(f"Parameter '{spec.name}' must be true or false.", parameter=spec.name)
        return word == "true" if spec.type == "boolean" else word
    return text


def _explain(exc: ValidationError, known: Mapping[str, ParamSpec]) -> InvalidParams:
    fault = exc.errors(include_url=False)[0]
    name = str(fault["loc"][0]) if fault["loc"] else ""
    if name not in known:  # a rule about several parameters, whose message comes from the declaration
        return InvalidParams(_sentence(str(fault.get("ctx", {}).get("error", fault["msg"]))))
    spec = known[name]
    match fault["type"]:
        case "greater_than_equal" | "less_than_equal":
            rule = f"must be a whole number{_range(spec)}"
        case "string_too_long":
            rule = f"must be at most {spec.max_length} characters"
        case "literal_error":
            rule = f"must be one of {', '.join(spec.enum or ())}"
        case "value_error":
            rule = str(fault["ctx"]["error"])
        case "string_pattern_mismatch":
            rule = spec.rule or f"must match {spec.pattern}"
        case _:
            rule = f"is not valid: {fault['msg']}"
    return InvalidParams(_sentence(f"Parameter '{name}' {rule}"), parameter=name)


_KINDS: Mapping[Any, Kind] = {int: "integer", bool: "boolean"}
_FORMATS: Mapping[Any, str] = {Url: "uri", Domain: "domain"}


def _read_rules(info: FieldInfo, annotation: Any) -> dict[str, Any]:
    """Return the bounds of a parameter. Bounds in its declaration take precedence over bounds of its type."""
    rules = {
        key: getattr(m, key)
        for m in info.metadata
        for key in ("ge", "le", "max_length", "pattern", "codes")
        if hasattr(m, key)
    }
    if isinstance(annotation, type) and issubclass(annotation, ParsedText):
        traits = annotation.traits
        return {"max_length": traits.get("maxLength"), "pattern": traits.get("pattern"), **rules}
    return rules


def _spec(name: str, info: FieldInfo) -> ParamSpec:
    annotation = _without_none(info.annotation)
    rules = _read_rules(info, annotation)
    examples = info.examples or []
    return ParamSpec(
        name=name,
        type=_KINDS.get(annotation, "string"),
        description=info.description or "",
        required=info.is_required(),
        default=None if info.is_required() else info.default,
        enum=tuple(map(str, get_args(annotation))) if get_origin(annotation) is Literal else None,
        min=rules.get("ge"),
        max=rules.get("le"),
        max_length=rules.get("max_length"),
        pattern=rules.get("pattern"),
        format=_FORMATS.get(annotation),
        rule=_extra(info, "rule") or getattr(annotation, "rule", "") or None,
        empty=_extra(info, "empty"),
        example=examples[0] if examples else getattr(annotation, "example", None),
        several=getattr(annotation, "several", ()),
        codes=rules.get("codes") or getattr(annotation, "codes", None),
    )


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        rest = [part for part in get_args(annotation) if part is not type(None)]
        return rest[0] if len(rest) == 1 else annotation
    return annotation


def _extra(info: FieldInfo, name: str) -> str | None:
    value = info.json_schema_extra.get(f"x-{name}") if isinstance(info.json_schema_extra, dict) else None
    return str(value) if value is not None else None


def _range(spec: ParamSpec) -> str:
    if spec.min is not None and spec.max is not None:
        return f" from {spec.min} to {spec.max}"
    if spec.min is not None:
        return f", {spec.min} or more"
    return f" up to {spec.max}" if spec.max is not None else ""


def _names(names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def shown(name: str) -> str:
    """Return a caller's text in a short and printable form for a message."""
    return _printable(name[:64])


def _sentence(text: str) -> str:
    return _printable(text if text.endswith((".", "?")) else f"{text}.")


def _printable(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)
