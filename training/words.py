# mypy: disable-error-code="import-not-found, import-untyped"
# (the packages for training are installed separately)
"""Weights of words (names of elements, beginnings of texts, signs of kinds) by logistic regression."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression

from training.pages import FOLDS, Page
from webquarry_convert.page.content.names import collect_words
from webquarry_convert.page.content.wording import get_first_words
from webquarry_convert.page.kind import KINDS, collect_signs

Weights = dict[str, int]
Kinds = dict[str, list[float]]
STEPS = 16
"""Number of steps per unit for the weights of names and wording. The sums of these weights are inputs of the forest."""
LEAST = 0.03
"""Minimum absolute weight of kinds. Smaller weights are dropped."""
KIND_WEIGHTS = {"documentation": 2.0, "forum": 1.5, "product": 5.0, "listing": 4.0, "collection": 5.0, "service": 2.0}


class Sample:
    """The words of each block of each page, limited to words that enough hosts use."""

    def __init__(self, pages: Sequence[Page], words: Sequence[list[set[str]]], hosts: int, longest: int) -> None:
        self.vocabulary = _vocabulary(pages, [set().union(*rows) for rows in words], hosts)
        rows: list[int] = []
        columns: list[int] = []
        shares: list[float] = []
        weights: list[float] = []
        folds: list[int] = []
        for page, texts in zip(pages, words, strict=True):
            whole = max(len(page.truth), sum(map(len, page.texts)) / 4)
            for found, share, text in zip(texts, page.shares, page.texts, strict=True):
                if text:
                    known = [self.vocabulary[word] for word in found if word in self.vocabulary]
                    columns += known
                    rows += [len(shares)] * len(known)
                    shares.append(share)
                    weights.append((min(len(text), longest) + 1) / whole)
                    folds.append(page.fold)
        self.present = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(shares), len(self.vocabulary)))
        self.shares, self.weights, self.folds = np.array(shares), np.array(weights), np.array(folds)

    def fitted(self, left_out: int | None, strength: float) -> Weights:
        """Return the weights trained on all folds except one. strength: inverse regularization."""
        taken = self.folds != left_out if left_out is not None else np.ones(len(self.folds), bool)
        present, shares, weights = self.present[taken], self.shares[taken], self.weights[taken]
        answers = np.r_[np.ones(len(shares)), np.zeros(len(shares))]
        importance = np.r_[weights * shares, weights * (1 - shares)]
        counted = importance > 1e-6
        model = LogisticRegression(C=strength, max_iter=150)
        model.fit(vstack([present, present])[counted], answers[counted], sample_weight=importance[counted])
        steps = {word: round(STEPS * float(model.coef_[0][place])) for word, place in self.vocabulary.items()}
        return {word: weight for word, weight in steps.items() if weight and not word.startswith("\0")}


def names_sample(pages: Sequence[Page]) -> Sample:
    """Return a sample of each block with the words of all elements around it."""
    found = []
    for page in pages:
        paths: dict[int, set[str]] = {-1: set()}
        for place, node in enumerate(page.blocks.tree):  # parents precede their children
            paths[place] = paths[node.up] | collect_words(node)
        found.append([paths[block.place] for block in page.blocks.all])
    return Sample(pages, found, hosts=8, longest=1_000_000)


def wording_sample(pages: Sequence[Page]) -> Sample:
    """Return a sample of each block with its first words.

    The block's length is added as a word, which prevents real words from becoming proxies for it.
    """
    found = [
        [
            {*get_first_words(block.text), f"\0{min(len(text), 12)}"}
            for block, text in zip(page.blocks.all, page.texts, strict=True)
        ]
        for page in pages
    ]
    return Sample(pages, found, hosts=25, longest=12)


def fit_kinds(pages: Sequence[Page], left_out: int | None) -> Kinds:
    """Return the weights of signs for each kind. Pages of unknown kind are skipped."""
    known = [page for page in pages if _kind(page) in KINDS and page.fold != left_out]
    found = [collect_signs(page.places, page.url) for page in known]
    vocabulary = _vocabulary(known, found, hosts=5)
    rows = [row for row, present in enumerate(found) for word in present if word in vocabulary]
    columns = [vocabulary[word] for present in found for word in present if word in vocabulary]
    present = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(known), len(vocabulary)))
    kinds = np.array([_kind(page) for page in known], dtype=str)
    weights = [KIND_WEIGHTS.get(_kind(page) or "", 1.0) * (1 if page.set == "wcxb" else 0.5) for page in known]
    model = LogisticRegression(C=0.15, max_iter=500)
    model.fit(present, kinds, sample_weight=weights)
    order = [list(model.classes_).index(kind) for kind in KINDS]
    fitted = {word: [round(float(model.coef_[k][place]), 2) for k in order] for word, place in vocabulary.items()}
    return {"": [round(float(model.intercept_[k]), 2) for k in order]} | {
        word: weights for word, weights in fitted.items() if max(map(abs, weights)) > LEAST
    }


def _kind(page: Page) -> str | None:
    return "article" if page.set in ("aeb", "mozilla") else page.type


def _vocabulary(pages: Sequence[Page], words: Sequence[set[str]], hosts: int) -> dict[str, int]:
    by_host: dict[str, set[str]] = {}
    for page, found in zip(pages, words, strict=True):
        by_host.setdefault(page.host, set()).update(found)
    counts = Counter(word for found in by_host.values() for word in found)
    return {word: place for place, word in enumerate(sorted(word for word, n in counts.items() if n >= hosts))}


def by_fold(sample: Sample, strength: float) -> list[Weights]:
    """Return the weights that were trained without each fold in turn, followed by the weights that were trained on all
    pages.
    """
    return [sample.fitted(fold, strength) for fold in [*range(FOLDS), None]]
