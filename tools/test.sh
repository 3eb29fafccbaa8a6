#!/bin/sh
# One command for all tests: installs what they need, then tests the core as the package has it, and
# the package, in a temporary library. The last line is `N passed, N failed`.
#   sh tools/test.sh                    all tests
#   SANITIZE=yes sh tools/test.sh       the same, with the core compiled anew under sanitizers
#   CXX=clang++ sh tools/test.sh core   the core's tests alone, under sanitizers unless SANITIZE=no;
#                                       CXX names another compiler than R's
#   CXX=clang++ STRICT=-Werror sh tools/test.sh warnings   compiles the core and the bridge
#                                       for the warnings alone
# STRICT=-Werror turns warnings into errors; SDCLATTICE_LONG=1 runs the long forms of the tests, which
# take hours. QUICK=yes compiles the core and its tests in bundles, and leaves headers alone and the
# bridge to `warnings`. CHECKED=<folder> CHECK=<process> tests the package that R's check, which runs
# beside this, installs into its folder.
set -u
part=${1:-all}
case $part in
all | core | warnings) ;;
*)
  echo "usage: sh tools/test.sh [core | warnings]" >&2
  exit 2
  ;;
esac
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
closing=yes updated= fallback=
. "$root/tools/prepare.sh"

# The sum of the closing lines in the named files; a part without one counts as one failure.
total() {
  awk 'FNR == 1 && NR > 1 { close_part() }
    /^[0-9]+ passed, [0-9]+ failed/ { p = $1; f = $3; s = ($6 == "skipped" ? $5 : 0); seen = 1 }
    function close_part() {
      if (!seen) f = 1
      passed += p; failed += f; skipped += s
      p = f = s = seen = 0
    }
    END {
      close_part()
      if (passed == 0 && failed == 0) failed = 1
      printf "%d passed, %d failed%s\n", passed, failed, (skipped ? ", " skipped " skipped" : "")
    }' "$@"
}

# The package's own objects are the core without sanitizers, compiled already.
borrowing() { [ "$part" = all ] && [ "${SANITIZE:-no}" = no ]; }

# Sanitizers, where they are wanted, the compiler has them and they run.
sanitizers() {
  [ "${SANITIZE:-yes}" != no ] || return 1
  flags='-fsanitize=address,undefined -fno-sanitize-recover=all'
  echo 'int main() { return 0; }' >"$work/probe.cpp"
  $cxx $flags "$work/probe.cpp" -o "$work/probe" >>"$log" 2>&1 && "$work/probe" >>"$log" 2>&1 &&
    echo "$flags"
}

test_core() {
  cxx=${CXX:-$(R CMD config CXX17)}
  flags= made= quick=${QUICK:-}
  if borrowing; then
    made=$work/source/sdcLattice/src/bundles quick=yes
  elif [ "$1" != warnings ]; then
    flags=$(sanitizers) || say "sdcLattice: the core is tested without sanitizers"
  fi
  folder() { Rscript -e "cat($1)" 2>>"$log"; }
  boost=$(folder 'system.file("include", package = "BH")')
  glue="$(folder 'R.home("include")') $(folder 'system.file("include", package = "Rcpp")')"
  make -j "$threads" -C "$root/tests/core" -s build="$work/core" CXX="$cxx" SANITIZE="$flags" \
    STRICT="${STRICT:-}" quick="$quick" made="$made" boost="$boost" r="$glue" "$1"
}

# The package as R's check has installed it, in the library $1, if it comes to that.
checked_package() {
  [ -n "${CHECK:-}" ] && [ -n "${CHECKED:-}" ] || return 1
  while ! grep -qs '^\* DONE (sdcLattice)' "$CHECKED/00install.out"; do
    kill -0 "$CHECK" 2>/dev/null || return 1
    sleep 1
  done
  say "sdcLattice: the package is the one that R's check has installed"
  mkdir -p "$1" && ln -s "$CHECKED/sdcLattice" "$1/sdcLattice"
}

test_package() {
  need_browser
  say "sdcLattice: testing the package"
  R_LIBS=$work/library:$R_LIBS Rscript "$root/tools/run-tests.R" "$root" "$work" 2>&1 |
    tee "$work/package.txt"
}

# The shell's own: of what the two commands share, and of names in R/.
test_tools() {
  for script in "$root"/tests/tools/*.sh; do sh "$script"; done >"$work/tools.log" 2>&1
  grep -vE '^[0-9]+ passed' "$work/tools.log"
  awk '/^[0-9]+ passed, [0-9]+ failed/ { p += $1; f += $3 }
    END { printf "%d passed, %d failed\n", p, f + (p == 0) }' "$work/tools.log"
}

begin test
prepare test
set -- "$work/core.txt"
[ "$part" = warnings ] && goal=warnings doing=compiling || goal=check doing=testing
# What needs one processor runs beside what can use several.
[ "$part" != all ] || { test_tools >"$work/tools.txt" & }
! borrowing || install_package "$work/library"
say "sdcLattice: $doing the core with ${CXX:-$(R CMD config CXX17)}"
test_core "$goal" 2>&1 | tee "$work/core.txt"
if [ "$part" = all ]; then
  # after the core: where the package is checked beside this, it is installed by now
  borrowing || checked_package "$work/library" || install_package "$work/library"
  wait
  cat "$work/tools.txt"
  test_package
  set -- "$@" "$work/tools.txt" "$work/package.txt"
fi

# An empty part must still be seen by awk.
for file; do say "" >>"$file"; done
result=$(total "$@")
say ""
say "$result"
case $result in
*" passed, 0 failed"*) exit 0 ;;
*) exit 1 ;;
esac
