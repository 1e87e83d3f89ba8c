package auditreport_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"quire/access/auditreport"
	"quire/preserve/aip"
	"quire/repository/store"
)

// A repository of commit 672699b, with the catalogue of that time, has a report. It is open for
// reading only, so the catalogue is not migrated.
func TestOldRepository(t *testing.T) {
	dir := t.TempDir()
	unpack(t, filepath.Join("..", "..", "oai", "archive", "testdata", "672699b", "repository.tar.gz"), dir)
	s, err := store.Open(context.Background(), filepath.Join(dir, "repo"), store.Options{Describe: aip.Describe,
		ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // read only
	r, err := auditreport.Gather(context.Background(), s, auditreport.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Holdings.Packages == 0 || r.Holdings.Unread != 0 || r.Holdings.WithoutIngest != 0 || len(r.Copies) == 0 {
		t.Errorf("holdings: %+v", r.Holdings)
	}
	for _, c := range r.Copies {
		if c.Total() != r.Holdings.Packages+r.Holdings.Collections {
			t.Errorf("copy: %+v", c)
		}
	}
	if got := stateOf(t, r, "NDSA-integrity-1-digests"); got != auditreport.Shown {
		t.Errorf("ingest: %s", got)
	}
}

// unpack unpacks an archive of folders and files.
func unpack(t *testing.T, name, dir string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }() // read only
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			if err := os.MkdirAll(path, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		text, err := io.ReadAll(in)
		if err == nil {
			err = os.WriteFile(path, text, h.FileInfo().Mode())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
