#!/bin/sh
# Tests of tools/prepare.sh: locks that a killed installation left behind, and the words of a failure.
#   sh tests/tools/prepare.sh
# The last line is `N passed, N failed`.
set -u
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
passed=0 failed=0
folder=$(mktemp -d "${TMPDIR:-/tmp}/sdcLattice-prepare.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT

ok() {
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "failed: $2"; fi
}

# Runs a line with the functions of prepare.sh, in a shell of its own.
with_prepare() {
  root=$root closing='' updated='' fallback='' sh -c "set -u; . \"\$root/tools/prepare.sh\"; begin test; $1" 2>&1
}

# A lock without a process goes, and what it would have kept away can be installed.
library=$folder/library
mkdir -p "$library/00LOCK-sdcLattice/sdcLattice" "$library/other"
with_prepare "remove_stale_locks '$library'" >"$folder/said.txt"
[ ! -e "$library/00LOCK-sdcLattice" ]
ok $? "a lock that no process holds is removed"
[ -d "$library/other" ]
ok $? "nothing else is removed"
grep -q 'left behind' "$folder/said.txt"
ok $? "the removal is said"

# A lock of a living installation stays, and the failure names the process.
mkdir -p "$library/00LOCK-sdcLattice"
sh -c 'sleep 20; exit 0' "install --library=$library" &
holder=$!
sleep 1
with_prepare "remove_stale_locks '$library'; echo went on" >"$folder/said.txt"
[ -d "$library/00LOCK-sdcLattice" ]
ok $? "a lock that a process holds stays"
grep -q "process $holder" "$folder/said.txt"
ok $? "the process that holds the lock is named"
! grep -q 'went on' "$folder/said.txt"
ok $? "nothing goes on beside another installation"
kill "$holder"
wait "$holder" 2>/dev/null
with_prepare "remove_stale_locks '$library'" >/dev/null
[ ! -e "$library/00LOCK-sdcLattice" ]
ok $? "the lock is removed when its process has ended"

# A failure shows the end of the log.
with_prepare 'echo "ERROR: the true cause" >>"$log"; fail "it did not work."; rm -rf "$work"' >"$folder/said.txt"
grep -q 'the true cause' "$folder/said.txt"
ok $? "a failure shows the last lines of the log"
rm -rf "$(sed -n 's/.*details are in \(.*\)\/log.txt/\1/p' "$folder/said.txt")"

# The compiler's flags are added to those of the user's own file.
echo 'CXXFLAGS = -g' >"$folder/own"
R_MAKEVARS_USER=$folder/own with_prepare 'cat "$(makevars_with some "-O1 -g0" C CXX)"' |
  tail -n 3 >"$folder/said.txt"
printf '%s\n' "include $folder/own" 'CFLAGS += -O1 -g0' 'CXXFLAGS += -O1 -g0' | cmp -s - "$folder/said.txt"
ok $? "flags for other packages come after the user's own"

# What the machine lacks comes by one call, R packages by the names of the distribution.
with_prepare 'may_apt() { true; }; debian_r() { true; }; apt_install() { echo "apt:" "$@"; }
  missing_r() { printf "%s\n" GaussSuppression httpuv; }
  need_at_once check no-such-program sh' | grep '^apt:' >"$folder/said.txt"
[ "$(wc -l <"$folder/said.txt")" -eq 1 ]
ok $? "the distribution is asked once"
grep -q ' no-such-program .*r-cran-matrix.*r-cran-httpuv' "$folder/said.txt" && ! grep -q ' sh ' "$folder/said.txt"
ok $? "what is missing is asked for, and nothing that is there"

# Long work is never silent, and its result is that of the work.
with_prepare 'words() { say "at work"; }; ticking words sleep 9; ticking words false; echo "then $?"' >"$folder/said.txt"
grep -q '8 s: at work' "$folder/said.txt" && grep -q 'then 1' "$folder/said.txt"
ok $? "long work says that it goes on, and how it ended"

# A binary is taken when it was made from these sources and is whole, and not otherwise.
checkout=$folder/checkout
mkdir -p "$checkout/tools" "$checkout/R" "$checkout/src" "$checkout/inst" "$checkout/data" "$checkout/man"
cp "$root/tools/prepare.sh" "$root/tools/install-dependencies.R" "$checkout/tools/"
cp "$root/DESCRIPTION" "$root/NAMESPACE" "$checkout/"
echo '1' >"$checkout/R/a.R"
try_binary() {
  root=$checkout closing='' updated='' fallback='' sh -c "set -u; . \"\$root/tools/prepare.sh\"; begin test
    R() { echo \"installs \$*\"; }; quietly() { \"\$@\"; }; $1" 2>&1
}
try_binary 'file=$root/$(binary_name); echo binary >"$file"
  { say "sources $(sources_hash)"; say "binary $(hash_files - <"$file" | cut -c1-64)"; } >"$file.hashes"' >/dev/null
try_binary 'install_binary "$root/library"; echo "gave $?"' >"$folder/said.txt"
grep -q '^installs CMD INSTALL' "$folder/said.txt" && grep -q 'gave 0' "$folder/said.txt"
ok $? "a binary of these sources is installed"
echo '2' >"$checkout/R/a.R"
try_binary 'install_binary "$root/library"; echo "gave $?"' >"$folder/said.txt"
grep -q 'other sources' "$folder/said.txt" && grep -q 'gave 1' "$folder/said.txt"
ok $? "a binary of other sources is not"
echo '1' >"$checkout/R/a.R"
echo 'more' >>"$(ls "$checkout"/sdcLattice_*.tar.gz)"
try_binary 'install_binary "$root/library"; echo "gave $?"' >"$folder/said.txt"
grep -q 'not as it was made' "$folder/said.txt" && grep -q 'gave 1' "$folder/said.txt"
ok $? "nor is one that was changed"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
