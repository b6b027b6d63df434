"""Formulas from Word and OpenDocument, written as TeX."""

import pytest

from webquarry_convert.file import xml
from webquarry_convert.file.text.formula import convert_mathml, convert_omml

M = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def office(content: str) -> str:
    return convert_omml(xml.parse(f'<m:oMath xmlns:m="{M}">{content}</m:oMath>'.encode()))


def mathml(content: str) -> str:
    return convert_mathml(xml.parse(f'<math xmlns="http://www.w3.org/1998/Math/MathML">{content}</math>'.encode()))


def r(text: str, properties: str = "") -> str:
    return f"<m:r><m:rPr>{properties}</m:rPr><m:t>{text}</m:t></m:r>"


def e(text: str) -> str:
    return f"<m:e>{r(text)}</m:e>"


def val(name: str, value: str) -> str:
    return f'<m:{name} m:val="{value}"/>'


X = r("x")
HALF = f"<m:f><m:num>{r('1')}</m:num><m:den>{r('2')}</m:den></m:f>"


@pytest.mark.parametrize(
    ("content", "tex"),
    [
        (r("a+b"), "a+b"),
        (r("α≤β"), "\\alpha\\leq\\beta"),
        (r("πr"), "\\pi r"),
        (r("50% &amp; {x}_1"), "50\\% \\& \\{x\\}\\_1"),
        (r("ℝ"), "\\mathbb{R}"),
        (r("𝑥"), "x"),
        (r("for all", val("nor", "1")), "\\text{for all}"),
        (r("A", val("scr", "double-struck")), "\\mathbb{A}"),
        (r("v", val("sty", "b")), "\\mathbf{v}"),
        (HALF, "\\frac{1}{2}"),
        (HALF.replace("<m:f>", f"<m:f><m:fPr>{val('type', 'lin')}</m:fPr>"), "1/2"),
        (f"<m:sSup>{e('x')}<m:sup>{r('2')}</m:sup></m:sSup>", "x^{2}"),
        (f"<m:sSup><m:e>{HALF}</m:e><m:sup>{r('2')}</m:sup></m:sSup>", "{\\frac{1}{2}}^{2}"),
        (f"<m:sSub>{e('ab')}<m:sub>{r('i')}</m:sub></m:sSub>", "{ab}_{i}"),
        (f"<m:sSubSup>{e('x')}<m:sub>{r('i')}</m:sub><m:sup>{r('2')}</m:sup></m:sSubSup>", "x_{i}^{2}"),
        (f"<m:sPre><m:sub>{r('6')}</m:sub><m:sup>{r('12')}</m:sup>{e('C')}</m:sPre>", "{}_{6}^{12}C"),
        (f"<m:rad><m:radPr>{val('degHide', '1')}</m:radPr><m:deg/>{e('x')}</m:rad>", "\\sqrt{x}"),
        (f"<m:rad><m:deg>{r('3')}</m:deg>{e('x')}</m:rad>", "\\sqrt[3]{x}"),
        (
            f"<m:nary><m:naryPr>{val('chr', '∑')}</m:naryPr><m:sub>{r('i=1')}</m:sub>"
            f"<m:sup>{r('n')}</m:sup>{e('i')}</m:nary>",
            "\\sum_{i=1}^{n}i",
        ),
        (f"<m:nary><m:sub>{r('0')}</m:sub><m:sup>{r('1')}</m:sup>{e('f')}</m:nary>", "\\int_{0}^{1}f"),
        (
            f"<m:nary><m:naryPr>{val('supHide', '1')}</m:naryPr><m:sub/><m:sup>{r('n')}</m:sup>{e('f')}</m:nary>",
            "\\int f",
        ),
        (f"<m:d>{e('x')}</m:d>", "(x)"),
        (f"<m:d><m:e>{HALF}</m:e></m:d>", "\\left(\\frac{1}{2}\\right)"),
        (
            f"<m:d><m:dPr>{val('begChr', '[')}{val('endChr', ')')}{val('sepChr', ',')}</m:dPr>{e('a')}{e('b')}</m:d>",
            "[a,b)",
        ),
        (
            f"<m:d><m:dPr>{val('begChr', '{')}{val('endChr', '')}</m:dPr><m:e>{HALF}</m:e></m:d>",
            "\\left\\{\\frac{1}{2}\\right.",
        ),
        (
            f"<m:m><m:mr>{e('a')}{e('b')}</m:mr><m:mr>{e('c')}{e('d')}</m:mr></m:m>",
            "\\begin{matrix}a & b \\\\ c & d\\end{matrix}",
        ),
        (f"<m:d><m:e><m:m><m:mr>{e('a')}</m:mr></m:m></m:e></m:d>", "\\begin{pmatrix}a\\end{pmatrix}"),
        (f"<m:eqArr>{e('x&amp;=1')}{e('y&amp;=2')}</m:eqArr>", "\\begin{aligned}x=1 \\\\ y=2\\end{aligned}"),
        (
            f"<m:d><m:dPr>{val('begChr', '{')}{val('endChr', '')}</m:dPr><m:e><m:eqArr>{e('a')}{e('b')}</m:eqArr></m:e>"
            "</m:d>",
            "\\begin{cases}a \\\\ b\\end{cases}",
        ),
        (f"<m:func><m:fName>{r('sin')}</m:fName>{e('x')}</m:func>", "\\sin x"),
        (f"<m:func><m:fName>{r('foo')}</m:fName>{e('x')}</m:func>", "\\operatorname{foo} x"),
        (f"<m:limLow>{e('lim')}<m:lim>{r('x→0')}</m:lim></m:limLow>", "\\lim_{x\\to 0}"),
        (f"<m:limUpp>{e('=')}<m:lim>{r('def')}</m:lim></m:limUpp>", "\\overset{def}{=}"),
        (f"<m:acc>{e('x')}</m:acc>", "\\hat{x}"),
        (f"<m:acc><m:accPr>{val('chr', '&#x20D7;')}</m:accPr>{e('v')}</m:acc>", "\\vec{v}"),
        (f"<m:bar><m:barPr>{val('pos', 'top')}</m:barPr>{e('z')}</m:bar>", "\\overline{z}"),
        (f"<m:groupChr>{e('a')}</m:groupChr>", "\\underbrace{a}"),
        (f"<m:borderBox>{e('a')}</m:borderBox>", "\\boxed{a}"),
        (f"<m:phant><m:phantPr>{val('show', '0')}</m:phantPr>{e('a')}</m:phant>{X}", "x"),
        ("", ""),
    ],
)
def test_word_formulas_are_converted_to_tex(content: str, tex: str) -> None:
    assert office(content) == tex


@pytest.mark.parametrize(
    ("content", "tex"),
    [
        ("<mrow><mi>x</mi><mo>=</mo><mn>1.5</mn></mrow>", "x=1.5"),
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", "\\frac{a}{b}"),
        (
            '<mrow><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>',
            "(\\genfrac{}{}{0pt}{}{n}{k})",
        ),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>", "\\sqrt{a+b}"),
        ("<mroot><mi>a</mi><mn>3</mn></mroot>", "\\sqrt[3]{a}"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_{i}^{2}"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", "\\sum_{i}^{n}"),
        ("<munder><mi>lim</mi><mi>n</mi></munder>", "\\lim_{n}"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "\\bar{x}"),
        ("<mover><mi>x</mi><mi>y</mi></mover>", "\\overset{y}{x}"),
        (
            "<mrow><mo>[</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr></mtable><mo>]</mo></mrow>",
            "\\begin{bmatrix}a & b\\end{bmatrix}",
        ),
        ('<mfenced open="[" close="]" separators=";"><mi>a</mi><mi>b</mi></mfenced>', "[a;b]"),
        ("<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>12</mn></mmultiscripts>", "{}_{6}^{12}C"),
        ("<mi>speed</mi>", "\\mathrm{speed}"),
        ("<mtext>if so</mtext>", "\\text{if so}"),
        ('<semantics><mi>x</mi><annotation encoding="StarMath 5.0">x over y</annotation></semantics>', "x"),
        ("<mfrac/>", "\\frac{}{}"),
    ],
)
def test_mathml_is_converted_to_tex(content: str, tex: str) -> None:
    assert mathml(content) == tex


def test_deeply_nested_formulas_need_no_recursion() -> None:
    """The depth is the maximum that the parser allows."""
    deep = "<m:sSup><m:e>" * 90 + X + "</m:e></m:sSup>" * 90
    assert office(deep) == "x"
