"""Parameters, places and windows of time of a question."""
