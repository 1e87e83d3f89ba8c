package bag

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/export"
	"quire/access/export/crawl"
	"quire/format/bagit"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/preserve/aip"
)

func TestBag(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Scan: true, Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one") +
			holdingstest.Response("2", "http://a.example/bad", "2015-01-02T03:04:05Z", "text/plain",
				holdingstest.EICAR()),
	}, Logs: map[string]string{"logs/100% done.log": "a line\n"}})
	h := r.Open(holdings.Options{})
	formats := append(crawl.Formats(), Format(crawl.Formats()))
	for _, c := range []struct {
		who  holdings.Class
		bag  string
		file string // required file
		fail string
	}{
		{holdings.Public, "", "data/site-1-00001.warc.gz", ""},
		{holdings.Public, "wacz", "data/site-1.wacz", ""},
		{holdings.Staff, "", "data/mets.xml", ""},
		{holdings.Staff, "warc", "kept-back.json", ""},
		{holdings.Public, "aip", "", "only curators"},
		{holdings.Public, "bagit", "", `no export format "bagit"`},
	} {
		out := filepath.Join(t.TempDir(), "bag")
		_, err := export.Run(t.Context(), r.Store, h,
			export.Request{ID: "site-1", As: "bagit", For: c.who, Out: out, Options: export.Options{Bag: c.bag}},
			formats)
		if c.fail != "" {
			if err == nil || !strings.Contains(err.Error(), c.fail) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(out, c.file)); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
		report, err := bagit.Validate(t.Context(), os.DirFS(out), bagit.Options{Temp: t.TempDir()})
		if err != nil || !report.Valid() || report.Total != 0 {
			t.Errorf("%+v: %v, %v", c, report, err)
		}
		if c.who == holdings.Staff && c.bag == "" {
			if report, err := aip.Validate(t.Context(), filepath.Join(out, "data"), aip.Options{}); err != nil ||
				report.Outcome != "valid" {
				t.Errorf("the package in the bag: %+v, %v", report, err)
			}
		}
	}
}

// TestInfected: only curators can export infected content, wrapped.
func TestInfected(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Scan: true, Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one") +
			holdingstest.Response("2", "http://a.example/bad", "2015-01-02T03:04:05Z", "text/plain",
				holdingstest.EICAR()),
	}})
	h := r.Open(holdings.Options{})
	for who, allowed := range map[holdings.Class]bool{holdings.Staff: true, holdings.OnSite: false,
		holdings.Public: false} {
		out := filepath.Join(t.TempDir(), "out")
		result, err := export.Run(t.Context(), r.Store, h,
			export.Request{ID: "site-1", As: "warc", For: who, Out: out, Options: export.Options{Infected: true}},
			crawl.Formats())
		if !allowed {
			if err == nil {
				t.Errorf("%s had it", who)
			}
			continue
		}
		if err != nil || result.KeptBack[export.Infected] != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		text, err := os.ReadFile(filepath.Join(out, "infected", "000001.zip"))
		if err != nil || !strings.HasPrefix(string(text), "PK") ||
			strings.Contains(string(text), holdingstest.EICAR()) {
			t.Errorf("%q, %v", text, err)
		}
	}
}
