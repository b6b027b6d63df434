"""MathML as TeX: what OpenDocument embeds and what pages hold. Read from the innermost element outwards."""

from webquarry_convert.formula.mathml import MATHML, convert_mathml

__all__ = ["MATHML", "convert_mathml"]
