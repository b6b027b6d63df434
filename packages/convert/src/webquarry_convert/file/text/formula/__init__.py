"""Formulas of office documents as TeX: Word's own form (OMML) and MathML, which OpenDocument embeds.

Both are read from the innermost element outwards, without recursion; `webquarry_convert.formula.tex` writes what both
know.
"""

from webquarry_convert.file.text.formula.omml import convert_omml
from webquarry_convert.formula import convert_mathml

__all__ = ["convert_mathml", "convert_omml"]
