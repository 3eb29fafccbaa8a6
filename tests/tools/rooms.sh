#!/bin/sh
# One word names what belongs together, and no file of the core includes a room above its own. The
# rooms and their order are the table in ARCHITECTURE.md.
#   sh tests/tools/rooms.sh
# The last line is `N passed, N failed`.
set -u
cd "$(dirname -- "$0")/../.." || exit 1
passed=0 failed=0
good() { passed=$((passed + 1)); }
bad() {
  failed=$((failed + 1))
  echo "failed: $*"
}

rooms=$(sed -n '/^## Rooms/,/^## [^R]/s/^| `\([a-z]*\)` |.*/\1/p' ARCHITECTURE.md)
is_room() { case " $(echo $rooms) " in *" $1 "*) ;; *) return 1 ;; esac; }
[ "$(echo "$rooms" | wc -l)" -ge 16 ] && good || bad "ARCHITECTURE.md must list the rooms"

# $1: a path, $2: its first word
named() { if is_room "$2"; then good; else bad "$1 begins with the name of no room"; fi; }

for path in R/*.R; do
  name=$(basename "$path" .R)
  case $name in generics | data | notation | RcppExports | sdcLattice-package) continue ;; esac
  named "$path" "${name%%-*}"
done
for path in src/*.cpp src/*.h; do
  name=$(basename "${path%.*}")
  case $name in bridge | RcppExports) continue ;; esac
  named "$path" "${name%%_*}"
done
for path in tests/testthat/test-*.R; do
  name=$(basename "$path" .R)
  name=${name#test-}
  case $name in auditor | auditor-* | book | book-* | data | english | slips | sources | theory | validation | sdcLattice-package) continue ;; esac
  named "$path" "${name%%-*}"
done
for path in src/core/*/ tests/core/*/; do
  name=$(basename "$path")
  [ "$name" = build ] || named "$path" "$name"
done
for path in src/core/*.* src/core/*/*/; do [ -e "$path" ] && bad "$path lies in no room"; done

# Includes: always "room/file.hpp", and of rooms above.
height() { echo "$rooms" | grep -n "^$1\$" | cut -d: -f1; }
for folder in src/core/*/; do
  own=$(basename "$folder")
  for other in $(cat "$folder"*.?pp | sed -n 's/^#include "\([^"]*\)".*/\1/p' | sort -u); do
    room=${other%%/*}
    if [ ! -f "src/core/$other" ]; then
      bad "$own includes \"$other\": write \"room/file.hpp\""
    elif [ "$(height "$room")" -gt "$(height "$own")" ]; then
      bad "$own includes $other, which stands below it"
    else
      good
    fi
  done
done
# The same for the code in R, in an order of its own.
r_rooms=$(sed -n '/^R calls in this order:/,/^$/p' ARCHITECTURE.md | grep -o '`[a-z]*`' | tr -d '`')
[ "$(echo "$r_rooms" | sort)" = "$(ls R | sed 's/[-.].*//' | sort -u |
  grep -vxE 'generics|data|notation|RcppExports|sdcLattice')" ] && good ||
  bad "ARCHITECTURE.md must have each room of R once in the order of R"
upward=$(Rscript --vanilla tools/call-graph.R -r $r_rooms)
if [ -z "$upward" ]; then good; else bad "$upward"; fi
# No header may need itself in a round.
round=$(grep -o '^#include "[^"]*"' src/core/*/*.hpp |
  sed 's#^src/core/\([^:]*\):.include "\([^"]*\)"#\1 \2#' | tsort 2>&1 >/dev/null)
if [ -z "$round" ]; then good; else bad "headers that include each other: $round"; fi
sh tools/makevars.sh check && good || bad "src/Makevars"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
