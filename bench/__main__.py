"""`python -m bench [names…]`: run benchmarks one after the other and print their tables.

Each benchmark runs in a separate process, because memory, caches and threads must not be shared.
"""

import subprocess
import sys

BENCHMARKS = (
    "cached",
    "request_log",
    "tools",
    "replicas",
    "fresh",
    "latency",
    "jobs",
    "outbound",
    "bombs",
    "ledger",
    "memory",
    "convert",
    "workers",
    "pages",
    "files",
    "delimited",
    "lost_words",
    "quality",
    "readers",
    "browser",
    "content_attacks",
    "excerpts",
    "site_map",
    "repeats",
)


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(f"No such benchmark: {', '.join(unknown)}. There are: {', '.join(BENCHMARKS)}.", file=sys.stderr)
        return 2
    failed = 0
    for name in names or BENCHMARKS:
        failed += subprocess.run([sys.executable, "-m", f"bench.{name}"]).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
