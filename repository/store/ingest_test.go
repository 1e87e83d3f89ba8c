package store

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"
)

func TestIngestListShowExport(t *testing.T) {
	ctx := context.Background()
	s := newRepository(t)
	dir := makePackage(t, "urn:uuid:1b7e3a52-0000-4000-8000-000000000001", crawl)
	r := mustIngest(t, s, dir, IngestOptions{})
	if r.Version != 1 || r.Files != 6 || len(r.Copies) != 3 || r.AlreadyStored {
		t.Errorf("receipt: %+v", r)
	}
	mustBeSound(t, s)
	var ids []string
	for e, err := range s.List(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e.ID+" "+string(e.Status))
	}
	if want := []string{r.ID + " good"}; !reflect.DeepEqual(ids, want) {
		t.Errorf("list: %v, want %v", ids, want)
	}
	d, err := s.Show(ctx, r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Versions) != 1 || len(d.Versions[0].Files) != 6 || len(d.Events) != 4 || len(d.Copies) != 3 {
		t.Errorf("show: %+v", d)
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := s.Export(ctx, r.ID, out, ExportOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, want := folderTree(t, out), folderTree(t, dir); !reflect.DeepEqual(got, want) {
		t.Errorf("export differs: %v, want %v", got, want)
	}
}
