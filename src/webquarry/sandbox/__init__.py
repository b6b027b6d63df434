"""Tapes, one folder per endpoint and case: the sandbox's sample data, which tests and documents also use."""

from webquarry.sandbox.cases import Case, cases, list_questions, questions, settings, world

__all__ = ["Case", "cases", "list_questions", "questions", "settings", "world"]
