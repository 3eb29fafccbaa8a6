# Shared by first-look.sh, test.sh and .ci/run, which source it after setting `root`: finds or
# installs what a command needs. Nothing that the machine has is changed: packages that R finds in
# a sufficient version are left alone, the distribution's packages are only added, never upgraded,
# downgraded or removed, and CRAN's go to a library of our own that is used by these commands only.

say() { printf '%s\n' "$*"; }

# Starts a folder for temporary files and the log; it is kept, and named, only after a failure.
begin() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/sdcLattice-$1.XXXXXX") || exit 1
  log=$work/log.txt
  : >"$log"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Says why there is no result, and where the details are.
fail() {
  trap - EXIT
  say "sdcLattice: $*" >&2
  say "sdcLattice: details are in $log" >&2
  [ "$closing" != yes ] || say "0 passed, 1 failed"
  exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# Processors for compilers and tests.
threads=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
[ "$threads" -le 4 ] || threads=4

# Whether this is Debian or a relative, and we may install on it.
may_apt() { [ -f /etc/debian_version ] && [ "$(id -u)" -eq 0 ] && has apt-get; }

# Whether the R that we use is the distribution's, so that its r-cran-* packages serve it.
debian_r() {
  [ -f /etc/debian_version ] && has dpkg-query && [ "$(R RHOME 2>/dev/null)" = /usr/lib/R ] &&
    dpkg-query -W r-base-core >/dev/null 2>&1
}

apt_update() {
  [ -z "$updated" ] || return 0
  updated=yes
  apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 update >>"$log" 2>&1
}

# Those of the named packages that the distribution has.
apt_known() {
  for package; do
    apt-cache policy "$package" 2>/dev/null | grep 'Candidate: [0-9]' >/dev/null && printf '%s ' "$package"
  done
}

apt_install() {
  may_apt && apt_update
  set -- $(apt_known "$@")
  [ $# -gt 0 ] || return 0
  say "  from the distribution (apt-get): $*"
  DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
    install -y --no-upgrade --no-install-recommends --no-remove "$@" >>"$log" 2>&1 </dev/null ||
    say "  apt-get did not install them all"
}

# The names of r-cran packages for the R packages on standard input; for those that Debian lacks, what
# they need.
debian_names() {
  sed 's/^sdcHierarchies$/shiny\nshinyjs\nshinythemes/
    s/^GaussSuppression$/matrix\nmass\nellipsis/' | tr 'A-Z' 'a-z' | sed 's/^/r-cran-/' | tr '\n' ' '
}

# Lists of packages of our own, for a user who may not update the system's.
apt_own_lists() {
  mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial"
  printf '%s\n' "Dir::State::lists \"$work/apt/lists\";" "Dir::Cache \"$work/apt/cache\";" \
    'Debug::NoLocking "true";' >"$work/apt/conf"
  APT_CONFIG=$work/apt/conf
  export APT_CONFIG
  apt_update
}

# Without root, the distribution's built packages can still be had: unpacked into our own library.
apt_unpack() {
  has apt-get && apt_own_lists
  set -- $(apt_known "$@")
  [ $# -gt 0 ] || return 0
  all=$(apt-get -s install --no-upgrade --no-install-recommends "$@" 2>>"$log" </dev/null |
    sed -n 's/^Inst \(r-cran-[^ ]*\) .*/\1/p')
  [ -n "$all" ] || return 0
  say "  from the distribution, unpacked into $library: $(say $all | wc -w | tr -d " ") packages"
  mkdir -p "$work/deb"
  (
    cd "$work/deb" && apt-get download $all && for deb in *.deb; do dpkg-deb -x "$deb" tree; done
    for folder in tree/usr/lib/R/site-library/*; do
      [ -e "$library/${folder##*/}" ] || cp -RL "$folder" "$library/"
    done
  ) >>"$log" 2>&1
  rm -rf "$work/deb"
}

missing_r() { Rscript "$root/tools/install-dependencies.R" "${2:-missing}" "$1" 2>>"$log" | sort -u; }

# A library of our own, one for each minor version of R, in front of the user's.
use_library() {
  version=$(Rscript -e 'cat(R.version$platform, paste0(R.version$major, ".", sub("[.].*", "", R.version$minor)), sep = "-")')
  library=${SDCLATTICE_LIBRARY:-${XDG_CACHE_HOME:-${HOME:-/nowhere}/.cache}/sdcLattice/$version}
  mkdir -p "$library" 2>/dev/null && [ -w "$library" ] || library=${fallback:-$work/dependencies}
  [ -d "$library" ] || mkdir -p "$library"
  R_LIBS=$library${R_LIBS:+:$R_LIBS}
  export R_LIBS
}

need_r() {
  has Rscript || { may_apt && apt_install r-base-core; }
  has Rscript || fail "R is not installed. Install R 4.2 or newer."
  Rscript -e 'quit(status = getRversion() < "4.2")' >>"$log" 2>&1 ||
    fail "R 4.2 or newer is needed; this is $(Rscript -e 'cat(as.character(getRversion()))')."
}

compiler() { has make && R CMD config CXX17 2>/dev/null | sed 's/ .*//'; }

# The programs that a command wants besides R: `need_tools pandoc qpdf`. A compiler always.
need_tools() {
  lack=
  has make || lack=make
  has "$(compiler || echo g++)" || lack="$lack g++"
  for tool; do has "$tool" || lack="$lack $tool"; done
  [ -n "$lack" ] || return 0
  say "  missing programs:" $lack
  may_apt && apt_install $lack
  has make && has "$(compiler)" ||
    fail "make and a C++17 compiler are needed: install them with the system's package manager."
}

# The browser in which the page of the table server is tested: some 15 seconds from the distribution.
# Where there is none, these tests are skipped.
need_browser() {
  for name in "${CHROMOTE_CHROME:-chromium}" chromium chromium-browser google-chrome chrome; do
    ! has "$name" || return 0
  done
  say "  missing program, for the tests of the page: chromium"
  if may_apt; then apt_install chromium; fi
}

# The database in which the store of the table server is tested, besides SQLite, and the library that
# RPostgres is compiled with. Where they are missing, these tests are skipped.
need_database() {
  ! { has pg_ctlcluster || has initdb; } || ! has pg_config || return 0
  say "  missing programs, for the tests of the store: postgresql libpq-dev"
  if may_apt; then apt_install postgresql libpq-dev pkg-config; fi
}

need_r_packages() {
  lack=$(missing_r "$1")
  [ -n "$lack" ] || return 0
  say "  missing R packages:" $lack
  if debian_r; then
    names=$(say "$lack" | debian_names)
    if may_apt; then apt_install $names; else apt_unpack $names; fi
    lack=$(missing_r "$1")
  fi
  [ -z "$lack" ] || from_cran "$1"
}

from_cran() {
  say "  from CRAN, into $library (this may take minutes):" $lack
  Rscript "$root/tools/install-dependencies.R" install "$1" "$library" >>"$log" 2>&1 </dev/null
  lack=$(missing_r "$1" required)
  [ -z "$lack" ] || fail "these R packages could not be installed:" $lack "$(hint "$lack")"
}

hint() {
  case "$1" in
  *openssl*) say "(openssl needs the system's libssl-dev, or openssl-devel)" ;;
  esac
}

# prepare <use> [program ...]: see install-dependencies.R for the uses.
prepare() {
  use=$1
  shift
  say "sdcLattice: looking for what is missing"
  need_r
  use_library
  need_tools "$@"
  [ "$use" = look ] || need_database
  need_r_packages "$use"
}

# Builds the package from a copy, so that the checkout stays as it is, and installs it into $1.
install_package() {
  mkdir -p "$1"
  say "sdcLattice: installing the package into $1"
  (
    cd "$work" && R CMD build --no-build-vignettes --no-manual "$root" &&
      MAKEFLAGS=${MAKEFLAGS:--j$threads} R CMD INSTALL --library="$1" sdcLattice_*.tar.gz
  ) >>"$log" 2>&1 </dev/null || fail "the package could not be installed."
}
