"""TeX commands for mathematical signs."""

from typing import Final
from unicodedata import normalize

_GREEK: Final = """
    α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu
    µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega
    Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega
"""
_OPERATORS: Final = """
    ± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∗ ast ∘ circ ∙ bullet ⊕ oplus ⊗ otimes ⊖ ominus ⊙ odot † dagger ∩ cap ∪ cup
    ≤ leq ≥ geq ≠ neq ≡ equiv ≈ approx ≅ cong ≃ simeq ∼ sim ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ ∥ parallel ⊥ perp
    ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∅ emptyset ∖ setminus
    ∧ wedge ∨ vee ¬ neg ∀ forall ∃ exists ∄ nexists ⊢ vdash ⊨ models ∴ therefore ∵ because ⊤ top
    → to ← leftarrow ↑ uparrow ↓ downarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto
    ⟶ longrightarrow ⟵ longleftarrow ⟹ Longrightarrow ⟺ Longleftrightarrow ⇌ rightleftharpoons
    ∞ infty ∂ partial ∇ nabla ∆ Delta ℏ hbar ℓ ell ℜ Re ℑ Im ℘ wp ℵ aleph ∠ angle △ triangle □ square ⋆ star
    … ldots ⋯ cdots ⋮ vdots ⋱ ddots ′ prime ″ prime\\prime ° circ ⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌊ lfloor
    ⌋ rfloor ⌈ lceil ⌉ rceil ‖ Vert √ surd ∣ mid
"""
_LARGE: Final = """
    ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ∯ oiint ⋂ bigcap ⋃ bigcup ⋀ bigwedge ⋁ bigvee ⨁ bigoplus
    ⨂ bigotimes ⨀ bigodot
"""
_BOARD: Final = "ℂC ℍH ℕN ℙP ℚQ ℝR ℤZ"
_ACCENTS: Final = {
    "\u0302": "hat", "^": "hat", "\u02c6": "hat", "\u0303": "tilde", "~": "tilde", "\u02dc": "tilde",
    "\u0304": "bar", "\u00af": "bar", "\u0305": "overline", "\u203e": "overline", "\u0307": "dot", "\u02d9": "dot",
    "\u0308": "ddot", "\u00a8": "ddot", "\u20db": "dddot", "\u20d7": "vec", "\u2192": "vec", "\u0301": "acute",
    "\u00b4": "acute", "\u0300": "grave", "`": "grave", "\u0306": "breve", "\u02d8": "breve", "\u030c": "check",
    "\u02c7": "check", "\u20d6": "overleftarrow", "\u20e1": "overleftrightarrow", "\u23de": "overbrace",
    "\u23df": "underbrace", "\u0332": "underline", "_": "underline",
}  # fmt: skip
_FUNCTION_NAMES: Final = """
    sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log ln lg exp lim limsup liminf max min sup inf det
    dim ker gcd deg arg hom Pr
"""
FUNCTIONS: Final = frozenset(_FUNCTION_NAMES.split())
WITH_LIMITS: Final = frozenset({"lim", "limsup", "liminf", "max", "min", "sup", "inf", "det", "gcd", "Pr"})
_ESCAPED: Final = {
    "\\": "\\backslash", "{": "\\{", "}": "\\}", "$": "\\$", "%": "\\%", "#": "\\#", "&": "\\&", "_": "\\_",
    "~": "\\sim", "^": "\\hat{}", "`": "'", "\u2212": "-", "\u2010": "-", "\u2013": "-", "\u2032\u2032": "''",
    "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "", "\u00a0": " ", "\u2044": "/", "\u2215": "/",
    "\u2217": "*", "\u2236": ":", "\u00b0": "^{\\circ}", "\n": " ", "\r": " ", "\t": " ",
}  # fmt: skip


def _read_pairs(table: str) -> dict[str, str]:
    words = table.split()
    return {sign: f"\\{name}" for sign, name in zip(words[::2], words[1::2], strict=True)}


LARGE: Final = _read_pairs(_LARGE)
"""Operators that precede their operand, such as sums and integrals."""
_KNOWN: Final = {
    **_read_pairs(_GREEK),
    **_read_pairs(_OPERATORS),
    **LARGE,
    **{pair[0]: f"\\mathbb{{{pair[1]}}}" for pair in _BOARD.split()},
    **_ESCAPED,
}


def translate_signs(text: str) -> list[str]:
    """Return the TeX of each sign in a text."""
    found: list[str] = []
    for sign in text:
        if sign.isascii() and sign.isalnum():
            found.append(sign)
            continue
        known = _KNOWN.get(sign)
        if known is None and ord(sign) >= 0x1D400:  # the sign is a mathematical alphanumeric letter
            plain = normalize("NFKC", sign)
            known = _KNOWN.get(plain, plain)
        found.append(sign if known is None else known)
    return found


def find_accent(sign: str) -> str | None:
    """Return the command that places a sign over or under its argument, or None if the sign is not an accent."""
    return _ACCENTS.get(sign)
