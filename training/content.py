# mypy: disable-error-code="import-not-found, import-untyped"
# (the packages for training are installed separately)
"""Training of the weights of `webquarry_convert.page.content`, written to its `weights.json`.

    python -m training.content ../shared/evals/web/data ../shared/evals/web/more

Needs numpy, scipy, scikit-learn and catboost in addition to the project's packages. The first results printed are out
of fold: each page is judged by weights trained without any page of its host.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import orjson
from catboost import CatBoostClassifier
from sklearn.linear_model import LogisticRegression

from training import words
from training.made import read_made
from training.pages import FOLDS, Page, read
from training.variants import VARIANTS
from webquarry_convert.page.content import weighing
from webquarry_convert.page.content.choice import find_best_cut
from webquarry_convert.page.content.features import COLUMNS, Features
from webquarry_convert.page.content.forest import Forest
from webquarry_convert.page.content.names import Names
from webquarry_convert.page.content.one_text import lean_to_text
from webquarry_convert.page.content.stacking import ScoreFeatures, combine_scores, describe_scores
from webquarry_convert.page.content.wording import Wording
from webquarry_convert.page.kind import KINDS, collect_signs, estimate_kinds

NAMES_STRENGTH = 0.3
WORDING_STRENGTH = 0.25
TREES = 300
PAGE_WEIGHTS = {"product": 3.0, "collection": 3.0, "listing": 2.5, "forum": 2.0, "service": 1.5, "documentation": 1.3}
"""Weights of rare kinds, which then count about as much as articles."""
BESIDE = 0.5
"""Weight of a page that is generated or is a variant of another page."""
KIND = COLUMNS.index(f"kind_{KINDS[0]}")
Array = Any
"""A numpy array."""


class Lesson(NamedTuple):
    """A page as training data: a row of features, a share of content and a weight for each block."""

    fold: int
    features: Array
    shares: Array
    weights: Array


def main(folders: Sequence[Path]) -> None:
    pages = [*read(folders)]
    numbers = words_by_fold(pages)
    matrices = [matrix(page, numbers[page.fold]) for page in pages]
    lessons = [*list_lessons(pages, matrices, numbers, folders)]
    forests = [Forest(learned_forest(lessons, fold)) for fold in range(FOLDS)]
    seen = [score_features(page, forests[page.fold], each) for page, each in zip(pages, matrices, strict=True)]
    weights = [learned_stacking(pages, seen, fold) for fold in range(FOLDS)]
    judged = [
        agreement(page, each, combine_scores(scored, weights[page.fold]))
        for page, each, scored in zip(pages, matrices, seen, strict=True)
    ]
    show("out of fold", pages, judged)
    made = {
        **numbers[-1],
        "forest": learned_forest(lessons, None),
        "stacking": learned_stacking(pages, seen, None),
    }
    (Path(weighing.__file__).parent / "weights.json").write_bytes(orjson.dumps(made) + b"\n")


def words_by_fold(pages: Sequence[Page]) -> list[dict[str, Any]]:
    """Return names, wording and kinds, first trained without each fold in turn, and finally trained on all pages.

    Weights trained on a page reveal more about it than about other pages, so the forest must not use them.
    """
    names = words.by_fold(words.names_sample(pages), NAMES_STRENGTH)
    wording = words.by_fold(words.wording_sample(pages), WORDING_STRENGTH)
    kinds = [words.fit_kinds(pages, fold) for fold in [*range(FOLDS), None]]
    return [
        {"names": names_, "wording": wording_, "kinds": kinds_}
        for names_, wording_, kinds_ in zip(names, wording, kinds, strict=True)
    ]


def matrix(page: Page, numbers: Mapping[str, Any]) -> Array:
    features = Features(
        page.blocks,
        weighing.read_title_and_description(page.places),
        lean_to_text(estimate_kinds(collect_signs(page.places, page.url), numbers["kinds"]), page.blocks),
        Names(numbers["names"]),
        Wording(numbers["wording"]),
    )
    return np.stack([np.frombuffer(column, np.uint8) for column in features.columns], axis=1)


def list_lessons(
    pages: Sequence[Page], matrices: Sequence[Array], numbers: Sequence[Mapping[str, Any]], folders: Sequence[Path]
) -> Iterator[Lesson]:
    """Yield the lessons of the pages, of their variants and of generated pages.

    folders: folders of the pages. The variants are read one by one, because all of them together would take 7 GB.
    """
    for page, features in zip(pages, matrices, strict=True):
        yield _make_lesson(page, features, 1.0)
    for beside in (read_made(), *(read(folders, change) for change in VARIANTS)):
        for page in beside:
            yield _make_lesson(page, matrix(page, numbers[page.fold]), BESIDE)


def _make_lesson(page: Page, features: Array, weight: float) -> Lesson:
    return Lesson(page.fold, features, np.array(page.shares)[page.judged], weight * _weights(page))


def learned_forest(lessons: Iterable[Lesson], left_out: int | None) -> dict[str, Any]:
    taken = [lesson for lesson in lessons if lesson.fold != left_out]
    weights = np.concatenate([lesson.weights for lesson in taken])
    model = CatBoostClassifier(
        loss_function="CrossEntropy",
        iterations=TREES,
        depth=4,
        learning_rate=0.1,
        l2_leaf_reg=6,
        border_count=32,
        rsm=0.5,
        bootstrap_type="Bernoulli",
        subsample=0.6,
        leaf_estimation_iterations=1,
        boosting_type="Plain",
        random_seed=1,
        thread_count=1,
        allow_writing_files=False,
        verbose=0,
    )
    model.fit(
        np.vstack([lesson.features for lesson in taken]),
        np.concatenate([lesson.shares for lesson in taken]),
        sample_weight=weights / weights.mean(),
    )
    return exported(model)


def _weights(page: Page) -> Array:
    """Return the weights of blocks.

    Agreement is counted in tokens, so a block weighs as many tokens as it contributes.
    """
    sizes = np.array([len(text) for text in page.texts], float)
    kind = PAGE_WEIGHTS.get(page.type or "", 1.0) if page.set == "wcxb" else 0.5 if page.set == "defuddle" else 1.0
    weights: Array = kind * (sizes + 0.5) / max(len(page.truth), sizes.sum() / 4, 30)
    return weights[page.judged]


def exported(model: Any) -> dict[str, Any]:
    """Return a symmetric forest in the format of `Forest`: leaves as bytes, all on one scale."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "forest.json"
        model.save_model(str(path), format="json")
        made = orjson.loads(path.read_bytes())
    questions: dict[tuple[int, int], int] = {}
    trees = []
    offset = 0.0
    for tree in made["oblivious_trees"]:
        asked = [(split["float_feature_index"], int(np.floor(split["border"]))) for split in tree["splits"]]
        values = np.array(tree["leaf_values"])
        offset += values.min()
        trees.append(([questions.setdefault(one, len(questions)) for one in asked], values - values.min()))
    scale = max(values.max() for _, values in trees) / 255
    factor, (bias,) = made["scale_and_bias"]
    return {
        "questions": list(questions),
        "trees": [(asked, np.rint(values / scale).astype(int).tolist()) for asked, values in trees],
        "scale": float(factor * scale),
        "bias": float(bias + factor * offset),
    }


def score_features(page: Page, forest: Forest, matrix: Array) -> ScoreFeatures:
    """Return the stacking features of a page.

    forest: trained without the page's host; its scores are then representative of unseen pages.
    """
    scores = forest.scores([matrix[:, place].tobytes() for place in range(matrix.shape[1])])
    return describe_scores(scores, page.blocks, page.judged)


def learned_stacking(pages: Sequence[Page], seen: Sequence[ScoreFeatures], left_out: int | None) -> list[float]:
    """Return the weights of the stacking, trained on all folds except one."""
    taken = [place for place, page in enumerate(pages) if page.fold != left_out]
    found = np.vstack([np.stack(seen[place], axis=1) for place in taken])
    shares = np.concatenate([np.array(pages[place].shares)[pages[place].judged] for place in taken])
    weights = np.concatenate([_weights(pages[place]) for place in taken])
    weights /= weights.mean()
    model = LogisticRegression(C=10.0, max_iter=200, solver="newton-cholesky")
    model.fit(
        np.vstack([found, found]),
        np.r_[np.ones(len(shares)), np.zeros(len(shares))],
        sample_weight=np.r_[weights * shares, weights * (1 - shares)],
    )
    return [round(float(weight), 3) for weight in (*model.intercept_, *model.coef_[0])]


def agreement(page: Page, matrix: Array, scores: Sequence[float]) -> float:
    """Return the F1 of the tokens in the blocks that would be kept."""
    chance = weighing.convert_scores(scores, bytes(matrix[0, KIND : KIND + len(KINDS)].tolist()))
    cut = find_best_cut(chance, [page.blocks.all[number].tokens for number in page.judged])
    kept = Counter(
        token for number, each in zip(page.judged, chance, strict=True) if each >= cut for token in page.texts[number]
    )
    overlap = (kept & Counter(page.truth)).total()
    return 2 * overlap / (kept.total() + len(page.truth))


def show(title: str, pages: Sequence[Page], judged: Sequence[float]) -> None:
    groups: dict[str, list[float]] = defaultdict(list)
    for page, value in zip(pages, judged, strict=True):
        groups["all"].append(value)
        groups[page.set].append(value)
        if page.set == "wcxb":
            groups[f"wcxb/{page.type}"].append(value)
    kinds = [np.mean(values) for name, values in groups.items() if "/" in name]
    print(f"{title}: kinds {np.mean(kinds):.4f}, below 0.5: {np.mean(np.array(judged) < 0.5):.3f}")
    for name, values in groups.items():
        print(f"  {name:24}{len(values):5}  {np.mean(values):.4f}")


if __name__ == "__main__":
    main([Path(folder) for folder in sys.argv[1:]])
