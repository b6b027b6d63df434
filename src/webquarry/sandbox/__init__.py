"""Made tapes, one folder per endpoint and case: what the sandbox answers, the tests play and the documents show."""

from webquarry.sandbox.cases import Case, cases, settings, world

__all__ = ["Case", "cases", "settings", "world"]
