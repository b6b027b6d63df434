"""Profiles of the property tests. They use the same examples in each run, and many more in `make proofs`."""

from convert_support.examples import register_profiles

register_profiles()
