"""Parameters and results of the social network."""
