from dataclasses import dataclass, field

import pytest

from support.clock import ManualClock
from webquarry.core.errors import ProviderError, ProviderReason
from webquarry.core.types import Deadline
from webquarry.net import breaker
from webquarry.net.breaker import Breakers, Place

ORIGIN = "https://h.example"
PLACE = Place("p", ORIGIN)


@dataclass
class Circuit:
    """Circuits on a separate clock, for one account."""

    place: Place = PLACE
    clock: ManualClock = field(default_factory=ManualClock)

    def __post_init__(self) -> None:
        self.breakers = Breakers(self.clock)

    def of(self, account: str, origin: str = ORIGIN) -> "Circuit":
        """Return the same circuits for another account, if callers choose the address."""
        seen = Circuit(Place("p", origin, account), self.clock)
        seen.breakers = self.breakers
        return seen

    def fail(
        self,
        times: int = 1,
        reason: ProviderReason = "refused",
        retry_after_s: float | None = None,
        *,
        path: str = "/",
        status: int | None = 403,
    ) -> None:
        error = ProviderError("x", reason=reason, retry_after_s=retry_after_s)
        for _ in range(times):
            self.breakers.failed(self.place, error, path=path, status=status)

    def passes(self) -> bool:
        try:
            self.breakers.check(self.place, Deadline.after(30, self.clock))
        except ProviderError:
            return False
        return True

    def open_s(self) -> float:
        return self.breakers.states()[0].open_s


@pytest.fixture
def circuit() -> Circuit:
    return Circuit()


@pytest.mark.parametrize("reason", ["blocked", "refused", "down"])
def test_five_failures_open_the_circuit(circuit: Circuit, reason: ProviderReason) -> None:
    circuit.fail(4, reason)
    assert circuit.passes()
    circuit.fail(1, reason)
    with pytest.raises(ProviderError) as caught:
        circuit.breakers.check(PLACE, Deadline.after(30, circuit.clock))
    assert (caught.value.reason, caught.value.retry_after_s) == (reason, 15.0)


@pytest.mark.parametrize("reason", ["timeout", "changed", "unavailable"])
def test_failures_with_other_reasons_do_not_count(circuit: Circuit, reason: ProviderReason) -> None:
    circuit.fail(20, reason)
    assert circuit.passes()
    assert circuit.breakers.states() == []


def test_success_between_failures_keeps_the_circuit_closed(circuit: Circuit) -> None:
    for _ in range(4):
        circuit.fail(4)
        circuit.breakers.succeeded(PLACE)
    assert circuit.passes()


def test_failures_far_apart_keep_the_circuit_closed(circuit: Circuit) -> None:
    for _ in range(20):
        circuit.fail()
        circuit.clock.advance(breaker.WINDOW_S + 1)
    assert circuit.passes()


def test_open_circuit_allows_one_probe_after_its_wait(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(15)
    assert [circuit.passes() for _ in range(3)] == [True, False, False]


def test_successful_probe_closes_the_circuit(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(15)
    assert circuit.passes()
    circuit.breakers.succeeded(PLACE)
    assert [circuit.passes() for _ in range(3)] == [True, True, True]


def test_failed_probes_double_the_wait_up_to_ten_minutes(circuit: Circuit) -> None:
    circuit.fail(5)
    waits = [circuit.open_s()]
    for _ in range(7):
        circuit.clock.advance(waits[-1])
        assert circuit.passes()
        circuit.fail()
        waits.append(circuit.open_s())
    assert waits == [15, 30, 60, 120, 240, 480, 600, 600]


def test_timed_out_probe_has_failed(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(15)
    assert circuit.passes()
    circuit.fail(1, "timeout")
    assert circuit.open_s() == 30


def test_probe_that_never_ends_is_replaced_after_its_deadline(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(15)
    assert circuit.passes()
    circuit.clock.advance(30)
    assert circuit.passes()


def test_undecided_probe_lets_the_next_attempt_probe(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(15)
    assert circuit.passes()
    circuit.breakers.undecided(PLACE)
    assert circuit.passes()


def test_retry_after_opens_the_circuit_for_its_time(circuit: Circuit) -> None:
    circuit.fail(1, retry_after_s=40)
    assert circuit.open_s() == 40


def test_retry_after_is_limited_to_ten_minutes(circuit: Circuit) -> None:
    circuit.fail(1, retry_after_s=86_400)
    assert circuit.open_s() == 600


def test_attempts_begun_before_the_circuit_opened_change_nothing(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(5)
    circuit.fail(3)
    circuit.breakers.succeeded(PLACE)
    assert circuit.open_s() == 10


@pytest.mark.parametrize(
    "other",
    [
        Place("other", ORIGIN),
        Place("p", "https://other.example"),
        Place("p", "http://h.example"),
        Place("p", "https://h.example:8443"),
    ],
)
def test_circuits_are_separate_by_provider_scheme_host_and_port(circuit: Circuit, other: Place) -> None:
    circuit.fail(5)
    circuit.breakers.check(other, Deadline.after(30, circuit.clock))


@pytest.mark.parametrize("status", [400, 404, 414, 422])
def test_status_caused_by_the_request_counts_as_a_success_of_the_origin(circuit: Circuit, status: int) -> None:
    circuit.fail(4)
    circuit.fail(20, status=status)
    circuit.fail(4)
    assert circuit.passes()


def test_state_is_reported(circuit: Circuit) -> None:
    circuit.fail(1)
    assert [(s.state, s.failures, s.open_s) for s in circuit.breakers.states()] == [("closed", 1, 0.0)]
    circuit.fail(4)
    circuit.clock.advance(20)
    assert [(s.provider, s.origin, s.state) for s in circuit.breakers.states()] == [("p", ORIGIN, "half-open")]


@pytest.mark.parametrize("account", [None, "anna"])
def test_number_of_circuits_is_limited(circuit: Circuit, monkeypatch: pytest.MonkeyPatch, account: str | None) -> None:
    monkeypatch.setattr(breaker, "MAX_CIRCUITS", 3)
    for n in range(10):
        circuit.breakers.failed(Place("p", str(n), account), ProviderError("x", reason="down", retry_after_s=9))
    assert [state.origin for state in circuit.breakers.states()] == ["7", "8", "9"]


def test_urls_chosen_by_callers_do_not_evict_shared_circuits(circuit: Circuit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breaker, "MAX_CIRCUITS", 3)
    circuit.fail(5)
    for n in range(10):
        circuit.of("anna", str(n)).fail(5, "down")
    assert not circuit.passes()


class TestCallersChoose:
    """Circuits of addresses that callers choose."""

    @pytest.mark.parametrize("reason", ["blocked", "refused", "down"])
    def test_one_account_cannot_close_an_origin_for_another(self, circuit: Circuit, reason: ProviderReason) -> None:
        anna, ben = circuit.of("anna"), circuit.of("ben")
        for n in range(50):
            anna.fail(5, reason, path=f"/{n}")
            anna.fail(1, reason, 600, path=f"/{n}", status=429)
            circuit.clock.advance(5)
            assert ben.passes()
        assert not anna.passes()

    @pytest.mark.parametrize("status", [401, 403, 404, 451, 500, 503])
    def test_refused_paths_close_no_circuit(self, circuit: Circuit, status: int) -> None:
        anna = circuit.of("anna")
        anna.fail(50, status=status)
        assert anna.passes()

    def test_block_page_at_one_path_opens_no_circuit_and_at_five_paths_does(self, circuit: Circuit) -> None:
        anna = circuit.of("anna")
        anna.fail(50, "blocked", path="/login")
        assert anna.passes()
        for n in range(4):
            anna.fail(1, "blocked", path=f"/{n}")
        assert not anna.passes()

    def test_dead_connections_and_too_many_requests_open_an_accounts_circuit(self, circuit: Circuit) -> None:
        anna, ben = circuit.of("anna"), circuit.of("ben")
        anna.fail(5, "down", status=None)
        ben.fail(5, status=429)
        assert (anna.passes(), ben.passes()) == (False, False)

    def test_retry_after_applies_to_the_account_that_received_it(self, circuit: Circuit) -> None:
        anna = circuit.of("anna")
        anna.fail(1, retry_after_s=300, status=503)
        circuit.clock.advance(299)
        assert not anna.passes()
        circuit.clock.advance(1)
        assert anna.passes()

    def test_refused_path_ends_a_probe_successfully(self, circuit: Circuit) -> None:
        anna = circuit.of("anna")
        anna.fail(5, "down")
        circuit.clock.advance(15)
        assert anna.passes()
        anna.fail(1, status=403)
        assert [anna.passes() for _ in range(3)] == [True, True, True]

    def test_failures_of_three_accounts_close_the_origin(self, circuit: Circuit) -> None:
        dora = circuit.of("dora")
        for account in ("anna", "ben", "carl"):
            assert dora.passes()
            circuit.of(account).fail(1, retry_after_s=40, status=429)
        with pytest.raises(ProviderError) as caught:
            circuit.breakers.check(dora.place, Deadline.after(30, circuit.clock))
        assert (caught.value.reason, caught.value.retry_after_s) == ("refused", 40)
        with pytest.raises(ProviderError):
            circuit.breakers.check_again(dora.place)
        assert circuit.of("dora", "https://h.example:8443").passes()
        circuit.clock.advance(40)
        assert dora.passes()

    def test_three_accounts_close_an_origin_for_at_most_a_minute(self, circuit: Circuit) -> None:
        accounts = [circuit.of(name) for name in ("anna", "ben", "carl")]
        for account in accounts:
            account.fail(1, retry_after_s=600, status=429)
        circuit.clock.advance(breaker.WITNESSED_S)
        assert circuit.of("dora").passes()
        assert not any(account.passes() for account in accounts)

    def test_account_whose_circuit_has_closed_no_longer_counts(self, circuit: Circuit) -> None:
        anna = circuit.of("anna")
        anna.fail(5, "down")
        circuit.clock.advance(15)
        assert anna.passes()
        circuit.breakers.succeeded(anna.place)
        for account in ("ben", "carl"):
            circuit.of(account).fail(1, retry_after_s=40, status=429)
        assert circuit.of("dora").passes()
