"""Parameters and results of the short-video network."""
