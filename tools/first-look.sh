#!/bin/sh
# One command for a first look: installs what is missing, installs the package beside the report,
# and runs the main job on a real table.
#   sh tools/first-look.sh [folder]     the folder is ./sdcLattice-first-look unless given
set -u
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
closing= updated=
. "$root/tools/prepare.sh"

folder=${1:-sdcLattice-first-look}
mkdir -p "$folder" || exit 1
folder=$(CDPATH= cd -- "$folder" && pwd)

fallback=$folder/library
begin first-look
say "sdcLattice: a first look, in three steps: what is missing, the package, a real table"
prepare look pandoc
own=$(Rscript -e 'p <- find.package("sdcLattice", quiet = TRUE); if (length(p)) cat(as.character(packageVersion("sdcLattice")), "in", dirname(p)[[1]])' 2>>"$log")
[ -z "$own" ] || say "sdcLattice: your own installation ($own) stays as it is"
install_package "$folder/library"

say "sdcLattice: protecting, publishing and analysing a real table"
R_LIBS=$folder/library:$R_LIBS Rscript "$root/inst/scripts/first-look.R" "$folder" ||
  fail "the first look stopped before its end."
say ""
say "To go on in R:"
say "  .libPaths(c(\"$folder/library\", \"$library\", .libPaths()))"
say "  library(sdcLattice)"
say "  ?sdcLattice"
say ""
install_vignettes "$folder/library"
