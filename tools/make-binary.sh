#!/bin/sh
# Makes a binary of the package, with its vignettes, for this platform and version of R. Where it lies in
# a checkout of the same sources, or beside it, the first look takes it and compiles nothing.
#   sh tools/make-binary.sh [folder]     the folder is that beside the checkout unless given
set -u
root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
closing= updated= fallback=
. "$root/tools/prepare.sh"

folder=${1:-$root/..}
[ -d "$folder" ] && [ -w "$folder" ] || {
  say "sdcLattice: $folder is no folder that can be written" >&2
  exit 2
}
folder=$(CDPATH= cd -- "$folder" && pwd)
begin make-binary
prepare look pandoc
file=$folder/$(binary_name)
sources=$(sources_hash)
install_package "$work/library"
install_vignettes "$work/library"
# R's own form of a binary: the installed package.
tar -czf "$work/binary.tar.gz" -C "$work/library" sdcLattice || fail "the binary could not be written."
mv "$work/binary.tar.gz" "$file" || fail "the binary could not be moved to $folder."
{
  say "sources $sources"
  say "binary $(hash_files - <"$file" | cut -c1-64)"
} >"$file.hashes"
say "sdcLattice: $file ($(($(wc -c <"$file") / 1048576)) MB), and its hashes beside it"
