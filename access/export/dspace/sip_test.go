package dspace

import (
	"archive/zip"
	"io"
	"testing"

	"quire/access/export"
	"quire/access/holdings"
	"quire/access/holdings/holdingstest"
	"quire/internal/schematest"
	"quire/internal/shared"
)

func entry(t *testing.T, z *zip.ReadCloser, name string) []byte {
	t.Helper()
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSIP(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(site())
	h := r.Open(holdings.Options{})
	file, _ := run(t, r, h, export.Request{ID: "site-1", As: "dspace-mets"})
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		t.Log(f.Name, f.UncompressedSize64)
	}
	doc := entry(t, z, "mets.xml")
	t.Logf("%s", doc)
	schematest.Valid(t, shared.Path(t, "schemas", "drivers", "mets-all.xsd"), doc)
}
