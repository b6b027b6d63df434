"""Formulas of office documents as TeX: Word's own form (OMML) and MathML, which OpenDocument embeds.

Both are read from the innermost element outwards, without recursion; `tex` writes what both know.
"""

from webquarry_convert.file.text.formula.mathml import convert_mathml
from webquarry_convert.file.text.formula.omml import convert_omml

__all__ = ["convert_mathml", "convert_omml"]
