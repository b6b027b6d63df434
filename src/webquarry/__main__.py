"""`python -m webquarry` runs the command."""

from webquarry.cli import main

main(prog_name="webquarry")
