package formats

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/access/export"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// TestHiddenIsNotTold: no format reveals anything of hidden content. It appears neither in other
// records (a request from there, a metadata record with the page of the link, the warcinfo with the
// seeds), nor in file names or dates. CDXJ lines are in no format.
func TestHiddenIsNotTold(t *testing.T) {
	const date = "2015-01-02T03:04:05Z"
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{
		ID: "site-1", Rights: "access: open", Logs: map[string]string{"hidden-host.example.log": "1998 hidden-host\n"},
		Containers: map[string]string{"hidden-host.warc": holdingstest.Record("warcinfo", "0", "", date,
			"application/warc-fields", "wget-arguments: http://hidden-host.example/\r\n") +
			holdingstest.Response("1", "http://hidden-host.example/x", "1998-01-02T03:04:05Z", "text/html",
				"<title>hidden-host</title>") +
			holdingstest.Response("2", "http://a.example/", date, "text/html", "<title>Seen</title>") +
			holdingstest.Request("3", "http://a.example/", date, "2",
				"GET / HTTP/1.1\r\nHost: a.example\r\nReferer: http://hidden-host.example/x\r\n", "") +
			holdingstest.Record("metadata", "4", "http://a.example/", date, "application/warc-fields",
				"via: http://hidden-host.example/x\r\n")},
	})
	h := r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [\"(example,hidden-host,)/\"]\n    access: " +
		"restricted\n    hidden: true\n")})
	for _, f := range All() {
		out := filepath.Join(t.TempDir(), "out")
		if _, err := export.Run(t.Context(), r.Store, h, export.Request{ID: "site-1", As: f.Name, Out: out},
			All()); err != nil {
			t.Fatal(err)
		}
		text := all(t, out)
		// A digest may have the digits of a year by chance, hardly those of a day.
		for _, secret := range []string{"hidden-host", "1998-01-02", "19980102", "02 Jan 1998", "Quire capture lines"} {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("%s reveals %s: …%q…", f.Name, secret, text[max(0, i-200):min(len(text), i+200)])
			}
		}
		if !strings.Contains(text, "a.example") {
			t.Errorf("%s: open content is missing", f.Name)
		}
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, err := export.Run(t.Context(), r.Store, h,
		export.Request{ID: "site-1", As: "warc", Out: out, For: holdings.Staff}, All()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Referer: http://hidden-host", "via: http://hidden-host", "wget-arguments"} {
		if !strings.Contains(all(t, out), want) {
			t.Errorf("curators have no %s", want)
		}
	}
}

// all returns the names and bytes of a file or folder, including packed content.
func all(t *testing.T, at string) string {
	t.Helper()
	var text strings.Builder
	err := filepath.WalkDir(at, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(at, p)
		if filepath.Dir(rel) == "schemas" { // of E-ARK packages: the same in each, with dates of their own
			return nil
		}
		b, err := os.ReadFile(p)
		text.WriteString(rel + "\n" + unpacked(t, b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func unpacked(t *testing.T, b []byte) string {
	t.Helper()
	if z, err := zip.NewReader(bytes.NewReader(b), int64(len(b))); err == nil {
		var text strings.Builder
		for _, f := range z.File {
			in, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			text.WriteString(f.Name + "\n" + unpacked(t, content))
		}
		return text.String()
	}
	if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		if content, err := io.ReadAll(z); err == nil {
			return string(content)
		}
	}
	return string(b)
}
