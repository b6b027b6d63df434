"""Text documents with characters that are easily lost: raised, hidden, special in markdown, formulas, check boxes."""

from random import Random

from corpora.office.flat import draw_frame, paragraph
from corpora.office.texts import Text
from corpora.printed import words

_FORMULA = (
    "<draw:object><math:math><math:semantics><math:mrow>{}</math:mrow>"
    '<math:annotation math:encoding="StarMath 5.0">{}</math:annotation></math:semantics></math:math></draw:object>'
)


def _wear(style: str, text: str) -> str:
    return f'<text:span text:style-name="{style}">{text}</text:span>'


_LINK = '<text:a xlink:type="simple" xlink:href="https://example.org/a?b=1&amp;c=2">the list</text:a>'
_SIGNS = (
    (f"an area of 14 m{_wear('Up', '2')} in all", "an area of 14 m2 in all", r"14 m(?:²|\^\{?2|<sup>2)"),
    (f"with H{_wear('Down', '2')}O added", "with H2O added", r"H(?:₂|_\{?2|<sub>2|2)O"),
    (f"10{_wear('Up', '−3')} of it", "10−3 of it", r"10(?:⁻³|\^\{?[-−]3|<sup>[-−]3)"),
    ("the con\u00adtrac\u00adtor\u00adship ends", "the contractorship ends", "the contractorship ends"),
    ("10\u00a0000\u00a0km away", "10 000 km away", r"10\s000\s?km away"),
    (f"{_wear('Capitals', 'Lindqvist')} wrote it", "Lindqvist wrote it", "Lindqvist|LINDQVIST"),
    (f"see {_LINK} there", "see the list there", r"\[the list\]\(<?https://example\.org/a\?b=1&c=2>?\)"),
    ('co<text:s text:c="3"/>operate', "co operate", r"co\s+operate"),
    (f"5 {_wear('Bold', 'bold')}{_wear('Bold', 'face')} words", "5 boldface words", r"5 \*\*boldface\*\* words"),
    ("2 * 3 * 4 and a_b and #1", "2 * 3 * 4 and a_b and #1", r"2 \\?\* ?3 \\?\* ?4 and a\\?_b and \\?#1"),
    ("if a &lt; b &amp; c &gt; d", "if a < b & c > d", r"if a (?:\\?<|&lt;) b (?:&amp;|&) c (?:\\?>|&gt;) d"),
)
"""Markup, visible text, and a pattern of the text's possible forms in markdown."""


def make_signs(draw: Random) -> Text:
    """Make a text with super- and subscripts, formulas, hidden text, soft hyphens, no-break spaces, links and check
    boxes.
    """
    text = Text(draw)
    text.heading(1, words.phrase(draw, 2, 3))
    for markup, shown, pattern in draw.sample(_SIGNS, 7):
        before, after = words.sentence(draw).rstrip("."), words.sentence(draw)
        text.body.append(paragraph(f"{before}, {markup}. {after}"))
        text.text.append(f"{before}, {shown}. {after}")
        text.match(pattern)
    unseen = f"{words.name(draw)} {words.amount(draw)} {words.name(draw)}"
    seen = words.sentence(draw)
    text.body.append(paragraph(f'{seen}<text:span text:style-name="Unseen"> {unseen}</text:span>'))
    text.text.append(seen)
    text.deny(unseen)
    top, below = draw.randint(2, 9), draw.randint(10, 99)
    fraction = f"<math:mfrac><math:mn>{top}</math:mn><math:mn>{below}</math:mn></math:mfrac>"
    formula = draw_frame(
        _FORMULA.format(fraction, f"{{{top}}} over {{{below}}}"), "0 0 1 1", kind='text:anchor-type="as-char"'
    )
    text.body.append(paragraph(f"The share is {formula} of all."))
    text.text.append(f"The share is {top}/{below} of all.")
    text.match(rf"\\frac\s*\{{{top}\}}\s*\{{{below}\}}|{top}\s?[/⁄]\s?{below}")
    options = [words.phrase(draw, 1, 2) for _ in range(3)]
    chosen = draw.randrange(3)
    text.lines([f"{'☒' if place == chosen else '☐'} {option}" for place, option in enumerate(options)])
    text.match(rf"(?:☒|\[[xX]\])\s*{options[chosen]}")
    return text
