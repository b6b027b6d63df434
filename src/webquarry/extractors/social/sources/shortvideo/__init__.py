"""The short-video network's page."""
