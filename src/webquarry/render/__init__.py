"""Typed values into markdown for a reader with a token budget. Pure."""

from webquarry.render.md import Md, Value

__all__ = ["Md", "Value"]
