package holdings_test

import (
	"context"
	"strings"
	"testing"

	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/repotest"
	"quire/repository/store"
)

// TestForgedDigest: a package's statements about its own digests do not bind other packages. Its
// creator could claim that one of its pages has the digest of a page elsewhere.
func TestForgedDigest(t *testing.T) {
	const honest, forged = "<p>what the museum said", "<p>what it never said"
	r := holdingstest.New(t)
	dir := r.Pack(holdingstest.Package{ID: "forged", Rights: "access: open", Containers: map[string]string{
		"f.warc": holdingstest.Response("1", "http://museum.example/", date1, "text/html", forged),
	}})
	repotest.Forge(t, dir, "indexes/f.warc.cdxj.gz", func(old []byte) []byte {
		text := repotest.Gunzip(t, old)
		if !strings.Contains(text, holdingstest.Digest(forged)) {
			t.Fatalf("the digest is missing from the lines: %s", text)
		}
		return repotest.Gzip(t, strings.ReplaceAll(text, holdingstest.Digest(forged), holdingstest.Digest(honest)))
	})
	if _, err := r.Store.Ingest(context.Background(), dir, store.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	r.Ingest(holdingstest.Package{ID: "again", Rights: "access: open", Containers: map[string]string{
		"r.warc": holdingstest.Revisit("2", "http://museum.example/", date2, "text/html", honest,
			"http://museum.example/", date1),
	}})
	told := 0
	h := r.Open(holdings.Options{Problem: func(error) { told++ }})
	all := r.Find(h, public, "http://museum.example/")
	if len(all) != 2 || all[1].Payload == nil || all[1].Payload.Package != "forged" {
		t.Fatalf("the lines were not believed, so nothing is tested: %+v", all)
	}
	if got := read(t, h, public, all[1]); !strings.HasPrefix(got, "error: ") ||
		!strings.Contains(got, "has different bytes than were stored") || told == 0 {
		t.Errorf("the revisit returns %q; reported %d times", got, told)
	}
}

// TestVouched: a payload in another package with the correct digest is returned, repeatedly.
func TestVouched(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "first", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("0", "http://other.example/", date1, "text/plain", "before") +
			holdingstest.Response("1", "http://museum.example/", date1, "text/html", "<p>one") +
			holdingstest.Response("3", "http://other.example/", date2, "text/plain", "behind"),
	}})
	r.Ingest(holdingstest.Package{ID: "again", Rights: "access: open", Containers: map[string]string{
		"r.warc": holdingstest.Revisit("2", "http://museum.example/", date2, "text/html", "<p>one",
			"http://museum.example/", date1),
	}})
	h := r.Open(holdings.Options{})
	all := r.Find(h, public, "http://museum.example/")
	if len(all) != 2 || all[1].Payload == nil || all[1].Payload.Package != "first" {
		t.Fatalf("%+v", all)
	}
	for range 2 {
		if got := read(t, h, public, all[1]); got != "<p>one" {
			t.Errorf("%q", got)
		}
	}
}
