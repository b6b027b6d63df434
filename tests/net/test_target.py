import pytest

from webquarry.core.errors import UnsafeTarget
from webquarry.core.settings import Settings, SettingsError
from webquarry.net.target import TargetRule


@pytest.mark.parametrize("host", ["localhost", "app.localhost", "printer.local", "metadata.google.internal"])
def test_local_name_is_refused_before_the_lookup(host: str) -> None:
    with pytest.raises(UnsafeTarget):
        TargetRule(Settings()).check(host, 80)


@pytest.mark.parametrize("port", [1, 22, 25, 81, 3306, 6379, 9200, 65535])
def test_unusual_port_is_refused(port: int) -> None:
    with pytest.raises(UnsafeTarget):
        TargetRule(Settings()).check("example.com", port)


@pytest.mark.parametrize("port", [80, 443, 8080, 8443])
def test_usual_port_is_accepted(port: int) -> None:
    TargetRule(Settings()).check("example.com", port)


def test_port_from_the_settings_opens_no_private_address() -> None:
    rule = TargetRule(Settings(egress_ports=(9000,)))
    rule.check("example.com", 9000)
    with pytest.raises(UnsafeTarget):
        rule.check("10.0.0.1", 9000)


@pytest.mark.parametrize(
    ("entry", "host", "port"),
    [
        ("127.0.0.1:9000", "127.0.0.1", 9000),
        ("[::1]:9000", "::1", 9000),
        ("Intranet.example:81", "intranet.example", 81),
        ("localhost:8000", "localhost", 8000),
    ],
)
def test_only_the_allowed_target_is_open(entry: str, host: str, port: int) -> None:
    rule = TargetRule(Settings(egress_allow=(entry,)))
    rule.check(host, port)
    assert rule.is_opened(host, port)
    assert not rule.is_opened(host, port + 1)
    with pytest.raises(UnsafeTarget):
        rule.check(host, port + 1)
    with pytest.raises(UnsafeTarget):
        rule.check("127.0.0.2", port)


@pytest.mark.parametrize(
    "entry", ["example.com", "example.com:", ":80", "example.com:http", "10.0.0.0/8:80", "x:99999"]
)
def test_invalid_entry_names_the_setting(entry: str) -> None:
    with pytest.raises(SettingsError, match="WEBQUARRY_EGRESS_ALLOW"):
        TargetRule(Settings(egress_allow=(entry,)))
