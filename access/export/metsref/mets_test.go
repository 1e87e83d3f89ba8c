package metsref

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/export"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/schematest"
	"quire/internal/testsamples"
)

func repository(t *testing.T) (*holdingstest.Repository, *holdings.Holdings) {
	t.Helper()
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open", Scan: true, Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/?a=1&b=2", "2015-01-02T03:04:05Z", "text/html",
			"<p>one") +
			holdingstest.Response("5", "http://a.example/100%", "2015-01-02T03:04:05Z", "text/html", "<p>five") +
			holdingstest.Response("2", "http://a.example/secret", "2015-01-02T03:04:06Z", "text/html",
				"<p>secret two") +
			holdingstest.Response("3", "http://a.example/hidden", "2015-01-02T03:04:06Z", "text/html", "<p>three") +
			holdingstest.Response("4", "http://a.example/v.exe", "2015-01-02T03:04:06Z", "application/octet-stream",
				holdingstest.EICAR()),
	}})
	return r,
		r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [http://a.example/secret]\n    access: restricted\n" +
			"    message: Ask at the desk.\n" +
			"  - urls: [http://a.example/hidden]\n    access: blocked\n    hidden: true\n")})
}

func run(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, who holdings.Class) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "site.xml")
	_, err := export.Run(t.Context(), r.Store, h,
		export.Request{ID: "site-1", As: "mets", For: who, Out: out,
			Options: export.Options{Server: "https://replay.example/"}}, Formats())
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestReferences: the document lists open and withheld content, and reveals nothing hidden.
func TestReferences(t *testing.T) {
	r, h := repository(t)
	doc := run(t, r, h, holdings.Public)
	for _, want := range []string{
		`xlink:href="https://replay.example/site-1/20150102030405id_/http://a.example/?a=1&amp;b=2"`,
		`CHECKSUMTYPE="SHA-1"`,
		`<mets:div ORDERLABEL="2015-01-02T03:04:06Z" LABEL="Ask at the desk." ADMID="RGT-kept-back" TYPE="kept back"/>`,
		`"reason":"infected"`, `"reason":"rights"`, `xlink:href="site-1/v1/mets.xml"`,
		`LOCTYPE="OTHER" OTHERLOCTYPE="percent-encoded" xlink:type="simple" ` +
			`xlink:href="https%3A//replay.example/site-1/20150102030405id_/http%3A//a.example/100%25"`,
	} {
		if !strings.Contains(doc, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, no := range []string{"hidden", "offset%3D", "secret two", "EICAR", "id_/http://a.example/secret",
		"id_/http://a.example/v.exe"} {
		if strings.Contains(doc, no) {
			t.Errorf("%s is told", no)
		}
	}
	if again := run(t, r, h, holdings.Public); !bytes.Equal([]byte(again), []byte(doc)) {
		t.Error("not the same twice")
	}
	staff := run(t, r, h, holdings.Staff)
	for _, want := range []string{"id_/http://a.example/secret",
		`OTHERLOCTYPE="quire-record" xlink:type="simple" xlink:href="site-1/v1/containers/a.warc%23offset%3D`} {
		if !strings.Contains(staff, want) {
			t.Errorf("missing for curators: %s in\n%s", want, staff)
		}
	}
	if strings.Contains(staff, "id_/http://a.example/v.exe") {
		t.Error("an infected bytestream is exported")
	}
	driver := testsamples.Path(t, "schemas", "drivers", "mets-all.xsd")
	schematest.Valid(t, driver, []byte(doc))
	schematest.Valid(t, driver, []byte(staff))
}

// TestNothing: a package without open content has no document: it would be an empty list.
func TestNothing(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: restricted", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>one")}})
	out := filepath.Join(t.TempDir(), "site.xml")
	_, err := export.Run(t.Context(), r.Store, r.Open(holdings.Options{}),
		export.Request{ID: "site-1", As: "mets", Out: out}, Formats())
	var empty *export.EmptyError
	if _, missing := os.Stat(out); !errors.As(err, &empty) || !errors.Is(missing, os.ErrNotExist) {
		t.Errorf("%v, %v", err, missing)
	}
}
