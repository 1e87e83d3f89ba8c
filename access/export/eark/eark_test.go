package eark

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"quire/access/export"
	"quire/access/holdings"
	"quire/access/holdings/holdingstest"
	"quire/internal/schematest"
	"quire/internal/shared"
)

func TestPackage(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Logs: map[string]string{"crawl.log": "2015 200 1 http://a.example/\n"}, Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one") +
			holdingstest.Response("2", "http://a.example/secret", "2015-01-02T03:04:06Z", "text/html", "<p>two"),
	}})
	h := r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [http://a.example/secret]\n    access: restricted\n    message: Ask at the desk.\n")})
	out := filepath.Join(t.TempDir(), ObjID("site-1"))
	if d := os.Getenv("H5_OUT"); d != "" {
		out = filepath.Join(d, ObjID("site-1"))
	}
	result, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site-1", As: "eark", Out: out}, Formats())
	if err != nil {
		t.Fatal(err)
	}
	t.Log(result)
	_ = filepath.WalkDir(out, func(p string, d fs.DirEntry, _ error) error { t.Log(p); return nil })
	driver := shared.Path(t, "schemas", "drivers", "mets-all.xsd")
	for _, f := range []string{"METS.xml", "representations/rep1/METS.xml", "metadata/preservation/premis.xml", "metadata/descriptive/mods.xml", "metadata/descriptive/dc.xml", "representations/rep1/metadata/preservation/premis.xml"} {
		b, err := os.ReadFile(filepath.Join(out, f))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s\n%s", f, b)
		schematest.Valid(t, driver, b)
	}
}
