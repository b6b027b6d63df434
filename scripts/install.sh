#!/usr/bin/env bash
# install.sh [PREFIX]: create PREFIX/bin/webquarry, a link to the command in this checkout's .venv.
# PREFIX defaults to /usr/local for root and to ~/.local for other users.
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=${1:-}
if [ -z "$prefix" ]; then
  if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
fi
program=$PWD/.venv/bin/webquarry
link=$prefix/bin/webquarry

if [ -e "$link" ] && [ ! -L "$link" ]; then
  echo "$link already exists and is not a link. Remove it, or choose another folder with PREFIX." >&2
  exit 1
fi
mkdir -p "$prefix/bin"
ln -sfn "$program" "$link"
echo "Installed $link"
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "$prefix/bin is not on your PATH. Add it, or run $link." ;;
esac
