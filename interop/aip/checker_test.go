//go:build interop

package aip

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// packing is a package to make: its sources below the shared samples, and the flags of quire pack.
type packing struct {
	sources []string
	flags   []string
}

// packings returns over 40 packages, of all kinds of containers and harvests, in all forms.
func packings() (all []packing) {
	const (
		jwatARC        = "netarchivesuite_jwat/jwat-arc/IAH-20080430204825-00000-blackbook.arc.gz"
		heritrix, zstd = "nla_bamboo/task", "_made/crawls/zst"
		wct            = "WebCuratorTool_webcurator/webcurator-submit-to-rosetta/WctFiles"
		mirror, pandas = "nla_httrack2warc/httrack/testcrawl-3.49-2.zip", "_made/crawls/httrack/pandas.tar.gz"
		devref, wacz   = "_made/crawls/httrack/devref.tar.gz", "_made/crawls/wacz/wget-devref.wacz"
		revisits       = "ukwa_webarchive-discovery/gov.uk-revisit-warcs"
		nasARC         = "netarchivesuite_netarchivesuite/history/viewerproxy"
	)
	kinds := []string{jwatARC, heritrix, wct, zstd, mirror, pandas, devref, wacz, revisits, nasARC,
		"commoncrawl_whirlwind-python", "webrecorder_warcio",
		"netarchivesuite_netarchivesuite/harvester/webinterface"}
	for _, kind := range kinds {
		for _, profile := range []string{"full", "linked"} {
			all = append(all, packing{[]string{kind}, []string{"--profile", profile}})
		}
	}
	for _, kind := range []string{heritrix, zstd, pandas, revisits} {
		all = append(all, packing{[]string{kind}, []string{"--profile", "compact"}},
			packing{[]string{kind}, []string{"--profile", "linked", "--mets", "single"}},
			packing{[]string{kind}, []string{"--profile", "linked", "--schema-version", "legacy"}})
	}
	several := []string{heritrix, wct, mirror, wacz}
	return append(all,
		packing{several, []string{"--profile", "full"}}, packing{several, []string{"--profile", "linked"}},
		packing{several, []string{"--profile", "compact", "--mets", "single"}},
		packing{[]string{jwatARC}, []string{"--profile", "full", "--keep-original", "always"}},
		packing{[]string{nasARC, pandas},
			[]string{"--profile", "linked", "--schema-version", "legacy", "--mets", "single"}},
		packing{[]string{jwatARC}, []string{"--profile", "full", "--mets", "single"}})
}

// pythonPeer is the interpreter of the Python peers.
func pythonPeer(t *testing.T) string {
	t.Helper()
	return filepath.Join(peers.Tools(t), "venv", "bin", "python")
}

// TestChecker checks over 40 packages without any code of ours, and counts the comparisons.
func TestChecker(t *testing.T) {
	dir := t.TempDir()
	var args []string
	for i, p := range packings() {
		pkg := filepath.Join(dir, fmt.Sprint(i))
		packedFrom(t, p, pkg)
		args = append(args, pkg)
	}
	for _, i := range []int{1, len(args) - 1} { // in documents, and in one document
		pkg := fmt.Sprint(args[i], "-migrated")
		peers.Call(t, nil, peers.Quire(t), "migrate", args[i], "--using", "gif-to-png", "--out", pkg)
		args = append(args, pkg)
	}
	if len(args) < 40 {
		t.Errorf("%d packages", len(args))
	}
	sum := map[string]int{}
	for i, numbers := range check(t, args) {
		if numbers == nil {
			t.Errorf("not checked: %s", args[i])
		}
		for kind, n := range numbers {
			sum[kind] += n
		}
	}
	t.Logf("%d packages: %v", len(args), sum)
	for _, kind := range []string{"files", "documents", "references", "between documents", "links",
		"ranges", "digests", "identifiers", "records", "payloads", "files of metsrw"} {
		if sum[kind] < len(args) {
			t.Errorf("only %d %s were compared", sum[kind], kind)
		}
	}
}

// packedFrom makes a package. An invalid container is packed, too, with status 1.
func packedFrom(t *testing.T, p packing, pkg string) {
	t.Helper()
	args := []string{"pack", "--out", pkg}
	for _, s := range p.sources {
		args = append(args, testsamples.Path(t, "samples", s))
	}
	if said, status := peers.Try(t, nil, peers.Quire(t), append(args, p.flags...)...); status > 1 {
		t.Fatalf("pack %+v: status %d\n%s", p, status, said)
	}
}

// check runs checker.py, reports the problems as errors, and returns the numbers for each package.
func check(t *testing.T, packages []string) []map[string]int {
	t.Helper()
	all, problems := checked(t, packages)
	for _, p := range problems {
		t.Errorf("%s", p)
	}
	return all
}

// checked runs checker.py, and returns the comparisons in each package, and the problems.
func checked(t *testing.T, packages []string) (all []map[string]int, problems []string) {
	t.Helper()
	args := append([]string{"checker.py", testsamples.Path(t, "schemas")}, packages...)
	said := peers.Call(t, nil, pythonPeer(t), args...)
	all = make([]map[string]int, len(packages))
	for line := range strings.Lines(said) {
		cells := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3)
		switch {
		case len(cells) < 3: // a warning of a peer
		case cells[0] == "problem":
			problems = append(problems, fmt.Sprintf("package %s: %s", filepath.Base(cells[1]), cells[2]))
		case cells[0] == "checked":
			if err := json.Unmarshal([]byte(cells[2]), &all[slices.Index(packages, cells[1])]); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all, problems
}
