#!/bin/sh
# Shows what Quire does, from a crawl to a stored and checked package, on the example crawl. Run by `make demo`.
# Everything it makes lies below build/demo; it begins anew each time. It stops at the first thing that is not as it should be.
set -eu
cd "$(dirname "$0")/.."

crawl=examples/crawl
demo=build/demo
package=$demo/package
repo=$demo/repository
said=$demo/said # what each command said, for the summary

heading() { printf '\n== %s\n' "$1"; }

# run shows a command as a reader would type it, does it, and shows what it says. The first argument is the command's name.
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

# from NAME PATTERN gives the lines of what a command said that match.
from() { sed -n "/$2/p" "$said/$1"; }

heading "Build"
make --no-print-directory build

# Stored files are write-protected; an earlier demo must not stand in the way of this one.
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

heading "Look"
run list --repo "$repo"
run show harbour-museum --repo "$repo"

heading "Export: handed out again, bit for bit"
run export harbour-museum --repo "$repo" --out "$demo/export"
diff -r "$package" "$demo/export"
same="$(find "$demo/export" -type f | wc -l | tr -d ' ') files, no difference to the package (diff -r)"
echo "$same"

heading "What was made"
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

== What to try next
What is in the crawl, and what is odd about it:
  build/quire inspect $crawl
The description, as an archivist reads it:
  less $package/mets.xml
Damage one copy, be told which file of which copy it is, and mend it from a good one:
  file=\$(find $repo/copy-2 -name mets.xml); chmod u+w "\$file"; printf x >>"\$file"
  build/quire audit --repo $repo
  build/quire audit --repo $repo --repair
A package of your own WARC and ARC files:
  build/quire pack YOUR-CRAWL --out $demo/mine
MADE
