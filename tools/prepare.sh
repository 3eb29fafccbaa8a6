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
  say "sdcLattice: the log of this run is $log"
}

# Keeps what a command says in the log.
quietly() { "$@" >>"$log" 2>&1 </dev/null; }

# While this script lives: says every 4 seconds for how long it has been at it, and $1, a command
# that prints what is being done.
keep_saying() {
  seconds=0
  while kill -0 $$ 2>/dev/null; do
    sleep 1 >/dev/null 2>&1
    seconds=$((seconds + 1))
    [ $((seconds % 4)) -ne 0 ] || say "  $seconds s: $($1)"
  done
}

# ticking <command that prints what is being done> <command> [argument ...]: runs the second one, and
# is never silent for long.
ticking() {
  keep_saying "$1" &
  ticker=$!
  shift
  "$@"
  ended=$?
  # one that has just begun loses other signals
  kill -KILL "$ticker" 2>/dev/null
  wait "$ticker" 2>/dev/null
  return "$ended"
}

# Says why there is no result, shows the end of the log, where the cause is, and where all of it is.
fail() {
  trap - EXIT
  say "sdcLattice: $*" >&2
  if [ -s "$log" ]; then
    say "sdcLattice: the last lines of the log:" >&2
    tail -n 20 "$log" | sed 's/^/  | /' >&2
  fi
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

says_lists() { say "reading the distribution's lists"; }
apt_update() {
  [ -z "$updated" ] || return 0
  updated=yes
  ! may_apt || mend_apt
  ticking says_lists quietly apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 update
}

# An installation that was killed leaves packages that are unpacked and not configured, and apt-get
# then refuses all work.
mend_apt() {
  [ -n "$(dpkg --audit 2>/dev/null)$(ls /var/lib/dpkg/updates 2>/dev/null)" ] || return 0
  say "  finishing an installation by the distribution that was stopped"
  DEBIAN_FRONTEND=noninteractive quietly dpkg --configure -a --force-confold
}

# Those of the named packages that the distribution has.
apt_known() {
  for package; do
    apt-cache policy "$package" 2>/dev/null | grep 'Candidate: [0-9]' >/dev/null && printf '%s ' "$package"
  done
}

says_apt() { say "installing from the distribution"; }
apt_install() {
  may_apt && apt_update
  set -- $(apt_known "$@")
  [ $# -gt 0 ] || return 0
  say "  from the distribution (apt-get): $*"
  export DEBIAN_FRONTEND=noninteractive
  ticking says_apt quietly apt-get -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 \
    install -y --no-upgrade --no-install-recommends --no-remove "$@" ||
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
      [ -e "$library/${folder##*/}" ] || {
        # whole or not at all, also when this is killed
        rm -rf "$library/.half"
        cp -RL "$folder" "$library/.half" && mv "$library/.half" "$library/${folder##*/}"
      }
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
  remove_stale_locks "$library"
}

# The processes, other than this one, whose command line names the folder $1 as a library: R passes
# the library on to every process that installs into it.
processes_of() {
  if has ps; then
    ps -e -o pid= -o args=
  else
    for file in /proc/[0-9]*/cmdline; do
      pid=${file%/cmdline}
      say "${pid##*/} $(tr '\0' ' ' <"$file" 2>/dev/null)"
    done
  fi | SDCLATTICE_NAME=$1 SDCLATTICE_SELF=$$ awk '
    $1 != ENVIRON["SDCLATTICE_SELF"] && index($0 " ", ENVIRON["SDCLATTICE_NAME"] " ") { print $1 }'
}

# An installation that was killed leaves a lock behind, and R then refuses to install for ever. A lock
# in $1, a library that only these commands write to, is removed when no process installs into it.
remove_stale_locks() {
  for lock in "$1"/00LOCK*; do
    [ -e "$lock" ] || continue
    owners=$(processes_of "$1")
    [ -z "$owners" ] || fail "another process is installing into $1 (process" $owners"); run this again when it has ended."
    say "  removing $lock, left behind by an installation that was stopped"
    rm -rf "$lock"
  done
}

need_r() {
  has Rscript || { may_apt && apt_install r-base-core; }
  has Rscript || fail "R is not installed. Install R 4.2 or newer."
  Rscript -e 'quit(status = getRversion() < "4.2")' >>"$log" 2>&1 ||
    fail "R 4.2 or newer is needed; this is $(Rscript -e 'cat(as.character(getRversion()))')."
}

compiler() { has make && R CMD config CXX17 2>/dev/null | sed 's/ .*//'; }

# Those of the named programs that the machine lacks; a compiler always.
lacking_tools() {
  has make || say make
  has "$(compiler || echo g++)" || say g++
  for tool; do has "$tool" || say "$tool"; done
}

# The programs that a command wants besides R: `need_tools pandoc qpdf`.
need_tools() {
  lack=$(lacking_tools "$@")
  [ -n "$lack" ] || return 0
  say "  missing programs:" $lack
  may_apt && apt_install $lack
  has make && has "$(compiler)" ||
    fail "make and a C++17 compiler are needed: install them with the system's package manager."
}

# The browser in which the page of the table server is tested: some 15 seconds from the distribution.
# Where there is none, these tests are skipped.
lacking_browser() {
  for name in "${CHROMOTE_CHROME:-chromium}" chromium chromium-browser google-chrome chrome; do
    ! has "$name" || return 0
  done
  say chromium
}
need_browser() {
  lack=$(lacking_browser)
  [ -n "$lack" ] || return 0
  say "  missing program, for the tests of the page: $lack"
  if may_apt; then apt_install $lack; fi
}

# The database in which the store of the table server is tested, besides SQLite, and the library that
# RPostgres is compiled with. Where they are missing, these tests are skipped.
lacking_database() {
  ! { has pg_ctlcluster || has initdb; } || ! has pg_config || return 0
  say postgresql libpq-dev pkg-config
}
need_database() {
  lack=$(lacking_database)
  [ -n "$lack" ] || return 0
  say "  missing programs, for the tests of the store: $lack"
  if may_apt; then apt_install $lack; fi
}

# What checks style and spelling. Where it is missing, these checks are skipped.
style_packages="clang-format hunspell-en-gb r-cran-lintr r-cran-spelling"

# need_at_once <use> [program ...]: all that the machine lacks, and what checks style, by one call of
# apt-get, which takes half a minute less than a call for each. prepare() then finds it, or says what
# is still missing.
need_at_once() {
  may_apt || return 0
  use=$1
  shift
  say "sdcLattice: looking for what is missing"
  need_r
  use_library
  ! debian_r || names=$(missing_r "$use" | debian_names)
  apt_install $(lacking_tools "$@") $(lacking_browser) $(lacking_database) $style_packages ${names:-}
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

says_cran() { say "compiling packages from CRAN"; }
# What they do here takes less time than to compile them as fast programs, which is twice as long.
from_cran() {
  say "  from CRAN, into $library (this may take minutes):" $lack
  makevars=$(makevars_with Makevars.cran "-O1 -g0" C CXX CXX11 CXX14 CXX17)
  ticking says_cran quietly env R_MAKEVARS_USER="$makevars" \
    Rscript "$root/tools/install-dependencies.R" install "$1" "$library"
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

# How much there is to compile, in bundles, and how much of it is done, by the log of the installation.
objects() { grep -c '^bundles/.*[.]o: ' "$root/src/Makevars"; }
compiled() { grep -c -E ' -c .* -o [^ ]+[.]o$' "$log"; }

says_compiled() {
  ready=$(($(compiled) - before)) all=$(objects)
  if [ "$ready" -lt "$all" ]; then
    say "compiling, $ready of $all bundles"
  else
    say "compiled; writing help pages and checking"
  fi
}

says_copying() { say "copying the package"; }
# Unpacks a copy of the package into $work/source, so that the checkout stays as it is.
copy_package() {
  (
    cd "$work" && R CMD build --no-build-vignettes --no-manual "$root" &&
      mkdir -p source && tar -xzf sdcLattice_*.tar.gz -C source
  ) >>"$log" 2>&1 </dev/null || fail "the package could not be copied."
}

# Prints the name of a file for R's compilers: the user's own, if there is one, and without debug
# symbols, which are a quarter of the compiler's time and nine tenths of the room.
lean_makevars() {
  # without need no flag is added: a cache of compiled files would not find them
  case " $(R CMD config CXX17FLAGS) " in *" -g0 "*) own_makevars && return ;; esac
  makevars_with Makevars.lean -g0 CXX17
}

own_makevars() { Rscript -e 'cat(tools::makevars_user())' 2>>"$log"; }

# makevars_with <name of the file> <flags> <language> ...
makevars_with() {
  name=$1 flags=$2
  shift 2
  own=$(own_makevars)
  case $own in *[[:space:]]*) say "$own" && return ;; esac
  {
    [ -z "$own" ] || say "include $own"
    for language; do say "${language}FLAGS += $flags"; done
  } >"$work/$name"
  say "$work/$name"
}

install_copy() {
  R_MAKEVARS_USER=$(lean_makevars) MAKEFLAGS=${MAKEFLAGS:--j$threads} \
    R CMD INSTALL --strip --library="$1" "$work/source/sdcLattice" >>"$log" 2>&1 </dev/null
}

# ---- binaries -----------------------------------------------------------------------------------

if has sha256sum; then hash_files() { sha256sum "$@"; }; else hash_files() { shasum -a 256 "$@"; }; fi

# A hash of all that the installed package is made of.
sources_hash() {
  (
    cd "$root" && find DESCRIPTION NAMESPACE R src inst data man -type f ! -name '*.o' ! -name '*.so' \
      ! -path 'src/bundles/*' ! -path 'inst/doc/*' ! -path 'man/roxygen/*' | LC_ALL=C sort |
      while IFS= read -r file; do hash_files "$file"; done | hash_files - | cut -c1-64
  )
}

# The name of a binary of this version of the package for this platform and version of R.
binary_name() {
  Rscript -e 'cat("sdcLattice_", read.dcf(commandArgs(TRUE), "Version"), "_", R.version$platform, "_R",
    R.version$major, ".", sub("[.].*", "", R.version$minor), ".tar.gz\n", sep = "")' "$root/DESCRIPTION"
}

# Installs into the library $1 a binary that lies in the checkout or beside it, when it was made from
# these very sources and is as it was made; `tools/make-binary.sh` makes one.
install_binary() {
  for place in "$root" "$root/.."; do
    file=$place/$(binary_name)
    [ -r "$file" ] && [ -r "$file.hashes" ] || continue
    made=$(sed -n 's/^sources //p' "$file.hashes") whole=$(sed -n 's/^binary //p' "$file.hashes")
    if [ "$made" != "$(sources_hash)" ]; then
      say "  $file was made from other sources: it is not used"
    elif [ "$whole" != "$(hash_files - <"$file" | cut -c1-64)" ]; then
      say "  $file is not as it was made: it is not used"
    else
      mkdir -p "$1"
      remove_stale_locks "$1"
      say "sdcLattice: installing $file, which was made from these sources, into $1"
      ticking says_unpacking quietly R CMD INSTALL --library="$1" "$file" && return 0
      say "  it cannot be installed: the package is compiled instead"
    fi
  done
  return 1
}
says_unpacking() { say "unpacking"; }

# Installs the package into the library $1.
install_package() {
  mkdir -p "$1"
  remove_stale_locks "$1"
  say "sdcLattice: installing the package into $1"
  say "  compiling $(objects) bundles of files with $threads processors takes $(minutes_to_compile)"
  ticking says_copying copy_package
  before=$(compiled)
  ticking says_compiled install_copy "$1" || fail "the package could not be installed."
}

# About 200 seconds of one processor; twice that on a slow one.
minutes_to_compile() {
  case $threads in
  1) say "four to eight minutes" ;;
  2) say "two to four minutes" ;;
  *) say "one to two minutes" ;;
  esac
}

says_vignettes() { say "building the vignettes"; }
says_with_vignettes() { say "installing the package with its vignettes"; }
build_vignettes() {
  R_LIBS=$1:$R_LIBS Rscript "$root/tools/build-vignettes.R" "$work/source/sdcLattice" "$threads" \
    >"$work/vignettes.txt" 2>>"$log" </dev/null
}

# Builds the vignettes with the package installed in the library $1, and adds them to it: the same
# installation again, in which nothing is left to compile.
install_vignettes() {
  if ! Rscript -e 'has <- function(p) requireNamespace(p, quietly = TRUE)
    pages <- (has("rmarkdown") && rmarkdown::pandoc_available()) || has("markdown") || has("litedown")
    quit(status = !(has("knitr") && pages))' >>"$log" 2>&1; then
    say "sdcLattice: no vignettes: they need knitr, and rmarkdown with pandoc or else markdown"
    return 0
  fi
  say "sdcLattice: last, building the vignettes for vignette(package = \"sdcLattice\"), about a minute"
  ticking says_vignettes build_vignettes "$1"
  status=$?
  cat "$work/vignettes.txt" >>"$log"
  ticking says_with_vignettes install_copy "$1" || fail "the vignettes could not be installed; all else is."
  say "  $(tail -n 1 "$work/vignettes.txt"): browseVignettes(\"sdcLattice\")"
  [ "$status" -eq 0 ] || fail "a vignette could not be built; all else is installed."
}
