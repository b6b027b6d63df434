"""Child processes for hostile or heavy work. They have limits and no network access, and are killed when they exceed
their deadline.

Callers use `pool.Pool`; `child` runs in the child processes. Neither is imported here, because every child would pay
for the import.
"""
