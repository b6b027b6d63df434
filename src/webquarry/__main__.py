"""`python -m webquarry`: the command."""

from webquarry.cli import main

main(prog_name="webquarry")
