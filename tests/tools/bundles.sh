#!/bin/sh
# The package is compiled in bundles of the files of a room (tools/makevars.sh), so that names that
# belong to one file, in a namespace without name, static, or of the preprocessor, are not to be used
# by another file of its room, or of the bridge. No two types of the core have the same name.
#   sh tests/tools/bundles.sh
# The last line is `N passed, N failed`.
set -u
cd "$(dirname -- "$0")/../../src" || exit 1
passed=0 failed=0

# The own names of the named files, a line `<room> <name> <file>` each, by the layout of clang-format.
own_names() {
  awk '
    function own(name) { print FILENAME ~ /\// ? room : "bridge", name, FILENAME }
    FNR == 1 { hidden = 0; room = FILENAME; sub("^core/", "", room); sub("/.*", "", room) }
    /^namespace [{]/ { hidden = 1; next }
    /^}  \/\/ namespace$/ { hidden = 0 }
    /^#define / { sub("[(].*", "", $2); own($2) }
    /^static / || (hidden && /^[A-Za-z_]/) {
      line = $0
      sub(" *//.*", "", line)
      if (line ~ /^(using namespace|namespace|template|static_assert)/) next
      if (line ~ /^(struct|class|enum|union) .*;$/) next
      if (line ~ /^(struct|class|enum|union|using) /) {
        sub("^(struct|enum class|enum|class|union|using) ", "", line)
        sub("[^A-Za-z_0-9].*", "", line)
        own(line)
      } else if (line ~ /^constexpr .* k[A-Z]/) {
        # several of one type too
        while (match(line, /k[A-Z][A-Za-z_0-9]*(\[[^]]*\])? *[={]/)) {
          name = substr(line, RSTART, RLENGTH)
          line = substr(line, RSTART + RLENGTH)
          sub("[^A-Za-z_0-9].*", "", name)
          own(name)
        }
      } else if (match(line, /[A-Za-z_0-9:]+ *[(={;[]/)) {
        name = substr(line, RSTART, RLENGTH)
        sub(" *[(={;[]$", "", name)
        if (name !~ /:/) own(name)
      }
    }' "$@" | sort -u
}

judge() {
  if [ -z "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $1:"; echo "$2"; fi
}

# Those on standard input that two files of a room have.
twice() {
  awk '{ file[$1 " " $2] = file[$1 " " $2] " " $3; n[$1 " " $2]++ }
    END { for (k in n) if (n[k] > 1) print "  " k ":" file[k] }' | sort
}

judge "names that two files of a room have for their own" \
  "$(own_names *.cpp core/*/*.cpp | twice)"

types=$(awk '
  FNR == 1 { where = "" }
  /^namespace sdclattice/ { where = $2 }
  /^(struct|class|enum class|enum) [A-Za-z_0-9]+ .*[{]$/ {
    sub("^(enum class|enum|struct|class) ", "")
    sub("[^A-Za-z_0-9].*", "")
    print where, $0, FILENAME
  }' core/*/*.hpp | twice)
judge "types of the core that two headers define" "$types"

# The check is not blind: a copy of a file clashes with it.
copy=$(mktemp -d "${TMPDIR:-/tmp}/sdcLattice-bundles.XXXXXX") || exit 1
mkdir -p "$copy/core/linear"
cp core/linear/dive.cpp "$copy/core/linear/a.cpp"
cp core/linear/dive.cpp "$copy/core/linear/b.cpp"
clash=$(cd "$copy" && own_names core/linear/a.cpp core/linear/b.cpp | twice)
[ -n "$clash" ]
judge "the check finds names that two files share" "$([ -n "$clash" ] || echo "  it finds none")"
rm -rf "$copy"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
