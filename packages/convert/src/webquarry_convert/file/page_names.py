"""Page numbers written as words in a sentence."""

from collections.abc import Iterable


def name_pages(pages: Iterable[int]) -> str:
    """Return "page 4", or "pages 1, 3 and 6 to 9". pages: page numbers in ascending order."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    names: list[str] = []
    for run in runs:
        names += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    return f"page {listed}" if listed.isdigit() else f"pages {listed}"
