"""The photo network's page and API request."""
