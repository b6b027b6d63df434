"""Made tapes, one folder per endpoint and case: what the sandbox answers, the tests play and the documents show."""

from webquarry.sandbox.cases import Case, cases, list_questions, questions, settings, world

__all__ = ["Case", "cases", "list_questions", "questions", "settings", "world"]
