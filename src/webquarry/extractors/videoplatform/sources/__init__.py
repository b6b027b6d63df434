"""The ways to the platform."""
