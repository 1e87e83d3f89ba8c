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

// Every sample that may be a container is read to its end, and all its bytes are counted.
func TestSamplesAreReadToTheEnd(t *testing.T) {
	dir := testsamples.Path(t, "samples")
	manifest, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, line := range strings.Split(string(manifest), "\n")[1:] {
		column := strings.Split(line, "\t")
		if len(column) < 6 {
			continue
		}
		switch column[3] {
		case "arc", "warc", "warc-zst", "gzip", "bomb", "nas-metadata":
		default:
			continue
		}
		p := filepath.Join(dir, column[0])
		if info, err := os.Stat(p); err != nil || !info.Mode().IsRegular() {
			continue
		}
		c, err := File(context.Background(), p, Options{MaxFindings: 1})
		if err != nil {
			t.Errorf("%s: %v", column[0], err)
			continue
		}
		read++
		if info, err := os.Stat(p); err != nil || info.Size() != c.Bytes {
			t.Errorf("%s: %d bytes read", column[0], c.Bytes)
		}
		if strings.HasPrefix(column[5], "by construction: valid") && c.Outcome != model.Valid {
			t.Errorf("%s is valid (%s); found %s: %v", column[0], column[5], c.Outcome, c.Findings)
		}
		if strings.HasPrefix(column[5], "by construction: invalid") && c.Outcome == model.Valid {
			t.Logf("%s is called invalid (%s); found valid: %v", column[0], column[5], c.Findings)
		}
	}
	if read < 100 {
		t.Errorf("only %d samples were read", read)
	}
}
