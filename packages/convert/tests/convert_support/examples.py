"""Hypothesis profiles of the property tests."""

import hypothesis


def register_profiles() -> None:
    """Register the profiles `same` (the same 30 examples each time) and `random` (200 new examples), and load `same`.

    Examples have no time limit, because the duration depends more on the machine than on the code.
    """
    hypothesis.settings.register_profile("random", deadline=None, max_examples=200)
    hypothesis.settings.register_profile("same", deadline=None, derandomize=True, max_examples=30)
    hypothesis.settings.load_profile("same")
