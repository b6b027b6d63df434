# mypy: disable-error-code="import-not-found, import-untyped"
# (the packages of the training are installed for it alone)
"""Content and structure of the whole converter's markdown on pages of unseen hosts, in the tables of the kit.

    PYTHONPATH=src:. python -m bench.content.unseen ../shared/evals/web

The pages of `data` and `more` are learned from and reported apart; those that have only facts are never learned from.
Each page is converted with numbers that were learned without any page of its host, as in `bench.content.train`, which
says what is needed beside the project's own packages. `bench.quality` measures the stored numbers, which know them all.
"""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

from bench.content.pages import FOLDS, find_fold, read
from bench.content.train import learned_forest, learned_stacking, matrix, score_features, words_by_fold
from webquarry_convert.page import content, to_markdown
from webquarry_convert.page.content.forest import Forest

FOLDERS = ("data", "more")


def main(kit: Path) -> None:
    pages = read(kit / name for name in FOLDERS)
    folds = {page.id: page.fold for page in pages}
    numbers = words_by_fold(pages)
    matrices = [matrix(page, numbers[page.fold]) for page in pages]
    forests = [Forest(learned_forest(pages, matrices, fold)) for fold in range(FOLDS)]
    seen = [score_features(page, forests[page.fold], each) for page, each in zip(pages, matrices, strict=True)]
    for fold in range(FOLDS):
        numbers[fold]["stacking"] = learned_stacking(pages, seen, fold)
    sys.path.append(str(kit))
    score = import_module("score")
    for folder in FOLDERS:
        scored = []
        for record in score.load(str(kit / folder), None, None):
            fold = folds.get(record["id"], find_fold(record))
            known, forest = _giving(numbers[fold]), _giving(forests[fold])
            with patch.object(content, "load_weights", known), patch.object(content, "_load_forest", forest):
                scored.append(score.score_page(record, to_markdown(record["html"], record["url"])))
        score.report(f"{folder}: unseen hosts (no time was taken)", scored, 0.0, 0.0, len(scored))


def _giving(value: object) -> Callable[[], object]:
    return lambda: value


if __name__ == "__main__":
    main(Path(sys.argv[1]))
