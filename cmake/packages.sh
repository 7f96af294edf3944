# Sourced by the launcher, tests/run and .ci/run: which packages a purpose needs, and how to get them.
# Everything that it says goes to standard error.

say() {
  printf 'gpu-advisor: %s\n' "$*" >&2
}

fail() {
  say "$*"
  exit 4
}

# package_names <manager> <purpose>...: purposes are build, tests, checks.
package_names() {
  manager=$1
  shift
  for purpose in "$@"; do
    case $manager-$purpose in
      apt-build)
        echo g++ cmake ninja-build libcli11-dev nlohmann-json3-dev libfmt-dev libsimdjson-dev \
          libvalijson-dev
        ;;
      apt-tests) echo catch2 ;;
      apt-checks) echo git clang-format-14 clang-tidy-14 ;;
      dnf-build) echo gcc-c++ cmake ninja-build git cli11-devel json-devel fmt-devel simdjson-devel ;;
      dnf-tests) echo catch-devel ;;
      dnf-checks) echo clang-tools-extra ;;
      brew-build) echo cmake ninja git cli11 nlohmann-json fmt simdjson ;;
      brew-tests) echo catch2 ;;
      brew-checks) echo clang-format llvm ;;
    esac
  done
}

is_installed() {
  case $1 in
    apt) [ "$(dpkg-query -W -f '${db:Status-Status}' "$2" 2>/dev/null)" = installed ] ;;
    dnf) rpm -q "$2" >/dev/null 2>&1 ;;
    brew) brew list --versions "$2" >/dev/null 2>&1 ;;
  esac
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo "$@"
  else
    return 1
  fi
}

# The package lists are brought up to date only when the packages are not found without.
apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "$@" </dev/null >&2 2>/dev/null && return
  as_root apt-get update </dev/null >&2 &&
    as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends "$@" </dev/null >&2
}

# install_packages <purpose>...: installs what is missing, or ends with a message that names it.
install_packages() {
  manager=none
  for candidate in apt-get dnf brew; do
    if command -v $candidate >/dev/null 2>&1; then
      manager=${candidate%-get}
      break
    fi
  done
  if [ $manager = none ]; then
    say "no apt, dnf or brew here; using the compiler, CMake and libraries that are installed"
    return
  fi
  missing=
  for package in $(package_names $manager "$@"); do
    is_installed $manager "$package" || missing="$missing $package"
  done
  [ -z "$missing" ] && return
  say "installing$missing"
  case $manager in
    apt) apt_install $missing ;;
    dnf) as_root dnf install -y $missing </dev/null >&2 ;;
    brew) brew install $missing </dev/null >&2 ;;
  esac && return
  if [ "$(id -u)" != 0 ] && [ $manager != brew ] && ! command -v sudo >/dev/null 2>&1; then
    fail "installing packages needs root or sudo. Ask an administrator for:$missing"
  fi
  fail "could not install$missing. Is this machine online, and may you install packages? With these \
packages in place the same command goes on without a network."
}

# configure <folder> <option>...: with Debian's packages nothing is ever downloaded; elsewhere the
# libraries that the system lacks come as pinned sources.
configure() {
  folder=$1
  shift
  fetch=ON
  command -v apt-get >/dev/null 2>&1 && fetch=OFF
  generator=
  if [ ! -e "$folder/CMakeCache.txt" ] && command -v ninja >/dev/null 2>&1; then
    generator="-G Ninja"
  fi
  cmake $generator -S "$root" -B "$folder" -DGPU_ADVISOR_FETCH_DEPENDENCIES=$fetch "$@"
}

cores() {
  getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}
