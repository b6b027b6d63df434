"""Parameters and results of the ad endpoints."""
