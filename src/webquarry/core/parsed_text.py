"""Validated strings with one normalized spelling, for parameters."""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from webquarry.core.urls import MAX_URL, normalise_url

Codes = Literal["country", "language"]
"""Kinds of standard codes: ISO 3166-1 countries, BCP 47 languages."""


class ParsedText(str):
    """A validated text with one normalized spelling, used as a parameter's type.

    Three lines declare one. The form is defined by a pattern that the whole text must match, or by a function that
    returns the normalized spelling or raises ValueError. The error's message is empty, or a sentence without its
    subject ("must be …"):

            class ItemId(ParsedText, pattern="[a-p]{32}", called="32 letters from a to p", example="…"):
                \"""An item by its id.\"""

            class Handle(ParsedText, spell=_handle, pattern="@?[A-Za-z0-9_]{1,20}", called="a handle such as nasa"): ...

    `pattern` also goes into the JSON schema, so it must be valid in both ECMA-262 and Python. `called` describes the
    form in error messages ("must be 32 letters from a to p, for example …"). `max_length` limits the text before
    normalization.

    A class may instead define `parse`, and `traits` with additional keywords of the JSON schema. For web forms, it may
    define `codes`, the kind of its standard codes, or `several`, the names allowed in its comma-separated list.
    """

    __slots__ = ()
    traits: ClassVar[Mapping[str, Any]] = {}
    rule: ClassVar[str] = ""
    example: ClassVar[str | None] = None
    codes: ClassVar[Codes | None] = None
    several: ClassVar[tuple[str, ...]] = ()
    _pattern: ClassVar[re.Pattern[str] | None] = None
    _spell: ClassVar[Callable[[str], str]] = str

    def __init_subclass__(
        cls,
        *,
        pattern: str | None = None,
        spell: Callable[[str], str] | None = None,
        called: str | None = None,
        example: str | None = None,
        max_length: int | None = None,
        **others: Any,
    ) -> None:
        super().__init_subclass__(**others)
        if called is not None:
            cls.rule = f"must be {called}" + (f", for example {example}" if example else "")
        if pattern is not None:
            cls._pattern = re.compile(pattern, re.ASCII)
        if spell is not None:
            cls._spell = staticmethod(spell)
        traits = {
            "pattern": None if pattern is None else f"^(?:{pattern})$" if "|" in pattern else f"^{pattern}$",
            "maxLength": max_length,
        }
        cls.example = example or cls.example
        cls.traits = {**cls.traits, **{name: value for name, value in traits.items() if value is not None}}

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the text. Raises ValueError with a sentence if it does not have this form."""
        longest = cls.traits.get("maxLength", MAX_URL)
        if len(text) > longest or (cls._pattern is not None and not cls._pattern.fullmatch(text)):
            raise ValueError(cls.rule or f"must have at most {longest} characters")
        try:
            return cls(cls._spell(text))
        except ValueError as exc:
            raise ValueError(str(exc) or cls.rule) from exc

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return build_text_schema(cls.parse)

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"type": "string", **cls.traits}


class Url(ParsedText):
    """A normalized http or https URL (see `urls.normalise_url`)."""

    __slots__ = ()
    traits = {"format": "uri", "maxLength": MAX_URL}  # noqa: RUF012  # never modified

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(normalise_url(text))


def build_text_schema(parse: Callable[[str], Any]) -> CoreSchema:
    """Return a schema that validates text with `parse` and serializes with `str()`."""
    return core_schema.no_info_after_validator_function(
        parse, core_schema.str_schema(), serialization=core_schema.to_string_ser_schema()
    )
