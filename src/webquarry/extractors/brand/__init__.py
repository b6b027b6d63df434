"""A brand by its domain."""
