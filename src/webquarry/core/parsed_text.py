"""Texts of some form, brought into one spelling: what parameters may be declared as."""

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from webquarry.core.urls import MAX_URL, normalise_url


class ParsedText(str):
    """A text of some form, brought into one spelling: what a parameter may be declared as.

    Three lines declare one, by a pattern that the whole text has to match or by a function that gives its spelling and
    raises ValueError where it has none, with a sentence (without its subject: "must be …") or without:

        class ItemId(ParsedText, pattern="[a-p]{32}", called="32 letters from a to p", example="…"):
            \"""An item by its id.\"""

        class Handle(ParsedText, spell=_handle, pattern="@?[A-Za-z0-9_]{1,20}", called="a handle such as nasa"): ...

    pattern: also of the JSON schema, so in the syntax of ECMA-262 and Python both. called: what it is, for the sentence
    of who writes another ("must be 32 letters from a to p, for example …"). max_length: of the text as written.
    A class may instead have a `parse` of its own, and `traits`: what its JSON schema says beside that it is a text.
    """

    __slots__ = ()
    traits: ClassVar[Mapping[str, Any]] = {}
    rule: ClassVar[str] = ""
    example: ClassVar[str | None] = None
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
        """ValueError with a sentence when the text has not this form."""
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
    """A normalised http or https address (see `urls.normalise_url`)."""

    __slots__ = ()
    traits = {"format": "uri", "maxLength": MAX_URL}  # noqa: RUF012  # never changed

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(normalise_url(text))


def build_text_schema(parse: Callable[[str], Any]) -> CoreSchema:
    """Validate from text with `parse`, serialise as `str()`."""
    return core_schema.no_info_after_validator_function(
        parse, core_schema.str_schema(), serialization=core_schema.to_string_ser_schema()
    )
