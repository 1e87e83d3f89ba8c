package inspect

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/internal/testsamples"
	"quire/model"
)

// TestRealFilesCalledInvalid checks that docs/explanation/730_verdicts.md explains every real
// sample that only Quire calls invalid, with its loss or error, and no valid one.
func TestRealFilesCalledInvalid(t *testing.T) {
	dir := testsamples.Path(t, "samples")
	manifest, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("../../docs/explanation/730_verdicts.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(document), "\n## Real files called invalid\n")
	if !ok {
		t.Fatal("docs/explanation/730_verdicts.md has no section on them")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	invalid := 0
	for _, line := range strings.Split(string(manifest), "\n")[1:] {
		column := strings.Split(line, "\t")
		if len(column) < 8 || !strings.HasPrefix(column[7], "real") {
			continue
		}
		switch column[3] {
		case "arc", "warc", "warc-zst", "gzip":
		default:
			continue
		}
		if m := verdict.FindStringSubmatch(column[5]); m != nil && (m[2] == "invalid" || m[2] == "not compliant") {
			continue
		}
		c, err := File(context.Background(), filepath.Join(dir, column[0]), Options{MaxFindings: 2})
		if err != nil {
			t.Errorf("%s: %v", column[0], err)
			continue
		}
		if c.Outcome == model.Invalid {
			invalid++
		}
		if listed := strings.Contains(section, "`"+column[0]+"`"); listed != (c.Outcome == model.Invalid) {
			t.Errorf("%s is %s, listed: %v; %v", column[0], c.Outcome, listed, c.Findings)
		}
	}
	if invalid < 20 {
		t.Errorf("only %d real files are invalid: the manifest was not read", invalid)
	}
}
