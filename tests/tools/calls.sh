#!/bin/sh
# Files of R/ call downwards: at most 4 groups of files need each other around a ring, the largest
# of at most 4 files (tools/call-graph.R -v names the functions behind each arrow of a group).
#   sh tests/tools/calls.sh
# The last line is `N passed, N failed`.
set -u
cd "$(dirname -- "$0")/../.." || exit 1
if Rscript --vanilla tools/call-graph.R -v -m 4 4; then
  echo "1 passed, 0 failed"
else
  echo "failed: too many files need each other around a ring"
  echo "0 passed, 1 failed"
  exit 1
fi
