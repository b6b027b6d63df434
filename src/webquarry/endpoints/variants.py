"""Variants of an endpoint: further declarations for the same path, which the parameter `with` chooses.

`with` is a parameter of the interface: the contract of an endpoint lists only its own parameters.
"""

from collections.abc import Sequence
from typing import Final

from webquarry.core.errors import InvalidParams
from webquarry.endpoints.declare import Extractor
from webquarry.endpoints.params import ParamSpec, specs

WITH: Final = "with"


def describe_with(extractor: Extractor) -> tuple[ParamSpec, ...]:
    """Return the parameter `with` of an endpoint, or () if the endpoint has no variants."""
    if not extractor.variants:
        return ()
    texts = [f"`{name}`: {variant.description}" for name, variant in extractor.variants.items()]
    return (ParamSpec(WITH, "string", " ".join(texts), required=False, enum=tuple(extractor.variants)),)


def list_specs(extractor: Extractor) -> tuple[ParamSpec, ...]:
    """Return the parameters of an endpoint with `with`, as documents and forms show them."""
    return (*specs(extractor.params), *describe_with(extractor))


def choose_variant(
    extractor: Extractor, given: Sequence[tuple[str, str]]
) -> tuple[str, Extractor, Sequence[tuple[str, str]]]:
    """Return the name of the variant that a query chooses, its declaration, and the query without `with`.

    Without the parameter, the name is "". Raises InvalidParams for a name that the endpoint does not have.
    """
    chosen = [text.strip() for name, text in given if name == WITH] if extractor.variants else []
    if not chosen:
        return "", extractor, given
    if len(chosen) > 1:
        raise InvalidParams(f"Parameter '{WITH}' was sent more than once; send it once.")
    variant = extractor.variants.get(chosen[0])
    if variant is None:
        raise InvalidParams(f"Parameter '{WITH}' must be one of {', '.join(extractor.variants)}.", parameter=WITH)
    return chosen[0], variant, [pair for pair in given if pair[0] != WITH]
