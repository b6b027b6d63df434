"""How much a site is visited, by whom and from where."""
