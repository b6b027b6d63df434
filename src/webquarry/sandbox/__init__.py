"""Tapes, the sandbox's sample data, with one folder per endpoint and case. Tests and documents use them too."""

from webquarry.sandbox.cases import Case, cases, list_questions, questions, settings, world

__all__ = ["Case", "cases", "list_questions", "questions", "settings", "world"]
