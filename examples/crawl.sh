#!/bin/sh
# Crawls the example website again with wget, and writes the result to examples/crawl, or to FOLDER.
# The server listens on loopback. The two host names do not exist; wget reaches them through the
# server as its proxy.
#
#   examples/crawl.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."

out=${1:-examples/crawl}
mkdir -p "$out"
out=$(cd "$out" && pwd)
name=harbour-museum-$(date -u +%Y%m%d%H%M%S)
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT INT TERM
server=

# Serve.
go build -o "$work/server" ./examples/server
"$work/server" examples/site >"$work/address" &
server=$!
until [ -s "$work/address" ]; do sleep 0.1; done
address=$(cat "$work/address")

# Crawl. wget records its whole command line, so it runs inside the working folder and names nothing
# outside it. Exit status 8: a server answered with an error. The site has a dead link, on purpose.
cp examples/seeds.txt "$work/seeds.txt"
status=0
(
	cd "$work"
	http_proxy="http://$address" wget \
		--no-config --no-hsts --no-verbose --server-response \
		--input-file=seeds.txt --recursive --level=5 --page-requisites \
		--span-hosts --domains=harbour-museum.example \
		--wait=0.2 --compression=auto --user-agent='Quire-example-crawl (wget)' --tries=1 --timeout=10 \
		--warc-file="$name" --warc-cdx --warc-max-size=1G \
		--warc-header='operator: The Quire project' \
		--warc-header='publisher: Museum of Wooden Boats, Saltmarsh Quay (invented)' \
		--warc-header='description: The whole website of the museum, in English and French' \
		--output-file="$name.log"
) || status=$?
case $status in
0 | 8) ;;
*)
	echo "wget failed with status $status; its log:" >&2
	cat "$work/$name.log" >&2
	exit 2
	;;
esac

# Replace the old crawl.
rm -f "$out"/harbour-museum-*
cp "$work/$name"* "$work/seeds.txt" "$out"/
echo "crawled into $out:"
ls -l "$out"
