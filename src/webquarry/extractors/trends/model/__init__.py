"""Parameters, places and time windows."""
