"""Generated training pages: the even seeds of `corpora.sites`.

Their content is known because it was generated first.
"""

from collections.abc import Iterator, Sequence

from corpora.sites.kinds import KINDS, make_page
from corpora.sites.page import Truth

from training.pages import MADE, Page, lay_out
from training.tokens import tokens

SEEDS = range(0, 32, 2)


def read_made() -> Iterator[Page]:
    """Read the generated pages.

    Each kind counts as a host: out of fold, a page is judged by weights that were trained without pages of its kind.
    """
    for kind in KINDS:
        for seed in SEEDS:
            made = make_page(kind, seed)
            page = lay_out(f"{MADE}/{kind}/{seed}", MADE, made.url, None, made.html)
            page.truth = [token for text in made.truth.content for token in tokens(text)]
            page.shares = _measure_shares(page.texts, made.truth)
            yield page


def _measure_shares(texts: Sequence[Sequence[str]], truth: Truth) -> list[float]:
    """Return the share of each text's tokens that are content."""
    said = [*truth.content, *truth.headings, *truth.codes, *(text for _, text in truth.items)]
    content = sorted({_join(text) for text in said} - {""}, key=len, reverse=True)
    furniture = {_join(text) for text in truth.furniture}
    return [_measure_share(" ".join(text), content, furniture) for text in texts]


def _measure_share(text: str, content: Sequence[str], furniture: set[str]) -> float:
    if not text or (text in furniture and text not in content):
        return 0.0
    rest, found = f" {text} ", 0
    for each in content:
        if f" {text} " in f" {each} ":
            return 1.0
        if f" {each} " in rest:
            found += each.count(" ") + 1
            rest = rest.replace(f" {each} ", " | ", 1)
    return min(1.0, found / (text.count(" ") + 1))


def _join(text: str) -> str:
    return " ".join(tokens(text))
