"""Descriptions of endpoints and parameters in words, the same in every document."""

from collections.abc import Sequence

from webquarry.core.errors import ServiceError
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import ParamSpec


def price(extractor: Extractor) -> str:
    """Return the price, such as `1 credit` or `up to 6 credits`."""
    up_to = "up to " if extractor.parts else ""
    return f"{up_to}{extractor.credits} credit{'' if extractor.credits == 1 else 's'}"


def freshness(extractor: Extractor) -> str:
    """Return a phrase such as `responses are cached for 7 days`, in the largest unit that gives a whole number."""
    if extractor.fresh is None:
        return "responses are not cached"
    seconds = int(extractor.fresh.total_seconds())
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds % length == 0:
            count = seconds // length
            return f"responses are cached for {count} {unit}{'' if count == 1 else 's'}"
    return f"responses are cached for {seconds} seconds"


def choices(extractor: Extractor) -> str:
    """Return the exactly-one-of rules as sentences, or "" if there are no such rules."""
    return " ".join(f"Exactly one of {_list_names(group)} is required." for group in extractor.params.one_of)


def default(spec: ParamSpec) -> str:
    """Return `required`, `optional`, or the default value in the form in which a caller would write it."""
    if spec.required or spec.default is None:
        return "required" if spec.required else "optional"
    return f"default {str(spec.default).lower() if isinstance(spec.default, bool) else spec.default}"


def bounds(spec: ParamSpec) -> str:
    """Return the rules for a value except its type, such as `one of a, b; at most 512 characters`, or ""."""
    facts = []
    if spec.enum:
        facts.append(f"one of {', '.join(spec.enum)}")
    if spec.min is not None:
        facts.append(f"{spec.min} to {spec.max}" if spec.max is not None else f"{spec.min} or more")
    elif spec.max is not None:
        facts.append(f"up to {spec.max}")
    if spec.max_length is not None:
        facts.append(f"at most {spec.max_length} characters")
    if spec.rule is not None:
        facts.append(spec.rule)
    if spec.empty is not None:
        facts.append(f"empty means {spec.empty}")
    return "; ".join(facts)


def rules(spec: ParamSpec) -> str:
    """Return all rules for a value, such as `string, required; at most 512 characters`."""
    return f"{spec.type}, {'; '.join(phrase for phrase in (default(spec), bounds(spec)) if phrase)}"


def retry_advice(error: type[ServiceError]) -> str:
    """Return whether a retry helps: `yes`, `no`, or reasons, such as `yes for down, refused, timeout; otherwise no`."""
    if error.passing:
        return f"yes for {', '.join(sorted(error.passing))}; otherwise no"
    return "yes" if error.retryable else "no"


def _list_names(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
