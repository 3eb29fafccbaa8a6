#!/bin/sh
# Names: two functions of one name in R/ (the later file silently replaces the earlier one's), tests
# that do not say of what kind they are, and headers of the core without a test of their own.
#   sh tests/tools/names.sh
# The last line is `N passed, N failed`.
set -u
cd "$(dirname -- "$0")/../.." || exit 1
passed=0 failed=0

# judge <what is wrong, or nothing>
judge() {
  if [ -z "$1" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

twice=$(grep -hoE '^[A-Za-z_.][A-Za-z_.0-9]* <- ' -- R/*.R | sort | uniq -d | sed 's/ <- //')
for name in $twice; do echo "failed: $name is defined in" $(grep -lE "^$name <- " -- R/*.R); done
judge "$twice"

kinds='published|oracle|property|snapshot'
unkind=$(grep -hE '^ *test_that\("' -- tests/testthat/test-*.R | grep -vE "test_that\(\"($kinds): ")
[ -z "$unkind" ] || echo "failed: a test must begin with its kind ($kinds): $unkind"
judge "$unkind"

bare=$(for header in src/core/*/*.hpp; do
  name=${header#src/core/}
  test="tests/core/${name%/*}/test_$(basename "$name" .hpp).cpp"
  # a header of types alone has nothing to test
  [ -f "$test" ] || ! grep -v '^ *//' "$header" | grep -q '(' || echo "$name"
done)
[ -z "$bare" ] || echo "failed: headers without a test of their own:" $bare
judge "$bare"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
