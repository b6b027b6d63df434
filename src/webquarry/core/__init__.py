"""Basics that all packages use: clock, errors, log, settings, values and texts. Imports no other package."""
