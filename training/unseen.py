# mypy: disable-error-code="import-not-found, import-untyped"
# (the packages for training are installed separately)
"""Content and structure of the converter's markdown on pages of unseen hosts, in the tables of the kit.

    python -m training.unseen ../shared/evals/web

Pages of `data` and `more` are used for training and reported separately; pages that have only facts are not used for
training. Each page is converted with weights that were trained without any page of its host, as in `training.content`,
which lists the required packages. `bench.quality` measures the stored weights, which were trained on all pages.
Generated pages (`corpora.sites`, odd seeds) are converted with weights that were trained without their kind of
software.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.site_score import MEASURES
from bench.site_score import score as score_made
from bench.table import show
from corpora.sites.kinds import KINDS, make_page

from training.content import learned_forest, learned_stacking, list_lessons, matrix, score_features, words_by_fold
from training.pages import FOLDS, MADE, find_fold, read
from webquarry_convert.page import to_markdown
from webquarry_convert.page.content import weighing
from webquarry_convert.page.content.forest import Forest

FOLDERS = ("data", "more")


def main(kit: Path) -> None:
    folders = [kit / name for name in FOLDERS]
    pages = [*read(folders)]
    folds = {page.id: page.fold for page in pages}
    numbers = words_by_fold(pages)
    matrices = [matrix(page, numbers[page.fold]) for page in pages]
    lessons = [*list_lessons(pages, matrices, numbers, folders)]
    forests = [Forest(learned_forest(lessons, fold)) for fold in range(FOLDS)]
    seen = [score_features(page, forests[page.fold], each) for page, each in zip(pages, matrices, strict=True)]
    for fold in range(FOLDS):
        numbers[fold]["stacking"] = learned_stacking(pages, seen, fold)
    sys.path.append(str(kit))
    score = import_module("score")
    for folder in FOLDERS:
        scored = []
        for record in score.load(str(kit / folder), None, None):
            fold = folds.get(record["id"], find_fold(record))
            with _judging_by(numbers[fold], forests[fold]):
                scored.append(score.score_page(record, to_markdown(record["html"], record["url"])))
        score.report(f"{folder}: unseen hosts (no time was taken)", scored, 0.0, 0.0, len(scored))
    _report_made(numbers, forests)


def _report_made(numbers: Sequence[Mapping[str, Any]], forests: Sequence[Forest]) -> None:
    found: dict[str, list[float]] = {measure: [] for measure in MEASURES}
    for kind in KINDS:
        total: dict[str, Counter[str]] = {measure: Counter() for measure in MEASURES}
        fold = find_fold({"id": f"{MADE}/{kind}/0", "url": None})
        with _judging_by(numbers[fold], forests[fold]):
            for seed in range(1, 12, 2):
                page = make_page(kind, seed)
                for measure, (kept, count) in score_made(page.truth, to_markdown(page.html, page.url)).items():
                    total[measure].update(kept=kept, count=count)
        for measure, each in total.items():
            if each["count"]:
                found[measure].append(each["kept"] / each["count"])
    means = [(measure, sum(shares) / len(shares), len(shares)) for measure, shares in found.items()]
    show("Made pages of unseen kinds of software", ("measure", "mean of kinds", "kinds"), means)


@contextmanager
def _judging_by(numbers: Mapping[str, Any], forest: Forest) -> Iterator[None]:
    with (
        patch.object(weighing, "load_weights", _giving(numbers)),
        patch.object(weighing, "_load_forest", _giving(forest)),
    ):
        yield


def _giving(value: object) -> Callable[[], object]:
    return lambda: value


if __name__ == "__main__":
    main(Path(sys.argv[1]))
