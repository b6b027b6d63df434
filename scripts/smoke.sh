#!/usr/bin/env bash
# smoke.sh COMMAND…: start a sandbox with this webquarry command, send the example request in its greeting, and stop it.
#
#   scripts/smoke.sh .venv/bin/webquarry
#   scripts/smoke.sh docker run --rm --network host webquarry
set -euo pipefail

folder=$(mktemp -d)
"$@" serve --sandbox --host 127.0.0.1 --port "${PORT:-18732}" >"$folder/greeting" 2>"$folder/log" &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT

for _ in $(seq 240); do
  grep -q "More credits:" "$folder/greeting" && break
  kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; echo "The server has ended." >&2; exit 1; }
  sleep 0.25
done
url=$(sed -n 's/^Webquarry listens on //p' "$folder/greeting")
call=$(sed -n 's/^  curl //p' "$folder/greeting")
curl --fail --silent --show-error --max-time 30 --output /dev/null "$url/healthz"
eval "curl --fail --silent --show-error --max-time 60 $call" >"$folder/answer"
grep -q '"creditsCharged":1' "$folder/answer" || { cat "$folder/answer" >&2; exit 1; }
echo "The first request succeeded."
