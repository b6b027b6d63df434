"""Basics for all packages: clock, errors, log, settings, values and texts. Imports no other package."""
