package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"quire/model"
	"quire/preserve/inspect"
)

func TestContainersAreValidAndTheSameEveryTime(t *testing.T) {
	sums := map[string]bool{}
	for range 2 {
		folder := t.TempDir()
		if err := makeContainers(folder, 2<<20); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, "bench-000.warc.gz")
		c, err := inspect.File(context.Background(), file, inspect.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if c.Outcome != model.Valid || c.Bytes < 2<<20 || c.Records.Total < 4 {
			t.Errorf("%s, %d bytes, %d records: %v", c.Outcome, c.Bytes, c.Records.Total, c.Findings)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
			t.Errorf("%d files, %v", len(files), err)
		}
		sums[c.SHA512] = true
	}
	if len(sums) != 1 {
		t.Error("the second making differs from the first")
	}
}
