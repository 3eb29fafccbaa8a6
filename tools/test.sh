#!/bin/sh
# One command for all tests: installs what they need, then runs the core's tests under sanitizers
# and the package's tests in a temporary library. The last line is `N passed, N failed`.
#   sh tools/test.sh
set -u
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

# Sanitizers, where the compiler has them and they run.
sanitizers() {
  flags='-fsanitize=address,undefined -fno-sanitize-recover=all'
  echo 'int main() { return 0; }' >"$work/probe.cpp"
  $cxx $flags "$work/probe.cpp" -o "$work/probe" >>"$log" 2>&1 && "$work/probe" >>"$log" 2>&1 &&
    echo "$flags"
}

test_core() {
  cxx=$(R CMD config CXX17)
  flags=$(sanitizers) || say "sdcLattice: this compiler has no sanitizers; going on without"
  boost=$(Rscript -e 'cat(system.file("include", package = "BH"))' 2>>"$log")
  make -j "$threads" -C "$root/tests/core" -s build="$work/core" CXX="$cxx" SANITIZE="$flags" \
    boost="$boost" check
}

begin test
prepare test
need_browser
install_package "$work/library"
say "sdcLattice: testing the core"
test_core 2>&1 | tee "$work/core.txt"
say "sdcLattice: testing the package"
R_LIBS=$work/library:$R_LIBS Rscript "$root/tools/run-tests.R" "$root" "$work" 2>&1 |
  tee "$work/package.txt"

# An empty part must still be seen by awk.
for part in core package; do say "" >>"$work/$part.txt"; done
result=$(total "$work/core.txt" "$work/package.txt")
say ""
say "$result"
case $result in
*" passed, 0 failed"*) exit 0 ;;
*) exit 1 ;;
esac
