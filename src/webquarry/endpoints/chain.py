"""Source chains: which sources can be used, and the error if every source fails."""

from collections.abc import Iterable, Sequence

from webquarry.core.errors import ProviderError
from webquarry.core.settings import PREFIX, Settings
from webquarry.core.types import Provider
from webquarry.endpoints.declare import Extractor, Source
from webquarry.net.player import NoTape

_SILENCE = {"timeout": 1, "down": 2, "unavailable": 3}
"""Rank of failures that give little information about a source, by reason.

All other failures mean that the source has responded.
"""


def missing_settings(provider: Provider, settings: Settings) -> tuple[str, ...]:
    """Return the names of missing environment variables that this provider needs."""
    return tuple(PREFIX + name.upper() for name in provider.needs if not getattr(settings, name))


def leave_out_spares(sources: Sequence[Source], settings: Settings) -> list[Source]:
    """Return the sources. If any of them is tested, omit the untested sources that no setting enables."""
    if settings.untested_sources or all(source.provider.unproven for source in sources):
        return list(sources)
    return [source for source in sources if not source.provider.is_spare]


def settings_to_ask(extractor: Extractor, provider: Provider, settings: Settings) -> tuple[str, ...]:
    """Return the environment variables that this endpoint needs to use the provider; empty if no further setting is
    needed.
    """
    ready = [source for source in extractor.sources if not missing_settings(source.provider, settings)]
    always = [source for source in ready if source.skips is None or source.provider == provider]
    kept = [source.provider for source in leave_out_spares(always, settings)]
    if any(source.provider == provider for source in ready) and provider not in kept:
        return (f"{PREFIX}UNTESTED_SOURCES",)
    return missing_settings(provider, settings)


def write_remedy(extractor: Extractor, provider: Provider, settings: Settings) -> str | None:
    """Return advice on which settings make this endpoint use the provider, or None if it already uses the provider."""
    names = settings_to_ask(extractor, provider, settings)
    return _write_remedy(provider, names) if names else None


def remedy(providers: Iterable[Provider], settings: Settings) -> str | None:
    """Return advice on which settings make one of the providers usable, or None if a provider is already usable."""
    missing = [(provider, missing_settings(provider, settings)) for provider in providers]
    if not missing or any(not names for _, names in missing):
        return None
    return "; or ".join(_write_remedy(provider, names) for provider, names in missing)


def _write_remedy(provider: Provider, names: Sequence[str]) -> str:
    return f"set {' and '.join(names)} to use {provider.title}"


def make_failed_error(failed: Sequence[tuple[Source, ProviderError]]) -> ProviderError:
    """Return the error for a chain whose sources all failed, with all their messages and the most informative reason.

    The most informative reason is the first one from a source that responded. Without such a source, it comes from a
    source that was late, that could not be reached, or that could not be used, in this order of preference.
    """
    telling = min((error for _, error in failed), key=lambda error: _SILENCE.get(error.reason or "", 0))
    if len(failed) == 1 or isinstance(telling, NoTape):
        return telling
    begins = "No provider could be reached" if telling.reason == "down" else "All providers failed"
    causes = "; ".join(f"{source.provider.title}: {error.message.rstrip('.')}" for source, error in failed)
    return telling.with_message(f"{begins}. {causes}.")


def make_no_provider_error(extractor: Extractor, unfit: Sequence[str], settings: Settings) -> ProviderError:
    """Return the error for a chain without a usable source.

    `unfit` contains, for each configured source, why it can't be used.
    """
    message = (
        f"No provider supports this request: {' '.join(unfit)}"
        if unfit
        else f"No provider is configured for {extractor.name}: {remedy(extractor.all_providers, settings)}."
    )
    return ProviderError(message, reason="unavailable")
