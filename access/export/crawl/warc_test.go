package crawl

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quire/access/export"
	"quire/format/warc"
	"quire/holdings"
	"quire/holdings/holdingstest"
)

// record is the tested part of a record.
type record struct {
	kind, id, uri, block string
	raw                  string // header and block
}

// records reads all WARC files of a folder, each record from its own member.
func records(t *testing.T, dir string) (all []record) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r := warc.NewReader(f)
		for {
			rec, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			raw := bytes.Clone(rec.Raw())
			block, err := io.ReadAll(rec)
			if err := errors.Join(err, rec.Close()); err != nil || rec.Length <= 0 {
				t.Fatalf("%s: record at %d does not lie alone: %v", name, rec.Offset, err)
			}
			all = append(all, record{rec.Type(), rec.ID(), rec.TargetURI(), string(block), string(raw) + string(block)})
		}
	}
	return all
}

func kinds(all []record) (got []string) {
	for _, r := range all {
		got = append(got, strings.TrimSpace(r.kind+" "+r.uri))
	}
	return got
}

func run(t *testing.T, r *holdingstest.Repository, h *holdings.Holdings, q export.Request) (string, *export.Result) {
	t.Helper()
	q.Out = filepath.Join(t.TempDir(), "out")
	result, err := export.Run(t.Context(), r.Store, h, q, Formats())
	if err != nil {
		t.Fatal(err)
	}
	return q.Out, result
}

const info = "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Date: 2015-01-01T00:00:00Z\r\nWARC-Record-ID: " +
	"<urn:uuid:00000000-0000-0000-0000-0000000000ff>\r\n" +
	"Content-Type: application/warc-fields\r\nContent-Length: 14\r\n\r\nsoftware: X 1\n\r\n\r\n"

// crawlOf returns a crawl with all kinds of records.
func crawlOf(secret string) string {
	return info +
		holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html",
			"<title>Front</title><p>one") +
		holdingstest.Request("2", "http://a.example/", "2015-01-02T03:04:05Z", "1",
			"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "") +
		holdingstest.Request("3", secret, "2015-01-02T03:04:06Z", "4", "GET /secret HTTP/1.1\r\nCookie: x\r\n\r\n",
			"") +
		holdingstest.Response("4", secret, "2015-01-02T03:04:06Z", "text/html", "<p>secret") +
		holdingstest.Record("metadata", "5", secret, "2015-01-02T03:04:06Z", "application/warc-fields",
			"via: http://a.example/\r\n") +
		holdingstest.Record("metadata", "6", "metadata://crawl/config", "2015-01-02T03:04:07Z", "text/plain",
			"password") +
		holdingstest.Revisit("7", "http://a.example/again", "2015-01-03T03:04:05Z", "text/html",
			"<title>Front</title><p>one", "http://a.example/", "2015-01-02T03:04:05Z")
}

// zipped compresses each record separately.
func zipped(t *testing.T, text string) string {
	t.Helper()
	out := ""
	for i, rest := range strings.Split(text, "WARC/1.") {
		if i > 0 {
			out += member(t, "WARC/1."+rest)
		}
	}
	return out
}

// member compresses a text into one member.
func member(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write([]byte(text))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWARC: open captures are copied byte for byte, with their requests and metadata. Nothing of a
// withheld capture is in the export.
func TestWARC(t *testing.T) {
	const secret = "http://a.example/secret"
	plain := crawlOf(secret)
	for name, content := range map[string]string{"a.warc": plain, "a.warc.gz": zipped(t, plain),
		"whole.warc.gz": member(t, plain)} {
		r := holdingstest.New(t)
		r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open",
			Containers: map[string]string{name: content}})
		h := r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [" + secret + "]\n    access: restricted\n")})
		dir, result := run(t, r, h, export.Request{ID: "site-1", As: "warc"})
		all := records(t, dir)
		if got, want := kinds(all), []string{"warcinfo", "warcinfo", "response http://a.example/",
			"request http://a.example/", "revisit http://a.example/again"}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		for i, rec := range all {
			if i > 0 && !strings.Contains(plain, rec.raw) {
				t.Errorf("%s: %s is not as it was: %q", name, rec.kind, rec.raw)
			}
			if strings.Contains(rec.raw, "secret") || strings.Contains(rec.raw, "password") {
				t.Errorf("%s: %q was exported", name, rec.raw)
			}
		}
		if !strings.Contains(all[0].block, "isPartOf: site-1\r\n") {
			t.Errorf("%q", all[0].block)
		}
		// the rights file is for curators, too
		if kept := readFile(t, filepath.Join(dir, export.WithheldName)); strings.Count(kept, `"url"`) != 1 ||
			result.Captures != 2 {
			t.Errorf("%+v: %s", result, kept)
		}
		dir, _ = run(t, r, h, export.Request{ID: "site-1", As: "warc", For: holdings.Staff})
		if got := kinds(records(t, dir)); len(got) != 9 {
			t.Errorf("%s: curators get %v", name, got)
		}
	}
}

// TestWARCMembers: a member with a single record stays byte for byte the same; the same export
// gives the same bytes.
func TestWARCMembers(t *testing.T) {
	content := zipped(t, crawlOf("http://a.example/b"))
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open",
		Containers: map[string]string{"a.warc.gz": content}})
	h := r.Open(holdings.Options{})
	dir, _ := run(t, r, h, export.Request{ID: "site-1", As: "warc", For: holdings.Staff})
	got, err := os.ReadFile(filepath.Join(dir, "site-1-00001.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if i := bytes.Index(got, []byte(content[len(content)/2:])); i < 0 {
		t.Error("the members were written anew")
	}
	dir, _ = run(t, r, h, export.Request{ID: "site-1", As: "warc", For: holdings.Staff})
	again, err := os.ReadFile(filepath.Join(dir, "site-1-00001.warc.gz"))
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("two exports differ (%v)", err)
	}
}

// TestWARCVolumes: a new file begins before the current one exceeds its limit; its first record
// describes it.
func TestWARCVolumes(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "site-1", Rights: "access: open",
		Containers: map[string]string{"a.warc": crawlOf("http://a.example/b")}})
	dir, result := run(t, r, r.Open(holdings.Options{}),
		export.Request{ID: "site-1", As: "warc", Options: export.Options{VolumeSize: 1000}})
	files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(files) < 3 || int(result.Files) != len(files)+1 {
		t.Errorf("%v, %v, %+v", files, err, result)
	}
	infos := 0
	for _, rec := range records(t, dir) {
		if rec.kind == "warcinfo" && strings.Contains(rec.block, "isPartOf") {
			infos++
		}
	}
	if infos != len(files) {
		t.Errorf("%d files have %d records about them", len(files), infos)
	}
}

// TestWARCResolves: a revisit with its payload in another package becomes a response with the
// payload; if that payload is closed, the revisit is withheld.
func TestWARCResolves(t *testing.T) {
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "first", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://a.example/", "2015-01-02T03:04:05Z", "text/html", "<p>payload") +
			holdingstest.Response("2", "http://a.example/closed", "2015-01-02T03:04:05Z", "text/html", "<p>closed"),
	}})
	r.Ingest(holdingstest.Package{ID: "second", Rights: "access: open", Containers: map[string]string{
		"b.warc": holdingstest.Revisit("3", "http://a.example/", "2016-01-02T03:04:05Z", "text/html", "<p>payload",
			"http://a.example/", "2015-01-02T03:04:05Z") +
			holdingstest.Revisit("4", "http://a.example/closed", "2016-01-02T03:04:05Z", "text/html", "<p>closed",
				"http://a.example/closed", "2015-01-02T03:04:05Z"),
	}})
	h := r.Open(holdings.Options{Rules: r.Rules("rules:\n  - urls: [http://a.example/closed]\n    access: " +
		"restricted\n")})
	dir, _ := run(t, r, h, export.Request{ID: "second", As: "warc"})
	all := records(t, dir)
	if got, want := kinds(all), []string{"warcinfo", "response http://a.example/",
		"metadata http://a.example/"}; !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
	if !strings.HasSuffix(all[1].block, "\r\n\r\n<p>payload") || !strings.HasPrefix(all[1].block, "HTTP/1.1 200 ") {
		t.Errorf("%q", all[1].block)
	}
	if !strings.Contains(all[2].block, "payload-package: first\r\n") {
		t.Errorf("%q", all[2].block)
	}
}
