"""Conversion of formulas to TeX: MathML from OpenDocument files and pages, converted from the innermost
element outwards.
"""

from webquarry_convert.formula.mathml import MATHML, convert_mathml

__all__ = ["MATHML", "convert_mathml"]
