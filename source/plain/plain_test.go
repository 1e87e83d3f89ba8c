package plain

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/internal/archivefs"
	"quire/model"
	"quire/source"
)

func TestThePrefixIsAnAbsoluteURL(t *testing.T) {
	tests := []struct{ given, want string }{
		{"", ""},
		{"http://www.example.org", "http://www.example.org/"},
		{"https://example.org:8443/~ann/", "https://example.org:8443/~ann/"},
		{"ftp://example.org/pub", "ftp://example.org/pub/"},
		{"http://bücher.example/ü", "http://bücher.example/ü/"},
		{"www.example.org", "error"}, {"/srv/www", "error"}, {"file:///srv/www", "error"}, {"http://", "error"},
		{"http://a.example/?q", "error"},
		{"http://a.example/#f", "error"}, {"http://a.example/?", "error"}, {"http://a.example/#", "error"},
		{"http://ann:secret@a.example/", "error"}, {"http://a b/", "error"},
	}
	for _, tt := range tests {
		got, err := parsePrefix(tt.given)
		if err != nil {
			if got = "error"; strings.Contains(err.Error(), "secret") {
				t.Errorf("the error contains the password: %v", err)
			}
		}
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.given, got, tt.want)
		}
	}
}

func TestNamesBecomePaths(t *testing.T) {
	for name, want := range map[string]string{
		"a/b-c_d.e~f.html": "a/b-c_d.e~f.html", "a b": "a%20b", "50%.html": "50%25.html", "a%20b": "a%2520b",
		"page?id=1.html": "page%3Fid=1.html", "a#b": "a%23b",
		"ü": "%C3%BC", "\xfc": "%FC", `a\b`: "a%5Cb", "(a)+b,c;d=e@f:g!$&'*": "(a)+b,c;d=e@f:g!$&'*", "[a]": "%5Ba%5D",
		"a\nb": "a%0Ab",
	} {
		if got := escape(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

var made = time.Date(1999, 5, 6, 7, 8, 9, 0, time.UTC)

func treeOf(path string, files map[string]string) *archivefs.Tree {
	var parts []archivefs.Part
	for name, content := range files {
		parts = append(parts, archivefs.Part{File: archivefs.File{Path: name, Size: int64(len(content)),
			Modified: made.Add(time.Duration(len(name)) * time.Hour)},
			Open: func() (archivefs.Content, error) { return memory{bytes.NewReader([]byte(content))}, nil }})
	}
	return archivefs.Of(path, parts, nil)
}

func claims(t *testing.T, prefix string, tr *archivefs.Tree) []source.Claim {
	t.Helper()
	r, err := New(prefix)
	if err != nil {
		t.Fatal(err)
	}
	all, err := r.Find(t.Context(), tr)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func harvestOf(t *testing.T, c source.Claim) source.Mirror {
	t.Helper()
	h, err := c.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h.(source.Mirror)
}

const page = "<!DOCTYPE html><title>x</title>"

func TestEachFileIsOneURL(t *testing.T) {
	files := map[string]string{
		"index.html": page, "Index.htm": page, "sub/default.htm": page, "sub/über uns.html": page,
		"img/a.GIF": "GIF89a", "empty": "", "form.php": "<?php",
		".DS_Store": "x", "sub/Thumbs.db": "x", "__MACOSX/index.html": page,
		".git/config": "url = https://ann:pw@a.example/x", ".git/HEAD": "ref", "._a.gif": "x",
		".htaccess": "Deny", ".htpasswd": "ann:x", ".env.local": "P=1", "ca.pem": "-----BEGIN CERTIFICATE-----",
		"my.pem": "-----BEGIN RSA PRIVATE KEY-----", "talk.key": "PK",
		"cookies.txt": "a.example\tFALSE\t/\tFALSE\t0\tsid\t1\n", "sub/cookies.txt": "recipes",
	}
	all := claims(t, "http://a.example/old", treeOf("/srv/www", files))
	if len(all) != 1 || all[0].Root != "." || len(all[0].Files) != len(files) {
		t.Fatalf("%+v", all)
	}
	h := harvestOf(t, all[0])
	want := map[string]string{
		"index.html": "http://a.example/old/", "Index.htm": "http://a.example/old/Index.htm",
		"sub/default.htm":   "http://a.example/old/sub/",
		"sub/über uns.html": "http://a.example/old/sub/%C3%BCber%20uns.html",
		"img/a.GIF":         "http://a.example/old/img/a.GIF", "empty": "http://a.example/old/empty",
		"form.php": "http://a.example/old/form.php", "ca.pem": "http://a.example/old/ca.pem",
		"talk.key":    "http://a.example/old/talk.key",
		"cookies.txt": "http://a.example/old/cookies.txt", "sub/cookies.txt": "http://a.example/old/sub/cookies.txt",
	}
	seen := map[string]int{}
	for r, err := range h.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		seen[r.File]++
		if r.URL != want[r.File] {
			t.Errorf("%s: %q, want %q", r.File, r.URL, want[r.File])
		}
		body, err := r.Body()
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(body); err != nil || string(b) != files[r.File] || r.Size != int64(len(b)) {
			t.Errorf("%s: %q, %v", r.File, b, err)
		}
		if r.Grade != source.OriginalFile || r.Status != 0 || r.Sent != -1 || r.TimeFrom != "mtime of the file" ||
			r.Assumed == "" || r.Saved != r.File {
			t.Errorf("%s: %+v", r.File, r)
		}
		if !r.Time.Equal(made.Add(time.Duration(len(r.File)) * time.Hour)) {
			t.Errorf("%s: %v", r.File, r.Time)
		}
		if stands := strings.Contains(r.Assumed, "stands for its folder"); stands != strings.HasSuffix(r.URL, "/") {
			t.Errorf("%s: assumed is %q", r.File, r.Assumed)
		}
		if want, told := map[string]string{"img/a.GIF": "image/gif", "index.html": "text/html", "empty": "",
			"form.php": ""}[r.File]; told && r.MIME != want {
			t.Errorf("%s is %q, want %q", r.File, r.MIME, want)
		}
		if assumed := slices.ContainsFunc(r.Why, func(w string) bool {
			return strings.HasPrefix(w, "media type: assumed")
		}); assumed != (r.MIME != "") {
			t.Errorf("%s: %q because %q", r.File, r.MIME, r.Why)
		}
	}
	for _, f := range h.Artefacts() {
		seen[f.Path]++
		if want[f.Path] != "" {
			t.Errorf("%s is content, but reported as %s", f.Path, f.Role)
		}
	}
	restricted := map[string]bool{}
	for _, f := range h.About().Files {
		if seen[f.Path] != 1 {
			t.Errorf("%s appears %d times", f.Path, seen[f.Path])
		}
		restricted[f.Path] = f.Restricted != ""
	}
	for p, want := range map[string]bool{".htpasswd": true, ".env.local": true, "my.pem": true, ".git/config": true,
		"cookies.txt": true,
		"ca.pem":      false, "talk.key": false, "sub/cookies.txt": false, ".htaccess": false, ".git/HEAD": false,
		"index.html": false} {
		if restricted[p] != want {
			t.Errorf("%s restricted: %v", p, restricted[p])
		}
	}
}

func TestWhatIsToldOfAFolder(t *testing.T) {
	all := claims(t, "", treeOf("/srv",
		map[string]string{"www.example.org/index.html": page, "www.example.org/a.php": "<?php", "x.doc": "x"}))
	if len(all) != 1 || all[0].Root != "www.example.org" || len(all[0].Files) != 2 {
		t.Fatalf("%+v", all)
	}
	h := harvestOf(t, all[0])
	a := h.About()
	if a.System != model.PlainFolder || a.ID != "www.example.org" || a.Documentation != model.Undocumented ||
		!a.Start.IsZero() {
		t.Errorf("%+v", a)
	}
	for r, err := range h.Resources(t.Context(), nil) {
		if err != nil || r.URL != "" || r.Assumed != "" {
			t.Errorf("%+v, %v: unexpected URL", r, err)
		}
	}
	var codes []string
	for _, f := range a.Findings {
		codes = append(codes, f.Code)
	}
	if !slices.Equal(codes, []string{CodePrefix, CodeScript}) ||
		!strings.HasSuffix(a.Findings[0].Message, "perhaps http://www.example.org/") {
		t.Errorf("%+v", a.Findings)
	}
}

func TestAFolderThatLooksLikeASite(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"a start page", map[string]string{"index.html": page}, []string{"."}},
		{"a start page that is none", map[string]string{"index.html": "no tags"}, nil},
		{"UTF-16", map[string]string{"index.html": "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00"}, []string{"."}},
		{"two pages", map[string]string{"a.html": page, "b.html": page}, nil},
		{"two sites", map[string]string{"a/index.html": page, "b/home.html": page, "b/c/index.html": page},
			[]string{"a", "b"}},
		{"pages further down", map[string]string{"a/1.html": page, "b/2.html": page, "c/3.html": page}, []string{"."}},
		{"no pages", map[string]string{"a.pdf": "%PDF"}, nil},
		{"nothing", nil, nil},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range claims(t, "", treeOf("/srv/x", tt.files)) {
			got = append(got, c.Root)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
