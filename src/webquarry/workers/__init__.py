"""Child processes in which hostile or heavy work runs: within limits, without network, killed when late.

`pool.Pool` is what callers use, `child` what runs in a child. Neither is imported here: every child would pay for it.
"""
