"""Benchmarks: each module measures one subject against a yardstick in the same run, so that ratios mean something on
any machine. `python -m bench [names…]` runs them; docs/benchmarks.md says how to read the tables."""
