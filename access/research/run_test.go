package research_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"quire/access/research"
	"quire/holdings"
	"quire/holdings/exports"
	"quire/holdings/holdingstest"
	"quire/holdings/rights"
	"quire/preserve/aip"
	"quire/repository/store"
)

// site returns a package with one page, and more records.
func site(id, more string) holdingstest.Package {
	return holdingstest.Package{ID: id, Rights: "access: open", Containers: map[string]string{"a.warc": "" +
		holdingstest.Response("1", "http://"+id+".example/", day, "text/html; charset=utf-8",
			`<title>T</title><p>Some words here.</p><a href="http://b.example/">the b</a>`) + more}}
}

func urlsOf(t *testing.T, dir string) (urls []string) {
	t.Helper()
	for _, row := range rowsOf(t, dir, research.Captures) {
		urls = append(urls, row["url"].(string))
	}
	slices.Sort(urls)
	return urls
}

func manifest(t *testing.T, dir string) (m research.Manifest) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, research.ManifestName))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestColumns: rows have the columns that Common Crawl's index has, with its meanings.
func TestColumns(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	const url = "https://user:pw@www.Shop.example.co.uk:8443/a/b?q=1&u=http://x:y@z.example/#f"
	r.Ingest(site("a", holdingstest.Response("2", url, "2004-03-05T06:07:08Z", "text/html", "<p>x")))
	h := r.Open(holdings.Options{})
	out := filepath.Join(t.TempDir(), "out")
	export(t, r, h, research.Request{Out: out})
	var row map[string]any
	for _, each := range rowsOf(t, out, research.Captures) {
		if each["partition"] == "crawl=a/month=2004-03" {
			row = each
		}
	}
	want := map[string]any{
		"url": "https://www.Shop.example.co.uk:8443/a/b?q=1&u=http://z.example/#f", "url_surtkey": row["url_surtkey"],
		"url_host_name": "www.shop.example.co.uk", "url_host_tld": "uk", "url_host_registry_suffix": "co.uk",
		"url_host_registered_domain": "example.co.uk", "url_host_name_reversed": "uk.co.example.shop.www",
		"url_host_2nd_last_part": "co", "url_host_3rd_last_part": "example", "url_host_4th_last_part": "shop",
		"url_host_5th_last_part": "www", "url_host_private_suffix": "co.uk", "url_host_private_domain": "example.co.uk",
		"url_protocol": "https", "url_port": int32(8443), "url_path": "/a/b", "url_query": "q=1&u=http://z.example/",
		"fetch_time": time.Date(2004, 3, 5, 6, 7, 8, 0, time.UTC).UnixMilli(), "fetch_status": int32(200),
		"fetch_redirect": nil, "content_digest": strings.TrimPrefix(holdingstest.Digest("<p>x"), "sha1:"),
		"content_mime_type": "text/html", "content_truncated": nil, "warc_filename": "containers/a.warc",
		"warc_record_offset": row["warc_record_offset"], "warc_record_length": row["warc_record_length"],
		"warc_record_type": "response", "request_method": "GET", "content_length": int64(4), "harvest": int32(1),
		"partition": "crawl=a/month=2004-03"}
	for name, value := range want {
		if !reflect.DeepEqual(row[name], value) {
			t.Errorf("%s is %#v, want %#v", name, row[name], value)
		}
	}
	if len(row) != len(want) || strings.Contains(row["url_surtkey"].(string), "y@") {
		t.Errorf("row %v", row)
	}
	links := rowsOf(t, out, research.Links)
	if len(links) != 1 || links[0]["target_url"] != "http://b.example/" || links[0]["link_text"] != "the b" ||
		links[0]["link_kind"] != "hyperlink" || links[0]["target_url_surtkey"] != "example,b)/" {
		t.Errorf("links %v", links)
	}
	if sums := rowsOf(t, out, research.HostLinks); len(sums) != 1 || sums[0]["links"] != int64(1) ||
		sums[0]["url_host_name"] != "a.example" || sums[0]["target_host_name"] != "b.example" {
		t.Errorf("host links %v", sums)
	}
	if c := rowsOf(t, out, research.Containers); len(c) != 1 || c[0]["captures"] != int64(2) ||
		c[0]["warc_filename"] != "containers/a.warc" || len(c[0]["sha512"].(string)) != 128 {
		t.Errorf("containers %v", c)
	}
	if records := rowsOf(t, out, research.Records); len(records) != 2 || records[0]["body_sha256"] == nil {
		t.Errorf("records %v", records)
	}
	kinds := map[any]bool{}
	for _, e := range rowsOf(t, out, research.Events) {
		kinds[e["event_type"]] = true
	}
	if !kinds["capture"] || !kinds["ingestion"] {
		t.Errorf("events %v", kinds)
	}
	texts := rowsOf(t, out, research.Texts)
	if len(texts) != 2 || !strings.Contains(texts[0]["text"].(string)+texts[1]["text"].(string), "Some words here.") {
		t.Errorf("texts %v", texts)
	}
	m := manifest(t, out)
	total := int64(0)
	for _, f := range m.Packages[0].Files {
		total += f.Rows
		info, err := os.Stat(filepath.Join(out, f.Path))
		if err != nil || info.Size() != f.Bytes || len(f.SHA256) != 64 {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if m.Export != "E1" || m.Repository != r.Store.ID() || len(m.Packages) != 1 || m.Packages[0].Version != 1 ||
		total != int64(2+2+1+1+1+2+len(rowsOf(t, out, research.Events))) {
		t.Errorf("manifest %+v: %d rows", m, total)
	}
}

// TestIncremental: a run adds new packages and versions, writes packages again whose access changed, removes
// closed ones, and leaves everything else as it is. The register knows all of it, also after a rebuild.
func TestIncremental(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := holdingstest.New(t)
	r.Ingest(site("a", ""))
	r.Ingest(site("b", ""))
	h := r.Open(holdings.Options{})
	out := filepath.Join(t.TempDir(), "out")
	request := research.Request{Out: out, By: "Ada"}
	result := export(t, r, h, request)
	if len(result.Added) != 2 || result.Export != "E1" {
		t.Fatalf("%+v", result)
	}
	touched := func(ids ...string) int64 {
		t.Helper()
		all, err := exports.With(ctx, r.Store, ids)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == 0 {
			return 0
		}
		if len(all) > 1 || all[0].Where != out || !all[0].Complete || all[0].For != holdings.Public {
			t.Errorf("%+v", all)
		}
		return all[0].Packages
	}
	if touched("a", "x") != 1 || touched("x") != 0 {
		t.Error("the register is wrong")
	}

	plan, err := research.Plan(ctx, r.Store, h, request)
	if err != nil || plan.Kept != 2 || len(plan.Added) > 0 {
		t.Errorf("%+v, %v", plan, err)
	}
	before := everything(t, out)
	if again := export(t, r, h, request); again.Kept != 2 || everything(t, out) != before {
		t.Errorf("%+v", again)
	}
	history, err := r.Store.DocumentHistory(ctx, "export-1")
	if err != nil || len(history) != 2 { // the begin and the end of the first run
		t.Errorf("%d versions, %v", len(history), err)
	}

	r.Ingest(site("c", ""))
	r.Ingest(site("a", holdingstest.Response("2", "http://a.example/new", day, "text/html", "<p>")))
	result = export(t, r, h, request)
	if len(result.Added) != 1 || len(result.Rewritten) != 1 || result.Kept != 1 || result.Rewritten[0].Package != "a" {
		t.Errorf("%+v", result)
	}
	want := []string{"http://a.example/", "http://a.example/new", "http://b.example/", "http://c.example/"}
	if urls := urlsOf(t, out); !slices.Equal(urls, want) {
		t.Errorf("%v", urls)
	}

	// A withdrawal of b removes its rows, and the links to it in the rows of others.
	r.Withdraw(rights.Withdrawal{Package: "b"}, rights.Withdrawal{URL: "http://a.example/new"})
	if plan, err = research.Plan(ctx, r.Store, h, request); err != nil || len(plan.Removed) != 1 ||
		len(plan.Rewritten) != 2 {
		t.Errorf("%+v, %v", plan, err)
	}
	result = export(t, r, h, request)
	if len(result.Removed) != 1 || result.Removed[0].Package != "b" || len(result.Rewritten) != 2 {
		t.Errorf("%+v", result)
	}
	text := everything(t, out)
	if strings.Contains(text, "b.example") || strings.Contains(text, "crawl=b") || strings.Contains(text, "/new") {
		t.Error("withdrawn content is in the export")
	}
	if touched("b") != 0 || touched("a", "c") != 2 {
		t.Error("the register is wrong")
	}

	// An end of the withdrawal brings all of it back.
	r.Withdraw()
	result = export(t, r, h, request)
	if len(result.Added) != 1 || len(result.Rewritten) != 2 || !slices.Equal(urlsOf(t, out), want) {
		t.Errorf("%+v, %v", result, urlsOf(t, out))
	}
	if len(rowsOf(t, out, research.Links)) != 3 {
		t.Error("the links to b are not back")
	}

	if err := errors.Join(h.Close(), r.Store.Close()); err != nil {
		t.Fatal(err)
	}
	if r.Store, err = store.Init(ctx, filepath.Join(r.Dir, "repo"), store.InitOptions{Describe: aip.Describe,
		Rebuild: true}); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Store.Close() }()
	if touched("a", "b", "c") != 3 {
		t.Error("the rebuild forgot the export")
	}
}

// TestEarlierColumns: a package whose tables have the columns of an earlier version is written again.
func TestEarlierColumns(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	r.Ingest(site("a", holdingstest.Response("2", "http://x.ada.github.io/", day, "text/html", "<p>")))
	r.Ingest(site("b", ""))
	h := r.Open(holdings.Options{})
	out := filepath.Join(t.TempDir(), "out")
	request := research.Request{Out: out}
	export(t, r, h, request)
	manifest := filepath.Join(out, research.ManifestName)
	text, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	earlier := regexp.MustCompile(`\s*"columns": ?2,`).ReplaceAll(text, nil)
	if err := os.WriteFile(manifest, earlier, 0o600); err != nil || len(earlier) == len(text) {
		t.Fatal(err, len(earlier), len(text))
	}
	result := export(t, r, h, request)
	if len(result.Rewritten) != 2 || !strings.Contains(result.Rewritten[0].Why, "columns of an earlier version") {
		t.Errorf("%+v", result)
	}
	if again := export(t, r, h, request); again.Kept != 2 {
		t.Errorf("%+v", again)
	}
	private := ""
	for _, row := range rowsOf(t, out, research.Captures) {
		if row["url_host_name"] == "x.ada.github.io" {
			private = fmt.Sprintln(row["url_host_private_suffix"], row["url_host_private_domain"],
				row["url_host_registry_suffix"], row["url_host_5th_last_part"])
		}
	}
	if private != "github.io ada.github.io io <nil>\n" {
		t.Errorf("the parts are %s", private)
	}
}

// TestAccess: the run after a takedown finds the packages that it touches, one by one: a second page of a package
// that was open in part before, and a link in a package whose own access is the same.
func TestAccess(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	page := func(url string) string { return holdingstest.Response(url, url, day, "text/html", "<p>"+url) }
	r.Ingest(site("a", page("http://a.example/1")+page("http://a.example/2")))
	r.Ingest(site("b", ""))
	h := r.Open(holdings.Options{})
	out := filepath.Join(t.TempDir(), "out")
	request := research.Request{Out: out}
	one := rights.Withdrawal{Package: "a", URL: "http://a.example/1"}
	r.Withdraw(one)
	export(t, r, h, request)
	if urls := urlsOf(t, out); len(urls) != 3 || len(rowsOf(t, out, research.Links)) != 2 {
		t.Error(urls)
	}
	two := rights.Withdrawal{Package: "a", URL: "http://a.example/2"}
	r.Withdraw(one, two)
	result := export(t, r, h, request)
	if urls := urlsOf(t, out); len(urls) != 2 || len(result.Rewritten) != 1 || result.Rewritten[0].Package != "a" ||
		result.Kept != 1 {
		t.Errorf("%v, %+v", urls, result)
	}
	r.Withdraw(one, two, rights.Withdrawal{Package: "b"}) // its page is the target of the link in a
	result = export(t, r, h, request)
	if len(result.Rewritten) != 1 || len(result.Removed) != 1 || !strings.Contains(result.Rewritten[0].Why, "links") ||
		strings.Contains(everything(t, out), "b.example") {
		t.Errorf("%+v", result)
	}
	if again := export(t, r, h, request); again.Kept+int64(len(again.Rewritten)) != 1 {
		t.Errorf("%+v", again)
	}
	r.Withdraw(one, two)
	result = export(t, r, h, request)
	if len(result.Rewritten) != 1 || len(result.Added) != 1 || len(rowsOf(t, out, research.Links)) != 2 {
		t.Errorf("%+v", result)
	}
}

// TestBrokenOff: a run that is broken off leaves no manifest, and is in the register. The next run goes on
// with the packages that are missing, and removes half-written files.
func TestBrokenOff(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	for _, id := range []string{"a", "b", "c"} {
		r.Ingest(site(id, ""))
	}
	h := r.Open(holdings.Options{})
	out := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(t.Context())
	request := research.Request{Out: out, Tables: research.Tables(), Progress: func(id string, _ int) {
		if id == "b" {
			cancel()
		}
	}}
	if _, err := research.Run(ctx, r.Store, h, request); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(out, research.ManifestName)); !errors.Is(err, os.ErrNotExist) {
		t.Error("a broken-off run has a manifest")
	}
	touched, err := exports.With(t.Context(), r.Store, []string{"c"})
	if err != nil || len(touched) != 1 || touched[0].Complete {
		t.Errorf("%+v, %v", touched, err)
	}
	// as if it had been killed while it wrote b
	for _, name := range []string{"crawl=b/month=2015-01/part-00001-00000000.parquet",
		"crawl=a/month=2015-01/.unfinished-1"} {
		r.Write(filepath.Join(out, research.Captures, name), "half")
	}
	// the line that it was writing
	r.Write(filepath.Join(out, "_unfinished.json"), string(append(read(t, filepath.Join(out, "_unfinished.json")),
		`{"id":"b","ver`...)))
	request.Progress = nil
	r.Withdraw(rights.Withdrawal{Package: "b"}) // no run will write it
	result := export(t, r, h, request)
	if result.Export != "E1" || result.Kept+int64(len(result.Rewritten)) != 1 || len(result.Added) != 1 {
		t.Errorf("%+v", result)
	}
	if urls := urlsOf(t, out); len(urls) != 2 {
		t.Error(urls)
	}
	text := everything(t, out)
	for _, left := range []string{"half", "unfinished", "crawl=b"} {
		if strings.Contains(text, left) {
			t.Errorf("half-written files are left: %s", left)
		}
	}
	if m := manifest(t, out); len(m.Packages) != 2 {
		t.Errorf("%+v", m)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestRefused: a folder of something else, another class and other tables are refused.
func TestRefused(t *testing.T) {
	t.Parallel()
	r := holdingstest.New(t)
	r.Ingest(site("a", ""))
	h := r.Open(holdings.Options{})
	foreign, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	r.Write(filepath.Join(foreign, "mine.txt"), "mine")
	export(t, r, h, research.Request{Out: out, Tables: []string{research.Captures}})
	for name, c := range map[string]struct {
		request research.Request
		want    string
	}{
		"foreign folder": {research.Request{Out: foreign}, "no earlier export"},
		"other class":    {research.Request{Out: out, For: holdings.Staff}, "is an export for public"},
		"other tables":   {research.Request{Out: out, Tables: []string{research.Links}}, "has the tables captures"},
		"no table":       {research.Request{Out: out, Tables: []string{"pages"}}, "no table"},
		"no folder":      {research.Request{}, "needs a folder"},
		"in a copy":      {research.Request{Out: filepath.Join(r.Dir, "copy-1", "x")}, "copy-1"},
	} {
		_, err := research.Run(t.Context(), r.Store, h, c.request)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
