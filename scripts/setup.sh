#!/usr/bin/env bash
# setup.sh run|dev|bench: make .venv and install what `make serve`, `make test` or `make bench` needs.
# Does nothing, and asks no network, when that was done for this state of the requirements.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=${1:?run, dev or bench}
case $kind in run) pins=run ;; dev | bench) pins=dev ;; *) echo "setup.sh: run, dev or bench" >&2; exit 2 ;; esac
python=.venv/bin/python

state() { { pwd; cat "requirements/$1.txt" pyproject.toml scripts/setup.sh; } | sha256sum; }
is_done() { [ "$(cat ".venv/.done-$1" 2>/dev/null)" = "$(state "$2")" ]; }

fail() {
  echo "$*" >&2
  exit 1
}

has_python() { command -v python3 >/dev/null && python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; }
has_venv() { has_python && python3 -c 'import ensurepip, venv' 2>/dev/null; }
has_postgresql() { compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || command -v initdb >/dev/null; }
has_redis() { command -v redis-server >/dev/null || command -v valkey-server >/dev/null; }
has_chromium() { command -v chromium >/dev/null; }
has_tesseract() { command -v tesseract >/dev/null; }
has_wrk() { command -v wrk >/dev/null; }

# what scans may be written in: osd tells scripts apart; convert/file/image/ocr/scripts.py chooses among the others
ocr_languages="osd eng ara ben bul ces chi-sim chi-tra dan deu ell fas fin fra heb hin hun ita jpn kor nld nor pol por
  ron rus spa swe tam tel tha tur ukr urd vie"

missing_ocr() {
  local known language
  has_tesseract || echo tesseract-ocr
  known=$(tesseract --list-langs 2>/dev/null || true)
  for language in $ocr_languages; do
    grep -qx "${language/-/_}" <<<"$known" || echo "tesseract-ocr-$language"
  done
}

# Debian's names of what is not there
missing() {
  has_python || echo python3
  has_venv || echo python3-venv
  has_chromium || echo chromium
  missing_ocr
  [ "$kind" != run ] || return 0
  has_postgresql || echo postgresql
  has_redis || echo redis-server
  [ "$kind" = dev ] || has_wrk || echo wrk
}

can_install() { [ -f /etc/debian_version ] && [ "$(id -u)" = 0 ]; }

# the service starts without these, and answers what it then cannot do
is_spared() {
  [ "$kind" = run ] && ! can_install && [ -z "$(missing | grep -vE '^(chromium|tesseract-ocr.*)$')" ]
}

say_what_is_spared() {
  has_chromium ||
    echo "There is no Chromium: pages that are nothing without their scripts will not be read (Debian: chromium)."
  [ -z "$(missing_ocr)" ] ||
    echo "Scans will be read badly or not at all (Debian: $(missing_ocr | xargs))."
}

install_system_packages() {
  local packages
  packages=$(missing | xargs)
  [ -n "$packages" ] || return 0
  if is_spared; then
    say_what_is_spared
    return 0
  fi
  [ -f /etc/debian_version ] || fail "Please install what Debian calls $packages (Python 3.11 or newer), and try again."
  [ "$(id -u)" = 0 ] || fail "Please install as root what is missing (apt-get install $packages), and try again."
  echo "Installing $packages"
  export DEBIAN_FRONTEND=noninteractive
  apt-get -qq update
  # shellcheck disable=SC2086  # a list of names
  apt-get -qq install -y --no-install-recommends $packages >/dev/null
  packages=$(missing | xargs)
  [ -z "$packages" ] || fail "Still missing after apt-get: $packages (Python 3.11 or newer is needed)."
}

make_venv() {
  # a .venv that was copied or moved here would install into the old place
  if ! grep -qsF "#!$PWD/$python" .venv/bin/pip; then
    python3 -m venv --clear .venv
  fi
}

install_python_packages() {
  echo "Installing the Python packages of requirements/$pins.txt into .venv"
  local pip=("$python" -m pip --disable-pip-version-check --quiet install)
  "${pip[@]}" --require-hashes --only-binary :all: -r "requirements/$pins.txt"
  "${pip[@]}" --no-deps --no-index --no-build-isolation --editable .
}

is_done "$kind" "$pins" && exit 0
install_system_packages
make_venv
install_python_packages
# dev.txt holds all of run.txt, in the same versions
state run >.venv/.done-run
state "$pins" >".venv/.done-$kind"
