"""`python -m mutants`: print which of the mutations drawn from a seed no test notices."""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Final

import click

from mutants.mutations import Mutation, find_mutations
from mutants.trial import Tree, Verdict

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = ("src/webquarry", "packages/convert/src/webquarry_convert")
Place = tuple[Path, Mutation]


@click.command()
@click.option("--count", default=50, show_default=True, type=click.IntRange(1), help="Mutations to try.")
@click.option("--seed", type=int, help="Draws the places; without it another one each time.")
@click.option("--only", multiple=True, help="Take modules whose path begins with this; may be repeated.")
@click.option("--at", multiple=True, metavar="PATH:LINE", help="Try every mutation of this line; may be repeated.")
@click.option("--limit", default=300, show_default=True, help="Seconds for the tests of one mutation.")
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1), help="Mutations tried at once.")
@click.option("--least", default=0.0, show_default=True, help="Percentage below which the command fails.")
def main(
    count: int, *, seed: int | None, only: tuple[str, ...], at: tuple[str, ...], limit: int, jobs: int, least: float
) -> None:
    """Change one position in the code at a time, in a copy of the repository, and run the tests that cover it."""
    chosen = seed if seed is not None else random.SystemRandom().randrange(10_000)
    places = list(_at(at)) if at else draw(count, chosen, only)
    if not places:
        raise click.ClickException("There is nothing to mutate here.")
    click.echo(f"{len(places)} mutations" + ("" if at else f", seed {chosen}"))
    outcomes: Counter[str] = Counter()
    with TemporaryDirectory(prefix="mutants-") as folder:
        for (module, mutation), verdict in _try_all(places, Path(folder), limit, jobs):
            outcomes[verdict.outcome] += 1
            click.echo(
                f"{verdict.outcome:11} {module}:{mutation.line} {mutation}  {verdict.test} {verdict.seconds:.0f} s"
            )
    judged = outcomes["killed"] + outcomes["survived"]
    rate = 100 * outcomes["killed"] / judged if judged else 0.0
    click.echo(f"killed {outcomes['killed']} of {judged} ({rate:.0f} %); not judged: {outcomes.total() - judged}")
    sys.exit(rate < least)


def draw(count: int, seed: int, only: tuple[str, ...] = ()) -> list[Place]:
    """Return mutations drawn from a seed, at most one per module."""
    places = [
        (module, mutation)
        for source in SOURCES
        for path in sorted((ROOT / source).rglob("*.py"))
        if (module := path.relative_to(ROOT)).as_posix().startswith(only or ("",))
        for mutation in find_mutations(path.read_bytes())
    ]
    random.Random(seed).shuffle(places)
    drawn: dict[Path, Mutation] = {}
    for module, mutation in places:
        drawn.setdefault(module, mutation)
    return list(drawn.items())[:count]


def _at(places: tuple[str, ...]) -> Iterator[Place]:
    for place in places:
        name, _, line = place.rpartition(":")
        for mutation in find_mutations((ROOT / name).read_bytes()):
            if mutation.line == int(line):
                yield Path(name), mutation


def _try_all(places: list[Place], folder: Path, limit_s: float, jobs: int) -> Iterator[tuple[Place, Verdict]]:
    """Yield verdicts as they come. Each job has a separate copy of the repository."""
    trees: SimpleQueue[Tree] = SimpleQueue()
    for number in range(min(jobs, len(places))):
        (folder / str(number)).mkdir()
        trees.put(Tree(ROOT, folder / str(number)))

    def judge(place: Place) -> Verdict:
        tree = trees.get()
        try:
            return tree.try_mutation(*place, limit_s)
        finally:
            trees.put(tree)

    with ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(judge, place): place for place in places}
        for done in as_completed(running):
            yield running[done], done.result()


if __name__ == "__main__":
    main()
