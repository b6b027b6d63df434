"""The social network's page."""
