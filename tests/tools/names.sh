#!/bin/sh
# Two functions of one name in R/: the later file silently replaces the earlier one's.
#   sh tests/tools/names.sh
# The last line is `N passed, N failed`.
set -u
cd "$(dirname -- "$0")/../../R" || exit 1
twice=$(grep -hoE '^[A-Za-z_.][A-Za-z_.0-9]* <- function' -- *.R | sort | uniq -d | sed 's/ <- function//')
for name in $twice; do echo "failed: $name is defined in" $(grep -lE "^$name <- function" -- *.R); done
if [ -z "$twice" ]; then echo "1 passed, 0 failed"; else echo "0 passed, 1 failed"; exit 1; fi
