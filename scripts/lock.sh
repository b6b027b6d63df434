#!/usr/bin/env bash
# Pin what pyproject.toml asks for, with hashes, for any Linux: requirements/dev.txt, and with the same versions run.txt
# (`make serve`) and image.txt (the Dockerfile).
set -euo pipefail
cd "$(dirname "$0")/.."
PATH=$PWD/.venv/bin:$PATH
command -v uv >/dev/null || { echo "Please install uv to lock requirements." >&2; exit 1; }

lock() {
  local out=$1
  shift
  uv pip compile pyproject.toml packages/convert/pyproject.toml requirements/build.in "$@" --quiet --universal --python-version 3.11 \
    --generate-hashes --no-header --no-emit-index-url --no-emit-find-links --no-emit-package webquarry-convert --output-file "$out" >/dev/null
  sed -i -e '/^$/d' -e '/excluded from the output/d' -e '/^# webquarry-convert$/d' "$out"
  sed -i '1i # Made by `make lock` from pyproject.toml and build.in: not to be edited.' "$out"
}

lock requirements/dev.txt --extra ocr --extra otel --extra dev "$@"
lock requirements/run.txt --extra ocr --constraints requirements/dev.txt
lock requirements/image.txt --extra otel --constraints requirements/dev.txt
