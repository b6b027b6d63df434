"""The sources of a chain: which can be asked, and what it comes to when none of them answers."""

from collections.abc import Iterable, Sequence

from webquarry.core.errors import ProviderError
from webquarry.core.settings import PREFIX, Settings
from webquarry.core.types import Provider
from webquarry.endpoints.declare import Extractor, Source
from webquarry.net.player import NoTape

_SILENCE = {"timeout": 1, "down": 2, "unavailable": 3}
"""How little a failure tells of a source, by its reason; all others are answers."""


def missing_settings(provider: Provider, settings: Settings) -> tuple[str, ...]:
    """Names of the environment variables that this provider needs and that are not set."""
    return tuple(PREFIX + name.upper() for name in provider.needs if not getattr(settings, name))


def remedy(providers: Iterable[Provider], settings: Settings) -> str | None:
    """What to set so that one of the providers can be asked; None when one is ready as it is."""
    missing = [(provider, missing_settings(provider, settings)) for provider in providers]
    if not missing or any(not names for _, names in missing):
        return None
    return "; or ".join(f"set {' and '.join(names)} to use {provider.title}" for provider, names in missing)


def make_failed_error(failed: Sequence[tuple[Source, ProviderError]]) -> ProviderError:
    """The error for a chain of which every source has failed: what each said, and the reason that tells most, which is
    the first of a source that answered, else of one that was late, of one that could not be reached, of one that could
    not even be asked."""
    telling = min((error for _, error in failed), key=lambda error: _SILENCE.get(error.reason or "", 0))
    if len(failed) == 1 or isinstance(telling, NoTape):
        return telling
    begins = "No provider could be reached" if telling.reason == "down" else "All providers failed"
    causes = "; ".join(f"{source.provider.title}: {error.message.rstrip('.')}" for source, error in failed)
    return telling.with_message(f"{begins}. {causes}.")


def make_unasked_error(extractor: Extractor, unfit: Sequence[str], settings: Settings) -> ProviderError:
    """The error for a chain of which no source was asked. unfit: why not, of each that is configured."""
    message = (
        f"No provider supports this request: {' '.join(unfit)}"
        if unfit
        else f"No provider is configured for {extractor.name}: {remedy(extractor.all_providers, settings)}."
    )
    return ProviderError(message, reason="unavailable")
