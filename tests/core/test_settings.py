from contextlib import suppress
from pathlib import Path

import pytest

from webquarry.core.settings import Settings, SettingsError


def test_every_setting_has_a_default_and_a_sentence() -> None:
    Settings()
    for name, info in Settings.model_fields.items():
        assert info.description, name
        assert info.description.endswith("."), name


def test_options_override_the_environment() -> None:
    environment = {"WEBQUARRY_PORT": "9000", "WEBQUARRY_DATA_DIR": "/srv/x", "HOME": "/root"}
    settings = Settings.from_environment(environment, port=9001, host=None)
    assert (settings.port, settings.data_dir, settings.host) == (9001, Path("/srv/x"), "127.0.0.1")


def test_empty_variable_counts_as_unset() -> None:
    assert Settings.from_environment({"WEBQUARRY_DATABASE_URL": ""}).database_url is None


def test_lists_are_comma_separated() -> None:
    environment = {"WEBQUARRY_EGRESS_ALLOW": "a:1, b:2,", "WEBQUARRY_EGRESS_PORTS": "81,82"}
    settings = Settings.from_environment(environment)
    assert (settings.egress_allow, settings.egress_ports) == (("a:1", "b:2"), (81, 82))


@pytest.mark.parametrize(
    ("name", "value"),
    [("WEBQUARRY_PORT", "seventy"), ("WEBQUARRY_RATE_LIMIT_PER_MINUTE", "0"), ("WEBQUARRY_NO_SUCH", "1")],
)
def test_error_names_the_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        Settings.from_environment({name: value})


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("PORT", "abc", "must be a whole number from 0 to 65535"),
        ("PORT", "65536", "must be a whole number from 0 to 65535"),
        ("WORKERS", "-1", "must be a whole number, 0 or more"),
        ("CONNECT_TIMEOUT_S", "nan", "must be a number above 0"),
        ("EGRESS_PORTS", "80,http", "each must be a whole number"),
        ("BING", "perhaps", "must be true or false"),
        ("ROBOTS", "maybe", "must be 'ignore' or 'respect'"),
        ("RANKS_URL", "x", "must match ^https?://"),
        ("PROT", "1", "is not a setting; did you mean WEBQUARRY_PORT?"),
        ("NO_SUCH", "1", "is not a setting"),
    ],
)
def test_error_states_the_rule(name: str, value: str, rule: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_environment({f"WEBQUARRY_{name}": value})
    assert str(caught.value) == f"WEBQUARRY_{name}: {rule}"


@pytest.mark.parametrize("value", ["??", "-7", "1e99"])
def test_no_error_has_the_wording_of_a_library(value: str) -> None:
    faults = []
    for name in Settings.model_fields:
        with suppress(SettingsError):
            Settings.from_environment({f"WEBQUARRY_{name.upper()}": value})
            continue
        with pytest.raises(SettingsError) as caught:
            Settings.from_environment({f"WEBQUARRY_{name.upper()}": value})
        faults.append(str(caught.value))
    assert len(faults) > 20
    assert [fault for fault in faults if "is not valid" in fault or "nput" in fault] == []


@pytest.mark.parametrize(
    "value", ["localhost:8080", "ftp://a.example", "https://", "https://a.example/?b", "http://a:0"]
)
def test_address_that_cannot_be_a_base_url_is_refused(value: str) -> None:
    for name in ("WEBQUARRY_BASE_URL", "WEBQUARRY_SEARXNG_URL"):
        with pytest.raises(SettingsError, match=f"^{name}: must start with http:// or https:// and a host"):
            Settings.from_environment({name: value})


def test_address_is_kept_without_the_slash_at_its_end() -> None:
    assert (
        Settings.from_environment({"WEBQUARRY_BASE_URL": "https://a.example:8443/"}).base_url
        == "https://a.example:8443"
    )


def test_secrets_are_not_shown() -> None:
    shown = repr(
        Settings(database_url="postgresql://u:hidden@h/d", metrics_token="hidden", redis_url="redis://:hidden@h")
    )
    assert "hidden" not in shown
