"""Builders of test files and pages, and measurements of work."""
