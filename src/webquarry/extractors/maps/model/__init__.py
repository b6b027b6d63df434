"""Parameters, results and markdown of places."""
