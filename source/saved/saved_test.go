package saved

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

const single = "<!DOCTYPE html> <html lang=en><!--\n Page saved with SingleFile \n url: %s \n saved date: " +
	"Wed Jan 10 2024 14:45:12 GMT+0100 (Central European Standard Time)\n--><meta charset=utf-8>\n<title>A</title>"

const mhtml = "From: <Saved by Blink>\r\nSnapshot-Content-Location: https://a.test/\r\n" +
	"Subject: =?utf-8?Q?Caf=C3=A9?=\r\nDate: Wed, 10 Jan 2024 13:45:12 -0000\r\n" +
	"MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n" +
	"\ttype=\"text/html\";\r\n\tboundary=\"--b\"\r\n\r\n\r\n" +
	"----b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n" +
	"Content-Location: https://a.test/\r\n\r\n<html><title=3D>caf=C3=A9</title>long =\r\nline</html>\r\n" +
	"----b\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n" +
	"Content-Location: https://a.test/a.png\r\n\r\niVBORw0K\r\nGgo=\r\n\r\n" +
	"----b\r\nContent-Type: text/css\r\nContent-Location: cid:css-1@mhtml.blink\r\n\r\nbody{}\r\n" +
	"----b\r\nContent-Type: font/x\r\nContent-Transfer-Encoding: binary\r\nContent-Location: https://a.test/f\r\n\r\n" +
	"\r\nx\r\n--\n--b\r\r\n" +
	"----b\r\nContent-Type: text/plain\r\nContent-Location: https://a.test/empty\r\n\r\n" +
	"----b--\r\n"

// harvests reads the saved pages of a folder with the given files.
func harvests(t *testing.T, files map[string]string) []source.Mirror {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	claims, err := Reader{}.Find(t.Context(), tree)
	if err != nil {
		t.Fatal(err)
	}
	var all []source.Mirror
	for _, c := range claims {
		h, err := c.Read(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h.(source.Mirror))
	}
	return all
}

// linesOf describes the resources of a harvest: URL, time, grade, truncation and body.
func linesOf(t *testing.T, m source.Mirror) (lines []string, findings []model.Finding) {
	t.Helper()
	for r, err := range m.Resources(context.Background(), func(f model.Finding) { findings = append(findings, f) }) {
		if err != nil {
			t.Fatal(err)
		}
		in, err := r.Body()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(in)
		if err != nil || r.Size != 0 && int64(len(body)) != r.Size {
			t.Errorf("%s: %v, %d bytes of %d", r.URL, err, len(body), r.Size)
		}
		_ = in.Close()
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s, %s %s %q", r.URL, r.Time.Format(time.RFC3339),
			r.MIME, r.Grade, r.Truncated, body)))
	}
	return lines, findings
}

// TestSingleFile: a page states its URL and its date; the second page of one URL is a harvest of its own.
func TestSingleFile(t *testing.T) {
	page := fmt.Sprintf(single, "https://a.test/x?a=1")
	all := harvests(t, map[string]string{
		"a.html": page, "b.html": page, "c.html": fmt.Sprintf(single, "https://a.test/c"),
		"mono.html": "<!-- Saved from https://b.test/ at 2024-01-10T13:45:12Z using monolith v2.7.0 -->\n" +
			"<html></html>",
		"local.html":    fmt.Sprintf(single, "file:///home/me/x.html"),
		"about.html":    "<!DOCTYPE html><html><body><pre>" + page,
		"plain/no.html": "<html><title>Page saved with SingleFile</title>", "notes.txt": page,
	})
	var got []string
	for _, m := range all {
		lines, _ := linesOf(t, m)
		for _, l := range lines {
			l, _, _ = strings.Cut(l, `  "`)
			got = append(got, l)
		}
		got = append(got, "--")
	}
	const at = " 2024-01-10T13:45:12Z text/html, differing file"
	want := []string{"https://a.test/x?a=1" + at, "https://a.test/c" + at, strings.TrimSpace(at),
		"https://b.test/" + at, "--", "https://a.test/x?a=1" + at, "--"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	about := all[0].About()
	if about.Software != "SingleFile" || len(about.Files) != 4 || len(about.Seeds) != 3 || len(about.Findings) != 1 ||
		!about.Start.Equal(time.Date(2024, 1, 10, 13, 45, 12, 0, time.UTC)) || len(all[0].Artefacts()) != 0 {
		t.Errorf("%+v", about)
	}
}

// TestMHTML reads each part with its own coding, and exactly: the line end before a boundary is not part of it.
func TestMHTML(t *testing.T) {
	all := harvests(t, map[string]string{"Saved/a.mhtml": mhtml, "b.mht": "From: me\r\n\r\nno parts",
		"c.mhtml": "\xff"})
	if len(all) != 1 {
		t.Fatalf("%d harvests", len(all))
	}
	lines, findings := linesOf(t, all[0])
	const at = " 2024-01-10T13:45:12Z "
	want := []string{
		"https://a.test/" + at + `text/html, differing file  "<html><title=>café</title>long line</html>"`,
		"https://a.test/a.png" + at + `image/png, original entity  "\x89PNG\r\n\x1a\n"`,
		"https://a.test/f" + at + `font/x, original entity  "\r\nx\r\n--\n--b\r"`,
		"https://a.test/empty" + at + `text/plain, original entity  ""`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if len(findings) != 1 || !strings.HasPrefix(findings[0].Message, "1 of 5 parts") {
		t.Errorf("%+v", findings)
	}
	about := all[0].About()
	if about.Title != "Café" || about.ID != "a" || len(about.Findings) != 0 || len(all[0].Artefacts()) != 1 {
		t.Errorf("%+v", about)
	}
}

// TestMHTMLCut: a file that ends early has a last part that is marked, and a finding.
func TestMHTMLCut(t *testing.T) {
	m := harvests(t, map[string]string{"a.mhtml": mhtml[:strings.Index(mhtml, "Ggo=")+2]})[0]
	if f := m.About().Findings; len(f) != 1 || f[0].Code != CodeSaved {
		t.Errorf("%+v", f)
	}
	var got []string
	for r, err := range m.Resources(t.Context(), func(model.Finding) {}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.URL+" "+r.Truncated)
	}
	if want := []string{"https://a.test/ ", "https://a.test/a.png unspecified"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// FuzzMHTML: parts lie in the file, in order, and are bounded.
func FuzzMHTML(f *testing.F) {
	f.Add([]byte(mhtml))
	f.Add([]byte(strings.ReplaceAll(mhtml, "\r\n", "\n")))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := readArchive(bytes.NewReader(b))
		if err != nil {
			return
		}
		at := int64(0)
		for _, p := range a.parts {
			if p.from < at || p.to < p.from || p.to > int64(len(b)) {
				t.Fatalf("%+v in %d bytes, behind %d", p, len(b), at)
			}
			at = p.to
		}
	})
}
