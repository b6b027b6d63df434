#!/usr/bin/env bash
# install.sh [PREFIX]: make PREFIX/bin/webquarry, which runs the command of this checkout's .venv.
# PREFIX is /usr/local for root and ~/.local for others.
set -euo pipefail
cd "$(dirname "$0")/.."

prefix=${1:-}
if [ -z "$prefix" ]; then
  if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
fi
program=$PWD/.venv/bin/webquarry
link=$prefix/bin/webquarry

if [ -e "$link" ] && [ ! -L "$link" ]; then
  echo "$link is there already, and was not made by this: remove it, or name another folder with PREFIX." >&2
  exit 1
fi
mkdir -p "$prefix/bin"
ln -sfn "$program" "$link"
echo "Installed $link"
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "$prefix/bin is not on your PATH: add it, or call $link." ;;
esac
