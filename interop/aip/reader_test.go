//go:build interop

package aip

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quire/interop/internal/peers"
)

// readerMost is the number of lines that reader.py must not reach: the documentation of packages is
// enough for a short program.
const readerMost = 200

// readStream, readPage and readLink are lines of reader.py.
type readStream struct {
	ID, Container, Record, Kind, Date, Type, SHA256 string
	URI                                             *string
	Offset, Size                                    int64
	Served                                          bool
	Stated                                          bool `json:"as stated"`
}

type readPage struct {
	Document, Type, URI, Date, File, Elsewhere string
	Embeds                                     []string
	Links                                      []struct{ Type, Text, URL, Tag, To string }
}

// readWith runs reader.py, and decodes each line.
func readWith[T any](t *testing.T, pkg string, args ...string) (all []T) {
	t.Helper()
	said := peers.Call(t, nil, pythonPeer(t), append([]string{"reader.py", pkg}, args...)...)
	for line := range strings.Lines(said) {
		var one T
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, one)
	}
	return all
}

// reader.py, written from the documentation alone, reads packages of all kinds. Its bytestreams are
// those of quire cat, and the same as warcio's.
func TestReader(t *testing.T) {
	text, err := os.ReadFile("reader.py")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(text, []byte("\n")); n >= readerMost {
		t.Errorf("reader.py has %d lines", n)
	}
	for _, p := range []struct {
		id           string
		source       string
		flags        []string
		pages, links int // at least
	}{
		{"warc", "netarchivesuite_jwat/jwat-gzip", nil, 20, 300},
		{"single", "netarchivesuite_jwat/jwat-gzip", []string{"--mets", "single"}, 20, 300},
		{"legacy", "nla_bamboo/task", []string{"--schema-version", "legacy"}, 1, 0},
		{"arc", "netarchivesuite_jwat/jwat-arc", nil, 20, 300},
		{"mirror", "_made/crawls/httrack/devref.tar.gz", nil, 20, 300},
		{"zstd", "_made/crawls/zst", nil, 20, 300},
		{"hostile", "webrecorder_warcio", nil, 1, 1},
	} {
		t.Run(p.id, func(t *testing.T) {
			t.Parallel()
			pkg := filepath.Join(t.TempDir(), p.id)
			packedFrom(t, packing{[]string{p.source}, append(p.flags, "--profile", "linked")}, pkg)
			readFiles(t, pkg)
			streams := readStreams(t, pkg, p.id == "hostile")
			readPages(t, pkg, streams, p.pages, p.links)
		})
	}
}

// readFiles compares the files that reader.py lists with those on disk.
func readFiles(t *testing.T, pkg string) {
	t.Helper()
	listed := map[string]bool{}
	for _, f := range readWith[struct{ Path string }](t, pkg, "files") {
		listed[f.Path] = true
	}
	err := filepath.WalkDir(pkg, func(path string, e os.DirEntry, err error) error {
		own := e != nil && (e.IsDir() || strings.HasPrefix(e.Name(), "mets.xml"))
		if err == nil && !own && !listed[filepath.ToSlash(path[len(pkg)+1:])] {
			t.Errorf("%s is not listed", path)
		}
		return err
	})
	if err != nil || len(listed) == 0 {
		t.Fatalf("%d files, %v", len(listed), err)
	}
}

// readStreams compares each bytestream with quire cat's reading of the METS: each ID, size and digest.
// Records of a hostile container may lack an ID and a date.
func readStreams(t *testing.T, pkg string, hostile bool) map[string]readStream {
	t.Helper()
	streams := map[string]readStream{}
	for _, s := range readWith[readStream](t, pkg, "streams") {
		if !s.Stated || s.Kind == "" || !hostile && (s.Record == "" || s.Date == "") {
			t.Errorf("%+v", s)
		}
		streams[s.ID] = s
	}
	ours := read(t, pkg)
	for _, b := range ours {
		s, ok := streams[b.id]
		if !ok || s.Size != b.size || s.SHA256 != b.digest || s.Served != b.served || s.Container != b.path ||
			s.Offset != b.record {
			t.Errorf("%+v; quire cat has %+v", s, b)
		}
	}
	if len(ours) != len(streams) || len(ours) == 0 {
		t.Errorf("%d bytestreams; quire cat has %d", len(streams), len(ours))
	}
	return streams
}

// readPages checks the files, the links and the events of the pages.
func readPages(t *testing.T, pkg string, streams map[string]readStream, pages, links int) {
	t.Helper()
	found, linked, example := 0, 0, ""
	for _, p := range readWith[readPage](t, pkg, "pages") {
		s, ok := streams[p.File]
		if !ok && p.Type == "web page" || ok && (s.URI == nil || *s.URI != p.URI) {
			t.Errorf("the file of %s is %+v", p.URI, s)
		}
		for _, file := range p.Embeds {
			if _, ok := streams[file]; !ok || file == p.File {
				t.Errorf("%s embeds %s, which is no bytestream", p.URI, file)
			}
		}
		if p.Type == "web page" {
			found, example = found+1, p.File
		}
		for _, link := range p.Links {
			linked++
			if !strings.HasPrefix(link.Tag, "<") || !strings.HasSuffix(link.Tag, ">") || link.URL == "" {
				t.Errorf("%s: the link to %q is %q", p.URI, link.URL, link.Tag)
			}
		}
	}
	if found < pages || linked < links {
		t.Fatalf("%d pages with %d links", found, linked)
	}
	kinds := ""
	for _, e := range readWith[struct{ EventType []string }](t, pkg, "events", example) {
		kinds += strings.Join(e.EventType, " ") + "; "
	}
	if !strings.Contains(kinds, "message digest calculation") || !strings.Contains(kinds, "format identification") {
		t.Errorf("events of %s: %s", example, kinds)
	}
	t.Logf("%d bytestreams, %d pages, %d links; events of %s: %s", len(streams), found, linked, example, kinds)
}

// A link to a page of another harvest, and a revisit of its capture, lead into the METS of that
// harvest.
func TestReaderAcrossHarvests(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join("..", "..", "holdings", "testdata", "672699b", "linked.tar.gz")
	peers.Call(t, nil, "tar", "-xzf", made, "-C", dir)
	for name, harvest := range map[string]string{"first.warc.gz": "one", "second.warc": "two",
		"shared member.warc.gz": "two"} {
		if err := os.MkdirAll(filepath.Join(dir, harvest), 0o777); err != nil {
			t.Fatal(err)
		}
		from := filepath.Join(dir, "linked", "containers", name)
		if err := os.Rename(from, filepath.Join(dir, harvest, name)); err != nil {
			t.Fatal(err)
		}
	}
	pkg := filepath.Join(dir, "package")
	peers.Call(t, nil, peers.Quire(t), "pack", filepath.Join(dir, "one"), filepath.Join(dir, "two"), "--out", pkg,
		"--profile", "linked")
	if numbers := check(t, []string{pkg}); numbers[0]["between documents"] == 0 {
		t.Errorf("%v", numbers)
	}
	var said []string
	for _, p := range readWith[readPage](t, pkg, "pages") {
		if p.Document != "mets/pages/harvest-2.mets.xml.gz" {
			continue
		}
		for _, link := range p.Links {
			said = append(said, p.URI+" to "+link.To)
		}
		if p.Elsewhere != "" {
			said = append(said, p.URI+" is "+p.Elsewhere)
		}
	}
	want := "http://h.example/ to http://h.example/boats; http://h.example/ to http://h.example/boats; " +
		"http://h.example/style.css is harvest-1.mets.xml.gz#P-c1-b4; http://s.example/ to http://h.example/"
	if got := strings.Join(said, "; "); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}
