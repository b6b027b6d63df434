"""Basics that all packages use: clock, errors, log, settings, values and text.

This package imports no other package.
"""
