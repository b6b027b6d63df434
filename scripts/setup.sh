#!/usr/bin/env bash
# setup.sh run|dev|bench: create .venv and install the requirements of `make serve`, `make test` or `make bench`.
# Does nothing, and needs no network, if the same requirements were already installed.
#
# Needs Python 3.11 or newer. Other components for `run` are installed if a package manager is available and permitted.
# Otherwise they are skipped, with a notice for each missing component. Also runs in the bash of macOS (3.2).
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:?run, dev or bench}
case $kind in run) pins=run ;; dev | bench) pins=dev ;; *) echo "setup.sh: run, dev or bench" >&2; exit 2 ;; esac
python=.venv/bin/python

digest() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }
state() { { pwd; cat "requirements/$1.txt" pyproject.toml packages/*/pyproject.toml scripts/setup.sh; } | digest; }
is_done() { [ "$(cat ".venv/.done-$1" 2>/dev/null)" = "$(state "$2")" ]; }

fail() {
  echo "$*" >&2
  exit 1
}

# installed components

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
has_venv() { "$1" -c 'import ensurepip, venv' 2>/dev/null; }

find_python() {
  local name
  for name in python3 python3.14 python3.13 python3.12 python3.11; do
    if command -v "$name" >/dev/null && is_new_enough "$name"; then
      echo "$name"
      return 0
    fi
  done
  return 1
}

has_postgresql() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null; }
has_redis() { command -v redis-server >/dev/null || command -v valkey-server >/dev/null; }
has_wrk() { command -v wrk >/dev/null; }
has_tesseract() { command -v tesseract >/dev/null; }

# a stub that only recommends another package (as on Ubuntu) doesn't count
has_chromium() {
  local name
  for name in chromium chromium-browser google-chrome-stable google-chrome \
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" /Applications/Chromium.app/Contents/MacOS/Chromium; do
    if command -v "$name" >/dev/null && "$name" --version >/dev/null 2>&1; then return 0; fi
  done
  [ -x "$python" ] && "$python" -m webquarry.net.browser.installed >/dev/null 2>&1
}

# languages and scripts of scans: osd detects scripts; convert/file/image/ocr/scripts.py chooses among the others
ocr_languages="osd eng ara ben bul ces chi_sim chi_tra dan deu ell fas fin fra heb hin hun ita jpn kor nld nor pol por
  ron rus spa swe tam tel tha tur ukr urd vie"

list_missing_languages() {
  local known language
  known=$(tesseract --list-langs 2>/dev/null || true)
  for language in $ocr_languages; do
    grep -qx "$language" <<<"$known" || echo "$language"
  done
}

# package managers: their names for each component, whether they may be used, and how they install packages

find_manager() {
  local name
  for name in apt-get dnf brew; do
    if command -v "$name" >/dev/null; then
      echo "$name"
      return 0
    fi
  done
  return 1
}

manager=$(find_manager || true)

# brew refuses to run as root; the others need root
may_install() {
  case $manager in
    apt-get | dnf) [ "$(id -u)" = 0 ] ;;
    brew) [ "$(id -u)" != 0 ] ;;
    *) return 1 ;;
  esac
}

name_packages() { # component → packages of this manager, one per line
  local language
  case ${manager:-apt-get}:$1 in
    apt-get:python) printf '%s\n' python3 python3-venv ;;
    apt-get:newer-python) printf '%s\n' python3.11 python3.11-venv ;;
    apt-get:venv) printf '%s\n' python3-venv "$(basename "$(readlink -f "$(command -v "$base_python")")")-venv" ;;
    apt-get:chromium) echo chromium ;;
    apt-get:tesseract)
      echo tesseract-ocr
      for language in $(list_missing_languages); do echo "tesseract-ocr-$language" | tr _ -; done
      ;;
    apt-get:postgresql) echo postgresql ;;
    apt-get:redis) echo redis-server ;;
    dnf:python) echo python3 ;;
    dnf:newer-python) echo python3.12 ;;
    dnf:chromium) echo chromium ;;
    dnf:tesseract)
      echo tesseract
      for language in $(list_missing_languages); do
        case $language in osd) echo tesseract-osd ;; *) echo "tesseract-langpack-$language" ;; esac
      done
      ;;
    dnf:postgresql) echo postgresql-server ;;
    dnf:redis) echo redis ;;
    brew:python | brew:newer-python) echo python@3.13 ;;
    brew:tesseract) printf '%s\n' tesseract tesseract-lang ;;
    brew:postgresql) echo postgresql ;;
    brew:redis) echo redis ;;
    *:wrk) echo wrk ;;
  esac
}

run_manager() {
  case $manager in
    apt-get) DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" ;;
    dnf) dnf -q install -y "$@" ;;
    brew) brew install -q "$@" ;;
  esac >/dev/null 2>&1 </dev/null
}

# install all packages together; if one is not available, install the others one by one
install_packages() {
  local package
  [ $# -gt 0 ] && may_install || return 0
  echo "Installing $*"
  if [ "$manager" = apt-get ]; then apt-get -qq update >/dev/null 2>&1 || true; fi
  run_manager "$@" && return 0
  for package in "$@"; do run_manager "$package" || true; done
}

list_missing_parts() {
  has_chromium || echo chromium
  { has_tesseract && [ -z "$(list_missing_languages)" ]; } || echo tesseract
  [ "$kind" != run ] || return 0
  has_postgresql || echo postgresql
  has_redis || echo redis
  [ "$kind" = dev ] || has_wrk || echo wrk
}

install_parts() {
  local part packages=()
  for part in $(list_missing_parts); do
    while read -r package; do packages+=("$package"); done < <(name_packages "$part")
  done
  [ ${#packages[@]} -eq 0 ] || install_packages "${packages[@]}"
}

tell_missing_parts() {
  local part languages
  for part in $(list_missing_parts); do
    case $part in
      chromium) echo "Chromium is not installed: pages that need JavaScript will not be read (install chromium or Google Chrome)." ;;
      tesseract)
        if has_tesseract; then
          languages=$(list_missing_languages | xargs)
          echo "Tesseract has no data for some languages, so scans in them will be read badly: $languages."
        else
          echo "Tesseract is not installed: scans will be read badly (install tesseract-ocr or tesseract)."
        fi
        ;;
      *) echo "$part is not installed. Install $(name_packages "$part" | xargs) and try again." ;;
    esac
  done
}

# Python

ensure_python() {
  base_python=$(find_python) || {
    install_packages $(name_packages python)
    base_python=$(find_python) || {
      install_packages $(name_packages newer-python)
      base_python=$(find_python) || fail "Python 3.11 or newer is required but not installed. Install it and try again."
    }
  }
}

make_venv() {
  # a .venv that was copied or moved here would install into its old folder
  if grep -qsF "#!$PWD/$python" .venv/bin/pip; then return 0; fi
  has_venv "$base_python" || install_packages $(name_packages venv)
  if has_venv "$base_python"; then
    "$base_python" -m venv --clear .venv
  elif command -v uv >/dev/null; then
    uv venv --quiet --clear --seed --python "$base_python" .venv
  elif command -v virtualenv >/dev/null; then
    virtualenv --quiet --clear --python "$base_python" .venv
  else
    fail "$base_python has no module venv. Install it (Debian and Ubuntu: python3-venv) and try again."
  fi
}

install_python_packages() {
  echo "Installing the Python packages in requirements/$pins.txt into .venv"
  local pip=("$python" -m pip --disable-pip-version-check --quiet install)
  "${pip[@]}" --require-hashes --only-binary :all: -r "requirements/$pins.txt" ||
    fail "The Python packages could not be installed. See the output of pip above."
  "${pip[@]}" --no-deps --no-index --no-build-isolation --editable packages/convert --editable .
}

# for systems without a package; needs Playwright and access to its downloads
fetch_chromium() {
  has_chromium && return 0
  echo "Trying to fetch Playwright's own Chromium"
  "$python" -c 'import subprocess, sys
try:
    sys.exit(subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], timeout=300).returncode)
except subprocess.TimeoutExpired:
    sys.exit(1)' >/dev/null 2>&1 </dev/null || true
}

is_done "$kind" "$pins" && exit 0
ensure_python
install_parts
make_venv
install_python_packages
fetch_chromium
[ "$kind" = run ] || [ -z "$(list_missing_parts)" ] || { tell_missing_parts >&2; exit 1; }
tell_missing_parts
# dev.txt contains everything in run.txt, in the same versions
state run >.venv/.done-run
state "$pins" >".venv/.done-$kind"
