"""Pure functions that render typed values as markdown for readers with a token budget."""

from webquarry.render.md import Bold, Line, Link, Md, Piece, Value

__all__ = ["Bold", "Line", "Link", "Md", "Piece", "Value"]
