package reconcile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/format/wacz"
	"quire/internal/archivefs"
	"quire/model"
)

// filed returns the files of a folder as a harvest, with the given roles.
func filed(t *testing.T, files map[string]string, roles map[string]model.Role) (*nothing, *archivefs.Tree) {
	t.Helper()
	dir := t.TempDir()
	h := &nothing{}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		h.about.Files = append(h.about.Files, model.SourceFile{Path: name, Size: int64(len(text)), Role: roles[name]})
	}
	tr, err := archivefs.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	})
	return h, tr
}

// Pages of a WACZ, its CDXJ and the index of the CDXJ: a page has its record, was not loaded, has
// another time, or is missing.
func TestPages(t *testing.T) {
	page := crawl[1]
	record := warcRecord("response", page.url, page.at, "", page.block())
	info := warcRecord("warcinfo", "", page.at, "", "software: x\r\n")
	pages := []string{
		`{"format":"json-pages-1.0","id":"pages","title":"All Pages"}`,
		`{"id":"1","url":"http://example.org/#top","ts":"2020-01-01T00:01:00Z","text":"` +
			strings.Repeat("long ", 20_000) + `"}`,
		`{"id":"2","url":"http://example.org/never","ts":"2020-01-01T00:00:01Z","loadState":0}`,
		`{"id":"3","url":"http://example.org/","ts":"2021-01-01T00:00:01Z"}`,
		`{"id":"4","url":"http://example.org/gone","ts":"2020-01-01T00:00:01.500Z","loadState":2}`,
		`no JSON`,
	}
	h, tr := filed(t, map[string]string{
		"a.warc":      info + record,
		"pages.jsonl": strings.Join(pages, "\n"),
		"index.cdxj": `org,example)/ 20200101000001 {"url":"http://example.org/","status":"200","digest":"sha1:` +
			page.digest() + `","offset":"` + decimal(len(info)) + `","length":` + decimal(len(record)) +
			`,"filename":"a.warc"}` + "\n",
		"index.idx": `org,example)/ 20200101000001 {"offset":0,"length":194,"digest":"sha256:x",` +
			`"filename":"index.cdx.gz"}` + "\n",
	}, map[string]model.Role{"a.warc": model.RoleContainer, "index.cdxj": model.RoleIndex, "index.idx": model.RoleIndex,
		"pages.jsonl": model.RoleDescription})
	out, err := One(context.Background(), h, tr, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := out.found(); !slices.Equal(got,
		[]string{"page_without_record 2", "page_without_record page_not_loaded 1"}) ||
		out.Witnesses.Index.Entries != 1 || out.Joined.IndexAt != 1 ||
		len(out.Witnesses.Pages) != 1 || out.Witnesses.Pages[0].Rows != 4 || out.Total != 1 && out.Total == 0 {
		t.Errorf("%q\n%s", got, textOf(out))
	}
	if !slices.ContainsFunc(out.Findings, func(f model.Finding) bool {
		return f.Code == string(wacz.FaultPages) && strings.Contains(f.Message, "line 6")
	}) {
		t.Errorf("%v", out.Findings)
	}
}

// The digests in a list equal the digests of the containers, or a difference is reported.
func TestListedDigests(t *testing.T) {
	for digest, want := range map[string][]string{
		"c822c1b63853ed273b89687ac505f9fa": {"container_digest_differs 1"},
		"6cd3556deb0da54bca060b4c39479839": nil, // MD5 of "Hello, world!"
	} {
		h, tr := filed(t, map[string]string{"a.warc": "Hello, world!"},
			map[string]model.Role{"a.warc": model.RoleContainer})
		h.about.Expected = []model.ExpectedFile{{Name: "file://./arcs/a.warc", Size: 13,
			Digest: model.Digest{Algorithm: model.MD5, Value: strings.ToUpper(digest)}, Source: "file 1 of METS.xml"}}
		out, err := One(context.Background(), h, tr, Options{})
		if got := out.found(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", digest, got, err)
		}
	}
}

// A cancelled call ends, and an unreadable file is an error.
func TestStopped(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Source(ctx, Options{}, whole().write(t)); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	h, tr := filed(t, nil, nil)
	h.about.Files = []model.SourceFile{{Path: "x.warc", Role: model.RoleContainer}}
	if _, err := One(context.Background(), h, tr, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a container that cannot be opened: %v", err)
	}
	failed := errors.New("disk full")
	if _, err := Source(context.Background(), Options{List: func(Entry) error { return failed }},
		warcJob("WARC-Refers-To: <urn:uuid:2>\r\n").write(t)); !errors.Is(err, failed) {
		t.Errorf("a list that cannot be written: %v", err)
	}
}
