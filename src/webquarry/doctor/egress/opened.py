"""Connections that the operator's settings allow.

An attack that reaches an allowed target is reported, but not as a failure.
"""

from collections.abc import Sequence

from webquarry.core.settings import PREFIX, Settings
from webquarry.doctor.egress.attack import PRIVATE, PRIVATE_ADDRESS, SITE_ADDRESS, Attack
from webquarry.doctor.egress.network import Place
from webquarry.net.outbound import Outbound
from webquarry.net.target import TargetRule


class Opened:
    """The targets that the settings allow. Raises SettingsError if the settings are invalid."""

    def __init__(self, settings: Settings) -> None:
        self._rule = TargetRule(settings)
        self._settings = settings
        self._outbound = Outbound.of(settings)
        self.reason = f"{PREFIX}EGRESS_ALLOW or {PREFIX}EGRESS_PORTS allows it"

    def lets(self, attack: Attack, place: Place) -> bool:
        """Return whether a setting allows the connection: because of the address, the name, or the port of a public
        address.
        """
        address, port = place
        if address == SITE_ADDRESS and port in self._settings.egress_ports:
            return True
        names = {PRIVATE: [[PRIVATE_ADDRESS]], **attack.names}
        known_as = [name for name, answers in names.items() if any(address in answer for answer in answers)]
        return any(self._rule.is_opened(host, port) for host in (address, *known_as))

    @property
    def notes(self) -> Sequence[str]:
        """Notes that help the operator understand the findings."""
        notes = []
        if self._settings.egress_allow:
            listed = ", ".join(self._settings.egress_allow)
            notes.append(f"{PREFIX}EGRESS_ALLOW allows {listed}. Every caller of this service can reach them.")
        if self._settings.egress_ports:
            ports = ", ".join(str(port) for port in self._settings.egress_ports)
            notes.append(f"{PREFIX}EGRESS_PORTS allows the ports {ports} on every public address.")
        if self._outbound:
            who = (
                "it resolves host names and must reject private addresses"
                if self._outbound.resolves_names
                else "it receives only addresses that this service has checked with the tested code"
            )
            notes.append(f"{PREFIX}PROXY_URL is not used in this run: {who}.")
        return notes
