"""The modules that the fork server imports for its children."""

from importlib import import_module

import pytest

from webquarry.engine import PRELOADED


@pytest.mark.parametrize("name", PRELOADED)
def test_all_preloaded_modules_exist(name: str) -> None:
    """The fork server leaves a broken module to the jobs that need it, so that its start does not report it."""
    module, _, function = name.partition(":")
    imported = import_module(module)
    if function:
        getattr(imported, function)()
