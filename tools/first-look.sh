#!/bin/sh
# One command for a first look: installs what is missing, installs the package beside the report,
# and shows what it does on a table: its own, or yours.
#   sh tools/first-look.sh [my.csv] [folder]     the folder is ./sdcLattice-first-look unless given
set -u
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
closing= updated=
. "$root/tools/prepare.sh"

data=
case ${1:-} in
*.csv | *.CSV | *.txt | *.tsv)
  data=$1
  shift
  if [ ! -r "$data" ]; then
    say "sdcLattice: there is no file $data that can be read." >&2
    exit 2
  fi
  data=$(CDPATH= cd -- "$(dirname -- "$data")" && pwd)/$(basename -- "$data")
  ;;
esac
folder=${1:-sdcLattice-first-look}
mkdir -p "$folder" || exit 1
folder=$(CDPATH= cd -- "$folder" && pwd)

fallback=$folder/library
begin first-look
say "sdcLattice: a first look, in three steps: what is missing, the package, a table"
prepare look pandoc
own=$(Rscript -e 'p <- find.package("sdcLattice", quiet = TRUE); if (length(p)) cat(as.character(packageVersion("sdcLattice")), "in", dirname(p)[[1]])' 2>>"$log")
[ -z "$own" ] || say "sdcLattice: your own installation ($own) stays as it is"
install_binary "$folder/library" || install_package "$folder/library"

say "sdcLattice: five things that it does, on ${data:-a real table}"
R_LIBS=$folder/library:$R_LIBS Rscript "$root/inst/scripts/first-look.R" "$folder" ${data:+"$data"} ||
  fail "the first look stopped before its end."
say ""
say "To go on in R:"
say "  .libPaths(c(\"$folder/library\", \"$library\", .libPaths()))"
say "  library(sdcLattice)"
say "  ?sdcLattice"
say ""
# A binary has its vignettes.
[ ! -d "$work/source" ] || install_vignettes "$folder/library"
