#!/bin/sh
# Writes src/Makevars: one line a room of the core, and the bridge. R's own make rules know neither
# folders nor headers, and a package may not rely on GNU make's wildcards.
#   sh tools/makevars.sh          after a file of src/ was added, renamed or removed
#   sh tools/makevars.sh check    fails when src/Makevars is not what would be written
set -u
cd "$(dirname -- "$0")/../src" || exit 1

# The files of folder $1 that end in .$2, as .$3, on lines of at most 100 characters.
listed() {
  for file in "$1"*."$2"; do [ -f "$file" ] && echo "${file%."$2"}.$3"; done | LC_ALL=C sort |
    awk '{ line = line == "" ? $0 : length(line " " $0) > 94 ? line " \\\n" $0 : line " " $0
           if (line ~ /\n/) { split(line, part, "\n"); text = text part[1] "\n  "; line = part[2] } }
         END { print text line }'
}

rooms=$(for room in core/*/; do basename "$room"; done | LC_ALL=C sort)

write() {
  echo "# Written by tools/makevars.sh; run it after a file was added, renamed or removed."
  echo "CXX_STD = CXX17"
  echo "PKG_CPPFLAGS = -I. -Icore"
  echo "PKG_LIBS = -pthread"
  echo
  for room in $rooms; do
    objects=$(listed "core/$room/" cpp o)
    [ -z "$objects" ] || echo "$room = $objects"
  done
  echo "bridge = $(listed "" cpp o)"
  for room in $rooms; do echo "${room}_headers = $(listed "core/$room/" hpp hpp)"; done
  echo
  echo "OBJECTS = $(for room in $rooms; do printf '$(%s) ' "$room"; done)\$(bridge)"
  echo "HEADERS = $(listed "" h h) $(for room in $rooms; do printf '$(%s_headers) ' "$room"; done)"
  cat <<'END'

all: $(SHLIB)

$(OBJECTS): $(HEADERS)

clean:
	rm -f $(OBJECTS) $(SHLIB)

.PHONY: all clean
END
}

case ${1:-} in
check) [ "$(write)" = "$(cat Makevars)" ] || { echo "src/Makevars is out of date: sh tools/makevars.sh" >&2; exit 1; } ;;
"") write >Makevars.new && mv Makevars.new Makevars ;;
*)
  echo "usage: sh tools/makevars.sh [check]" >&2
  exit 2
  ;;
esac
