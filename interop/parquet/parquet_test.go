//go:build interop

package parquet

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"quire/access/research"
	"quire/holdings"
	"quire/holdings/holdingstest"
	"quire/internal/testsamples"
	"quire/interop/internal/peers"
)

// repository has two packages: pages of three months, a page that changed, links between hosts, and a page
// that is closed to the public.
func repository(t *testing.T) (*holdingstest.Repository, *holdings.Holdings) {
	t.Helper()
	const html = "text/html; charset=utf-8"
	r := holdingstest.New(t)
	r.Ingest(holdingstest.Package{ID: "museum/2004", Rights: "access: open", Containers: map[string]string{
		"a.warc": holdingstest.Response("1", "http://www.boats.example.org/", "2004-03-01T00:00:00Z", html,
			`<html lang="en"><title>Boats</title><p>A boat of wood.</p><a href="http://other.example.co.uk/x">x</a>`+
				`<a href="/no">n</a><img src="/i.png">`) +
			holdingstest.Response("2", "http://www.boats.example.org/", "2004-04-01T00:00:00Z", html,
				`<html lang="en"><title>Boats</title><p>Another boat.</p>`+
					`<a href="http://other.example.co.uk/x">x</a>`) +
			holdingstest.Response("3", "http://www.boats.example.org/i.png", "2004-04-01T00:00:01Z", "image/png",
				"png")}})
	r.Ingest(holdingstest.Package{ID: "other", Rights: "access: open\nrules:\n  - urls: [http://closed.example/]\n" +
		"    access: restricted\n", Containers: map[string]string{"b.warc": "" +
		holdingstest.Response("4", "http://other.example.co.uk/x", "2010-12-31T23:59:59Z", html,
			`<p>Un bateau</p><a href="http://closed.example/">c</a>`) +
		holdingstest.Response("5", "http://closed.example/", "2010-12-31T23:59:59Z", html, `<p>a boat</p>`)}})
	return r, r.Open(holdings.Options{})
}

var sqlBlock = regexp.MustCompile("(?s)```sql\n(.*?)```")

// queries returns the statements of the how-to page: first the views for DuckDB, then the examples.
func queries(t *testing.T) (views, examples string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(testsamples.Root(), "docs", "how-to", "197_research.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range sqlBlock.FindAllStringSubmatch(string(page), -1) {
		if i == 0 {
			views = block[1]
		} else {
			examples += block[1]
		}
	}
	return views, examples
}

// ask runs statements with an engine, and returns the rows of each.
func ask(t *testing.T, driver, folder, sql string) (answers [][][]any) {
	t.Helper()
	python := filepath.Join(peers.Tools(t), "parquet-venv", "bin", "python")
	var errs strings.Builder
	cmd := exec.CommandContext(t.Context(), python, driver, folder)
	cmd.Stdin, cmd.Stderr = strings.NewReader(sql), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", driver, err, errs.String())
	}
	for line := range strings.Lines(string(out)) {
		var rows [][]any
		if err := json.Unmarshal([]byte(line), &rows); err != nil {
			t.Fatalf("%s: %v: %s", driver, err, line)
		}
		answers = append(answers, rows)
	}
	return answers
}

// want are the answers to the examples on the page.
var want = [][][]any{
	{{"museum/2004", "2004-03", "text/html", 1.0}, {"museum/2004", "2004-04", "image/png", 1.0},
		{"museum/2004", "2004-04", "text/html", 1.0}, {"other", "2010-12", "text/html", 1.0}},
	{{"example.org", 3.0, 2004.0, 2004.0}, {"example.co.uk", 1.0, 2010.0, 2010.0}},
	{{"org,example,boats)/", 2.0}},
	{{"www.boats.example.org", "other.example.co.uk", 2.0}},
	{{"org,example,boats)/no", 1.0}},
	{{"en", 2.0}},
}

// more checks types that the examples do not show: a timestamp, numbers that may be null, and lists.
const more = `
SELECT CAST(fetch_time AS DATE), hour(fetch_time), fetch_status, warc_record_offset IS NULL, warc_filename
FROM captures WHERE url_host_name = 'www.boats.example.org' AND month = '2004-03';
SELECT record_number, body_length, chunked FROM records WHERE warc_record_type = 'response' ORDER BY record_number;
SELECT warc_filename, captures FROM containers WHERE crawl = 'museum/2004';
SELECT DISTINCT event_type FROM events WHERE event_type = 'ingestion' AND crawl = 'museum/2004'`

// TestEngines: DuckDB and Spark give the right answers to the examples of the how-to page, from the export
// and after its second run.
func TestEngines(t *testing.T) {
	r, h := repository(t)
	out := filepath.Join(t.TempDir(), "out")
	if _, err := research.Run(context.Background(), r.Store, h, research.Request{Out: out,
		Tables: research.Tables()}); err != nil {
		t.Fatal(err)
	}
	views, examples := queries(t)
	for _, name := range []string{research.Records, research.Containers, research.Events} {
		views += "CREATE VIEW " + name + " AS SELECT * FROM read_parquet('" + name + "/**/*.parquet');\n"
	}
	duck := ask(t, "duck.py", out, views+examples+more)[strings.Count(views, ";"):]
	spark := ask(t, "spark.py", out, examples+more)
	for i, rows := range want {
		if !reflect.DeepEqual(duck[i], rows) {
			t.Errorf("DuckDB, example %d: %v, want %v", i+1, duck[i], rows)
		}
	}
	executors := spark[len(spark)-1][0][0]
	if spark = spark[:len(spark)-1]; executors != 2.0 {
		t.Errorf("%v workers ran tasks, want 2", executors)
	}
	if !reflect.DeepEqual(duck, spark) {
		t.Errorf("Spark says %v\nDuckDB says %v", spark, duck)
	}
	if first := duck[len(want)][0]; first[0] != "2004-03-01" || first[1] != 0.0 || first[2] != 200.0 ||
		first[3] != false || first[4] != "containers/a.warc" || len(duck[len(want)+1]) != 3 ||
		len(duck[len(want)+2]) != 1 ||
		!reflect.DeepEqual(duck[len(want)+3], [][]any{{"ingestion"}}) {
		t.Errorf("%v", duck[len(want):])
	}
}
