"""How many examples property tests try."""

import hypothesis


def register_profiles() -> None:
    """Register `same`, which tries the same 30 examples each time, and `random`, which tries 200 others; load `same`.

    Examples have no time limit: how long one takes says more about the machine than about the code.
    """
    hypothesis.settings.register_profile("random", deadline=None, max_examples=200)
    hypothesis.settings.register_profile("same", deadline=None, derandomize=True, max_examples=30)
    hypothesis.settings.load_profile("same")
