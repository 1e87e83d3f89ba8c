package main

import (
	"context"
	"path/filepath"
	"testing"

	"quire/model"
	"quire/preserve/inspect"
)

func TestExtremesAreValid(t *testing.T) {
	folder := t.TempDir()
	if err := makeExtremes(folder, 3<<20, 100); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		name    string
		records int64
		least   int64 // bytes, inflated
	}{
		{"one-large.warc", 1, 3 << 20},
		{"many-small.warc", 100, 100 * 200},
		{"many-small.warc.gz", 100, 100 * 200},
	} {
		c, err := inspect.File(context.Background(), filepath.Join(folder, want.name), inspect.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Outcome != model.Valid || c.FindingsTotal > 1 || c.Records.Total != want.records ||
			c.InflatedBytes < want.least {
			t.Errorf("%s: %s, %d records, %d bytes: %v", want.name, c.Outcome, c.Records.Total, c.InflatedBytes,
				c.Findings)
		}
	}
}
