"""The command `webquarry`."""

from webquarry.cli.main import main

__all__ = ["main"]
