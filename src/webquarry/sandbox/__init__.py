"""Tapes, one folder per endpoint and case: the sandbox's sample data, also used by tests and documents."""

from webquarry.sandbox.cases import Case, cases, list_questions, questions, settings, world

__all__ = ["Case", "cases", "list_questions", "questions", "settings", "world"]
