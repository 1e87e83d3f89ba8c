//go:build interop

package packages

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// crawls are the crawls for the main job, below the shared samples: WARC and ARC, files and
// folders, from Heritrix 1 and 3, wget, a browser and Common Crawl.
var crawls = []struct{ id, source string }{
	{"jwat-warc", "netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz"},
	{"jwat-arc", "netarchivesuite_jwat/jwat-arc/IAH-20080430204825-00000-blackbook.arc.gz"},
	{"solrwayback", "netarchivesuite_solrwayback/history/docker/test-warcs"},
	{"wget", "_made/crawls/wget-large/python311-docs.warc.gz"},
	{"revisits", "ukwa_webarchive-discovery/gov.uk-revisit-warcs"},
	{"commoncrawl", "commoncrawl_whirlwind-python"},
}

// The test goes from crawl to three copies and back, and checks each step with an independent tool
// where one exists.
func TestMainJob(t *testing.T) {
	schemas := testsamples.Path(t, "schemas")
	quire := peers.Quire(t)
	work := t.TempDir()
	repo := filepath.Join(work, "repository")
	peers.Call(t, nil, quire, "init", repo)

	for _, c := range crawls {
		t.Run(c.id, func(t *testing.T) {
			source := testsamples.Path(t, "samples", c.source)
			pkg, export := filepath.Join(work, c.id), filepath.Join(work, c.id+"-export")
			peers.Call(t, nil, quire, "pack", source, "--out", pkg, "--id", c.id)
			peers.Xmllint(t, schemas, "mets-all.xsd", filepath.Join(pkg, "mets.xml"))
			peers.Sidecar(t, pkg)
			judgeContainers(t, source, pkg)
			peers.Call(t, nil, quire, "validate", pkg, "--schemas", schemas)
			peers.Call(t, nil, quire, "ingest", pkg, "--repo", repo)
			peers.Call(t, nil, quire, "audit", c.id, "--repo", repo)
			peers.Call(t, nil, quire, "export", c.id, "--repo", repo, "--out", export)
			peers.Call(t, nil, "diff", "-r", pkg, export)
		})
	}
	t.Run("copies", func(t *testing.T) { judgeCopies(t, repo) })
}

// judgeContainers has cmp find each container of the source in the package, byte for byte. An ARC
// is stored as a WARC: the test restores the ARC from it and compares it with the inflated source.
func judgeContainers(t *testing.T, source, pkg string) {
	t.Helper()
	packed := map[string]string{}
	err := filepath.Walk(pkg, func(path string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			packed[filepath.Base(path)] = path
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	files := []string{source}
	if info, err := os.Stat(source); err != nil {
		t.Fatal(err)
	} else if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(source, "*")); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		name := filepath.Base(file)
		if arc, ok := strings.CutSuffix(strings.TrimSuffix(name, ".gz"), ".arc"); ok {
			restored := filepath.Join(t.TempDir(), "restored.arc")
			peers.Call(t, nil, peers.Quire(t), "convert", "--restore", packed[arc+".warc.gz"], "--out", restored)
			peers.Call(t, nil, "sh", "-c", `gzip -cdf "$1" | cmp - "$2"`, "sh", file, restored)
			continue
		}
		peers.Call(t, nil, "cmp", file, packed[name])
	}
}

// judgeCopies has ocfl-go validate every object of every copy.
func judgeCopies(t *testing.T, repo string) {
	t.Helper()
	roots, err := filepath.Glob(filepath.Join(repo, "copy-*", "ocfl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(roots) != 3 {
		t.Fatalf("the storage roots of %s are %q, not three", repo, roots)
	}
	for _, root := range roots {
		said := peers.Call(t, []string{"QUIRE_OCFL_ROOT=" + root}, "go", "-C", "../ocflgo", "test", "-count=1", "-v",
			"-run", "^TestStorageRoot$", ".")
		if !strings.Contains(said, "--- PASS: TestStorageRoot") {
			t.Errorf("ocfl-go judged nothing in %s:\n%s", root, said)
		}
	}
}
