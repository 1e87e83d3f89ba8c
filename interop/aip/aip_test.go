//go:build interop

package aip

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// sources are paths in the shared samples: the sources of the main job's demonstration
// (interop/packages), and at least one source from each crawler.
var sources = []struct{ id, source string }{
	{"jwat-warc", "netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz"},
	{"jwat-arc", "netarchivesuite_jwat/jwat-arc/IAH-20080430204825-00000-blackbook.arc.gz"},
	{"solrwayback", "netarchivesuite_solrwayback/history/docker/test-warcs"},
	{"wget", "_made/crawls/wget-large/python311-docs.warc.gz"},
	{"revisits", "ukwa_webarchive-discovery/gov.uk-revisit-warcs"},
	{"commoncrawl", "commoncrawl_whirlwind-python"},
	{"heritrix", "nla_bamboo/task"},
	{"netarchivesuite", "netarchivesuite_netarchivesuite/harvester/webinterface"},
	{"netarchivesuite-arc", "netarchivesuite_netarchivesuite/history/viewerproxy"},
	{"wct", "WebCuratorTool_webcurator/webcurator-submit-to-rosetta/WctFiles"},
	{"pandas", "_made/crawls/httrack/pandas.tar.gz"},
	{"httrack", "_made/crawls/httrack/devref.tar.gz"},
	{"httrack-zip", "nla_httrack2warc/httrack/testcrawl-3.49-2.zip"},
	{"wacz", "_made/crawls/wacz/wget-devref.wacz"},
	{"zstd", "_made/crawls/zst"},
	{"hostile", "webrecorder_warcio"},
}

// Each source is packed in each profile, validated by all suitable tools, and read back by the
// offsets in its METS.
func TestPackages(t *testing.T) {
	schemas := testsamples.Path(t, "schemas")
	for _, s := range sources {
		t.Run(s.id, func(t *testing.T) {
			t.Parallel()
			source := testsamples.Path(t, "samples", s.source)
			var sizes []string
			for _, profile := range profiles {
				pkg := filepath.Join(t.TempDir(), profile)
				packed(t, source, pkg, profile)
				mets := filepath.Join(pkg, "mets.xml")
				peers.Xmllint(t, schemas, "mets-all.xsd", mets)
				peers.Sidecar(t, pkg)
				peers.Call(t, nil, peers.Quire(t), "validate", pkg, "--schemas", schemas)
				checkReferences(t, mets)
				checkProfile(t, mets, "compact") // the other two are of a single METS: TestLegacyPackages
				checkFiles(t, pkg)
				if n := compareStreams(t, pkg); n == 0 && profile != "compact" {
					t.Error("no bytestream in " + profile)
				}
				info, err := os.Stat(mets)
				if err != nil {
					t.Fatal(err)
				}
				sizes = append(sizes, fmt.Sprintf("%s %d", profile, info.Size()))
			}
			t.Logf("bytes of METS: %s", strings.Join(sizes, ", "))
		})
	}
}

// packed makes a package. Invalid containers of a source are packed unchanged, and the exit status
// reports them.
func packed(t *testing.T, source, pkg, profile string, flags ...string) {
	t.Helper()
	said, status := peers.Try(t, nil, peers.Quire(t),
		append([]string{"pack", source, "--out", pkg, "--profile", profile}, flags...)...)
	if status > 1 {
		t.Fatalf("pack %s: status %d\n%s", source, status, said)
	}
}

// part is a line of quire cat --list on a file element.
type part struct {
	ID, Path, Checksum string
	ChecksumType       string `json:"checksum_type"`
	Depth              int
	Size               *int64
}

// parts lists the file elements of a package from the output of quire cat --list.
func parts(t *testing.T, pkg string) (all []part) {
	t.Helper()
	for line := range strings.Lines(peers.Call(t, nil, peers.Quire(t), "cat", pkg, "--list", "--json")) {
		var p part
		if err := json.Unmarshal([]byte(line), &p); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, p)
	}
	return all
}

// checkFiles verifies with sha512sum the files that the METS lists.
func checkFiles(t *testing.T, pkg string) {
	t.Helper()
	var lines strings.Builder
	files := 0
	for _, p := range parts(t, pkg) {
		if p.Depth == 0 && p.Checksum != "" {
			files++
			fmt.Fprintf(&lines, "%s  %s\n", p.Checksum, p.Path)
		}
	}
	list := filepath.Join(t.TempDir(), "sums")
	if err := os.WriteFile(list, []byte(lines.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	peers.Call(t, nil, "sh", "-c", `cd "$1" && sha512sum --check --strict --quiet "$2"`, "sh", pkg, list)
	if files == 0 {
		t.Error("no file was checked")
	}
}
