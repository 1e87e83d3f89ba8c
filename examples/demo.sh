#!/bin/sh
# Shows what Quire does, from a crawl to a stored and checked package, on the example crawl. Run by `make demo`.
# Everything it makes lies below build/demo; it begins anew each time. It stops at the first thing that is not as it should be.
set -eu
cd "$(dirname "$0")/.."

demo=build/demo
crawl=examples/crawl
package=$demo/package
repo=$demo/repository

heading() { printf '\n== %s\n' "$1"; }

# run shows a command as a reader would type it, and does it.
run() {
	printf '$ quire'
	printf ' %s' "$@"
	printf '\n'
	build/quire "$@"
}

heading "Build"
make --no-print-directory build
build/quire version

# A repository is read-only where it can be; an earlier demo must not stand in the way of this one.
[ ! -e "$demo" ] || chmod -R u+w "$demo"
rm -rf "$demo"
mkdir -p "$demo"

heading "Pack: the crawl's containers and log become a package with one METS"
run pack "$crawl" --out "$package" --id harbour-museum --title "Museum of Wooden Boats, Saltmarsh Quay"

heading "Validate: the package against its own METS and checksums"
run validate "$package"

heading "Store: three copies, each written, synced and read back before it counts"
run init "$repo"
run ingest "$package" --repo "$repo"

heading "Audit: every copy is read again"
run audit --repo "$repo"

heading "Look"
run list --repo "$repo"
run show harbour-museum --repo "$repo"

heading "Export: handed out again, bit for bit"
run export harbour-museum --repo "$repo" --out "$demo/export"
diff -r "$package" "$demo/export"
echo "diff -r found no difference between the package and its export"

heading "Made"
set -- "$package"/*
cat <<MADE
  package     harbour-museum, in $package ($(du -sk "$package" | cut -f1) kB)
  METS        $package/mets.xml
  containers  $(find "$package" -name '*.warc.gz' | wc -l | tr -d ' ')
  repository  $repo
  validated, ingested, audited, exported and compared: all good

Try next:
  build/quire inspect $crawl                                what is in the crawl, and what is wrong with it
  build/quire audit --repo $repo --json              the same audit, for a program
  less $package/mets.xml                             the description, as an archivist reads it
  build/quire pack YOUR-CRAWL --out $demo/mine              your own WARC and ARC files
MADE
