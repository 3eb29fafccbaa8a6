#!/bin/sh
# Writes src/Makevars. The package is compiled in bundles of files of one room, or of the bridge: make
# writes src/bundles/<room>_<k>.cpp, which includes them, so that the headers that they share, half of
# the compiler's time, are read once for all of them. R's own make rules know neither folders nor
# headers, and a package may not rely on GNU make's wildcards.
#   sh tools/makevars.sh          after a file of src/ was added, renamed or removed
#   sh tools/makevars.sh check    fails when the files of src/Makevars are not those of src/
#   sh tools/makevars.sh alone    each file alone, for those who change one file again and again; this
#                                 src/Makevars is not to be kept
#   sh tools/makevars.sh sources <folder>   writes the bundles there and prints their names, for those
#                                 who compile them with other flags
set -u
[ $# -lt 2 ] || { mkdir -p "$2" && folder=$(CDPATH= cd -- "$2" && pwd) || exit 1; }
cd "$(dirname -- "$0")/../src" || exit 1

# A bundle has about so many lines: with fewer, headers are read more often; with more, a processor
# waits for the last ones, and a change of one file takes longer to compile.
most=3000

rooms=$(for room in core/*/; do basename "$room"; done | LC_ALL=C sort)

# The words on standard input, on lines of at most 100 characters.
folded() {
  awk '{ line = line == "" ? $0 : length(line " " $0) > 94 ? line " \\\n" $0 : line " " $0
         if (line ~ /\n/) { split(line, part, "\n"); text = text part[1] "\n  "; line = part[2] } }
       END { print text line }'
}

# The files of folder $1 that end in .$2.
files() { for file in "$1"*."$2"; do [ -f "$file" ] && echo "$file"; done | LC_ALL=C sort; }

# A line `<lines of the bundle> <bundle> <file>` for each file on standard input: $1_1, $1_2, ... in order.
bundled() {
  while read -r file; do echo "$(wc -l <"$file") $file"; done |
    awk -v name="$1" -v most="$most" '
      { lines[NR] = $1; file[NR] = $2; all += $1 }
      END {
        n = most == 0 ? NR : int((all + most - 1) / most)
        for (i = 1; i <= NR; i++) {
          of[i] = most == 0 ? i : 1 + int((before + lines[i] / 2) * n / all)
          before += lines[i]
          size[of[i]] += lines[i]
        }
        for (i = 1; i <= NR; i++) print size[of[i]], name "_" of[i], file[i]
      }'
}

# What Rcpp writes needs all of its headers, and is alone: the bridge makes do with few of them.
all_bundles() {
  for room in $rooms; do files "core/$room/" cpp | bundled "$room"; done
  files "" cpp | grep -v RcppExports | bundled bridge
  echo "0 exports_1 RcppExports.cpp"
}

headers() {
  files "" h
  for room in $rooms; do files "core/$room/" hpp; done
}

write() {
  bundles=$(all_bundles)
  names=$(echo "$bundles" | cut -d' ' -f2 | uniq)
  # The longest come first, and the bridge before them.
  order=$(echo "$bundles" | awk '{ print ($2 ~ /^(bridge|exports)_/ ? 1 : 2), $1, $2 }' | sort -u |
    LC_ALL=C sort -k1,1n -k2,2nr -k3,3 | cut -d' ' -f3)
  echo "# Written by tools/makevars.sh; run it after a file was added, renamed or removed."
  echo "CXX_STD = CXX17"
  echo "# Files of any size on 32 bits, too."
  echo "PKG_CPPFLAGS = -I. -Icore -D_FILE_OFFSET_BITS=64"
  echo "PKG_LIBS = -pthread"
  echo
  for name in $names; do
    echo "$name = $(echo "$bundles" | sed -n "s/^[0-9]* $name //p" | folded)"
  done
  echo
  echo "OBJECTS = $(for name in $order; do echo "bundles/$name.o"; done | folded)"
  echo "HEADERS = $(headers | folded)"
  cat <<'END'

all: $(SHLIB)

$(OBJECTS): $(HEADERS)
END
  # A bundle is written anew with each src/Makevars, and compiled again where its files are others.
  for name in $names; do
    printf '\nbundles/%s.o: bundles/%s.cpp $(%s)\n' "$name" "$name" "$name"
    printf 'bundles/%s.cpp: Makevars\n' "$name"
    printf '\t@mkdir -p bundles && printf '\''#include "%%s"\\n'\'' $(%s) >$@.new\n' "$name"
    printf '\t@cmp -s $@.new $@ && rm $@.new || mv $@.new $@\n'
  done
  cat <<'END'

clean:
	rm -rf bundles $(SHLIB)

.PHONY: all clean
END
}

# In which bundle a file is depends on the lines of all, and may be as it was when they were counted.
listed() { grep -oE '[a-zA-Z0-9_/]+[.](cpp|h|hpp)( |$)' | grep -v '^bundles/' | tr -d ' ' | LC_ALL=C sort; }

# One that is unchanged is not written.
sources() {
  bundles=$(all_bundles)
  for name in $(echo "$bundles" | cut -d' ' -f2 | uniq); do
    echo "$bundles" | sed -n "s/^[0-9]* $name \(.*\)/#include \"\1\"/p" >"$folder/new"
    cmp -s "$folder/new" "$folder/$name.cpp" || mv "$folder/new" "$folder/$name.cpp"
    echo "$name"
  done
  rm -f "$folder/new"
}

case ${1:-} in
sources) sources ;;
check)
  [ "$(write | listed)" = "$(listed <Makevars)" ] ||
    { echo "src/Makevars is out of date: sh tools/makevars.sh" >&2; exit 1; }
  ;;
alone) most=0 && write >Makevars.new && mv Makevars.new Makevars ;;
"") write >Makevars.new && mv Makevars.new Makevars ;;
*)
  echo "usage: sh tools/makevars.sh [check | alone | sources <folder>]" >&2
  exit 2
  ;;
esac
