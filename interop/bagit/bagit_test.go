//go:build interop

package bagit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quire/format/bagit"
	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

func verdicts(t *testing.T, bags []string) []string {
	t.Helper()
	said := strings.Split(strings.TrimSpace(peers.Python(t, "verdicts.py", bags)), "\n")
	if len(said) != len(bags) {
		t.Fatalf("%d verdicts of %d bags", len(said), len(bags))
	}
	return said
}

// TestExports checks that bags of the stored package and of its dissemination are valid.
func TestExports(t *testing.T) {
	dir := t.TempDir()
	repo, config := filepath.Join(dir, "repo"), filepath.Join(dir, "serve.yaml")
	if err := os.WriteFile(config, []byte("unstated: open\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	quire(t, "init", repo)
	quire(t, "pack", testsamples.Path(t, "samples", "_made", "crawls", "wget", "wget-devref.warc.gz"), "--id", "devref",
		"--out", filepath.Join(dir, "package"))
	quire(t, "ingest", filepath.Join(dir, "package"), "--repo", repo)
	var bags []string
	for _, c := range [][]string{{"--for", "staff"}, {"--for", "public"}, {"--bag", "mirror"}, {"--bag", "wacz"}} {
		bag := filepath.Join(dir, "bag"+strings.Join(c, ""))
		quire(t, append([]string{"export", "devref", "--repo", repo, "--config", config, "--as", "bagit", "--out", bag},
			c...)...)
		bags = append(bags, bag)
	}
	for i, said := range verdicts(t, bags) {
		if said != "valid" {
			t.Errorf("%s: %s", bags[i], said)
		}
	}
}

func quire(t *testing.T, args ...string) {
	t.Helper()
	if said, err := exec.Command(peers.Quire(t), args...).CombinedOutput(); err != nil {
		t.Fatalf("quire %s: %v\n%s", strings.Join(args, " "), err, said)
	}
}

// TestSuite checks that both validators agree on the bags of the suite. The exception is the bag
// with white space before a colon, which bagit-python accepts.
func TestSuite(t *testing.T) {
	var bags []string
	for _, kind := range []string{"valid", "invalid"} {
		some, err := filepath.Glob(filepath.Join(testsamples.Path(t, "conformance", "bagit-suite"), "v*", kind, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, bag := range some {
			if info, err := os.Stat(bag); err == nil && info.IsDir() {
				bags = append(bags, bag)
			}
		}
	}
	differ := 0
	for i, said := range verdicts(t, bags) {
		report, err := bagit.Validate(t.Context(), os.DirFS(bags[i]), bagit.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if report.Valid() != (said == "valid") {
			differ++
			if filepath.Base(bags[i]) != "bagit-with-invalid-whitespace" {
				t.Errorf("%s: they say %s, we %v", bags[i], said, report.Findings)
			}
		}
	}
	t.Logf("%d bags, %d verdicts differ", len(bags), differ)
}
