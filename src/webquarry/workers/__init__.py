"""Child processes for hostile or heavy work: limited, without network, and killed when late.

Callers use `pool.Pool`; `child` runs in the child processes. Neither is imported here, because every child would pay
for the import.
"""
