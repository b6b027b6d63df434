"""Parameters and results of a search and of an overview."""
