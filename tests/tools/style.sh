#!/bin/sh
# Style and spelling: clang-format for C++, lintr for R, a dictionary for what users read. What is not
# installed is not checked, unless STYLE=required, as .ci/run has it where it can install.
#   sh tests/tools/style.sh
# The last line is `N passed, N failed`.
set -u
cd "$(dirname -- "$0")/../.." || exit 1
passed=0 failed=0
said=$(mktemp "${TMPDIR:-/tmp}/sdcLattice-style.XXXXXX") || exit 1
trap 'rm -f "$said"' EXIT

# judge <what> <status>
judge() {
  if [ "$2" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: $1"
    tail -n 40 "$said"
  fi
}

# without <what>: it cannot be checked
without() {
  [ "${STYLE:-}" = required ] && { : >"$said"; judge "$1 is not installed" 1; } || echo "not checked: $1"
}

has_r() { Rscript -e "quit(status = !all(vapply(commandArgs(TRUE), requireNamespace, NA, quietly = TRUE)))" "$@" >/dev/null 2>&1; }

# Other versions format a little differently.
version=$(clang-format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
if [ "$version" = 14 ]; then
  find src tests/core inst/checker \( -path '*/build' -o -path src/bundles \) -prune -o -name '*.[ch]pp' -print -o -name '*.h' -print |
    grep -v RcppExports | xargs clang-format --dry-run -Werror >"$said" 2>&1
  judge "clang-format -i has something to change" $?
else
  without "clang-format 14"
fi

# What a line may be, which lintr would take a third of its time for.
find R tests/testthat -maxdepth 1 -name '*.R' ! -name RcppExports.R -exec awk -v tab="$(printf '\t')" '
  function found(what) { print FILENAME ":" FNR ": " what; bad = 1 }
  FNR == 1 { most = FILENAME ~ /^R/ ? 100 : 120 }
  length($0) > most { found("more than " most " characters") }
  index($0, tab) { found("a tab") }
  /[ ]$/ { found("blanks at the end") }
  FNR == 1 && NR > 1 && last == "" { print before ": an empty line at the end"; bad = 1 }
  { last = $0; before = FILENAME }
  END { if (last == "") { print before ": an empty line at the end"; bad = 1 } exit bad }
' {} + >"$said" 2>&1
judge "lines that are too long, or end in blanks" $?

if has_r lintr; then
  # Half of the time would go to the tests, which are read in the long form. R would spend a quarter of
  # it on looking for memory to free, of which there is little.
  R_NSIZE=6000000 R_VSIZE=256M R_GC_MEM_GROW=3 Rscript -e 'found <- lintr::lint_dir("R")
    if (Sys.getenv("SDCLATTICE_LONG") == "1") found <- c(found, lintr::lint_dir("tests/testthat"))
    for (l in found) cat(l$filename, ":", l$line_number, ": ", l$message, "\n", sep = "")
    quit(status = length(found) > 0)' >"$said" 2>/dev/null
  judge "lintr has findings" $?
else
  without "lintr"
fi

if has_r spelling && Rscript -e 'quit(status = !"en_GB" %in% hunspell::list_dictionaries())' 2>/dev/null; then
  Rscript tools/spelling.R >"$said" 2>&1
  judge "words that inst/WORDLIST does not have" $?
else
  without "spelling with the dictionary en_GB"
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
