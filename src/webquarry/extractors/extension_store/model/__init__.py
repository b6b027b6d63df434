"""Parameters of the store's endpoints."""
