#!/bin/sh
# Shows Quire's functions on the example crawl, from the crawl to a stored and audited package. Run
# by `make demo`. All results are in build/demo; each run starts anew. It stops at the first
# failure.
set -eu
cd "$(dirname "$0")/.."

crawl=examples/crawl
demo=build/demo
package=$demo/package
repo=$demo/repository
said=$demo/said # the output of each command, for the summary

heading() { printf '\n== %s\n' "$1"; }

# run shows a command as a reader would type it, runs it, and shows its output. $1 is the command's
# name.
run() {
	printf '$ quire'
	for word in "$@"; do
		case $word in
		*' '*) printf " '%s'" "$word" ;;
		*) printf ' %s' "$word" ;;
		esac
	done
	printf '\n'
	status=0
	build/quire "$@" >"$said/$1" || status=$?
	cat "$said/$1"
	[ "$status" = 0 ] || { echo "demo: quire $1 ended with status $status" >&2; exit 1; }
}

# from NAME PATTERN prints the matching lines of a command's output.
from() { sed -n "/$2/p" "$said/$1"; }

heading "Build"
make --no-print-directory build

# Stored files are write-protected: make an earlier demo writable before removing it.
[ ! -e "$demo" ] || chmod -R u+w "$demo"
rm -rf "$demo"
mkdir -p "$said"

heading "Pack: the crawl's containers and log become a package, described by one METS"
run pack "$crawl" --out "$package" --id harbour-museum --title 'Museum of Wooden Boats, Saltmarsh Quay'

heading "Validate: the package against its own METS and checksums"
run validate "$package"

heading "Store: three copies, each written, synced and read back before it counts"
run init "$repo"
run ingest "$package" --repo "$repo"

heading "Audit: every copy is read again"
run audit --repo "$repo"

heading "Catalogue: list and show"
run list --repo "$repo"
run show harbour-museum --repo "$repo"

heading "Export: the package again, bit for bit"
run export harbour-museum --repo "$repo" --out "$demo/export"
diff -r "$package" "$demo/export"
same="$(find "$demo/export" -type f | wc -l | tr -d ' ') files, no difference to the package (diff -r)"
echo "$same"

heading "Results"
cat <<MADE
harbour-museum
$(from show '^  \(title\|containers\|size\|captured\) ')
  METS        $package/mets.xml
checks
  validate    $(from validate ': valid$')
  ingest      $(from ingest '^stored ')
  audit       $(from audit '^audit of ')
  export      $same
copies
$(from ingest '^  copy-')

== Next steps
Inspect the crawl:
  build/quire inspect $crawl
Read the METS of the package:
  less $package/mets.xml
Damage one copy, let the audit find the damaged file, and repair it from a good copy:
  file=\$(find $repo/copy-2 -name mets.xml); chmod u+w "\$file"; printf x >>"\$file"
  build/quire audit --repo $repo
  build/quire audit --repo $repo --repair
Pack your own WARC and ARC files:
  build/quire pack YOUR-CRAWL --out $demo/mine
MADE
