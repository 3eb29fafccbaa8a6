#!/bin/sh
# Other machines: what only some compilers offer stands in few headers, and neither R nor C++ uses what
# R has removed, does not offer to packages, or has had for too short a time.
#   sh tests/tools/portable.sh
# The last line is `N passed, N failed`.
set -u
cd "$(dirname -- "$0")/../.." || exit 1
passed=0 failed=0

# judge <what is wrong> <where, or nothing>
judge() {
  if [ -z "$2" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: $1"
    printf '%s\n' "$2"
  fi
}

# lines <pattern> <files ...>: those that are no comments
lines() {
  pattern=$1
  shift
  grep -nE -- "$pattern" "$@" /dev/null | grep -vE '^[^:]*:[0-9]*:[[:space:]]*(//|#([ #'"'"']|$))'
}

core=$(find src/core tests/core -path '*/build' -prune -o -name '*.[ch]pp' -print |
  grep -vE '/base/(bits|wide_int|sha256_blocks|two_words|test_two_words)\.[ch]pp$')
judge "base/bits.hpp and base/wide_int.hpp must have all that is of some compilers only" \
  "$(lines '__builtin_|__int128|__attribute__|__GNUC__|__clang__|_MSC_VER|_mm_|intrin\.h' $core)"

# R's entry points that are not, or no longer, for packages.
closed='ATTRIB|BODY|CLOENV|DATAPTR|DDVAL|ENCLOS|ENVFLAGS|FORMALS|FRAME|HASHTAB|INTERNAL|IS_LONG_VEC|LEVELS'
closed="$closed|NAMED|OBJECT|PRCODE|PRENV|PRSEEN|PRVALUE|RDEBUG|REFCNT|SETLENGTH|SETLEVELS|SET_ATTRIB"
closed="$closed|SET_BODY|SET_CLOENV|SET_ENCLOS|SET_FORMALS|SET_GROWABLE_BIT|SET_NAMED|SET_OBJECT"
closed="$closed|SET_TRUELENGTH|SET_TYPEOF|STDVEC_DATAPTR|STRING_PTR|SYMVALUE|TRUELENGTH|VECTOR_PTR"
closed="$closed|R_GetConnection|R_nchar|R_tryWrap|Rf_allocSExp|Rf_findVar|Rf_findVarInFrame3|Rf_isFrame"
bridge=$(find src -maxdepth 1 -name '*.cpp' -o -maxdepth 1 -name '*.h')
judge "R does not offer these to packages" "$(lines "(^|[^[:alnum:]_])($closed)\(" $bridge)"

# DESCRIPTION asks for R 4.2.0; `%||%` is the package's own.
later='Exec|R_compiled_by|Tailcall|array2DF|balancePOSIXlt|chooseOpsMethod|grepv|matrixOps|nameOfClass'
later="$later|sort_by|unCfillPOSIXlt|zstdfile"
gone='is\.R|memory\.limit|memory\.size|nsl|plclust|multicore|as\.data\.frame\.(character|factor|integer|logical|numeric)'
code=$(find R inst tests/testthat vignettes data-raw tools -name '*.R' -o -name '*.Rmd')
judge "R 4.2.0 has no such function, and newer ones must not be needed" \
  "$(lines "(^|[^[:alnum:]_.:\$])($later)\(" $code)"
judge "newer versions of R have no such function" "$(lines "(^|[^[:alnum:]_.:\$])($gone)\(" $code)"
judge "R 4.2.0 knows the placeholder of a pipe as a named argument only" \
  "$(lines '\|>[^|]*[(,] *_ *[),]|\|> *_ *[[$@]|= *_ *[[$@]' $code)"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
