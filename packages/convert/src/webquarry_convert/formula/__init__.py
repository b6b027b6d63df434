"""Conversion of formulas to TeX.

The source is MathML from OpenDocument files and pages. It is converted from the innermost elements outwards.
"""

from webquarry_convert.formula.mathml import MATHML, convert_mathml

__all__ = ["MATHML", "convert_mathml"]
