"""The photo network's page and call."""
