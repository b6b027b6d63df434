"""Parameters and results of the photo network."""
