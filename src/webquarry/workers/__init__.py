"""Child processes for hostile or heavy work. They have limits and no network, and are killed when they are late.

Callers use `pool.Pool`; `child` runs in the child processes. Neither is imported here, because every child would pay
for the import.
"""
