"""The social network: pages."""
