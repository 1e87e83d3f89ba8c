//go:build interop

package packages

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/shared"
)

// The crawls that the main job is shown on, below the shared samples: WARC and ARC, files and folders, from Heritrix 1 and 3,
// wget, a browser and Common Crawl.
var crawls = []struct{ id, source string }{
	{"jwat-warc", "netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz"},
	{"jwat-arc", "netarchivesuite_jwat/jwat-arc/IAH-20080430204825-00000-blackbook.arc.gz"},
	{"solrwayback", "netarchivesuite_solrwayback/history/docker/test-warcs"},
	{"wget", "_made/crawls/wget-large/python311-docs.warc.gz"},
	{"revisits", "ukwa_webarchive-discovery/gov.uk-revisit-warcs"},
	{"commoncrawl", "commoncrawl_whirlwind-python"},
}

// From crawl to three copies and back, with every step that has a tool of somebody else's judged by it.
func TestMainJob(t *testing.T) {
	schemas := shared.Path(t, "schemas")
	quire := built(t)
	work := t.TempDir()
	repo := filepath.Join(work, "repository")
	run(t, nil, quire, "init", repo)

	for _, c := range crawls {
		t.Run(c.id, func(t *testing.T) {
			source := shared.Path(t, "samples", c.source)
			pkg, export := filepath.Join(work, c.id), filepath.Join(work, c.id+"-export")
			run(t, nil, quire, "pack", source, "--out", pkg, "--id", c.id)
			judgeXML(t, schemas, filepath.Join(pkg, "mets.xml"))
			judgeDigest(t, pkg)
			judgeContainers(t, source, pkg)
			run(t, nil, quire, "validate", pkg, "--schemas", schemas)
			run(t, nil, quire, "ingest", pkg, "--repo", repo)
			run(t, nil, quire, "audit", c.id, "--repo", repo)
			run(t, nil, quire, "export", c.id, "--repo", repo, "--out", export)
			run(t, nil, "diff", "-r", pkg, export)
		})
	}
	t.Run("copies", func(t *testing.T) { judgeCopies(t, repo) })
}

// judgeXML has xmllint validate a METS against all the schemas that it uses, offline.
func judgeXML(t *testing.T, schemas, mets string) {
	t.Helper()
	catalog := "XML_CATALOG_FILES=" + filepath.Join(schemas, "catalog.xml")
	run(t, []string{catalog}, "xmllint", "--nonet", "--noout", "--schema", filepath.Join(schemas, "drivers", "mets-all.xsd"), mets)
}

// judgeDigest has sha512sum read the sidecar (docs/package-format.md, 1.2).
func judgeDigest(t *testing.T, pkg string) {
	t.Helper()
	run(t, nil, "sh", "-c", `cd "$1" && sha512sum --check --strict mets.xml.sha512`, "sh", pkg)
}

// judgeContainers has cmp find each container of the source in the package, byte for byte. An ARC is there as a WARC: it is made
// again of that, and compared with what gzip inflates of the source.
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
			run(t, nil, built(t), "convert", "--restore", packed[arc+".warc.gz"], "--out", restored)
			run(t, nil, "sh", "-c", `gzip -cdf "$1" | cmp - "$2"`, "sh", file, restored)
			continue
		}
		run(t, nil, "cmp", file, packed[name])
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
		said := run(t, []string{"QUIRE_OCFL_ROOT=" + root}, "go", "-C", "../ocflgo", "test", "-count=1", "-v", "-run", "^TestStorageRoot$", ".")
		if !strings.Contains(said, "--- PASS: TestStorageRoot") {
			t.Errorf("ocfl-go judged nothing in %s:\n%s", root, said)
		}
	}
}

// built is the binary that interop/run makes.
func built(t *testing.T) string {
	t.Helper()
	binary, err := filepath.Abs("../../build/quire")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(binary); err != nil {
		t.Fatalf("quire is not built; run these tests with `bash interop/run packages`: %v", err)
	}
	return binary
}

// run runs a command that must succeed, and gives what it said.
func run(t *testing.T, env []string, command string, args ...string) string {
	t.Helper()
	cmd := exec.Command(command, args...)
	cmd.Env = append(os.Environ(), env...)
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, tail(said))
	}
	return string(said)
}

// tail keeps a failure readable.
func tail(said []byte) string {
	const most = 4000
	if len(said) <= most {
		return string(said)
	}
	return "…" + string(said[len(said)-most:])
}
