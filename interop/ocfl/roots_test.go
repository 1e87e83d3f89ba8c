//go:build interop

package ocfl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// validators are the programs, each with the sign by which it accepts a root of n objects. ocfl-py
// ends with status 0 in any case.
var validators = []struct {
	name   string
	run    func(t *testing.T, root string) string
	accept func(output string, objects int) bool
}{
	{"rocfl", rocfl, func(output string, objects int) bool {
		return strings.Contains(output, fmt.Sprintf("Total objects:   %d\n", objects)) &&
			strings.Contains(output, "Invalid objects: 0\n") && strings.Contains(output, "Storage issues:  0\n")
	}},
	{"ocfl-py", ocflpy, func(output string, objects int) bool {
		return strings.Contains(output, fmt.Sprintf("Objects checked: %d / %[1]d are VALID\n", objects))
	}},
}

func rocfl(t *testing.T, root string) string {
	t.Helper()
	program := filepath.Join(peers.Tools(t), "rocfl", "bin", "rocfl")
	if _, err := os.Stat(program); err != nil {
		t.Skip("rocfl is not installed: interop/install needs cargo for it")
	}
	output, _ := peers.Try(t, []string{"NO_COLOR=1"}, program, "-r", root, "validate")
	return output
}

func ocflpy(t *testing.T, root string) string {
	t.Helper()
	program := filepath.Join(peers.Tools(t), "venv", "bin", "ocfl-root.py")
	output, _ := peers.Try(t, nil, program, "validate", "--root", root, "--validate-objects", "--check-digests")
	return output
}

// TestCopies validates every copy, whole and with one kind of damage after another.
func TestCopies(t *testing.T) {
	repo := lived(t)
	roots, err := filepath.Glob(filepath.Join(repo, "copy-*", "ocfl"))
	if err != nil || len(roots) != 3 {
		t.Fatalf("storage roots %q, error %v: want three", roots, err)
	}
	for _, v := range validators {
		t.Run(v.name, func(t *testing.T) {
			for _, root := range roots {
				if output := v.run(t, root); !v.accept(output, countObjects(t, root)) {
					t.Errorf("%s refuses %s:\n%s", v.name, root, output)
				}
			}
			for _, d := range damages {
				t.Run(d.name, func(t *testing.T) {
					root := filepath.Join(t.TempDir(), "ocfl")
					peers.Call(t, nil, "cp", "-r", roots[0], root)
					objects := countObjects(t, root)
					d.do(t, newest(t, root))
					if v.accept(v.run(t, root), objects) {
						t.Errorf("%s accepts it", v.name)
					}
				})
			}
		})
	}
}

// lived makes a repository of three copies and returns its folder. Its objects have several versions,
// and one copy was damaged and repaired.
func lived(t *testing.T) string {
	t.Helper()
	quire, work := peers.Quire(t), t.TempDir()
	repo := filepath.Join(work, "repository")
	do := func(args ...string) {
		t.Helper()
		peers.Call(t, []string{"QUIRE_REPO=" + repo}, quire, args...)
	}
	do("init", repo)
	for _, id := range []string{"warc", "arc"} {
		source := testsamples.Path(t, "samples", "netarchivesuite_jwat", "jwat-"+id)
		if id == "warc" {
			source = testsamples.Path(t, "samples", "netarchivesuite_jwat", "jwat-gzip",
				"IAH-20080430204825-00000-blackbook.warc.gz")
		}
		do("pack", source, "--out", filepath.Join(work, id), "--id", id)
		do("ingest", filepath.Join(work, id))
	}
	do("amend", "warc", "--title", "Radio", "--because", "letter")
	do("amend", "warc", "--note", "A note", "--because", "letter")
	do("document", "set", "agreement", filepath.Join(work, "warc", "mets.xml"), "--because", "signed")
	do("withdraw", "arc", "--because", "letter", "--authority", "board")
	do("withdraw", "lift", "W1", "--because", "letter", "--authority", "board")
	do("audit")
	flip(t, content(t, filepath.Join(repo, "copy-2", "ocfl"), ".warc.gz"))
	if _, status := peers.Try(t, []string{"QUIRE_REPO=" + repo}, quire, "audit", "--repair"); status > 1 {
		t.Fatalf("audit --repair ends with status %d", status)
	}
	return repo
}
