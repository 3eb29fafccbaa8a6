#!/bin/sh
# Writes the tests of each room, some ten files at a time, into one source, each file in a namespace of
# its own: what they all include, and what the compiler makes of it, is then compiled once for ten.
#   sh bundle.sh <folder> <file of tests> ...
# Prints the names of the sources, without folder and ending. One that is unchanged is not written.
set -eu
folder=$1
shift
mkdir -p "$folder"
for room in $(printf '%s\n' "$@" | sed 's,/.*,,' | sort -u); do
  files=$(printf '%s\n' "$@" | grep "^$room/" | sort)
  n=$(($(printf '%s\n' "$files" | wc -l) / 10 + 1))
  k=0
  while [ "$k" -lt "$n" ]; do
    # Every n-th file: neighbours take similar time, and so do the bundles.
    mine=$(printf '%s\n' "$files" | awk -v n="$n" -v k="$k" 'NR % n == k')
    k=$((k + 1))
    {
      # Outside the namespaces, where the files' own includes then find nothing more to do.
      grep -h '^#include <' $mine | sort -u
      echo '#include "check.hpp"'
      grep -h '^#include "' $mine | sort -u
      for file in $mine; do
        name=${file#*/}
        printf 'namespace %s {\n#include "%s"\n}\n' "${name%.cpp}" "$file"
      done
    } >"$folder/new"
    cmp -s "$folder/new" "$folder/${room}_$k.cpp" || mv "$folder/new" "$folder/${room}_$k.cpp"
    echo "${room}_$k"
  done
done
rm -f "$folder/new"
