package harvest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quire/oai/crate"
	"quire/oai/provider"
	"quire/source/oaiharvest"
)

func TestPathOf(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ uri, want string }{
		{"http://A.Example/img/a.png", "a.example/img/a.png"},
		{"http://a.example:8080/", "a.example%3A8080/=index"},
		{"http://a.example", "a.example/=index"},
		{"http://a.example/?q=1", "a.example/=index%3Fq%3D1"},
		{"http://a.example/x/?q=a/b", "a.example/x/=index%3Fq%3Da%2Fb"},
		{"http://a.example/../../etc/passwd", "a.example/%2E%2E/%2E%2E/etc/passwd"},
		{"http://a.example/..%2f..%2fetc/passwd", "a.example/%2E.%2f..%2fetc/passwd"},
		{"http://a.example//x", "a.example/=empty/x"},
		{"http://a.example/con.txt", "a.example/%63on.txt"},
		{"http://a.example/COM1/x", "a.example/%43OM1/x"},
		{"http://a.example/trailing.", "a.example/trailing%2E"},
		{"http://a.example/.htaccess", "a.example/%2Ehtaccess"},
		{"http://a.example/a\\b:c*d", "a.example/a%5Cb:c%2Ad"},
		{"http://a.example/é", "a.example/%C3%A9"},
		{"http://a.example/a=tool-md5.txt", "a.example/a%3Dtool-md5.txt"},
		{"oai:a.example:1/2", "oai/a.example%3A1%2F2"},
		{"../../x", "=other/%2E.%2F..%2Fx"},
		{"", "=other/=empty"},
	} {
		folders, name := pathOf(c.uri)
		if got := path.Join(append(folders, name)...); strings.ReplaceAll(got, "%3A", ":") != strings.ReplaceAll(c.want,
			"%3A", ":") {
			t.Errorf("%s: %s, want %s", c.uri, got, c.want)
		}
	}
	for _, uri := range []string{"http://a.example/" + long + ".png",
		"http://a.example/" + strings.Repeat("d/", 200) + "a.png"} {
		folders, name := pathOf(uri)
		if got := path.Join(append(folders, name)...); len(got) > maxPath || !strings.HasSuffix(got, ".png") {
			t.Errorf("%s", got)
		}
	}
}

func FuzzPathOf(f *testing.F) {
	for _, s := range []string{"http://a.example/a?b#c", "http://[::1]/..", "urn:x:%2f", "http://a/%", "con:con",
		"\x00", "a://b/./x", "http://a.example/~/%7e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		folders, name := pathOf(uri)
		for _, n := range append(folders, name) {
			if n == "" || n == "." || n == ".." || len(n) > 140 || strings.ContainsAny(n, "/\\:*?\"<>|\x00") ||
				isReserved(n) {
				t.Errorf("%q: %q of %q", uri, n, folders)
			}
		}
		if len(folders) > maxPath {
			t.Errorf("%d folders", len(folders))
		}
	})
}

// Files are at the paths of their URLs, and each path is unique on every file system.
func TestFiles(t *testing.T) {
	s := newSite()
	bodies := map[string]string{}
	for i, name := range []string{"a", "a/b", "a/c/d", "A", "a/", "x.txt", "X.TXT", "x.txt?q", "a/b/", "%2e%2e/up"} {
		url := "http://a.example/" + name
		bodies[url] = fmt.Sprint("body of ", name)
		s.put(url, bodies[url], noon.Add(time.Duration(i)*time.Second))
	}
	out := filepath.Join(t.TempDir(), "out")
	o := options(s.serve(t, crate.Disseminator{}, provider.Options{Records: 3}, nil), out)
	o.As = Files
	if r := mustRun(t, o); !r.Complete || r.Counts.Resources != 10 {
		t.Fatalf("%+v", r)
	}
	folded := map[string]bool{}
	n, outputs := 0, 0
	for _, l := range listing(t, out) {
		b, err := os.ReadFile(filepath.Join(out, l.Path))
		if err != nil || folded[strings.ToLower(l.Path)] || int64(len(b)) != l.Size {
			t.Errorf("%s: %v, %v", l.Path, err, folded[strings.ToLower(l.Path)])
		}
		folded[strings.ToLower(l.Path)] = true
		switch l.Part {
		case "content":
			if n++; string(b) != bodies[l.URI] {
				t.Errorf("%s at %s: %q", l.URI, l.Path, b)
			}
		case "tool-output":
			outputs++
		}
	}
	if n != 10 || outputs != 20 {
		t.Errorf("%d files, %d outputs", n, outputs)
	}
	for name := range folded { // no file is a folder of another
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if folded[dir] {
				t.Errorf("%s lies in the file %s", name, dir)
			}
		}
	}
	s.put("http://a.example/a", "changed", time.Now().Add(-time.Second))
	if r := mustRun(t, o); r.Window.Counts.Resources != 1 {
		t.Errorf("%+v", r.Window.Counts)
	}
	if b, err := os.ReadFile(filepath.Join(out, "files", "a.example", "a")); err != nil || string(b) != "body of a" {
		t.Errorf("the first harvest has %q, %v", b, err)
	}
}

func listing(t *testing.T, out string) []listed {
	t.Helper()
	f, err := os.Open(filepath.Join(out, oaiharvest.FilesFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var all []listed
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var l listed
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// Many names that differ only in case do not cause a count through all of them for each file.
func TestManyTwins(t *testing.T) {
	s := newSite()
	const all = 128
	for i := range all {
		name := []byte("abcdefg")
		for bit := range name {
			if i>>bit&1 == 1 {
				name[bit] -= 'a' - 'A'
			}
		}
		s.put("http://a.example/"+string(name), string(name), noon.Add(time.Duration(i)*time.Second))
	}
	out := filepath.Join(t.TempDir(), "out")
	o := options(s.serve(t, crate.Disseminator{}, provider.Options{}, nil), out)
	o.As = Files
	mustRun(t, o)
	folded := map[string]bool{}
	digests := 0
	for _, l := range listing(t, out) {
		if l.Part != "content" {
			continue
		}
		folded[strings.ToLower(l.Path)] = true
		if b, err := os.ReadFile(filepath.Join(out, l.Path)); err != nil || !strings.HasSuffix(l.URI, "/"+string(b)) {
			t.Errorf("%s at %s: %q, %v", l.URI, l.Path, b, err)
		}
		if strings.Count(l.Path, "=") == 2 {
			digests++
		}
	}
	if len(folded) != all || digests != all-maxTwins+1 {
		t.Errorf("%d files, %d with a digest", len(folded), digests)
	}
}
