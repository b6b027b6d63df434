from webquarry.core.metrics import MAX_PATHS, OTHER_PATHS, Metrics


def test_the_number_of_paths_of_losses_is_limited() -> None:
    metrics = Metrics()
    for at in range(MAX_PATHS + 10):
        metrics.lost("made", f"a.{at}", 1)
    metrics.lost("made", "a.0", 2)
    shown = metrics.text().decode()
    assert 'webquarry_wire_losses_total{endpoint="made",path="a.0"} 3.0' in shown
    assert f'webquarry_wire_losses_total{{endpoint="made",path="{OTHER_PATHS}"}} 10.0' in shown
    assert shown.count("webquarry_wire_losses_total{") == MAX_PATHS + 1
