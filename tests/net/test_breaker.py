import pytest

from support.clock import ManualClock
from webquarry.errors import ProviderError, ProviderReason
from webquarry.net import breaker
from webquarry.net.breaker import Breakers
from webquarry.types import Deadline


class Circuit:
    """One circuit on a clock of its own."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.breakers = Breakers(self.clock)

    def fail(self, times: int = 1, reason: ProviderReason = "refused", retry_after_s: float | None = None) -> None:
        for _ in range(times):
            self.breakers.failed("p", "h", ProviderError("x", reason=reason, retry_after_s=retry_after_s))

    def passes(self) -> bool:
        try:
            self.breakers.check("p", "h", Deadline.after(30, self.clock))
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
        circuit.breakers.check("p", "h", Deadline.after(30, circuit.clock))
    assert (caught.value.reason, caught.value.retry_after_s) == (reason, 15.0)


@pytest.mark.parametrize("reason", ["timeout", "changed", "unavailable"])
def test_other_reasons_do_not_count(circuit: Circuit, reason: ProviderReason) -> None:
    circuit.fail(20, reason)
    assert circuit.passes()
    assert circuit.breakers.states() == []


def test_success_between_failures_keeps_it_closed(circuit: Circuit) -> None:
    for _ in range(4):
        circuit.fail(4)
        circuit.breakers.succeeded("p", "h")
    assert circuit.passes()


def test_failures_far_apart_keep_it_closed(circuit: Circuit) -> None:
    for _ in range(20):
        circuit.fail()
        circuit.clock.advance(breaker.WINDOW_S + 1)
    assert circuit.passes()


def test_open_circuit_lets_one_attempt_probe(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(15)
    assert [circuit.passes() for _ in range(3)] == [True, False, False]


def test_probe_that_succeeds_closes_it(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(15)
    assert circuit.passes()
    circuit.breakers.succeeded("p", "h")
    assert [circuit.passes() for _ in range(3)] == [True, True, True]


def test_probes_that_fail_double_the_wait_up_to_ten_minutes(circuit: Circuit) -> None:
    circuit.fail(5)
    waits = [circuit.open_s()]
    for _ in range(7):
        circuit.clock.advance(waits[-1])
        assert circuit.passes()
        circuit.fail()
        waits.append(circuit.open_s())
    assert waits == [15, 30, 60, 120, 240, 480, 600, 600]


def test_probe_that_times_out_has_failed(circuit: Circuit) -> None:
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


def test_probe_without_a_verdict_lets_the_next_one_try(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(15)
    assert circuit.passes()
    circuit.breakers.undecided("p", "h")
    assert circuit.passes()


def test_retry_after_opens_at_once_for_that_long(circuit: Circuit) -> None:
    circuit.fail(1, retry_after_s=40)
    assert circuit.open_s() == 40


def test_retry_after_is_believed_up_to_ten_minutes(circuit: Circuit) -> None:
    circuit.fail(1, retry_after_s=86_400)
    assert circuit.open_s() == 600


def test_attempts_begun_before_it_opened_change_nothing(circuit: Circuit) -> None:
    circuit.fail(5)
    circuit.clock.advance(5)
    circuit.fail(3)
    circuit.breakers.succeeded("p", "h")
    assert circuit.open_s() == 10


def test_circuits_are_apart_by_provider_and_host(circuit: Circuit) -> None:
    circuit.fail(5)
    deadline = Deadline.after(30, circuit.clock)
    circuit.breakers.check("other", "h", deadline)
    circuit.breakers.check("p", "other", deadline)


def test_state_can_be_shown(circuit: Circuit) -> None:
    circuit.fail(1)
    assert [(s.state, s.failures, s.open_s) for s in circuit.breakers.states()] == [("closed", 1, 0.0)]
    circuit.fail(4)
    circuit.clock.advance(20)
    assert [(s.provider, s.host, s.state) for s in circuit.breakers.states()] == [("p", "h", "half-open")]


def test_memory_is_bounded(circuit: Circuit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breaker, "MAX_CIRCUITS", 3)
    for n in range(10):
        circuit.breakers.failed("p", str(n), ProviderError("x", reason="down"))
    assert [state.host for state in circuit.breakers.states()] == ["7", "8", "9"]
