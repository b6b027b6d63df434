"""Basics that all packages use: clock, errors, log, settings, values and text. Imports no other package."""
