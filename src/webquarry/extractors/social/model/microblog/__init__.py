"""Parameters, results and markdown of the microblog."""
