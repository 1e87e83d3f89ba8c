package numbers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"quire/internal/repotest"
	"quire/internal/testsamples"
	"quire/model"
	"quire/preserve/aip"
	"quire/preserve/identify"
	"quire/preserve/inspect"
	"quire/preserve/pack"
	"quire/preserve/report"
	"quire/repository/catalogue"
	"quire/repository/store"
)

var every = []report.By{report.ByFinding, report.ByFormat, report.ByHost, report.ByLanguage, report.ByMIME,
	report.ByOutcome, report.ByStatus, report.ByType, report.ByYear}

// record makes a record of a type, captured in a year.
func record(kind string, year int, block string, fields ...string) string {
	head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:x:%s-%d-%d>\r\n"+
		"WARC-Date: %d-01-02T03:04:05Z\r\n", kind, kind, year, len(block)+len(strings.Join(fields, "")), year)
	for _, f := range fields {
		head += f + "\r\n"
	}
	return head + fmt.Sprintf("Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
}

func response(year int, url, mime, body string) string {
	return record("response", year, "HTTP/1.1 200 OK\r\nContent-Type: "+mime+"\r\n\r\n"+body,
		"WARC-Target-URI: "+url, "Content-Type: application/http; msgtype=response")
}

// made is a crawl whose records have each type, two hosts, two years, and a revisit with an HTTP head. One record
// has a wrong digest.
func made() map[string]string {
	const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x00\x00\x00\x00"
	first := record("warcinfo", 2008, "software: Boat/2.0\r\n", "Content-Type: application/warc-fields") +
		response(2008, "http://x.example/", "text/html; charset=utf-8", "<html><p>hello</p></html>") +
		record("request", 2008, "GET / HTTP/1.1\r\nHost: x.example\r\n\r\n", "WARC-Target-URI: http://x.example/",
			"Content-Type: application/http; msgtype=request") +
		record("metadata", 2008, "fetchTimeMs: 5\r\n", "WARC-Target-URI: http://x.example/",
			"Content-Type: application/warc-fields") +
		record("resource", 2008, png, "WARC-Target-URI: http://y.example/a.png", "Content-Type: image/png",
			"WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA") +
		response(2009, "http://y.example/b", "image/png", png)
	second := record("revisit", 2009, "HTTP/1.1 304 Not Modified\r\n\r\n", "WARC-Target-URI: http://x.example/",
		"WARC-Profile: http://netpreserve.org/warc/1.0/revisit/server-not-modified",
		"Content-Type: application/http; msgtype=response") +
		record("conversion", 2009, "text", "WARC-Target-URI: http://x.example/", "Content-Type: text/plain") +
		record("continuation", 2009, "text", "WARC-Target-URI: http://x.example/")
	return map[string]string{"a.warc": first, "b.warc": second}
}

// sources makes or finds the sources of packages.
func sources(t *testing.T) []string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "made")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range made() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	all := []string{dir}
	for _, sample := range []string{
		"_made/crawls/wget/wget-devref.warc.gz",
		"_made/crawls/wget/wget-devref-dedup.warc.gz",
		"netarchivesuite_jwat/jwat-arc/IAH-20080430204825-00000-blackbook.arc.gz",
		"netarchivesuite_jwat/jwat-gzip/IAH-20080430204825-00000-blackbook.warc.gz",
		"netarchivesuite_compression/history/ORIGINALS/metadata/3-metadata-1.warc.gz",
		"ukwa_webarchive-discovery/gov.uk-revisit-warcs",
		"archivesunleashed_aut/warc/example.docs.warc.gz",
	} {
		if path := filepath.Join(testsamples.Dir(), "samples", filepath.FromSlash(sample)); exists(path) {
			all = append(all, path)
		}
	}
	return all
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// repository has packages, and their folders.
type repository struct {
	*repotest.Repository
	folders []string
	ids     []string
}

func stored(t *testing.T) *repository {
	t.Helper()
	ctx := context.Background()
	id, err := identify.New(identify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &repository{Repository: repotest.New(t)}
	for _, source := range sources(t) {
		out := r.Path("package")
		packed, err := pack.Pack(ctx, []string{source}, pack.Options{Out: out, Identify: id, Profile: pack.Full,
			Agent: model.Agent{Name: "Quire", Version: "test"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Store.Ingest(ctx, out, store.IngestOptions{}); err != nil {
			t.Fatal(err)
		}
		r.folders, r.ids = append(r.folders, out), append(r.ids, packed.ID)
	}
	return r
}

// read inspects the containers of package folders.
func read(t *testing.T, folders []string) iter.Seq2[*model.Container, error] {
	t.Helper()
	id, err := identify.New(identify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(*model.Container, error) bool) {
		for _, dir := range folders {
			files, err := inspect.Find([]string{filepath.Join(dir, "containers")})
			if err != nil {
				t.Error(err)
			}
			for _, file := range files {
				c, err := inspect.File(context.Background(), file, inspect.Options{Identify: id, Languages: true})
				if !yield(c, err) || err != nil {
					return
				}
			}
		}
	}
}

// table returns the table of a query, its rows without the numbers of packages.
func table(t *testing.T, s *store.Store, q Query) *report.Table {
	t.Helper()
	got, err := Table(context.Background(), s, q)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Rows {
		got.Rows[i].Packages = 0
	}
	return got
}

// compare compares numbers of a repository with those of containers that are read.
func compare(t *testing.T, s *store.Store, q Query, folders []string) {
	t.Helper()
	for _, by := range every {
		want, err := report.Stats(read(t, folders), by)
		if err != nil {
			t.Fatal(err)
		}
		q.By = by
		got := table(t, s, q)
		want.Rows = slices.DeleteFunc(want.Rows, func(r report.Row) bool {
			return r.Name == string(inspect.FaultFilename) // quire pack does not compare the name of a file
		})
		if got.Containers != want.Containers || !reflect.DeepEqual(got.Rows, want.Rows) {
			t.Errorf("%+v: %d containers, want %d\n got %+v\nwant %+v", q, got.Containers, want.Containers, got.Rows,
				want.Rows)
		}
		if sc := got.Scope; sc.Uncounted+sc.Partly+sc.Unidentified+sc.Unlisted != 0 || len(sc.Notes()) != 0 {
			t.Errorf("%+v: %+v", q, sc)
		}
	}
}

// TestSameAsStats: the numbers of a repository, and of a package, are those of quire stats over the containers.
// They are the same after a rebuild.
func TestSameAsStats(t *testing.T) {
	r := stored(t)
	compare(t, r.Store, Query{}, r.folders)
	for i := range r.folders {
		compare(t, r.Store, Query{Package: r.ids[i]}, r.folders[i:i+1])
	}
	before := table(t, r.Store, Query{By: report.ByHost})
	if err := r.Store.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := store.Init(context.Background(), filepath.Join(r.Dir, "repo"), store.InitOptions{Rebuild: true,
		Describe: aip.Describe})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if after := table(t, s, Query{By: report.ByHost}); !reflect.DeepEqual(before, after) {
		t.Errorf("after a rebuild:\n got %+v\nwant %+v", after, before)
	}
}

// TestParts counts a collection, years, and the most frequent names.
func TestParts(t *testing.T) {
	r := repotest.New(t)
	ctx := context.Background()
	for id, crawl := range map[string]map[string]string{
		"a": {"a.warc": response(2008, "http://x.example/", "text/html", "one") +
			response(2008, "http://y.example/", "text/html", "two")},
		"b": {"b.warc": response(2010, "http://x.example/", "text/html", "three")},
		"c": {"c.warc": response(2010, "http://z.example/", "text/html", "three")},
	} {
		if _, err := r.Store.Ingest(ctx, r.Pack(repotest.Package{ID: id, Containers: crawl}),
			store.IngestOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	r.Collect("both", "Both", "", "a", "b")
	for _, c := range []struct {
		q     Query
		want  string
		other int64
	}{
		{Query{}, "x.example 2, y.example 1, z.example 1", 0},
		{Query{Collection: "both"}, "x.example 2, y.example 1", 0},
		{Query{Collection: "both", From: 2009}, "x.example 1", 0},
		{Query{To: 2008}, "x.example 1, y.example 1", 0},
		{Query{From: 2010, To: 2010}, "x.example 1, z.example 1", 0},
		{Query{From: 2011}, "", 0},
		{Query{Top: 1}, "x.example 2", 2},
		{Query{Top: 3}, "x.example 2, y.example 1, z.example 1", 0},
		{Query{Package: "a"}, "x.example 1, y.example 1", 0},
		{Query{Package: "a", Harvest: 1, Top: 1}, "x.example 1", 1},
		{Query{Package: "a", Harvest: 2}, "", 0},
		{Query{Package: "a", To: 2007}, "", 0},
	} {
		c.q.By = report.ByHost
		got := table(t, r.Store, c.q)
		var rows []string
		for _, row := range got.Rows {
			rows = append(rows, fmt.Sprint(row.Name, " ", row.Count))
		}
		other := int64(0)
		if got.Other != nil {
			other = got.Other.Count
		}
		if text := strings.Join(rows, ", "); text != c.want || other != c.other {
			t.Errorf("%+v: %s, and %d others; want %s, and %d", c.q, text, other, c.want, c.other)
		}
	}
	if got := table(t, r.Store, Query{By: report.ByFormat}); got.Scope.Unidentified != 3 ||
		len(got.Scope.Notes()) != 1 {
		t.Errorf("formats that were not identified: %+v", got.Scope)
	}
	for _, q := range []Query{{Collection: "a"}, {Collection: "absent"}, {Package: "absent"}, {Harvest: 1},
		{Collection: "both", Package: "a"}, {From: 2009, To: 2008}} {
		q.By = report.ByHost
		if _, err := Table(ctx, r.Store, q); err == nil {
			t.Errorf("%+v has a table", q)
		}
	}
}

// TestHarvests counts each harvest of a package, and its containers outside of them.
func TestHarvests(t *testing.T) {
	r := repotest.New(t)
	ctx := context.Background()
	var folders []string
	for _, name := range []string{"x", "y"} {
		dir := filepath.Join(r.Path("source"), name)
		r.Write(filepath.Join(dir, name+".warc"), response(2008, "http://"+name+".example/", "text/html", "one"))
		folders = append(folders, dir)
	}
	out := r.Path("package")
	packed, err := pack.Pack(ctx, folders, pack.Options{Out: out, Agent: model.Agent{Name: "Quire", Version: "test"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Store.Ingest(ctx, out, store.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	for harvest, want := range map[int]string{1: "x.example", 2: "y.example"} {
		got := table(t, r.Store, Query{By: report.ByHost, Package: packed.ID, Harvest: harvest})
		if len(got.Rows) != 1 || got.Rows[0].Name != want || got.Containers != 1 {
			t.Errorf("harvest %d: %+v", harvest, got)
		}
	}
}

// TestCompleteness counts harvests by the comparison of their sources, and chooses packages by it.
func TestCompleteness(t *testing.T) {
	r := repotest.New(t)
	crawl := map[string]string{"arcs/x.warc": response(2008, "http://x.example/", "text/html", "one")}
	for id, report := range map[string]string{"lost": "[ARCHIVEFILE] [Closed] [Size]\n" +
		"x.warc 2008-01-02T03:05:00Z 100\ny.warc 2008-01-02T03:05:00Z 77\n", "plain": ""} {
		p := repotest.Package{ID: id, Containers: crawl}
		if report != "" {
			p.Logs = map[string]string{"reports/archivefiles-report.txt": report,
				"logs/crawl.log": "2008-01-02T03:04:05.000Z 200 3 http://x.example/ - - text/html #001 " +
					"20080102030405000+5 - - -\n"}
		}
		if _, err := r.Store.Ingest(context.Background(), r.Pack(p), store.IngestOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []Query{{}, {From: 2008, To: 2008}} {
		q.By = report.ByCompleteness
		if got := table(t, r.Store, q); fmt.Sprint(got.Rows) != "[{fail   1 0 0 0} {not compared   1 0 0 0}]" {
			t.Errorf("%+v: %v", q, got.Rows)
		}
	}
	for expression, want := range map[string]string{`"fail" in pkg.completeness`: "lost",
		`pkg.containers > 0 && !("fail" in pkg.completeness)`: "plain", `"x" in pkg.definitions`: ""} {
		var ids []string
		for p, err := range Packages(context.Background(), r.Store, expression) {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, p.ID)
			if len(p.Files) < 3 {
				t.Errorf("%s: %+v", expression, p.Files)
			}
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: %s, want %s", expression, got, want)
		}
	}
}

// TestManyNames: a container has more hosts than a METS lists. The sums are exact.
func TestManyNames(t *testing.T) {
	r := repotest.New(t)
	var all strings.Builder
	const hosts = 1100
	for i := range hosts {
		all.WriteString(response(2008, fmt.Sprintf("http://h%04d.example/", i), "text/html", "x"))
	}
	if _, err := r.Store.Ingest(context.Background(), r.Pack(repotest.Package{ID: "a",
		Containers: map[string]string{"a.warc": all.String()}}), store.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	got := table(t, r.Store, Query{By: report.ByHost, Top: 1})
	if len(got.Rows) != 1 || got.Rows[0].Name != "(other)" || got.Rows[0].Count != 100 || got.Other == nil ||
		got.Other.Count != 1000 || got.Scope.Values != 0 {
		t.Errorf("%+v, others %+v", got, got.Other)
	}
}

// TestCount: packages that were stored without numbers are reported, until they are counted.
func TestCount(t *testing.T) {
	ctx := context.Background()
	r := repotest.New(t)
	dir := r.Pack(repotest.Package{ID: "a", Containers: made()})
	repo := filepath.Join(r.Dir, "other")
	s, err := store.Init(ctx, repo, store.InitOptions{Copies: []string{filepath.Join(r.Dir, "k")},
		Describe: func(f fs.FS) (model.Package, error) {
			p, err := aip.Describe(f)
			p.Numbers = nil
			return p, err
		}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Ingest(ctx, dir, store.IngestOptions{}); err != nil {
		t.Fatal(err)
	}
	got := table(t, s, Query{By: report.ByHost})
	if len(got.Rows) != 0 || got.Scope.Uncounted != 1 || len(got.Scope.Notes()) != 1 {
		t.Errorf("without numbers: %+v", got)
	}
	if _, err := Table(ctx, s, Query{By: report.ByHost, Package: "a"}); !errors.Is(err, ErrNotCounted) {
		t.Errorf("without numbers: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = store.Open(ctx, repo, store.Options{Describe: aip.Describe}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for i, want := range []int64{1, 0} {
		if n, err := s.CountPackages(ctx, nil); err != nil || n != want {
			t.Errorf("counted %d times: %d, %v", i, n, err)
		}
	}
	if got := table(t, s, Query{By: report.ByHost}); len(got.Rows) != 2 || got.Scope.Uncounted != 0 {
		t.Errorf("counted: %+v", got)
	}
	if _, state, err := s.Numbers(ctx, "a"); err != nil || state != catalogue.Counted {
		t.Errorf("counted: %s, %v", state, err)
	}
}
