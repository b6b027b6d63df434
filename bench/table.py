"""Output of benchmark results as tables."""

from collections.abc import Sequence


def show(title: str, headers: Sequence[str], rows: Sequence[Sequence[object]], *notes: str) -> None:
    """Print a markdown table below its title, followed by notes. Floats are rounded to three significant digits."""
    print(f"\n## {title}\n")
    for row in (headers, ["---"] * len(headers), *rows):
        print(f"| {' | '.join(_cell(value) for value in row)} |")
    for note in notes:
        print(f"\n{note}")
    print(flush=True)


def bar(ratio: float, least: float) -> str:
    """Return a ratio and its goal as text."""
    return f"Ratio {ratio:.2f}; asked: at least {least:g} ({'met' if ratio >= least else 'NOT met'})."


def _cell(value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
