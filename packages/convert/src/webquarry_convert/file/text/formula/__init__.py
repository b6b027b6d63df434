"""Conversion of formulas in office documents to TeX.

The formulas are in Word's format (OMML) or in MathML, which OpenDocument embeds.

Both are converted from the innermost elements outwards, without recursion, and share `webquarry_convert.formula.tex`.
"""

from webquarry_convert.file.text.formula.omml import convert_omml
from webquarry_convert.formula import convert_mathml

__all__ = ["convert_mathml", "convert_omml"]
