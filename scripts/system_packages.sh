#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Install the Debian packages that GA2 needs and that are missing: a simulator, a C++ compiler, venv, libpython, and
# the compression libraries with which Verilator writes waveforms.
# Usage: system_packages.sh PYTHON      Does nothing, and needs no rights, when everything is there.
set -eu
python=$1

fail() {
  echo "setup: $*" >&2
  exit 1
}

has_command() { command -v "$1" >/dev/null 2>&1; }
# A venv needs ensurepip, which Debian packages apart.
has_venv() { has_command "$python" && "$python" -c 'import ensurepip, venv' 2>/dev/null; }
# Simulators load Python as a shared library, which Debian packages apart too.
has_libpython() {
  has_command "$python" && "$python" - <<'PY' 2>/dev/null
import ctypes, sysconfig
from pathlib import Path
name = sysconfig.get_config_var("INSTSONAME") or ""
if ".so" not in name:
    name = f"libpython{sysconfig.get_config_var('LDVERSION')}.so.1.0"
places = [Path(sysconfig.get_config_var("LIBDIR") or "/usr/lib") / name, name]
for place in places:
    try:
        ctypes.CDLL(str(place))
        break
    except OSError:
        continue
else:
    raise SystemExit(1)
PY
}
has_header() { has_command g++ && echo "#include <$1>" | g++ -E -x c++ - >/dev/null 2>&1; }
missing() {
  has_command iverilog || echo iverilog
  has_command g++ || echo g++
  has_command make || echo make
  has_command ccache || echo ccache
  has_command "$python" || echo python3
  has_venv || echo python3-venv
  has_libpython || echo libpython3-dev
  has_header lz4.h || echo liblz4-dev
  has_header zlib.h || echo zlib1g-dev
}

packages=$(missing | tr '\n' ' ')
if [ -n "$packages" ]; then
  echo "setup: installing Debian packages: $packages"
  has_command apt-get || fail "no apt-get here; install by hand: $packages"
  sudo=
  if [ "$(id -u)" != 0 ]; then
    has_command sudo || fail "neither root nor sudo; install by hand: $packages"
    sudo=sudo
  fi
  $sudo apt-get update -qq || fail "apt-get update failed"
  # shellcheck disable=SC2086  # one word a package
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages ||
    fail "apt-get could not install: $packages"
fi
left=$(missing | grep -v ccache | tr '\n' ' ' || true)
[ -z "$left" ] || fail "still missing: $left"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  fail "$python is $("$python" --version); GA2 needs Python 3.11 or newer (make setup PYTHON=python3.11)"
