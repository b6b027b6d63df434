"""The stories of the pages, a different one for each page, so that a mix-up of pages is detected.

`python -m proofs.rendered.stories NAME…` prints stories in the format of the sources below `built/`.
"""

import json
import random
import sys
from dataclasses import asdict, dataclass

_PLACES = ("harbour", "lighthouse", "ropewalk", "salt store", "ferry landing", "boatyard", "weir", "customs house")
_MAKERS = ("a carpenter", "two brothers", "the parish", "a company of pilots", "the county", "a widow", "the guild")
_TRADES = ("herring", "slate", "barley", "timber", "wool", "lamp oil", "cider", "rope")


@dataclass(frozen=True, slots=True)
class Story:
    """title: a few words; paragraphs: three, of one sentence each, in plain letters and digits."""

    title: str
    paragraphs: tuple[str, ...]


def story(name: str) -> Story:
    """Return the story of the page with that name. It is always the same."""
    dice = random.Random(name)
    place, maker, trade = dice.choice(_PLACES), dice.choice(_MAKERS), dice.choice(_TRADES)
    year, loads, steps = dice.randrange(1500, 1900), dice.randrange(1000, 9999), dice.randrange(100, 999)
    where = name.replace("-", " ").title()
    return Story(
        f"The {place} at {where}",
        (
            f"The {place} at {where} was built in {year} by {maker}, on ground that was given for it.",
            f"In its best summer it took {loads} loads of {trade}, more than any other one on that coast.",
            f"Those who visit it today walk {steps} steps from the road and find the gate of {where} open.",
        ),
    )


if __name__ == "__main__":
    print(json.dumps({name: asdict(story(name)) for name in sys.argv[1:]}, indent=2))  # noqa: T201  # its purpose
