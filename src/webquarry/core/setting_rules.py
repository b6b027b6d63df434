"""Descriptions of settings' rules in plain words, for error messages.

Pydantic's messages are about inputs and parsing.
"""

from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

_NUMBER_FAULTS = frozenset(
    {
        *(
            f"{kind}_{fault}"
            for kind in ("int", "float")
            for fault in ("parsing", "type", "from_float", "parsing_size")
        ),
        *("finite_number", "greater_than", "greater_than_equal", "less_than", "less_than_equal"),
    }
)


def state_rule(fault: ErrorDetails, field: FieldInfo) -> str:
    """Return the rule that a value broke, such as `must be a whole number from 0 to 65535`."""
    each, kind, context = "each " if len(fault["loc"]) > 1 else "", fault["type"], fault.get("ctx", {})
    if kind == "value_error":
        return str(context["error"])
    if kind == "literal_error":
        return f"must be {context['expected']}"
    if kind == "string_pattern_mismatch":
        return f"must match {context['pattern']}"
    if kind.startswith("bool_"):
        return "must be true or false"
    if kind in _NUMBER_FAULTS:
        return f"{each}must be {_describe_number(field)}"
    return f"{each}is not valid: {fault['msg']}"


def _describe_number(field: FieldInfo) -> str:
    """Return a description such as `a whole number from 0 to 65535`."""
    bounds = {
        name: getattr(rule, name) for rule in field.metadata for name in ("ge", "gt", "le") if hasattr(rule, name)
    }
    kind = "a number" if "float" in str(field.annotation) else "a whole number"
    if "le" in bounds:
        return f"{kind} from {bounds['ge']} to {bounds['le']}"
    if "ge" in bounds:
        return f"{kind}, {bounds['ge']} or more"
    return f"{kind} above {bounds['gt']}" if "gt" in bounds else kind
