"""Typed values into markdown for a reader with a token budget. Pure."""

from webquarry.render.md import Bold, Line, Link, Md, Piece, Value

__all__ = ["Bold", "Line", "Link", "Md", "Piece", "Value"]
