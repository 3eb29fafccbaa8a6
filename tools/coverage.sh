#!/bin/sh
# Which lines the tests reach. Needs gcovr for the core, and the R package covr for R/.
#   sh tools/coverage.sh core    the core's lines, by the core's own tests
#   sh tools/coverage.sh R       the lines of R/, by the tests of the package (half an hour)
# The figures are in tests/README.md.
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
build=${BUILD:-${TMPDIR:-/tmp}/sdcLattice-coverage}
threads=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

case ${1:-} in
core)
  boost=$(Rscript -e 'cat(system.file("include", package = "BH"))')
  # Asserts are not lines that a test must reach.
  make -j "$threads" -C "$root/tests/core" -s build="$build" CXX="${CXX:-g++}" SANITIZE= r= boost="$boost" \
    CXXFLAGS="-O0 --coverage -DNDEBUG" check
  # The compiler notes the lines of test programs where make runs, and those of the core in $build.
  (cd "$root/tests/core" && gcovr --root "$root" --filter "$root/src/core/" \
    --object-directory "$root/tests/core" "$build" "$root/tests/core" --gcov-ignore-parse-errors \
    --print-summary 2>/dev/null) | tee "$build/coverage.txt" | grep -E '^(TOTAL|lines|branches)'
  rm -f "$root"/tests/core/*.gcno "$root"/tests/core/*.gcda
  echo "lines by file: $build/coverage.txt"
  ;;
R)
  Rscript -e 'cover <- covr::package_coverage(commandArgs(TRUE)[1], type = "tests", quiet = TRUE,
      line_exclusions = list("R/RcppExports.R"))
    rows <- as.data.frame(cover)
    rows <- rows[grepl("^R/", rows$filename), ]
    print(sort(tapply(rows$value > 0, rows$filename, mean)))
    cat(sprintf("lines: %.1f %%\n", 100 * mean(rows$value > 0)))' "$root"
  ;;
*)
  echo "usage: sh tools/coverage.sh core|R" >&2
  exit 2
  ;;
esac
