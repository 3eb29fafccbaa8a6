#!/bin/sh
# Builds the checker of certified releases from the source package. It needs a compiler for C++17,
# and nothing else.
#   sh inst/checker/build.sh [PROGRAM]          compiles; PROGRAM is ./sdclattice-check by default
#   sh inst/checker/build.sh --sources FOLDER   copies what has to be compiled, for somebody who has
#                                               not the package: the same command works there
#   sh inst/checker/build.sh --audit [PROGRAM]  compiles the auditor instead, ./sdclattice-audit by
#                                               default, which needs nothing of the package
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
cxx=${CXX:-c++}
if [ "${1:-}" = --audit ]; then
  exec $cxx -std=c++17 -O2 ${CXXFLAGS:-} "$here/sdclattice-audit.cpp" -o "${2:-sdclattice-audit}"
fi
core=$here/../../src/core
[ -d "$core" ] || core=$here/core
[ -d "$core/release" ] || { echo "the sources of the core are not beside this file" >&2; exit 2; }
files="release/certificate_file release/certificate_text release/certificate_audit
  release/published_audit release/verify_release table/layout table/table table/project
  table/cell_order table/cell_runs table/row_source base/parallel base/sha256_blocks store/ledger"
sources=$(for file in $files; do echo "$core/$file.cpp"; done)

if [ "${1:-}" = --sources ]; then
  to=${2:?name a folder}
  mkdir -p "$to"
  cp "$here/sdclattice-check.cpp" "$here/build.sh" "$to"
  $cxx -std=c++17 -I"$core" -MM "$here/sdclattice-check.cpp" $sources | tr ' \\' '\n\n' |
    sed -n 's#^.*/core/\(.*\.[ch]pp\)$#\1#p' | sort -u |
    while read -r file; do
      mkdir -p "$to/core/$(dirname "$file")"
      cp "$core/$file" "$to/core/$file"
    done
  exit
fi
$cxx -std=c++17 -O2 ${CXXFLAGS:-} -I"$core" "$here/sdclattice-check.cpp" $sources -pthread \
  -o "${1:-sdclattice-check}"
